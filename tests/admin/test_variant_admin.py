"""The admin of variants: who may, what saving does, where a refusal stands, the preview that writes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.rules import load_rules
from games.models import Variant, VariantRevision
from games.rule_form import field_name
from games.services import variants
from tests.admin.combos import CONTRADICTIONS
from tests.admin.people import client_of
from tests.admin.test_rule_form import changed, posted
from tests.admin.test_variants import NOW, ours

pytestmark = pytest.mark.django_db

ADD = "/admin/games/variant/add/"
LIST = "/admin/games/variant/"
PREVIEW = "/admin/games/variant/preview/"


@pytest.fixture
def boss() -> Client:
    return client_of("superuser")


def change_url(variant: Variant) -> str:
    return reverse("admin:games_variant_change", args=(variant.pk,))


def filled(rules: Any, **more: str) -> dict[str, Any]:
    return {**posted(rules), "name": "周末局", "slug": "weekend", **more}


def test_saving_the_form_makes_a_variant_with_its_first_revision(boss: Client) -> None:
    rules = load_rules("weihai", {"play": {"hold_back": "7"}})
    answer = boss.post(ADD, filled(rules))
    assert answer.status_code == 302, answer.context["errors"]
    revision = VariantRevision.objects.get(variant__slug="weekend")
    assert revision.number == 1
    assert load_rules({**revision.rules, "id": "weihai", "name": "威海"}) == rules
    assert revision.created_by is not None
    assert revision.created_by.username == "某superuser"


def test_the_form_starts_from_the_rules_one_wants_to_copy(boss: Client) -> None:
    html = boss.get(ADD + "?from=weihai").content.decode()
    assert 'name="deck__removed_6" value="3"' in html
    assert 'name="deck__removed_6" value="3"' not in boss.get(ADD).content.decode()
    assert boss.get(ADD + "?from=nonsense").status_code == 200


def test_saving_changes_publishes_a_new_revision(boss: Client) -> None:
    variant = ours().variant
    page = boss.get(change_url(variant))
    assert page.status_code == 200
    answer = boss.post(change_url(variant), filled(load_rules("standard", {"tribute": "standard"}), name="改名"))
    assert answer.status_code == 302, answer.context["errors"]
    newest, first = VariantRevision.objects.filter(variant=variant).order_by("-number")
    assert (newest.number, newest.rules["tribute"], newest.rules["name"]) == (2, "standard", "改名")
    assert first.rules["tribute"] == "none"
    assert Variant.objects.get(pk=variant.pk).slug == "ours"


def test_saving_without_a_change_publishes_nothing(boss: Client) -> None:
    variant = ours().variant
    boss.post(change_url(variant), filled(load_rules("standard"), name="老年大学"))
    assert variant.revisions.count() == 1


def test_the_page_of_a_variant_shows_its_history_with_what_changed(boss: Client) -> None:
    variant = ours().variant
    variants.publish(variant=variant, rules=load_rules("standard", {"play": {"hold_back": "3"}}), by=None, now=NOW)
    html = boss.get(change_url(variant)).content.decode()
    assert "<del>没有</del> → <ins>憋3</ins>" in html
    assert "play.hold_back" in html


@pytest.mark.parametrize("preset, overrides, key", CONTRADICTIONS)
def test_a_refusal_stands_beside_its_field_and_nothing_is_stored(
    boss: Client, preset: str, overrides: dict[str, Any], key: str
) -> None:
    answer = boss.post(ADD, filled(changed(preset, overrides)))
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field_name(key)]
    row = answer.content.decode().split(f"field-{field_name(key)}")[1].split("form-row")[0]
    assert "errorlist" in row
    assert not Variant.objects.exists()


@pytest.mark.parametrize("slug", ["weihai", "ours", "Weekend", "a b", "", "-x"])
def test_a_slug_must_be_free_and_plain(boss: Client, slug: str) -> None:
    ours()
    answer = boss.post(ADD, filled(load_rules("standard"), slug=slug))
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == ["slug"]


def test_a_preset_is_shown_in_words_and_cannot_be_edited(boss: Client) -> None:
    variants.load_presets(now=NOW)
    variant = Variant.objects.get(slug="home")
    page = boss.get(change_url(variant)).content.decode()
    assert "3要留到最后" in page
    assert f"{ADD}?from=home" in page
    assert 'name="tribute"' not in page
    assert boss.post(change_url(variant), filled(load_rules("standard"))).status_code == 403
    assert variant.revisions.count() == 1


def test_variants_are_retired_and_brought_back_from_the_list(boss: Client) -> None:
    variants.load_presets(now=NOW)
    chosen = [str(Variant.objects.get(slug=slug).pk) for slug in ("home", "weihai")]
    boss.post(LIST, {"action": "retire_selected", "_selected_action": chosen})
    assert set(Variant.objects.filter(retired=True).values_list("slug", flat=True)) == {"home", "weihai"}
    boss.post(LIST, {"action": "unretire_selected", "_selected_action": chosen[:1]})
    assert Variant.objects.filter(retired=True).count() == 1


def test_nothing_can_be_deleted(boss: Client) -> None:
    variant = ours().variant
    assert boss.post(reverse("admin:games_variant_delete", args=(variant.pk,)), {"post": "yes"}).status_code == 403
    assert "delete_selected" not in boss.get(LIST).content.decode()


# --- the preview


def test_the_preview_shows_the_rules_of_what_is_typed_and_writes_nothing(boss: Client) -> None:
    answer = boss.post(PREVIEW, posted(load_rules("standard", {"play": {"hold_back": "6"}})))
    assert "6要留到最后" in answer.content.decode()
    assert not Variant.objects.exists()


def test_the_preview_says_what_is_wrong(boss: Client) -> None:
    answer = boss.post(PREVIEW, posted(changed("standard", {"solo": {"hidden": False}})))
    assert "可以暗独：用侍卫牌的打法，侍卫牌可能就在皇帝手里，所以必须允许暗独。" in answer.content.decode()


def test_the_form_page_carries_the_preview_and_no_inline_script(boss: Client) -> None:
    html = boss.get(ADD).content.decode()
    assert f'hx-post="{PREVIEW}"' in html
    assert "<script>" not in html


def test_the_preview_wants_a_post(boss: Client) -> None:
    assert boss.get(PREVIEW).status_code == 405


# --- who may


@pytest.mark.parametrize("kind", ["anonymous", "player"])
@pytest.mark.parametrize("address", [LIST, ADD, "/admin/games/hand/", "/admin/games/table/", "/admin/"])
def test_people_who_are_not_staff_are_sent_to_the_door(kind: str, address: str) -> None:
    answer = client_of(kind).get(address)
    assert answer.status_code == 302
    assert "/login/" in answer["Location"]


@pytest.mark.parametrize("address", [LIST, ADD, "/admin/games/hand/", "/admin/games/table/"])
def test_staff_without_the_permission_is_refused(address: str) -> None:
    assert client_of("staff").get(address).status_code == 403


def test_staff_without_the_permission_can_neither_preview_nor_publish() -> None:
    variant = ours().variant
    client = client_of("staff")
    assert client.post(PREVIEW, posted(load_rules("home"))).status_code == 403
    assert client.post(change_url(variant), filled(load_rules("home"))).status_code == 403
    assert client.post(ADD, filled(load_rules("home"))).status_code == 403
    assert variant.revisions.count() == 1


def test_staff_who_may_only_look_sees_words_and_no_form() -> None:
    variant = ours().variant
    client = client_of("staff", "view_variant", "view_variantrevision")
    html = client.get(change_url(variant)).content.decode()
    assert "先出完牌的先走" in html
    assert 'name="tribute"' not in html
    assert client.post(change_url(variant), filled(load_rules("home"))).status_code == 403
    assert "retire_selected" not in client.get(LIST).content.decode()


def test_staff_who_may_change_publishes_but_adds_nothing() -> None:
    variant = ours().variant
    client = client_of("staff", "view_variant", "change_variant")
    assert client.post(change_url(variant), filled(load_rules("home"), name="新")).status_code == 302
    assert variant.revisions.count() == 2
    assert client.get(ADD).status_code == 403


# --- revisions


def test_a_revision_is_shown_in_words_and_cannot_be_changed(boss: Client) -> None:
    revision = ours()
    address = reverse("admin:games_variantrevision_change", args=(revision.pk,))
    assert "先出完牌的先走" in boss.get(address).content.decode()
    assert boss.post(address, {"number": "7"}).status_code == 403
    assert boss.get("/admin/games/variantrevision/add/").status_code == 403
    assert boss.get(f"/admin/games/variantrevision/?variant__id__exact={revision.variant_id}").status_code == 200


# --- cost


def test_no_page_of_variants_asks_more_than_twenty_questions(boss: Client, django_assert_max_num_queries: Any) -> None:
    variants.load_presets(now=NOW)
    revision = ours()
    for n in range(5):
        rules = load_rules("standard", {"stakes": {"kick": n + 2}})
        variants.publish(variant=revision.variant, rules=rules, by=None, now=NOW)
    for address in (
        LIST,
        ADD,
        change_url(revision.variant),
        change_url(Variant.objects.get(slug="home")),
        "/admin/games/variantrevision/",
        reverse("admin:games_variantrevision_change", args=(revision.pk,)),
        "/admin/",
    ):
        with django_assert_max_num_queries(20):
            assert boss.get(address).status_code == 200
