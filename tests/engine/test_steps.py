"""The steps of a hand, told as short stories: cards in, what was said, what stands then (RULES §5–§7)."""

from typing import Any

import pytest

from games.engine.actions import parse_action
from games.engine.cards import parse_card, sort_cards
from games.engine.deck import Deal
from games.engine.fold import apply, begin
from games.engine.legal import legal_texts
from games.engine.observation import Role
from games.engine.observe import observe
from games.engine.rules import load_rules
from games.engine.state import State


def hand(preset: str, cards: list[str], said: str = "", drawn: int | None = None, **overrides: Any) -> State:
    """The state after `said`, a text such as "0 accept, 1 hide", in a hand with these cards."""
    rules = load_rules(preset, overrides or None)
    hands = tuple(sort_cards(parse_card(token) for token in text.split()) for text in cards)
    state = begin(rules, Deal(hands, 0, drawn))
    for line in filter(None, said.split(", ")):
        seat, words = line.split(" ", 1)
        state = apply(state, int(seat), parse_action(words))
    return state


def legal(state: State, seat: int) -> list[str]:
    return legal_texts(observe(state, seat))


SWORD_HANDS = ["W! 9S", "2S w! 8S", "7S 7H", "2H 6S", "w 5S"]
CALL_HANDS = ["W! 9S 9S 9S 2D", "9S 8S AD", "7S 7H 7H 7H", "6S 6H KD", "W 5H w"]


@pytest.mark.parametrize(
    ("toll", "said", "lies", "at"),
    [
        ("none", "0 yield, 4 yield", "", 3),
        ("two_or_best", "0 yield", "", 4),
        ("two_or_best", "0 yield, 4 yield, 3 yield", "2H 5S", 2),
        ("two_or_none", "0 yield, 4 yield, 3 yield", "2H", 2),
        ("best", "0 yield, 4 yield", "w 9S", 3),
        ("bottom", "0 yield, 4 yield, 3 yield, 2 yield, 1 yield", "w 2S 2H", 0),
    ],
)
def test_a_toll_is_paid_by_whoever_yields(toll: str, said: str, lies: str, at: int) -> None:
    state = hand("standard", SWORD_HANDS, said, crown={"toll": toll})
    assert " ".join(state.toll) == lies
    assert state.crown_at == at


def test_the_emperor_takes_crown_card_and_toll_into_his_hand() -> None:
    state = hand("standard", SWORD_HANDS, "0 yield, 4 yield, 3 yield, 2 accept")
    assert state.hands[2] == ("W!", "2H", "7S", "7H", "5S")
    assert (state.toll, state.crown_at, state.emperor) == ((), None, 2)


def test_after_all_laps_without_an_emperor_the_hand_is_void() -> None:
    twice = ", ".join(f"{seat} yield" for seat in (0, 4, 3, 2, 1) * 2)
    state = hand("standard", SWORD_HANDS, twice)
    assert (state.step, state.to_act, state.crown_at) == ("void", (), 0)


def test_the_first_seat_pays_in_the_second_lap() -> None:
    state = hand("standard", SWORD_HANDS, ", ".join(f"{seat} yield" for seat in (0, 4, 3, 2, 1, 0)))
    assert "9S" in state.toll


def test_a_seat_without_a_triple_passes_the_crown_card_on_by_itself() -> None:
    cards = ["W! 8S", "9S 9S 9S", "9S 7S", "6S", "5S"]
    state = hand("special", cards)
    assert state.crown_at == 1
    assert legal(state, 1) == ["accept", "yield"]


def test_in_the_forced_lap_a_triple_must_accept_but_a_quad_may_still_yield() -> None:
    cards = ["W! 8S", "9S 9S 9S 6S", "9S 7S 7S 7S 7S", "6S", "5S"]
    state = hand("special", cards, "2 yield, 1 yield")
    assert observe(state, 2).forced
    assert legal(state, 2) == ["accept", "yield"]
    state = apply(state, 2, parse_action("yield"))
    assert legal(state, 1) == ["accept"]


def test_with_ask_first_only_the_first_seat_is_asked_again() -> None:
    cards = ["9S 9S 9S 3S", "9S", "7S", "6S", "5S"]
    state = hand("tribute", cards, "0 yield", drawn=0)
    assert (state.step, state.to_act) == ("crown", (0,))
    assert hand("tribute", cards, "0 yield, 0 yield", drawn=0).step == "void"


