"""The habits of the level 初级, position by position. The emperor is seat 0 and leads, the guard is seat 1."""

import random
from typing import Any

import pytest

from games.bots import LEVELS, choose
from games.engine.observation import Observation
from games.engine.observe import observe
from tests.bots.positions import position, seen, suited

GUARD = "w! 4S 4H 4C 4D 8S 8H 8C"
REBELS = ["TS TH TC TD JS JH JC JD", "QS QH QC QD KS KH KC KD", "AS AH AC AD 2S 2H 2C 2D"]
OPEN = "0 accept / 1 open"
HIDDEN = "0 accept / 1 hide"
QUIET = {"stakes": {"rebellion": 0}}
LONG = "4S 4H 4C 4D 6S 7S 8S 9S TS JS QS KS AS 2S"


def decide(obs: Observation) -> str:
    return str(choose("beginner", obs, random.Random(1)))


LEADS: list[tuple[str, str, list[str], dict[str, Any], str]] = [
    ("the whole group of its lowest rank", "W! 5S 5H 9S KD 2S", REBELS, {}, "5S 5H"),
    ("a big lowest group too", "W! 5S 5S 5H 5H 5C 9S KD 2S", REBELS, {}, "5S 5S 5H 5H 5C"),
    ("another rank before the held-back one", "W! 3S 3H 6S 6H 9S TS", REBELS, {"hold_back": "3"}, "6S 6H"),
    ("jokers before the held-back rank", "W! w 3S 3H", REBELS, {"hold_back": "3"}, "W! w"),
    ("everything when it is one play", "W! w 7S 7H 7D", REBELS, {}, "W! w 7S 7H 7D"),
    ("everything when wild twos make it one play", "W! 7S 7H 2D", REBELS, {"wild_twos": True}, "W! 2D 7S 7H"),
    ("its big joker when that wins and the rest goes out", "W! 5S 5H 9S", REBELS, {}, "W! 5S 5H"),
    (
        "all its jokers when only the held-back rank stays",
        "W! w w 5S 3S 3H",
        REBELS,
        {"hold_back": "3"},
        "W! w w 5S",
    ),
    ("no single to an enemy with one card", "W! 5S 9S 9H KD KS KC 2S", ["TS", *REBELS[1:]], {}, "9S 9H"),
    ("its highest where every size helps an enemy", "W! 5S 9S KD 2S", ["TS", *REBELS[1:]], {}, "2S"),
    ("low what an ally with few cards can follow", "W! 5S 9S 9H KD KS KC 2S AS AH", REBELS, {}, "5S"),
]


@pytest.mark.parametrize("why, hand, rebels, play, cards", LEADS, ids=[case[0] for case in LEADS])
def test_the_beginner_leads(why: str, hand: str, rebels: list[str], play: dict[str, Any], cards: str) -> None:
    state = position([hand, GUARD, *rebels], OPEN, overrides={"play": play})
    assert decide(seen(state)) == f"play {cards}"


FOLLOWS: list[tuple[str, str, str, str, str]] = [
    # why, led by the emperor, his other cards, hand of the first rebel, answer
    ("with the lowest that beats", "5S", LONG, "4S 6S 9S KD 2H w", "play 6S"),
    ("with a lone card rather than one of a group", "5S", LONG, "6S 6H 6C 8D 9D 9H", "play 8D"),
    ("without a joker where it can", "5S 5H", LONG, "w 6S 9S 9H KD 4S 4H", "play 9S 9H"),
    ("not with a joker in a long hand", "5S 5H", LONG, "w 3S " + LONG, "pass"),
    ("with a joker an enemy who is nearly out", "5S 5H", "3S 3H 3C", "w 3S " + LONG, "play w 6S"),
    ("to go out", "5S 5H", LONG, "w 6S", "play w 6S"),
    ("not what it cannot", "5S 5H 5C", LONG, "4S 6S 9S KD 2H w", "pass"),
    ("with an unmarked joker", "5S", "3S", "3S w 4S 4H 4C 4D", "play w"),
]


@pytest.mark.parametrize("why, led, rest, hand, answer", FOLLOWS, ids=[case[0] for case in FOLLOWS])
def test_a_rebel_beats_the_emperor(why: str, led: str, rest: str, hand: str, answer: str) -> None:
    state = position([f"W! {led} {rest}", GUARD, hand, *REBELS[1:]], f"{OPEN} / 0 play {led} / 1 pass", overrides=QUIET)
    assert decide(seen(state)) == answer


