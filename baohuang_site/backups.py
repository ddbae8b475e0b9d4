"""A copy of everything a site must not lose, and the way back: database, secret key, and a manifest with checksums.

A backup is a folder of its own that appears whole or not at all. SQLite is copied by its online interface while the
site runs; PostgreSQL by its own `pg_dump`. A backup holds the hidden half of running deals and the secret key: it is
readable by its owner only, and belongs where nobody plays.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from baohuang_site.version import version

FORMAT = "baohuang-backup/1"
SQLITE_NAME, POSTGRES_NAME, KEY_NAME, MANIFEST = "database.sqlite3", "database.dump", "secret_key", "manifest.json"
PAGES_AT_ONCE = 2000


class BackupError(Exception):
    """What went wrong, in a sentence for whoever typed the command."""


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _database() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def make(folder: Path, now: datetime) -> Path:
    """Write a backup into a new folder inside `folder`; where it is. Raises BackupError."""
    target = folder / f"baohuang-{now:%Y%m%d-%H%M%S}"
    draft = folder / f".{target.name}.{os.getpid()}"
    if target.exists():
        raise BackupError(f"{target} is there already")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.mkdir(mode=0o700)
    except OSError as error:
        raise BackupError(f"{folder} cannot be written: {error.strerror}") from error
    try:
        name = _copy_sqlite(draft) if connection.vendor == "sqlite" else _dump_postgres(draft)
        key = draft / KEY_NAME
        key.write_text(settings.SECRET_KEY, encoding="utf-8")
        for path in (draft / name, key):
            path.chmod(0o600)
        _write_manifest(draft, now, [name, KEY_NAME])
        _settle(draft)
        draft.rename(target)
        _settle(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return target


def _copy_sqlite(folder: Path) -> str:
    source = sqlite3.connect(f"file:{_database()}?mode=rw", uri=True, timeout=30)
    copy = sqlite3.connect(folder / SQLITE_NAME)
    with contextlib.closing(source), contextlib.closing(copy):
        source.backup(copy, pages=PAGES_AT_ONCE, sleep=0.01)
        # one file that needs nothing beside it
        copy.execute("PRAGMA journal_mode=DELETE")
        check = copy.execute("PRAGMA quick_check").fetchone()[0]
    if check != "ok":
        raise BackupError(f"the copy of the database is damaged: {check}")
    return SQLITE_NAME


def _postgres(program: str, *words: str) -> None:
    """Run one of PostgreSQL's own programs against the site's database. Raises BackupError."""
    found = shutil.which(program)
    if found is None:
        raise BackupError(f"{program} is not installed; it comes with PostgreSQL's client programs")
    chosen = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    environment = {**os.environ, **{key: str(chosen[name]) for key, name in names.items() if chosen.get(name)}}
    command = [found, f"--dbname={chosen['NAME']}", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"{program}: {done.stderr.strip() or done.returncode}")


def _dump_postgres(folder: Path) -> str:
    _postgres("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={folder / POSTGRES_NAME}")
    return POSTGRES_NAME


def _write_manifest(folder: Path, now: datetime, names: list[str]) -> None:
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    manifest = {
        "format": FORMAT,
        "version": version(),
        "made_at": now.isoformat(),
        "database": connection.vendor,
        "migrations": [f"{app}.{name}" for app, name in applied],
        "files": {name: {"sha256": _digest(folder / name), "bytes": (folder / name).stat().st_size} for name in names},
    }
    path = folder / MANIFEST
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.chmod(0o600)


def _settle(folder: Path) -> None:
    """Have what was written reach the disk."""
    for path in [*folder.iterdir(), folder]:
        if path.is_file() or path == folder:
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def verify(folder: Path) -> dict[str, Any]:
    """The manifest of a backup whose files are what it says. Raises BackupError."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BackupError(f"{folder} is no backup: its {MANIFEST} cannot be read") from error
    if manifest.get("format") != FORMAT:
        raise BackupError(f"{folder} is not of the format {FORMAT}")
    for name, told in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise BackupError(f"{name} is missing")
        if _digest(path) != told["sha256"]:
            raise BackupError(f"{name} is damaged: its checksum is another")
    return manifest


def restore(folder: Path, *, force: bool, now: datetime) -> None:
    """Put a backup in the place of the site's data. What was there is set aside, beside it. Raises BackupError.

    Without `force` nothing that exists is replaced. The site must not be running.
    """
    manifest = verify(folder)
    if manifest["database"] != connection.vendor:
        raise BackupError(f"the backup is of {manifest['database']}, this site uses {connection.vendor}")
    key = Path(settings.DATA_DIR) / KEY_NAME
    saved = (folder / KEY_NAME).read_text(encoding="utf-8")
    # a key without a database protects nothing yet: the first command on an empty folder makes one
    if not force and connection.introspection.table_names():
        raise BackupError("there is a database already; --force replaces it")
    if connection.vendor == "sqlite":
        _put_sqlite(folder / SQLITE_NAME, now)
    else:
        words = ["--clean", "--if-exists"] if force else []
        _postgres("pg_restore", *words, "--no-owner", "--single-transaction", str(folder / POSTGRES_NAME))
    _put(key, saved.encode(), now)


def _put_sqlite(source: Path, now: datetime) -> None:
    target = _database()
    connections.close_all()
    if target.exists():
        _alone(target)
        if target.stat().st_size:
            target.replace(_aside(target, now))
    for end in ("-wal", "-shm"):
        Path(f"{target}{end}").unlink(missing_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copyfile(source, draft)
    draft.chmod(0o600)
    draft.replace(target)


def _alone(database: Path) -> None:
    """Only somebody who is alone with a database can end its write-ahead log. Raises BackupError."""
    single = sqlite3.connect(database, timeout=1)
    with contextlib.closing(single):
        try:
            mode = single.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
        except sqlite3.OperationalError:
            mode = "locked"
    if mode != "delete":
        raise BackupError("the site is running; stop it first")


def _aside(path: Path, now: datetime) -> Path:
    return path.with_name(f"{path.name}.before-{now:%Y%m%d-%H%M%S}")


def _put(path: Path, content: bytes, now: datetime) -> None:
    if path.exists():
        if path.read_bytes().strip() == content:
            return
        path.replace(_aside(path, now))
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