def test_at_weihai_only_both_cards_together_may_be_yielded_and_the_receiver_must_accept() -> None:
    both = ["W! w! 9S", "8S", "7S", "6S", "TS"]
    assert legal(hand("weihai", both, solo={"grab": "none"}), 0) == ["accept", "yield"]
    assert legal(hand("weihai", SWORD_HANDS, deck={"removed": {}}, solo={"grab": "none"}), 0) == ["accept"]
    state = hand("weihai", both, "0 yield", solo={"grab": "none"})
    assert (state.emperor, state.guard, state.step) == (2, 0, "reveal")


def test_everybody_is_asked_to_grab_and_a_seat_that_may_not_has_only_pass() -> None:
    state = hand("qingdao", CALL_HANDS, "0 accept")
    assert state.to_act == (0, 1, 2, 3, 4)
    assert [legal(state, seat) for seat in range(5)] == [["pass"]] * 5
    quad = ["W! 9S 9S 9S 2D", "9S 8S AD", "7S 7S 7S 7S", "6S 6H KD", "W 5H w"]
    assert legal(hand("qingdao", quad, "0 accept"), 2) == ["solo", "pass"]


def test_the_grab_goes_to_the_emperor_himself_before_all_others() -> None:
    said = "0 accept, 4 solo, 3 solo, 0 solo, 1 pass, 2 pass"
    state = hand("lianzhong-classic", CALL_HANDS, said)
    assert (state.emperor, state.solo, state.step) == (0, "open", "play")


def test_a_quad_may_be_called_openly_and_then_all_four_are_shown() -> None:
    cards = ["W! 9S 9S 9S 9S", "8S", "7S", "6S", "5S"]
    state = hand("special", cards, "0 accept")
    assert legal(state, 0) == ["call 9S", "call 9S open"]
    assert hand("special", cards, "0 accept, 0 call 9S open").solo == "open"
    hidden = hand("special", cards, "0 accept, 0 call 9S")
    assert (hidden.solo, hidden.public, hidden.to_act) == ("hidden", False, (0,))


def test_the_system_calls_the_highest_rank_with_exactly_three() -> None:
    cards = ["W! 9S 9S 9S KH KH KH AC AC AC AC", "9S", "KH", "6S", "5S"]
    state = hand("classic", cards, "0 accept, 0 pass, 1 pass, 2 pass, 3 pass, 4 pass")
    assert (state.called, state.guard) == ("KH", 2)


def test_an_open_guard_doubles_and_three_rebels_may_kick() -> None:
    state = hand(
        "weihai", ["W! 9S", "w! 8S", "7S", "TS", "JS"], "0 accept, 0 pass, 1 pass, 2 pass, 3 pass, 4 pass, 1 open"
    )
    assert (state.step, state.to_act, state.multiplier) == ("kick", (2, 3, 4), 2)
    for seat, words in ((4, "kick"), (2, "pass"), (3, "kick")):
        state = apply(state, seat, parse_action(words))
    assert (state.step, state.multiplier) == ("play", 4)


def test_a_rebellion_of_two_shows_the_guard_and_one_alone_shows_only_itself() -> None:
    start = "0 accept, 1 hide, "
    won = hand("lianzhong-simple", SWORD_HANDS, start + "3 rebel, 1 pass, 2 rebel, 4 pass")
    assert (won.public, won.multiplier, won.rebels) == (True, 2, (2, 3))
    lost = hand("lianzhong-simple", SWORD_HANDS, start + "3 rebel, 1 pass, 2 pass, 4 pass")
    assert (lost.public, lost.multiplier, lost.rebels) == (False, 1, (3,))
    assert observe(lost, 0).role_of(3) is Role.REBEL
    assert observe(lost, 0).role_of(1) is None


def test_the_guard_is_hidden_until_the_marked_joker_is_played() -> None:
    said = "0 accept, 1 hide, 1 pass, 2 pass, 3 pass, 4 pass, 0 play 9S"
    state = hand("lianzhong-simple", SWORD_HANDS, said)
    assert observe(state, 3).guard is None
    state = apply(state, 1, parse_action("play w!"))
    assert observe(state, 3).guard == 1


def test_a_hidden_solo_by_call_is_known_when_the_last_of_the_four_is_played() -> None:
    cards = ["W! 9S 9S 9S 9S 3S", "8S", "7S", "6S", "5S"]
    said = "0 accept, 0 call 9S, 0 hide, 1 pass, 2 pass, 3 pass, 4 pass, 0 play 9S 9S 9S"
    state = hand("special", cards, said)
    assert not state.public
    assert apply(_all_pass(state), 0, parse_action("play 9S")).public


def _all_pass(state: State) -> State:
    while state.top is not None:
        state = apply(state, state.to_act[0], parse_action("pass"))
    return state


PLAY = "0 accept, 1 hide, 1 pass, 2 pass, 3 pass, 4 pass, "


