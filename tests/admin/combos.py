"""Rulesets for tests of the words and the form: every preset, and every single switch turned on every preset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.engine.errors import BadRules
from games.engine.presets import preset_ids
from games.engine.rule_specs import SPECS
from games.engine.rules import RuleSet, load_rules

KAO = {"w": ["W", "ww"], "W": ["WW", "WWW", "www"]}

VALUES: dict[str, tuple[Any, ...]] = {
    "deck.removed": ({}, {"3": 16, "4": 16}, {"6": 3}, {"7": 1, "2": 15, "A": 16}, {"9": 16}),
    "guard.callable": ("3456789TJQKA2wW", "W", "6", "369", "2w"),
    "stakes.open_guard": (1, 3),
    "stakes.open_solo": (1, 3),
    "stakes.rebellion": (0, 1, 3),
    "stakes.kick": (0, 1, 3),
    "scoring.solo_factor": (1, 5),
    "play.cover": (
        KAO,
        {"w": [], "W": []},
        {"w": ["W"], "W": ["WW", "222"]},
        {"w": ["#"], "W": ["#"]},
        {"w": ["22"], "W": ["Ww2"]},
    ),
}


def overrides_of(key: str, value: Any) -> dict[str, Any]:
    """`{"crown": {"toll": value}}` for `crown.toll`."""
    *parents, leaf = key.split(".")
    data: dict[str, Any] = {leaf: value}
    for parent in reversed(parents):
        data = {parent: data}
    return data


def values_of(key: str) -> tuple[Any, ...]:
    """The values to try for a key."""
    spec = SPECS[key]
    if key in VALUES:
        return VALUES[key]
    return (True, False) if spec.type == "bool" else spec.choices


def single_changes() -> Iterator[tuple[str, str, Any, RuleSet]]:
    """(preset, key, value, rules) for every change of one key that the engine takes."""
    for preset in preset_ids():
        for key in SPECS:
            for value in values_of(key):
                try:
                    yield preset, key, value, load_rules(preset, overrides_of(key, value))
                except BadRules:
                    continue


def double_changes(preset: str, stride: int) -> Iterator[RuleSet]:
    """Pairs of changed keys of one preset that the engine takes: every `stride`-th of them."""
    changes = [(key, value) for key in SPECS for value in values_of(key)]
    pairs = [(a, b) for i, a in enumerate(changes) for b in changes[i + 1 :] if a[0] != b[0]]
    for (key, value), (other, second) in pairs[::stride]:
        try:
            first = load_rules(preset, overrides_of(key, value)).to_json()
            yield load_rules(first, overrides_of(other, second))
        except BadRules:
            continue


CONTRADICTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("lianzhong-simple", {"deck": {"removed": dict.fromkeys("3456789TJQKA", 16)}}, "deck.removed"),
    ("lianzhong-simple", {"deck": {"removed": {"3": 16}}, "play": {"hold_back": "3"}}, "play.hold_back"),
    ("home", {"play": {"hold_back": "2"}}, "play.hold_back"),
    ("lianzhong-classic", {"crown": {"needs_triple": False, "force": "none"}}, "crown.needs_triple"),
    ("lianzhong-classic", {"crown": {"yield": "both_cards"}}, "crown.yield"),
    ("lianzhong-classic", {"guard": {"callable": ""}}, "guard.callable"),
    ("lianzhong-classic", {"deck": {"removed": {"6": 4}}, "guard": {"callable": "6"}}, "guard.callable"),
    ("lianzhong-simple", {"crown": {"needs_triple": True}}, "crown.needs_triple"),
    ("lianzhong-simple", {"crown": {"force": "triple"}}, "crown.force"),
    ("lianzhong-simple", {"crown": {"force": "triple_unless_quad"}}, "crown.force"),
    ("lianzhong-simple", {"guard": {"special": True}}, "guard.special"),
    ("lianzhong-simple", {"guard": {"choice": "highest"}}, "guard.choice"),
    ("lianzhong-simple", {"solo": {"hidden": False}}, "solo.hidden"),
    ("weihai", {"deck": {"reserve_crown": True}}, "crown.yield"),
    ("lianzhong-simple", {"play": {"cover": {"w": ["X"], "W": []}}}, "play.cover"),
    ("lianzhong-simple", {"play": {"cover": {"w": ["W" * 17], "W": []}}}, "play.cover"),
    ("lianzhong-simple", {"stakes": {"open_guard": 0}}, "stakes.open_guard"),
    ("lianzhong-simple", {"stakes": {"open_solo": 0}}, "stakes.open_solo"),
    ("lianzhong-simple", {"stakes": {"rebellion": -1}}, "stakes.rebellion"),
    ("lianzhong-simple", {"stakes": {"kick": 1_000_001}}, "stakes.kick"),
    ("lianzhong-simple", {"scoring": {"solo_factor": 0}}, "scoring.solo_factor"),
    ("lianzhong-simple", {"deck": {"removed": {"3": 17}}}, "deck.removed"),
)
"""(preset, overrides, the key the refusal must stand beside): every contradiction of RULES §3 a form can express."""
