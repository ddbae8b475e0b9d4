"""Laws of the bots: whatever the ruleset and the position, the answer is legal and depends on the observation alone."""

import random
from itertools import islice

import pytest

from games.bots import LEVELS, choose
from games.bots.trustee import default_action
from games.engine.deck import SEATS, SEED_BYTES, deal
from games.engine.fold import apply, begin
from games.engine.legal import is_legal
from games.engine.observation import Role
from games.engine.observe import observe
from games.engine.presets import preset_ids
from games.engine.rules import load_rules
from games.management.commands.simulate import check_hand, play_hand, play_table
from tests.bots.positions import random_action, random_rules, random_states

PRESETS = preset_ids()
FAST_HANDS = 6
SLOW_HANDS = 1000
SLOWEST_DECISION = 2e-3


@pytest.mark.parametrize("preset", PRESETS)
def test_every_answer_is_legal_in_random_positions_of_random_rulesets(preset: str) -> None:
    rng = random.Random(f"legal {preset}")
    asked = 0
    for _ in range(6):
        for state in random_states(random_rules(preset, rng), rng):
            for seat in state.to_act:
                obs = observe(state, seat)
                for action in (choose("beginner", obs, rng), default_action(obs)):
                    assert is_legal(obs, action), f"{action} of {obs}"
                asked += 1
    assert asked > 100


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_answer_is_legal_in_many_random_positions_of_random_rulesets(preset: str) -> None:
    rng = random.Random(f"legal for long {preset}")
    asked = 0
    for _ in range(100):
        for state in random_states(random_rules(preset, rng), rng):
            for seat in state.to_act:
                obs = observe(state, seat)
                for action in (choose("beginner", obs, rng), default_action(obs)):
                    assert is_legal(obs, action), f"{action} of {obs}"
                asked += 1
    assert asked > 5000


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_chance_gives_the_same_answer(preset: str) -> None:
    rng = random.Random(f"same {preset}")
    for state in islice(random_states(load_rules(preset), rng), 0, None, 5):
        obs = observe(state, state.to_act[0])
        again = observe(state, state.to_act[0])
        assert choose("beginner", obs, random.Random(7)) == choose("beginner", again, random.Random(7))


def test_the_answer_does_not_depend_on_the_cards_of_others() -> None:
    rng = random.Random(3)
    rules = load_rules("lianzhong-simple", {"stakes": {"rebellion": 0}})
    compared = 0
    for state in random_states(rules, rng):
        seat = state.to_act[0]
        obs = observe(state, seat)
        if obs.role_of(seat) is not Role.REBEL or obs.public:
            continue
        hands = list(state.hands)
        a, b = (s for s in range(SEATS) if s not in (seat, state.emperor, state.guard))
        if len(hands[a]) != len(hands[b]):
            continue
        hands[a], hands[b] = hands[b], hands[a]
        other = observe(state.but(hands=tuple(hands)), seat)
        assert choose("beginner", obs, random.Random(7)) == choose("beginner", other, random.Random(7))
        compared += 1
    assert compared > 0


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("preset", PRESETS)
def test_bots_finish_hands_that_refold_and_keep_their_cards(preset: str, level: str) -> None:
    rules = load_rules(preset)
    for hand in islice(play_table(rules, level, seed=1), FAST_HANDS):
        check_hand(rules, hand)
        assert hand.state.over


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("preset", PRESETS)
def test_bots_finish_a_thousand_hands(preset: str, level: str) -> None:
    rules = load_rules(preset)
    decisions, thinking, finished = 0, 0.0, 0
    for hand in islice(play_table(rules, level, seed=2), SLOW_HANDS):
        check_hand(rules, hand)
        decisions += len(hand.actions)
        thinking += hand.thinking
        finished += hand.state.result is not None
    assert finished > 0.9 * SLOW_HANDS
    assert thinking / decisions < SLOWEST_DECISION


@pytest.mark.parametrize("preset", PRESETS)
def test_bots_finish_hands_of_random_rulesets(preset: str) -> None:
    rng = random.Random(f"finish {preset}")
    for _ in range(8):
        rules = random_rules(preset, rng)
        dealt = deal(rules, rng.randbytes(SEED_BYTES), [""] * SEATS, 0)
        hand = play_hand(rules, dealt, None, "beginner", rng)
        check_hand(rules, hand)
        assert hand.state.over


def test_the_beginner_plays_better_than_chance() -> None:
    rules = load_rules("lianzhong-simple", {"end": "last_one"})
    rng = random.Random(11)
    places = {True: [], False: []}
    for number in range(12):
        state = begin(rules, deal(rules, rng.randbytes(SEED_BYTES), [""] * SEATS, number % SEATS))
        bots = set(rng.sample(range(SEATS), 2))
        while state.to_act:
            seat = state.to_act[0]
            obs = observe(state, seat)
            state = apply(state, seat, choose("beginner", obs, rng) if seat in bots else random_action(obs, rng))
        if state.result is not None:
            for seat, place in enumerate(state.result.places):
                places[seat in bots].append(place)
    assert sum(places[True]) / len(places[True]) + 1 < sum(places[False]) / len(places[False])
