"""Material for the engine's tests: random rulesets, random hands, and the rearrangement of what a seat cannot know."""

import random
from collections.abc import Iterator

from games.engine.actions import Action, play_action
from games.engine.cards import MARKED, SWORD, Card, face, sort_cards
from games.engine.deck import SEATS, Deal, deal
from games.engine.errors import BadRules
from games.engine.fold import apply, begin
from games.engine.legal import answers, cards_for, plays
from games.engine.observation import Observation, Solo, Step
from games.engine.observe import observe
from games.engine.presets import preset_ids
from games.engine.rules import RuleSet, load_rules
from games.engine.state import State
from games.engine.steps.tribute import Previous

OPTIONS: dict[str, list[dict[str, object]]] = {
    "crown": [{"toll": t} for t in ("none", "two_or_best", "two_or_none", "best", "bottom")]
    + [{"force": f} for f in ("none", "ask_first", "triple", "triple_unless_quad")]
    + [{"yield": y} for y in ("any", "none", "both_cards")]
    + [{"step": -1}, {"step": 2}, {"laps": 1}, {"laps": 2}],
    "guard": [{"choice": "highest"}, {"special": True}, {"may_open": False}, {"callable": "3456789TJQKA2wW"}],
    "solo": [{"grab": "any"}, {"grab": "quad"}, {"hidden": False}, {"open": False}],
    "stakes": [{"rebellion": 2, "kick": 2}, {"rebellion": 0}, {"open_guard": 3}, {"open_solo": 4}],
    "play": [
        {"cover": {"w": ["W", "ww"], "W": ["WW", "www"]}},
        {"cover": {"w": ["W", "#"], "W": ["222"]}},
        {"cover": {"w": [], "W": ["WW"]}},
        {"wild_twos": True},
        {"hold_back": "3"},
        {"hold_back": "6"},
        {"passing": "hard"},
        {"defer": True},
        {"windfall": "ally"},
        {"windfall": "claim"},
    ],
    "deck": [{"removed": {"3": 16, "4": 16, "5": 16, "6": 3}}, {"reserve_crown": True}],
    "scoring": [{"mode": m, "solo_factor": 2} for m in ("sum", "places", "outcome", "outcome_home")],
}


def random_rules(rng: random.Random) -> RuleSet:
    """A preset with a few random options; contradictory draws are thrown away."""
    while True:
        overrides: dict[str, object] = {}
        for key, options in OPTIONS.items():
            if rng.random() < 0.5:
                overrides[key] = rng.choice(options)
        if rng.random() < 0.3:
            overrides["end"] = rng.choice(["side_out", "last_one"])
        if rng.random() < 0.3:
            overrides |= {"tribute": "standard", "clear_threes": True}
        try:
            return load_rules(rng.choice(preset_ids()), overrides)
        except BadRules:
            continue


def random_deal(rules: RuleSet, rng: random.Random, short: bool = False) -> Deal:
    """A full deal, or one cut down to a few cards a seat."""
    full = deal(rules, rng.randbytes(64), [""] * SEATS, rng.randrange(SEATS))
    if not short:
        return full
    hands = []
    for hand in full.hands:
        few = rng.sample(range(len(hand)), rng.randint(1, 8))
        hands.append(sort_cards(card for i, card in enumerate(hand) if i in few or card in MARKED))
    return Deal(tuple(hands), full.first, full.drawn)


def random_previous(rng: random.Random) -> Previous | None:
    """A previous hand that tribute may be owed for."""
    if rng.random() < 0.5:
        return None
    emperor, guard = rng.sample(range(SEATS), 2)
    places = tuple(rng.sample(range(1, 6), 5))
    if rng.random() < 0.3:
        return Previous(emperor, None, rng.choice(list(Solo)), False, places)
    return Previous(emperor, guard, None, rng.random() < 0.3, places, ((emperor, guard),))


def all_actions(obs: Observation) -> list[Action]:
    """Every legal action of the viewer, one choice of cards for each shape."""
    return [*answers(obs), *(play_action(cards_for(obs, shape)) for shape in plays(obs))]


def random_states(rules: RuleSet, dealt: Deal, rng: random.Random, previous: Previous | None = None) -> Iterator[State]:
    """Every state of one random hand, from the first question to its end."""
    state = begin(rules, dealt, previous)
    yield state
    while not state.over:
        seat = rng.choice(state.to_act)
        state = apply(state, seat, rng.choice(all_actions(observe(state, seat))))
        yield state


def rearranged(state: State, viewer: int | None, rng: random.Random) -> State | None:
    """Another truth that `viewer` cannot tell from this one: the unseen cards lie differently among the others, the
    hidden role is with whoever now holds the guard's card, the unseen answers are others. None if this draw contradicts
    what is public.
    """
    others = [seat for seat in range(SEATS) if seat != viewer]
    pool = [card for seat in others for card in state.hands[seat]]
    rng.shuffle(pool)
    hands = list(state.hands)
    for seat in others:
        count = len(hands[seat])
        hands[seat], pool = sort_cards(pool[:count]), pool[count:]
    changes: dict[str, object] = {"hands": tuple(hands)}
    fixed = state.guard is not None or state.solo is not None
    knows = state.public or viewer == state.guard or (viewer == state.emperor and state.solo is not None)
    if fixed and not (knows and (viewer is not None or state.public)):
        holder = _new_guard(state, hands)
        if holder is None or holder in state.rebels or holder == viewer:
            return None
        solo = Solo.HIDDEN if holder == state.emperor else None
        if viewer == state.emperor and solo:
            return None
        guard = None if solo else holder
        changes |= {"guard": guard, "solo": solo, "special": None}
        if state.rules.guard.special and guard is not None:
            changes["special"] = next(c for c in hands[guard] if face(c) == state.called)
        if state.step is Step.REVEAL:
            changes["to_act"] = (holder,)
    elif state.special is not None and state.guard is not None and viewer != state.guard:
        copies = [c for c in hands[state.guard] if face(c) == state.called]
        if not copies:
            return None
        changes["special"] = copies[0]
    return state.but(**changes)


def _new_guard(state: State, hands: list[tuple[Card, ...]]) -> int | None:
    if state.rules.guard.by == "sword":
        return next((seat for seat, hand in enumerate(hands) if SWORD in hand), None)
    holders = [s for s, hand in enumerate(hands) if any(face(c) == state.called for c in hand)]
    if not holders:
        return None
    return next((seat for seat in holders if seat != state.emperor), state.emperor)
