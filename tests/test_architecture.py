"""The house keeps its order: who imports whom, who writes what, and what may not stand in a file.

Import contracts are in `pyproject.toml`; here they are run, beside rules that need a look into the files themselves.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import call_command

from baohuang_site import env

ROOT = Path(__file__).resolve().parent.parent
CODE = ("accounts", "baohuang_site", "games")
SECRET = ("state", "fold", "steps", "observe", "deck")
OPENING_TAG = re.compile(r"<[a-zA-Z][^>]*>", re.DOTALL)


def python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def tracked() -> list[Path]:
    """Files that belong to the project; in a tree without git, everything that is not made at run time."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]
    skip = {".venv", "var", ".git", "__pycache__"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not skip & set(path.relative_to(ROOT).parts)]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(path)))


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Every module named in an import of this file, with its line."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join(path.relative_to(ROOT).parts[: -node.level]) if node.level else ""
            module = f"{package}.{node.module or ''}".strip(".")
            yield module, node.lineno
            yield from ((f"{module}.{alias.name}", node.lineno) for alias in node.names)


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_everybody_imports_only_what_the_contracts_allow() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_nobody_but_services_selectors_history_and_tools_sees_the_state_of_a_hand_or_its_deal() -> None:
    hidden = {"games.history", "games.snapshots"} | {f"games.engine.{name}" for name in SECRET}
    may = ("engine", "services", "selectors", "management", "history.py", "snapshots.py")
    found = [
        f"{where(path, line)} imports {name}"
        for path in python_files(*CODE)
        if path.relative_to(ROOT).parts[:1] != ("games",) or path.relative_to(ROOT).parts[1] not in may
        for name, line in imported(path)
        if any(f"{name}.".startswith(f"{secret}.") for secret in hidden)
    ]
    assert found == []


def test_the_engine_asks_the_world_nothing() -> None:
    asked = {"time", "datetime", "random", "os", "socket", "secrets", "threading", "asyncio"}
    found = [
        f"{where(path, line)} imports {name}"
        for path in python_files("games/engine")
        for name, line in imported(path)
        if name.split(".")[0] in asked
        # the referee is a program: it reads and writes lines
        and path.name != "referee.py"
    ]
    assert found == []
    outside = [
        f"{where(path, line)} imports {name}"
        for path in python_files("games/engine")
        for name, line in imported(path)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith("games.engine")
    ]
    assert outside == []


def test_bots_get_their_chance_passed_in() -> None:
    for path in python_files("games/bots"):
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", where(path, node.lineno)
        assert not {"time", "datetime", "secrets"} & {name for name, _ in imported(path)}, path.name


def test_the_engine_package_hands_nothing_on() -> None:
    tree = ast.parse((ROOT / "games/engine/__init__.py").read_text(encoding="utf-8"))
    assert [type(node).__name__ for node in tree.body if not isinstance(node, ast.Expr)] == []


@pytest.mark.parametrize(
    "model, writers",
    [
        ("Entry", {"accounts/services/ledger.py"}),
        ("Posting", {"accounts/services/ledger.py"}),
        (
            "HandAction",
            {
                "games/services/play.py",
                "games/services/dealing.py",
                "games/services/writer.py",
                "games/services/pruning.py",
            },
        ),
    ],
)
def test_only_one_place_writes(model: str, writers: set[str]) -> None:
    writing = {"create", "bulk_create", "get_or_create", "update_or_create", "update", "bulk_update", "delete"}
    found = []
    for path in python_files(*CODE):
        if str(path.relative_to(ROOT)) in writers:
            continue
        for node in nodes(path):
            if not isinstance(node, ast.Call):
                continue
            made = isinstance(node.func, ast.Name) and node.func.id == model
            written = (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in writing
                and f"{model}.objects" in ast.unparse(node.func)
            )
            if made or written:
                found.append(where(path, node.lineno))
    assert found == []


def test_every_requirement_is_pinned_exactly() -> None:
    pin = re.compile(r"^[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][0-9A-Za-z.!+_]*$")
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "-r ")):
                assert pin.match(line), f"{name}: {line}"


def test_every_setting_is_explained_and_every_explained_setting_exists() -> None:
    shown = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))
    assert shown == env.NAMES


def test_templates_have_no_inline_script_and_no_inline_style() -> None:
    """The Content-Security-Policy would refuse them in the browser, silently."""
    found = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT)
        if re.search(r"<style\b", text):
            found.append(f"{name}: a <style> element")
        for tag in OPENING_TAG.findall(text):
            if tag.startswith("<script") and "src=" not in tag and "application/json" not in tag:
                found.append(f"{name}: {tag}")
            if re.search(r"\sstyle\s*=|\son[a-z]+\s*=|javascript:", tag):
                found.append(f"{name}: {tag}")
    assert found == []


def test_nothing_is_left_for_later_and_no_file_names_a_path_of_one_machine() -> None:
    later = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    local = re.compile(r"(?<![\w.])/(wo" r"rk|ro" r"ot|ho" r"me)/[a-z.]")
    found = []
    for path in tracked():
        if path.suffix not in {".py", ".html", ".css", ".js", ".md", ".txt", ".toml", ".po", ".svg", ""}:
            continue
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        found += [where(path, n) for n, line in enumerate(lines, 1) if later.search(line) or local.search(line)]
    assert found == []


@pytest.mark.django_db
def test_the_migrations_say_what_the_models_say() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_python_file_says_what_it_is() -> None:
    """A docstring at the head of each module, but for empty package files."""
    found = []
    for path in [*python_files(*CODE, "tests"), ROOT / "manage.py"]:
        text = path.read_text(encoding="utf-8")
        if text.strip() and not ast.get_docstring(parsed(path)):
            found.append(str(path.relative_to(ROOT)))
    assert found == []
