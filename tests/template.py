"""A freshly migrated SQLite database, made once in a run: migrating takes seconds, copying a file does not.

All processes of one run share it. It becomes each one's test database, what that is put back to after a test that
committed, and the beginning of every site (`tests.site`).
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "baohuang.sqlite3"
FOLDER = "BAOHUANG_TEST_RUN"


def environment(folder: Path) -> dict[str, str]:
    """The surroundings of a process that serves or manages the site in this folder and knows of nothing else."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("BAOHUANG_") and k != "DJANGO_SETTINGS_MODULE"}
    for name in ("DATABASE_URL", "REDIS_URL"):
        kept.pop(name, None)
    return {**kept, "BAOHUANG_DATA": str(folder), "BAOHUANG_ENV_FILE": os.devnull}


def shared_folder() -> Path:
    """A folder that this process and those it starts have in common; gone when the first of them ends."""
    named = os.environ.get(FOLDER)
    if named is None:
        named = os.environ[FOLDER] = tempfile.mkdtemp(prefix="baohuang-run-")
        owner = os.getpid()
        atexit.register(lambda: os.getpid() == owner and shutil.rmtree(named, ignore_errors=True))
    return Path(named)


def begin() -> None:
    """Have another process make it already."""
    shared_folder()
    subprocess.Popen([sys.executable, "-c", "from tests.template import migrated; migrated()"], cwd=ROOT)


@cache
def migrated() -> Path:
    """The database file; whoever asks first migrates it, the others wait for him."""
    folder = shared_folder()
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(command, cwd=ROOT, env=environment(folder), check=True)
            with closing(sqlite3.connect(folder / NAME)) as made:
                made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (folder / "done").touch()
    return folder / NAME


@cache
def in_memory() -> sqlite3.Connection:
    """The same database without a file, to be copied from."""
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(sqlite3.connect(migrated())) as made:
        made.backup(memory)
    return memory


def put_back(connection: sqlite3.Connection) -> None:
    """Make this database what it was when it had just been migrated. Needs it to be free of open transactions."""
    in_memory().backup(connection)
