"""Backup and restore, on a site of its own with its own data folder, the way an admin does it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import Site, prepared

SIGN_UP = (
    "from accounts.services.players import sign_up; from accounts.services import ledger;"
    "ledger.grant(sign_up(username='{name}', password=None), 7, 'k{name}', 'admin')"
)
NAMES = "from accounts.models import Player; print(*Player.objects.values_list('username', flat=True))"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Path]:
    """A site with somebody in it, and its backup."""
    site = Site(tmp_path_factory.mktemp("kept"))
    shutil.copytree(prepared(), site.folder, dirs_exist_ok=True)
    site.manage("shell", "-c", SIGN_UP.format(name="ann"))
    return site, Path(site.manage("backup", str(site.folder / "backups")).strip())


@pytest.fixture
def empty(tmp_path: Path) -> Site:
    (tmp_path / "new").mkdir()
    return Site(tmp_path / "new")


@pytest.fixture
def running(kept: tuple[Site, Path]) -> Iterator[Site]:
    site = kept[0]
    site.start()
    yield site
    site.stop()


def names(site: Site) -> str:
    return site.manage("shell", "-c", NAMES).strip().splitlines()[-1]


def said(site: Site, *words: str) -> str:
    """What a command that fails writes to standard error."""
    with pytest.raises(subprocess.CalledProcessError) as failed:
        site.manage(*words)
    return str(failed.value.stderr)


def test_a_backup_says_what_it_holds_and_is_its_owners_only(kept: tuple[Site, Path]) -> None:
    site, folder = kept
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["format"], manifest["database"], manifest["version"]) == ("baohuang-backup/1", "sqlite", "0.1.0")
    assert set(manifest["files"]) == {"database.sqlite3", "secret_key"}
    assert (folder / "secret_key").read_text() == (site.folder / "secret_key").read_text()
    assert [oct(path.stat().st_mode & 0o077) for path in (folder, *folder.iterdir())] == ["0o0"] * 4
    copy = sqlite3.connect(folder / "database.sqlite3")
    assert copy.execute("SELECT username FROM accounts_player").fetchall() == [("ann",)]
    copy.close()
    assert not list(folder.parent.glob(".*"))


@pytest.mark.slow
def test_a_backup_comes_back_on_an_empty_machine_with_its_key_and_its_beans(
    kept: tuple[Site, Path], empty: Site
) -> None:
    site, folder = kept
    out = empty.manage("restore", str(folder))
    assert "the ledger balances" in out
    assert out.endswith("restored\n")
    assert names(empty) == "ann"
    assert (empty.folder / "secret_key").read_text() == (site.folder / "secret_key").read_text()


@pytest.mark.slow
def test_nothing_is_replaced_without_force_and_what_is_replaced_is_set_aside(
    kept: tuple[Site, Path], empty: Site
) -> None:
    folder = kept[1]
    empty.manage("prepare")
    empty.manage("shell", "-c", SIGN_UP.format(name="bob"))
    assert "--force replaces it" in said(empty, "restore", str(folder))
    assert names(empty) == "bob"
    empty.manage("restore", str(folder), "--force")
    assert names(empty) == "ann"
    (old,) = empty.folder.glob("baohuang.sqlite3.before-*")
    aside = sqlite3.connect(old)
    assert aside.execute("SELECT username FROM accounts_player").fetchall() == [("bob",)]
    aside.close()


@pytest.mark.parametrize(
    "harm, word",
    [
        (lambda folder: (folder / "database.sqlite3").open("ab").write(b"x"), "damaged"),
        (lambda folder: (folder / "secret_key").unlink(), "missing"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "format"),
        (lambda folder: (folder / "manifest.json").unlink(), "no backup"),
    ],
)
def test_a_damaged_backup_is_refused_and_nothing_is_touched(
    kept: tuple[Site, Path], tmp_path: Path, harm: object, word: str
) -> None:
    import shutil

    from baohuang_site import backups

    copy = tmp_path / "copy"
    shutil.copytree(kept[1], copy)
    harm(copy)  # type: ignore[operator]
    with pytest.raises(backups.BackupError, match=word):
        backups.verify(copy)


@pytest.mark.slow
def test_a_site_is_copied_while_it_runs_and_not_replaced_while_it_runs(running: Site, tmp_path: Path) -> None:
    from urllib.request import urlopen

    with urlopen(f"{running.url}/health/", timeout=20) as answer:
        told = json.load(answer)
    assert (told["ok"], told["clock"], told["overdue"]) == (True, True, 0)
    folder = running.manage("backup", str(tmp_path)).strip()
    assert "the site is running" in said(running, "restore", folder, "--force")
    with urlopen(f"{running.url}/health/", timeout=20) as answer:
        assert answer.status == 200


def test_a_backup_killed_in_the_middle_is_none(kept: tuple[Site, Path], tmp_path: Path) -> None:
    site = kept[0]
    kill = (
        "import os; from pathlib import Path; from django.utils import timezone; from baohuang_site import backups;"
        "backups._write_manifest = lambda *a: os._exit(9);"
        f"backups.make(Path({str(tmp_path)!r}), timezone.now())"
    )
    with pytest.raises(subprocess.CalledProcessError):
        site.manage("shell", "-c", kill)
    assert not list(tmp_path.glob("baohuang-*"))
    assert Path(site.manage("backup", str(tmp_path)).strip()).is_dir()
