"""Positions for the bots' tests, written as text: five hands and what has been said and played so far.

A hand is a text of card tokens; `..` stands for a hand the test does not care about. Positions go through the engine's
own record reader, so a position that could not occur fails loudly.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from games.engine.actions import Action, play_action
from games.engine.deck import SEATS, SEED_BYTES, deal
from games.engine.errors import BadRules
from games.engine.fold import apply, begin
from games.engine.legal import answers, cards_for, plays
from games.engine.observation import Observation
from games.engine.observe import observe
from games.engine.record import read_record, replay
from games.engine.rules import RuleSet, load_rules
from games.engine.state import State


def position(
    hands: list[str],
    actions: str = "",
    rules: str = "lianzhong-simple",
    overrides: Mapping[str, Any] | None = None,
    drawn: int | None = None,
    previous: Mapping[str, Any] | None = None,
) -> State:
    """The state after `actions`: "0 accept / 3 hide / 0 play 6S 6H" on these five hands."""
    record: dict[str, Any] = {
        "format": "baohuang-hand/1",
        "rules": rules,
        "overrides": dict(overrides or {}),
        "hands": [hand.split() for hand in hands],
        "actions": [[int(line[0]), line[2:]] for line in actions.split(" / ") if line],
    }
    if drawn is not None:
        record["drawn"] = drawn
    if previous is not None:
        record["previous"] = dict(previous)
    return replay(read_record(record))


def seen(state: State) -> Observation:
    """What the seat that is asked sees."""
    return observe(state, state.to_act[0])


def random_action(obs: Observation, rng: random.Random) -> Action:
    """Any legal action; plays and other answers are equally likely kinds."""
    said = answers(obs)
    shapes = plays(obs)
    if shapes and (not said or rng.random() < 0.5):
        return play_action(cards_for(obs, rng.choice(shapes)))
    return rng.choice(said)


def random_states(rules: RuleSet, rng: random.Random) -> Iterator[State]:
    """Every state of a random hand in which somebody is asked."""
    state = begin(rules, deal(rules, rng.randbytes(SEED_BYTES), [""] * SEATS, rng.randrange(SEATS)))
    while state.to_act:
        yield state
        seat = rng.choice(state.to_act)
        state = apply(state, seat, random_action(observe(state, seat), rng))


OVERRIDES: dict[str, list[Any]] = {
    "crown": [
        {},
        {"laps": 2, "force": "none"},
        {"toll": "best"},
        {"toll": "bottom"},
        {"step": 2},
        {"yield": "none"},
        {"force": "ask_first"},
        {"force": "triple"},
        {"force": "triple_unless_quad"},
    ],
    "guard": [{}, {"may_open": False}, {"choice": "highest"}, {"special": True}, {"callable": "3456789TJQKA2wW"}],
    "solo": [{}, {"open": False}, {"grab": "any"}, {"grab": "quad"}, {"hidden": False}],
    "stakes": [{}, {"rebellion": 2, "kick": 2}, {"rebellion": 2, "kick": 0}, {"rebellion": 0, "kick": 2}],
    "play": [
        {},
        {"cover": {"w": ["W", "ww"], "W": ["WW", "www"]}},
        {"cover": {"w": ["W"], "W": ["WW", "222"]}},
        {"hold_back": "3", "wild_twos": True},
        {"hold_back": "7"},
        {"passing": "hard", "defer": True},
        {"windfall": "claim"},
        {"windfall": "ally", "defer": True},
        {"wild_twos": True, "windfall": "claim", "passing": "hard", "defer": True},
    ],
    "end": ["side_out", "last_one"],
    "deck": [{}, {"removed": {"4": 16, "5": 16, "8": 3}}, {"reserve_crown": True}, {"removed": {"3": 15, "7": 10}}],
}


def random_rules(preset: str, rng: random.Random) -> RuleSet:
    """The preset with random overrides that do not contradict each other."""
    while True:
        overrides = {key: rng.choice(values) for key, values in OVERRIDES.items() if rng.random() < 0.5}
        try:
            return load_rules(preset, overrides)
        except BadRules:
            continue


def suited(ranks: str) -> str:
    """A hand from ranks alone, "W! w 2222 KKK": jokers are tokens, plain ranks get suits S H C D in turn."""
    cards: list[str] = []
    for word in ranks.split():
        if word[0] in "wW":
            cards.append(word)
        else:
            cards += [rank + "SHCD"[place % 4] for place, rank in enumerate(word)]
    return " ".join(cards)
