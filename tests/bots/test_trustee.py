"""The trustee's default answers (RULES §8.7), position by position."""

from typing import Any

import pytest

from games.bots.trustee import default_action
from games.engine.observe import observe
from tests.bots.positions import position, seen

SMALL_HANDS = ["W! 9S 9S", "4S w! 8H", "5S 8S", "6S 8C", "7S 8D"]
TRIPLES = ["W! TC TC TC QS QS QS QS KD", "w! TC 4S", "5S 5H", "6S 6H 6C", "7S"]
LAP = " / ".join(f"{seat} yield" for seat in (0, 4, 3, 2, 1))

BEFORE_PLAY: list[tuple[str, dict[str, Any], str]] = [
    ("yields where it may", dict(hands=SMALL_HANDS), "yield"),
    ("accepts in the last lap", dict(hands=SMALL_HANDS, actions=LAP), "accept"),
    ("accepts where nobody may yield", dict(hands=SMALL_HANDS, overrides={"crown": {"yield": "none"}}), "accept"),
    (
        "accepts in the only lap",
        dict(hands=SMALL_HANDS, overrides={"crown": {"laps": 1}}),
        "accept",
    ),
    (
        "yields in the last lap what it cannot accept, and does not play solo",
        dict(hands=["W! 9S", "4S", "5S", "6S", "7S"], rules="lianzhong-classic", actions=LAP),
        "yield",
    ),
    ("does not grab", dict(hands=TRIPLES, rules="lianzhong-classic", actions="0 accept"), "pass"),
    (
        "calls the highest exact triple, not the quad",
        dict(hands=TRIPLES, rules="special", overrides={"tribute": "none"}, actions="0 accept"),
        "call TC",
    ),
    (
        "calls the highest quad, not openly, where it has no triple",
        dict(
            hands=["W! 9C 9C 9C 9C QS QS QS QS", "w! 4S", "5S", "6S", "7S"],
            rules="special",
            actions="0 accept",
        ),
        "call QS",
    ),
    (
        "calls spades before hearts",
        dict(hands=["W! 9S 9S 9S 9H 9H 9H", "9S 9H", "5S", "6S", "7S"], rules="special", actions="0 accept"),
        "call 9S",
    ),
    (
        "calls a joker as the highest",
        dict(hands=["W! w w w 2S 2S 2S", "2S w! 4S", "5S", "6S", "7S"], rules="special", actions="0 accept"),
        "call w",
    ),
    ("hides as guard", dict(hands=SMALL_HANDS, actions="0 accept"), "hide"),
    ("does not rebel", dict(hands=SMALL_HANDS, actions="0 accept / 1 hide"), "pass"),
    (
        "does not kick",
        dict(
            hands=["W! 9S", "w! 8H", "8S", "8C", "8D"],
            rules="weihai",
            actions="0 accept / 0 pass / 1 pass / 2 pass / 3 pass / 4 pass / 1 open",
        ),
        "pass",
    ),
]

OPENED = "0 accept / 1 open"
NO_KICK = "2 pass / 3 pass / 4 pass"
NOBODY = f"1 pass / {NO_KICK}"
HIDDEN = f"0 accept / 1 hide / {NOBODY}"
ALL_PASS = "2 pass / 3 pass / 4 pass / 0 pass"
LEADS: list[tuple[str, str, dict[str, Any], str]] = [
    ("the lowest single card", "W! W w 2S 7S 7H 4D", {}, "4D"),
    ("one of a group", "W! 2S 7S 7H 7D", {}, "7D"),
    ("the small joker when only jokers are left", "W! W w", {}, "w"),
    ("the unmarked big joker before the crown card", "W! W", {}, "W"),
    ("the lowest that is not held back", "W! 8S 3S 4H", {"hold_back": "3"}, "4H"),
    ("a joker before the held-back rank", "W! w 3S 3H", {"hold_back": "3"}, "w"),
]


@pytest.mark.parametrize("why, where, action", BEFORE_PLAY, ids=[case[0] for case in BEFORE_PLAY])
def test_before_play_the_trustee_declines(why: str, where: dict[str, Any], action: str) -> None:
    assert str(default_action(seen(position(**where)))) == action


@pytest.mark.parametrize("why, hand, play, card", LEADS, ids=[case[0] for case in LEADS])
def test_the_trustee_leads(why: str, hand: str, play: dict[str, Any], card: str) -> None:
    state = position([hand, "w! 9S", "9H", "9C", "9D"], OPENED, overrides={"play": play})
    assert str(default_action(seen(state))) == f"play {card}"


def test_the_held_back_rank_is_played_whole_when_nothing_else_is_left() -> None:
    state = position(
        ["W! 3S 3H 3C", "w! 9S", "9H", "9C", "9D"], OPENED + " / 0 play W!", overrides={"play": {"hold_back": "3"}}
    )
    assert str(default_action(seen(state))) == "play 3S 3H 3C"


def test_the_sword_card_is_led_after_the_other_small_jokers() -> None:
    state = position(
        ["W! 9S", "w! w w", "9H", "9C", "9D"],
        f"{HIDDEN} / 0 play 9S / 1 play w / {ALL_PASS}",
    )
    assert str(default_action(seen(state))) == "play w"


def test_the_called_card_is_led_after_its_equals() -> None:
    state = position(
        ["W! TC TC TC 5S", "TC TS 2S", "9H 9S", "9C", "9D"],
        f"0 accept / 0 pass / {NOBODY} / 0 call TC / 1 hide / 0 play 5S / 1 play 2S / {ALL_PASS}",
        rules="lianzhong-classic",
    )
    assert str(default_action(seen(state))) == "play TS"


def test_the_special_card_is_led_last() -> None:
    state = position(
        ["W! TC TC TC 5S", "W TC 2S 2S", "9H 9S", "9C", "9D"],
        f"0 accept / 0 call TC / 1 open / {NO_KICK} / 0 play 5S / 1 play 2S / {ALL_PASS} / 1 play 2S / {ALL_PASS}",
        rules="special",
    )
    assert str(default_action(seen(state))) == "play W"


def test_the_trustee_passes_what_it_could_beat() -> None:
    state = position(["W! 3S 4S", "w! 9S", "9H", "9C", "9D"], OPENED + " / 0 play 3S")
    assert str(default_action(seen(state))) == "pass"


def test_a_seat_that_is_not_asked_has_no_default_answer() -> None:
    with pytest.raises(ValueError, match="not asked"):
        default_action(observe(position(SMALL_HANDS), 3))
