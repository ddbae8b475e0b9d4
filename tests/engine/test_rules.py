"""Rulesets: what is refused, and with which key."""

from typing import Any

import pytest

from games.engine.errors import BadRules
from games.engine.presets import PRESETS, preset_ids
from games.engine.rule_specs import SPECS
from games.engine.rules import load_rules


@pytest.mark.parametrize("preset", preset_ids())
def test_a_preset_reads_back_from_its_json(preset: str) -> None:
    rules = load_rules(preset)
    assert load_rules(rules.to_json()) == rules
    assert rules.to_json() == {"id": preset, **PRESETS[preset]}


def test_overrides_merge_key_by_key_but_replace_removed_and_cover_whole() -> None:
    rules = load_rules("weihai", {"deck": {"removed": {"7": 1}}, "play": {"cover": {"w": ["W"], "W": ["WW"]}}})
    assert rules.deck.removed == (("7", 1),)
    assert rules.deck.deal_from == "first_out"
    assert rules.play.cover.big == ("WW",)


def test_a_missing_key_is_named() -> None:
    whole = load_rules("home").to_json()
    for path in SPECS:
        broken = _copy(whole)
        *parents, leaf = path.split(".")
        holder = broken
        for parent in parents:
            holder = holder[parent]
        del holder[leaf]
        with pytest.raises(BadRules) as refused:
            load_rules(broken)
        assert refused.value.key == path


def _copy(data: Any) -> Any:
    return {key: _copy(value) for key, value in data.items()} if isinstance(data, dict) else data


CONTRADICTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("home", {"deck": {"removed": {"1": 1}}}, "deck.removed"),
    ("home", {"deck": {"removed": {"3": 17}}}, "deck.removed"),
    ("home", {"deck": {"removed": {"3": 0}}}, "deck.removed"),
    ("home", {"deck": {"removed": {"3": True}}}, "deck.removed"),
    ("home", {"deck": {"removed": {"3": 16}}}, "play.hold_back"),
    ("standard", {"deck": {"removed": dict.fromkeys("3456789TJQKA2", 16)}}, "deck.removed"),
    ("standard", {"deck": {"removed": {**dict.fromkeys("3456789TJQKA", 16)}}}, "deck.removed"),
    ("home", {"deck.removed": {}}, "deck.removed"),
    ("classic", {"guard": {"callable": ""}}, "guard.callable"),
    ("classic", {"guard": {"callable": "6"}, "deck": {"removed": {"6": 4}}}, "guard.callable"),
    ("classic", {"guard": {"callable": "x"}}, "guard.callable"),
    ("classic", {"crown": {"needs_triple": False}}, "crown.needs_triple"),
    ("classic", {"crown": {"yield": "both_cards"}}, "crown.yield"),
    ("standard", {"crown": {"needs_triple": True}}, "crown.needs_triple"),
    ("standard", {"crown": {"force": "triple"}}, "crown.force"),
    ("standard", {"guard": {"special": True}}, "guard.special"),
    ("standard", {"guard": {"choice": "highest"}}, "guard.choice"),
    ("standard", {"solo": {"hidden": False}}, "solo.hidden"),
    ("weihai", {"deck": {"reserve_crown": True}}, "crown.yield"),
    ("home", {"play": {"hold_back": "2"}}, "play.hold_back"),
    ("home", {"play": {"hold_back": "1"}}, "play.hold_back"),
    ("home", {"play": {"cover": {"w": ["W"]}}}, "play.cover"),
    ("home", {"play": {"cover": {"w": ["W"], "W": [""]}}}, "play.cover"),
    ("home", {"play": {"cover": {"w": ["W"], "W": ["A"]}}}, "play.cover"),
    ("home", {"play": {"cover": {"w": ["W"], "W": ["2" * 17]}}}, "play.cover"),
    ("home", {"play": {"cover": {"w": ["W"], "W": [], "#": []}}}, "play.cover"),
    ("home", {"stakes": {"open_guard": 0}}, "stakes.open_guard"),
    ("home", {"stakes": {"kick": -1}}, "stakes.kick"),
    ("home", {"stakes": {"kick": 1_000_001}}, "stakes.kick"),
    ("home", {"stakes": {"kick": 2.0}}, "stakes.kick"),
    ("home", {"scoring": {"solo_factor": 0}}, "scoring.solo_factor"),
    ("home", {"crown": {"step": 1}}, "crown.step"),
    ("home", {"crown": {"laps": True}}, "crown.laps"),
    ("home", {"crown": 3}, "crown"),
    ("home", {"end": {}}, "end"),
    ("home", {"crown": {"colour": 1}}, "crown.colour"),
    ("home", {"name": 3}, "name"),
    ("nowhere", {}, "rules"),
]


@pytest.mark.parametrize(("preset", "overrides", "key"), CONTRADICTIONS)
def test_a_contradiction_is_refused_with_its_key(preset: str, overrides: dict[str, Any], key: str) -> None:
    with pytest.raises(BadRules) as refused:
        load_rules(preset, overrides)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("standard", {"solo": {"open": False, "grab": "any"}}),
        ("standard", {"clear_threes": True}),
        ("standard", {"guard": {"callable": "99"}}),
        ("standard", {"play": {"cover": {"w": [], "W": []}}}),
        ("weihai", {"stakes": {"rebellion": 0, "kick": 0}}),
        ("home", {"id": "club", "name": "老王家"}),
    ],
)
def test_what_is_merely_without_effect_is_allowed(preset: str, overrides: dict[str, Any]) -> None:
    assert load_rules(load_rules(preset, overrides).to_json()) == load_rules(preset, overrides)