def test_under_soft_passing_a_seat_that_passed_may_play_again() -> None:
    state = hand(
        "lianzhong-simple", ["W! 9S", "w! 8S TS", "KS 7H", "6S AS", "5S 4S"], PLAY + "0 play 9S, 1 pass, 2 play KS"
    )
    assert [legal(state, 3), state.queue] == [["pass", "play A"], (3, 4, 0, 1)]


def test_under_hard_passing_it_is_out_of_the_trick() -> None:
    cards = ["W! 9S", "w! 8S TS", "KS 7H", "6S AS", "5S 4S"]
    state = hand("lianzhong-simple", cards, PLAY + "0 play 9S, 1 pass, 2 play KS", play={"passing": "hard"})
    assert state.queue == (3, 4, 0)


def test_an_unbeatable_play_ends_its_trick_at_once() -> None:
    state = hand("lianzhong-simple", SWORD_HANDS, PLAY + "0 play W!")
    assert (state.top, state.to_act) == (None, (0,))


def test_while_the_special_card_may_come_everybody_is_asked_even_on_a_big_joker() -> None:
    cards = ["W! 9S 9S 9S 2D", "9S 8S AD", "7S 7H 4H", "6S 6H KD", "W 5H w"]
    said = "0 accept, 0 call 9S, 1 hide, 1 pass, 2 pass, 3 pass, 4 pass, 0 play W!"
    state = hand("special", cards, said)
    assert legal(state, 1) == ["pass", "play #"]
    state = apply(state, 1, parse_action("play 9S"))
    assert (state.top, state.to_act, state.public) == (None, (1,), True)


def test_a_claimed_windfall_goes_to_the_first_claimant() -> None:
    cards = ["9S 9S 9S", "9S 8S", "7S 7H", "6S 6H", "5S 5H"]
    said = "0 accept, 0 call 9S, 0 play W!, 0 play 9S 9S 9S, 1 pass, 2 pass, 3 claim, 4 claim"
    state = hand("tribute", cards, said, drawn=0)
    assert state.to_act == (3,)


def test_with_ally_windfall_the_known_guard_leads_after_the_emperor() -> None:
    cards = ["W!", "8S 9S", "7S 7H", "w! 6S", "5S 5H"]
    state = hand("lianzhong-simple", cards, "0 accept, 3 open, 0 play W!", play={"windfall": "ally"})
    assert state.to_act == (3,)
    state = hand(
        "lianzhong-simple",
        cards,
        "0 accept, 3 hide, 1 pass, 2 pass, 3 pass, 4 pass, 0 play W!",
        play={"windfall": "ally"},
    )
    assert state.to_act == (1,)


def test_a_held_back_rank_is_the_very_last_play() -> None:
    cards = ["W! 6S 6H", "w! 8S", "7S", "9S", "5S"]
    state = hand("lianzhong-simple", cards, PLAY.rstrip(", "), play={"hold_back": "6"})
    assert legal(state, 0) == ["play W"]
    assert legal(apply(state, 0, parse_action("play W!")), 0) == ["play 66"]


def test_the_seat_left_with_threes_only_is_cleared_when_the_next_play_beats_it() -> None:
    cards = ["W! 9S 9S 9S 3S", "9S 8S", "7S AS", "6S 6H", "5S 5H"]
    passes = "1 pass, 2 pass, 3 pass, 4 pass"
    said = f"0 accept, 0 call 9S, 1 hide, 0 play W!, {passes}, 0 play 9S 9S 9S"
    assert hand("home", cards, f"{said}, {passes}").cleared == ()
    cards[0] = "W! 9S 9S 9S 4S 3S"
    beaten = "0 play 4S, 1 pass, 2 pass, 3 pass, 4 play 5S"
    assert hand("home", cards, f"{said}, {passes}, {beaten}").cleared == ((0, 4),)


def test_an_open_solo_ends_as_soon_as_anybody_is_out() -> None:
    cards = ["W! 9S 9S 9S 9S", "8S", "7S", "6S", "KS"]
    state = hand("special", cards, "0 accept, 0 call 9S open, 0 play 9S, 1 pass, 2 pass, 3 pass, 4 play KS")
    assert state.result is not None
    assert state.result.places == (5, 2, 3, 4, 1)
    assert state.result.points == (-16, 4, 4, 4, 4)


def test_seats_still_in_take_the_remaining_places_fewest_cards_first() -> None:
    cards = ["W! 9S", "w!", "7S 7H", "6S", "5S"]
    state = hand("standard", cards, "0 accept, 1 hide, 0 play 9S, 1 play w!, 2 pass, 3 pass, 4 pass, 0 play W!")
    assert state.result is not None
    assert state.result.places == (2, 1, 5, 3, 4)
