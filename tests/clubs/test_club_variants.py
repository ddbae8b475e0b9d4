"""A club's own rules: made from others, changed as new revisions, read by members, retired."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.services import clubs
from accounts.services.clubs import ClubRefused
from games.engine.rules import load_rules
from games.models import Variant
from games.selectors import variants
from games.services import club_variants
from tests.admin.test_rule_form import posted
from tests.clubs.people import NOW, Cast, cast, client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Cast:
    return cast()


def form(**changes: Any) -> dict[str, Any]:
    return {**posted(load_rules("weihai", changes)), "name": "老规矩"}


def made(club: Cast) -> Variant:
    client_of(club["manager"]).post("/clubs/laoyou/variants/new", form())
    return Variant.objects.get(club=club.club)


def test_a_manager_makes_rules_and_changes_them(club: Cast) -> None:
    variant = made(club)
    assert variant.name == "老规矩"
    edit = f"/clubs/laoyou/variants/{variant.slug}/edit"
    manager = client_of(club["manager"])
    assert 'value="老规矩"' in manager.get(edit).content.decode()
    answer = manager.post(edit, form(play={"hold_back": "7"}))
    assert answer.status_code == 302
    assert [row.number for row in variant.revisions.order_by("number")] == [1, 2]
    assert variant.revisions.get(number=2).created_by == club["manager"]
    html = client_of(club["member"]).get(f"/clubs/laoyou/variants/{variant.slug}/").content.decode()
    assert "第2版" in html
    assert "edit" not in html


def test_a_preview_saves_nothing(club: Cast) -> None:
    page = client_of(club["manager"]).post("/clubs/laoyou/variants/new", {**form(), "preview": "1"})
    assert page.status_code == 200
    assert "还没有保存" in page.content.decode()
    assert not Variant.objects.filter(club=club.club).exists()


def test_rules_that_contradict_themselves_are_refused_beside_their_field(club: Cast) -> None:
    wrong = {**form(), "name": "", "solo__grab": "nonsense"}
    page = client_of(club["manager"]).post("/clubs/laoyou/variants/new", wrong)
    assert page.status_code == 422
    assert "请给规则起个名字。" in page.content.decode()
    assert not Variant.objects.filter(club=club.club).exists()


def test_the_club_s_rules_are_nobody_else_s(club: Cast) -> None:
    slug = made(club).slug
    assert slug not in {offer.slug for offer in variants.offered()}
    assert slug in {offer.slug for offer in variants.offered(club.club)}
    other = cast(slug="biede")
    assert slug not in {offer.slug for offer in variants.offered(other.club)}
    assert "老规矩" not in client_of(club["member"]).get("/rules/").content.decode()
    for role, status in (("member", 200), ("stranger", 404), ("banned", 404), ("nobody", 404)):
        assert client_of(club.people.get(role)).get(f"/rules/{slug}/").status_code == status
    assert client_of(other["owner"]).get(f"/clubs/biede/variants/{slug}/").status_code == 404
    assert client_of(other["owner"]).get(f"/clubs/biede/variants/{slug}/edit").status_code == 404


def test_nobody_writes_into_the_rules_of_another_club(club: Cast) -> None:
    variant, other = made(club), cast(slug="biede")
    client = client_of(other["owner"])
    for deed in ("edit", "retire"):
        assert (
            client.post(f"/clubs/biede/variants/{variant.slug}/{deed}", form(play={"hold_back": "7"})).status_code
            == 404
        )
    with pytest.raises(ClubRefused, match="not_found"):
        club_variants.publish(
            club=other.club, slug=variant.slug, by=other["owner"], name="我的", rules=load_rules("weihai"), now=NOW
        )
    variant.refresh_from_db()
    assert (variant.retired, variant.revisions.count()) == (False, 1)


def test_retired_rules_are_offered_no_more_and_come_back(club: Cast) -> None:
    slug = made(club).slug
    manager = client_of(club["manager"])
    manager.post(f"/clubs/laoyou/variants/{slug}/retire")
    assert slug not in {offer.slug for offer in variants.offered(club.club)}
    assert "已停用" in manager.get("/clubs/laoyou/variants/").content.decode()
    manager.post(f"/clubs/laoyou/variants/{slug}/retire", {"on": "1"})
    assert slug in {offer.slug for offer in variants.offered(club.club)}


@pytest.mark.parametrize("who, code", [("member", "forbidden"), ("stranger", "not_found"), ("manager", "archived")])
def test_the_service_itself_asks_for_the_role(club: Cast, who: str, code: str) -> None:
    if code == "archived":
        clubs.archive(club=club.club, by=club["owner"], now=NOW)
    with pytest.raises(ClubRefused, match=code):
        club_variants.create(club=club.club, by=club[who], name="新的", rules=load_rules("weihai"), now=NOW)