def test_the_guard_lets_the_emperor_win() -> None:
    state = position(["W! 5S 6S", "w! 8S 9S TD", *REBELS], f"{HIDDEN} / 0 play 5S", overrides=QUIET)
    assert decide(seen(state)) == "pass"


def test_the_guard_beats_the_emperor_to_go_out() -> None:
    state = position(["W! 5S 6S", "w!", *REBELS], f"{HIDDEN} / 0 play 5S", overrides=QUIET)
    assert decide(seen(state)) == "play w!"


def test_the_emperor_lets_an_open_guard_win() -> None:
    led = "0 play 5S / 1 play 8S / 2 pass / 3 pass / 4 pass"
    assert decide(seen(position(["W! 5S 9S TS", GUARD, *REBELS], f"{OPEN} / {led}"))) == "pass"


def test_the_emperor_beats_a_seat_he_does_not_know() -> None:
    led = "0 play 5S / 1 play 8S / 2 pass / 3 pass / 4 pass"
    state = position(["W! 5S 9S TS 6H 6C", GUARD, *REBELS], f"{HIDDEN} / {led}", overrides=QUIET)
    assert decide(seen(state)) == "play 9S"


def test_a_rebel_lets_a_rebel_win_when_roles_are_public() -> None:
    state = position(["W! 5S 9S TS", GUARD, *REBELS], f"{OPEN} / 0 play 5S / 1 pass / 2 play TS")
    assert decide(seen(state)) == "pass"


def test_in_a_hidden_solo_everybody_is_beaten() -> None:
    state = position(
        ["W! w! 5S 9S JS", "8S 8H", *REBELS],
        f"{HIDDEN.replace('1', '0')} / 0 play 5S / 1 play 8S / 2 pass / 3 pass / 4 pass",
        overrides=QUIET,
    )
    assert decide(seen(state)) == "play 9S"


def test_it_defers_what_it_could_beat_only_dearly() -> None:
    state = position(
        ["W! TC TC TC 5S 5H " + LONG, "TC 8S 8H", "w 3S 3H 3C 3D 6H 6C 6D 7H 7C 7D 8C 8D 9H 9C 9D", *REBELS[1:]],
        "0 accept / 0 pass / 1 pass / 2 pass / 3 pass / 4 pass / 0 call TC / 1 hide / 0 play TC / 1 pass",
        rules="qingdao",
    )
    assert decide(seen(state)) == "defer"


def test_it_claims_the_windfall_it_cannot_beat() -> None:
    # In this ruleset the guard is out with his last play, and a rebel who passes may ask for the lead.
    state = position(
        ["TC TC TC 5S 5H 6H", "TC KS", "9S 9H", "9C 9D", "8C 8D"],
        "0 accept / 0 call TC / 0 play 5S / 1 play TC / 2 pass / 3 pass / 4 pass / 0 pass / 1 play KS",
        rules="tribute",
        drawn=0,
    )
    assert decide(seen(state)) == "claim"


# --- before play -----------------------------------------------------------------------------------------------------

