"""The form: generated from the engine's keys, true to every ruleset, its refusals beside the field they name."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.cards import RANKS
from games.engine.presets import preset_ids
from games.engine.rule_specs import SPECS
from games.engine.rules import RuleSet, load_rules
from games.rule_form import RuleForm, field_name, groups, initial_of
from games.rule_words import flat
from tests.admin.combos import CONTRADICTIONS, single_changes


def posted(rules: RuleSet | dict[str, Any]) -> dict[str, Any]:
    """What a browser sends for the form filled with these rules."""
    data: dict[str, Any] = {}
    for key, value in flat(rules if isinstance(rules, dict) else rules.to_json()).items():
        if key not in SPECS:
            continue
        name = field_name(key)
        if key == "deck.removed":
            data |= {f"{name}_{rank}": str(value.get(rank, "")) for rank in RANKS}
        elif key == "play.cover":
            data |= {f"{name}_{joker}": "\r\n".join(value[joker]) for joker in "wW"}
        elif key == "guard.callable":
            data[name] = list(value)
        elif isinstance(value, bool):
            data |= {name: "on"} if value else {}
        else:
            data[name] = str(value)
    return data


def changed(preset: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """A ruleset's JSON with overrides laid over it, unchecked."""
    data = load_rules(preset).to_json()
    for section, values in overrides.items():
        data[section] = {**data[section], **values} if isinstance(values, dict) else values
    return data


def plain(rules: RuleSet) -> dict[str, Any]:
    return {key: value for key, value in flat(rules.to_json()).items() if key not in ("id", "name")}


def test_the_form_has_a_field_for_every_key() -> None:
    assert set(RuleForm.base_fields) == {field_name(key) for key in SPECS}
    assert {name for _title, names in groups() for name in names} == set(RuleForm.base_fields)


@pytest.mark.parametrize("preset", preset_ids())
def test_what_the_form_shows_comes_back_as_the_same_rules(preset: str) -> None:
    rules = load_rules(preset)
    form = RuleForm(posted(rules), initial=initial_of(rules))
    assert form.is_valid(), form.errors
    assert form.rules is not None
    assert plain(form.rules) == plain(rules)
    assert form.changed_data == []


def test_every_single_change_comes_back() -> None:
    for preset, key, value, rules in single_changes():
        form = RuleForm(posted(rules))
        assert form.is_valid(), (preset, key, value, form.errors)
        assert form.rules is not None
        assert plain(form.rules) == plain(rules)


@pytest.mark.parametrize("preset, overrides, key", CONTRADICTIONS)
def test_a_contradiction_is_shown_beside_its_field(preset: str, overrides: dict[str, Any], key: str) -> None:
    form = RuleForm(posted(changed(preset, overrides)))
    assert not form.is_valid()
    assert list(form.errors) == [field_name(key)]
    assert form.rules is None


def test_a_value_of_no_list_is_refused_beside_its_field() -> None:
    for key, value in (("crown.toll", "all"), ("crown.laps", "3"), ("end", ""), ("stakes.kick", "two")):
        form = RuleForm({**posted(load_rules("home")), field_name(key): value})
        assert not form.is_valid()
        assert list(form.errors) == [field_name(key)]


def test_the_form_draws_a_number_for_every_rank_and_a_box_for_either_joker() -> None:
    html = RuleForm(initial=initial_of(load_rules("weihai"))).as_p()
    assert 'name="deck__removed_6" value="3"' in html
    assert html.count('name="deck__removed_') == 13
    assert 'name="play__cover_w"' in html
    assert 'name="play__cover_W"' in html
    assert html.count('name="guard__callable"') == 15


def test_errors_stay_beside_what_was_typed() -> None:
    data = posted(changed("lianzhong-simple", {"play": {"cover": {"w": ["X"], "W": ["WW"]}}}))
    html = RuleForm(data).as_p()
    assert ">\nX</textarea>" in html
    assert "每种管法只能用" in html
