"""`bench_tables` plays real hands by what clients are shown, and its figures are what they say."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pytest

from games.bench.figures import percentile
from games.bench.reading import Asked, Seen, act_html, cards_of, choose, read_html, read_json
from tests.site import ROOT

HAND = ["W!", "W", "w", "2S", "2H", "7S", "7S", "7H", "6D"]


@pytest.mark.parametrize(
    "shape, special, cards",
    [
        ("77", None, "7S 7S"),
        ("W77", None, "W 7S 7S"),
        ("WWw777", None, "W W! w 7S 7S 7H"),
        ("6666", None, "6D 2S 2H ?"),
        ("666", None, "6D 2S 2H"),
        ("#W", "7H", "7H W"),
        ("77", "7S", "7H 7S"),
    ],
)
def test_a_shape_picks_cards_of_the_hand_cheapest_first(shape: str, special: str | None, cards: str) -> None:
    if "?" in cards:
        with pytest.raises(LookupError):
            cards_of(shape, HAND, special)
    else:
        assert cards_of(shape, HAND, special) == cards.split()


def test_a_client_reads_its_question_and_its_cards_from_html() -> None:
    seen = Seen()
    frame = (
        '<div hx-swap-oob="true" id="prompt" class="prompt asked play" data-kind="play" data-prompt="1-9" '
        'data-legal="99 TT" data-hint="TT"><button name="action" value="pass"></button>'
        '<button name="action" value="play"></button></div><div hx-swap-oob="true" id="hand" class="hand">'
        '<div id="stack-special"><label class="card h" data-card="9H" data-special="1"></div>'
        '<div id="stack-9"><label class="card s" data-card="9S"></div><i id="stack-8" hidden></i></div>'
    )
    assert read_html(frame, seen) == ""
    assert seen.asked == Asked("1-9", "play", ["pass", "play 99", "play TT"])
    assert (seen.hand, seen.special) == (["9H", "9S"], "9H")
    read_html('<span hx-swap-oob="true" id="held" data-number="1"></span><i hx-swap-oob="true" id="stack-9">', seen)
    assert (seen.hand, seen.special) == (["9H"], "9H")
    assert read_html('<p id="notice" class="notice" role="alert" data-code="too_low" hx-swap-oob="true">…', seen) == (
        "too_low"
    )
    read_html('<div hx-swap-oob="true" id="prompt" class="prompt wait" data-kind="wait"></div>', seen)
    assert seen.asked is None


def test_a_client_reads_its_question_from_the_view_of_its_seat() -> None:
    seen = Seen()
    view = {"step": "play", "hands": [9, ["9S"], 9, 9, 9], "called": None, "legal": {"1": ["play 9"]}}
    read_json({"type": "view", "hand": "h", "seq": 4, "seat": 1, "prompt": "1-4", "view": view}, seen)
    assert choose(seen, random.Random(1)) == "play 9S"
    assert seen.asked is not None
    assert '"action": "play", "card": ["9S"]' in act_html(seen.asked, "play 9S", "b1")


@pytest.mark.parametrize("share, value", [(0.5, 50), (0.99, 99), (1.0, 100), (0.0, 1)])
def test_a_percentile_is_a_value_that_so_many_do_not_exceed(share: float, value: int) -> None:
    assert percentile(range(1, 101), share) == value


@pytest.mark.slow
def test_it_plays_at_a_server_of_its_own_and_leaves_nothing_behind() -> None:
    command = [sys.executable, "manage.py", "bench_tables", "--tables", "2", "--rate", "0"]
    done = subprocess.run(
        [*command, "--seconds", "2", "--warm-up", "0"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for kind in ("html", "json"):
        assert f"{kind}: 2 tables" in done.stdout
    moves = [int(text) for text in re.findall(r"\((\d+), \d+\)", done.stdout)]
    assert min(moves) > 0
    assert done.stdout.count("0, 0, 0") == 2
