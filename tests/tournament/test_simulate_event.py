"""The command `simulate_event`: every format and size, the same print for the same seed, and how it refuses."""

import ast
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

FORMATS = ("rotation", "swiss", "knockout", "duplicate")


def run(*args: str) -> str:
    out = StringIO()
    call_command("simulate_event", *args, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("players", ["5", "23", "60"])
def test_events_of_every_format_run_to_their_standings(format: str, players: str) -> None:
    report = run("--players", players, "--format", format, "--rounds", "4", "--drop", "0.1", "--fast").splitlines()
    assert any(line.startswith("round 1: ") for line in report)
    for word in ("pairs that met", "seats, most less least", "neighbours", "rounds with a bot"):
        assert any(line.startswith(word) for line in report)
    assert [line.split()[0] for line in report[-int(players) :]] == [str(n) for n in range(1, int(players) + 1)]


def test_the_same_seed_prints_the_same_and_another_seed_something_else() -> None:
    args = ("--players", "23", "--format", "swiss", "--rounds", "3", "--drop", "0.1", "--fast", "--seed")
    assert run(*args, "5") == run(*args, "5")
    assert run(*args, "5") != run(*args, "6")


@pytest.mark.parametrize("format", ["swiss", "duplicate"])
def test_bots_play_it_with_cards(format: str) -> None:
    report = run("--players", "8", "--format", format, "--rounds", "1", "--hands", "2", "--rules", "tribute")
    assert report.count("#") == 8


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_five_hundred_entrants(format: str) -> None:
    report = run("--players", "500", "--format", format, "--rounds", "6", "--drop", "0.1", "--fast", "--top", "1")
    assert "  1  #" in report


@pytest.mark.parametrize(
    "args, words",
    [
        (("--players", "4", "--format", "swiss"), "5 to 500"),
        (("--players", "10", "--format", "swiss", "--rounds", "0"), "at least 1"),
        (("--players", "10", "--format", "swiss", "--drop", "2"), "0 to 1"),
        (("--players", "10", "--format", "swiss", "--drop", "some"), "0 to 1"),
        (("--players", "10", "--format", "swiss", "--rules", "nowhere"), "no preset"),
    ],
)
def test_what_makes_no_sense_is_refused(args: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        run(*args)


def test_the_package_asks_neither_the_clock_nor_chance_of_its_own() -> None:
    for path in sorted((Path(__file__).parents[2] / "games" / "tournament").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                assert not {"time", "datetime", "secrets", "os"} & set(names), path.name
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", path.name
