"""Variants: immutable revisions, presets loaded once, nothing published that the engine refuses."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.services.players import sign_up
from games.engine.errors import BadRules
from games.engine.presets import PRESETS, preset_ids
from games.engine.rules import load_rules
from games.models import Variant, VariantRevision
from games.selectors import variants as selector
from games.services import variants

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=1)

pytestmark = pytest.mark.django_db


def ours(**overrides: object) -> VariantRevision:
    """A club's own variant, `ours`."""
    rules = load_rules("standard", overrides)
    return variants.create(slug="ours", name="老年大学", rules=rules, by=None, now=NOW)


def test_a_new_variant_has_a_first_revision_under_its_own_name() -> None:
    admin = sign_up(username="馆长", password=None)
    revision = variants.create(slug="ours", name="老年大学", rules=load_rules("home"), by=admin, now=NOW)
    assert (revision.number, revision.created_by, revision.created_at, revision.published_at) == (1, admin, NOW, NOW)
    assert (revision.rules["id"], revision.rules["name"]) == ("ours", "老年大学")
    assert not revision.variant.preset


def test_publishing_adds_a_revision_and_leaves_the_old_one_as_it_was() -> None:
    first = ours()
    before = copy.deepcopy(first.rules)
    second = variants.publish(
        variant=first.variant, rules=load_rules("standard", {"tribute": "standard"}), by=None, now=LATER
    )
    assert second.number == 2
    assert second.rules["tribute"] == "standard"
    assert VariantRevision.objects.get(pk=first.pk).rules == before
    assert selector.current_revision("ours") == second


def test_publishing_the_same_rules_again_adds_nothing() -> None:
    first = ours()
    again = variants.publish(variant=first.variant, rules=load_rules("standard"), by=None, now=LATER)
    assert again == first
    assert VariantRevision.objects.count() == 1


def test_a_new_name_is_a_new_revision_that_carries_it() -> None:
    first = ours()
    second = variants.publish(
        variant=first.variant, rules=load_rules("standard"), by=None, now=LATER, name="老年大学二队"
    )
    assert (second.number, second.rules["name"]) == (2, "老年大学二队")
    assert Variant.objects.get(slug="ours").name == "老年大学二队"


def test_rules_that_contradict_themselves_are_never_stored() -> None:
    bad = load_rules("standard").to_json()
    bad["solo"]["hidden"] = False
    with pytest.raises(BadRules):
        variants.create(slug="ours", name="坏", rules=bad, by=None, now=NOW)
    first = ours()
    with pytest.raises(BadRules):
        variants.publish(variant=first.variant, rules=bad, by=None, now=LATER, name="坏")
    assert VariantRevision.objects.count() == 1
    assert Variant.objects.get(slug="ours").name == "老年大学"


@pytest.mark.parametrize("slug", ["ours", "weihai"])
def test_a_slug_is_given_once_and_never_that_of_a_preset(slug: str) -> None:
    ours()
    with pytest.raises(variants.SlugTaken):
        variants.create(slug=slug, name="又一个", rules=load_rules("home"), by=None, now=NOW)


def test_a_retired_variant_is_not_offered_but_keeps_its_rules() -> None:
    variant = ours().variant
    variants.retire(variant=variant)
    variants.retire(variant=variant)
    assert selector.offered() == ()
    assert selector.current_revision("ours") is None
    found = selector.offer("ours")
    assert found is not None
    assert found.retired
    variants.unretire(variant=variant)
    assert [offer.slug for offer in selector.offered()] == ["ours"]


def test_the_history_says_what_each_revision_changed() -> None:
    variant = ours().variant
    variants.publish(variant=variant, rules=load_rules("standard", {"play": {"hold_back": "3"}}), by=None, now=LATER)
    newest, oldest = selector.history(variant)
    assert [(change.key, change.usual, change.value) for change in newest.changes] == [
        ("play.hold_back", "没有", "憋3")
    ]
    assert (newest.number, newest.current, oldest.number, oldest.current) == (2, True, 1, False)
    assert oldest.changes == ()


# --- presets


def test_the_nine_presets_are_loaded_in_their_order_once() -> None:
    loaded = variants.load_presets(now=NOW)
    again = variants.load_presets(now=LATER)
    assert loaded.made == preset_ids()
    assert again.kept == preset_ids()
    assert [offer.slug for offer in selector.offered()] == list(preset_ids())
    assert [offer.rules for offer in selector.offered()] == [load_rules(slug) for slug in preset_ids()]
    assert VariantRevision.objects.count() == 9


def test_a_changed_preset_becomes_a_new_revision() -> None:
    variants.load_presets(now=NOW)
    changed = copy.deepcopy(PRESETS)
    changed["home"]["play"]["hold_back"] = "6"
    loaded = variants.load_presets(now=LATER, presets=changed)
    assert loaded.changed == ("home",)
    assert list(VariantRevision.objects.filter(variant__slug="home").values_list("number", flat=True)) == [2, 1]


def test_loading_again_leaves_a_retired_preset_retired_and_a_clubs_own_variant_alone() -> None:
    variants.load_presets(now=NOW)
    ours()
    variants.retire(variant=Variant.objects.get(slug="weihai"))
    variants.load_presets(now=LATER)
    assert Variant.objects.get(slug="weihai").retired
    assert Variant.objects.get(slug="ours").revisions.count() == 1


def test_a_preset_cannot_be_published_over() -> None:
    variants.load_presets(now=NOW)
    with pytest.raises(variants.BuiltIn):
        variants.publish(variant=Variant.objects.get(slug="home"), rules=load_rules("standard"), by=None, now=LATER)


def test_the_command_says_what_it_did() -> None:
    out = StringIO()
    call_command("load_presets", stdout=out)
    call_command("load_presets", stdout=out)
    assert out.getvalue().splitlines() == [
        "presets: 9 new, 0 changed, 0 as they were",
        "presets: 0 new, 0 changed, 9 as they were",
    ]