STRONG = suited("w w 22222222 AAAAAAAA KKKKKKKK QQQQQQQ JJJJJJ 9999")
AVERAGE = suited("w 2222 AAAA KKKK QQQ JJJ TTT 999 888 777 666 555 4444 3333")
WEAK = suited("22 AA KKK QQQ JJJ TTTT 9999 8888 7777 666 555 4444 333")
POOR = suited("AA KKK QQQ JJJ TTTT 9999 8888 7777 666 555 4444 333")
REST = ["4S w!", "5S", "6S", "7S"]
LAP = " / ".join(f"{seat} yield" for seat in (0, 4, 3, 2, 1))
TO_FOUR = "1 yield / 3 yield / 0 yield / 2 yield"
SAID: list[tuple[str, dict[str, Any], str]] = [
    ("accepts with an average hand", dict(hands=["W! " + AVERAGE, *REST]), "accept"),
    ("yields with a poor hand", dict(hands=["W! " + POOR, *REST]), "yield"),
    ("yields with a poor hand as the first in the last lap", dict(hands=["W! " + POOR, *REST], actions=LAP), "yield"),
    (
        "accepts a poor hand as the last who is asked",
        dict(hands=["5S", "W! 4S", "w! 6S", "7S", POOR], overrides={"crown": {"step": 2, "laps": 1}}, actions=TO_FOUR),
        "accept",
    ),
    (
        "keeps the crown card from those it paid tribute",
        dict(
            hands=["W! " + POOR, *REST],
            overrides={"tribute": "standard"},
            previous={"emperor": 1, "guard": 2, "places": [5, 1, 2, 3, 4]},
        ),
        "accept",
    ),
    (
        "yields with the sword card rather than play alone",
        dict(hands=["W! w! " + WEAK, "4S", "5S", "6S", "7S"]),
        "yield",
    ),
    (
        "accepts with the sword card and a strong hand",
        dict(hands=["W! w! " + STRONG, "4S", "5S", "6S", "7S"]),
        "accept",
    ),
    (
        "plays open solo with a very strong hand",
        dict(hands=["W! W W W " + STRONG, *REST], rules="weihai", overrides={"deck": {"removed": {}}}),
        "solo",
    ),
    (
        "grabs with a very strong hand",
        dict(
            hands=["W W W " + STRONG, "W! w! 4S", "5S", "6S", "7S"],
            rules="weihai",
            overrides={"deck": {"removed": {}}, "crown": {"yield": "none"}},
            actions="1 accept",
        ),
        "solo",
    ),
    (
        "does not grab with an average hand",
        dict(
            hands=[AVERAGE, "W! w! 4S", "5S", "6S", "7S"],
            rules="weihai",
            overrides={"deck": {"removed": {}}, "crown": {"yield": "none"}},
            actions="1 accept",
        ),
        "pass",
    ),
    ("opens as a strong guard", dict(hands=["W! 4S", "w! " + STRONG, "5S", "6S", "7S"], actions="0 accept"), "open"),
    ("hides as a weak guard", dict(hands=["W! 4S", "w! " + WEAK, "5S", "6S", "7S"], actions="0 accept"), "hide"),
    (
        "rebels with a strong hand",
        dict(hands=["W! 4S", "5S", "W " + STRONG, "w! 6S", "7S"], actions="0 accept / 3 hide / 1 pass"),
        "rebel",
    ),
    (
        "does not rebel with an average hand",
        dict(hands=["W! 4S", "5S", AVERAGE, "w! 6S", "7S"], actions="0 accept / 3 hide / 1 pass"),
        "pass",
    ),
    (
        "kicks as a rebel with a strong hand",
        dict(
            hands=["W! 8S", "w! 8H", "W " + STRONG, "8C", "8D"],
            rules="weihai",
            overrides={"deck": {"removed": {}}},
            actions="0 accept / 0 pass / 1 pass / 2 pass / 3 pass / 4 pass / 1 open",
        ),
        "kick",
    ),
    (
        "calls a triple with an average hand, not the quad it could play alone on",
        dict(hands=["W! 2D 2D 2D 2D AD AD AD " + WEAK, "AD 4S", "5S", "6S", "7S"], rules="special", actions="0 accept"),
        "call AD",
    ),
    (
        "calls a quad with a hand that can play alone",
        dict(hands=["W! W 6S 6S 6S 6S " + STRONG, "w! 4S", "5S", "6H", "7S"], rules="special", actions="0 accept"),
        "call 6S open",
    ),
]


@pytest.mark.parametrize("why, where, answer", SAID, ids=[case[0] for case in SAID])
def test_before_play_the_beginner(why: str, where: dict[str, Any], answer: str) -> None:
    assert decide(seen(position(**where))) == answer


def test_a_seat_that_is_not_asked_decides_nothing() -> None:
    with pytest.raises(ValueError, match="not asked"):
        choose("beginner", observe(position(["W! 4S", "w! 5S", "6S", "7S", "8S"]), 3), random.Random(1))


def test_the_levels_are_named_in_chinese() -> None:
    assert LEVELS == {"beginner": "初级"}
    with pytest.raises(KeyError):
        choose("master", seen(position(["W! 4S", "w! 5S", "6S", "7S", "8S"])), random.Random(1))
