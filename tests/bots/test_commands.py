"""The commands `simulate` and `bench_engine`: what they print, that a seed decides it, and how they fail."""

from dataclasses import replace
from io import StringIO
from itertools import islice, pairwise

import pytest
from django.core.management import CommandError, call_command

from games.engine.presets import preset_ids
from games.engine.rules import load_rules
from games.management.commands import simulate


def run(*args: str) -> str:
    out = StringIO()
    call_command(*args, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_simulate_prints_the_same_for_the_same_seed_and_other_hands_for_another() -> None:
    first = run("simulate", "--rules", "home", "--hands", "5", "--seed", "3")
    assert first == run("simulate", "--rules", "home", "--hands", "5", "--seed", "3")
    assert first != run("simulate", "--rules", "home", "--hands", "5", "--seed", "4")
    for word in ("home 配牌: 5 hands, seed 3", "ends", "emperor's side", "points", "actions", "tricks"):
        assert word in first


def test_simulate_plays_every_preset_unless_told_otherwise() -> None:
    report = run("simulate", "--hands", "1")
    assert all(f"{preset} " in report for preset in preset_ids())


def test_simulate_takes_overrides() -> None:
    report = run("simulate", "--rules", "standard", "--overrides", '{"stakes": {"open_guard": 7}}', "--hands", "20")
    assert "×7" in report


@pytest.mark.parametrize(
    "args, message",
    [
        (["--rules", "nowhere"], "no preset"),
        (["--rules", "home", "--overrides", "{"], "home: "),
        (["--rules", "home", "--overrides", '{"play": {"hold_back": "2"}}'], "hold_back|wild_twos"),
        (["--hands", "0"], "at least 1"),
    ],
)
def test_simulate_refuses_what_makes_no_sense(args: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run("simulate", *args)


def test_a_hand_whose_record_folds_to_something_else_is_found() -> None:
    rules = load_rules("lianzhong-simple")
    hand = next(simulate.play_table(rules, "beginner", 0))
    simulate.check_hand(rules, hand)
    with pytest.raises(simulate.BrokenHand, match="another state"):
        simulate.check_hand(rules, replace(hand, actions=hand.actions[:-1]))


def test_a_hand_in_which_cards_went_missing_is_found() -> None:
    rules = load_rules("lianzhong-simple")
    hand = next(simulate.play_table(rules, "beginner", 0))
    seat = next(seat for seat, cards in enumerate(hand.state.hands) if cards)
    hands = tuple(cards[1:] if seat == other else cards for other, cards in enumerate(hand.state.hands))
    with pytest.raises(simulate.BrokenHand, match="lost or made"):
        simulate.check_hand(rules, replace(hand, state=hand.state.but(hands=hands)))


def test_bots_sit_on_for_the_next_hand_as_at_a_table() -> None:
    rules = load_rules("tribute")
    hands = list(islice(simulate.play_table(rules, "beginner", 5), 6))
    for before, after in pairwise(hands):
        result = before.state.result
        assert result is not None
        assert after.deal.first == result.emperor
        assert (after.previous is None) == (result.outcome == "draw")
        assert bool(after.state.gifts) == (result.outcome != "draw")


def test_the_first_out_is_dealt_to_first_where_the_ruleset_says_so() -> None:
    rules = load_rules("qingdao")
    hands = list(islice(simulate.play_table(rules, "beginner", 5), 4))
    for before, after in pairwise(hands):
        assert before.state.result is not None
        assert after.deal.first == before.state.result.places.index(1)


def test_bench_engine_prints_its_figures_against_their_goals() -> None:
    lines = run("bench_engine", "--runs", "1").splitlines()
    assert len(lines) == 5
    assert all(" goal " in line and ("ms" in line or "µs" in line) for line in lines)


def test_bench_engine_refuses_an_unknown_preset() -> None:
    with pytest.raises(CommandError, match="no preset"):
        run("bench_engine", "--rules", "nowhere")
