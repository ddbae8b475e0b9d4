"""Every address of a club, asked by everybody: who gets the page, who is told no, for whom there is nothing.

One table holds all of them; a test below it says that no address was forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import URLPattern

from accounts import urls_clubs
from accounts.models import Announcement, Club, Membership
from accounts.services import clubs
from games.engine.rules import load_rules
from games.services import club_variants
from games.views import club_variants as variant_pages
from games.views import clubs as game_pages
from tests.clubs.people import NOW, Cast, cast, client_of
from tests.conftest import Lasting

pytestmark = pytest.mark.django_db

ROLES = ("owner", "manager", "member", "stranger", "banned", "guest", "anonymous")
LOGIN = "login"  # sent to log in, wherever it was

MEMBERS = (200, 200, 200, 404, 404, 404, LOGIN)
MANAGERS = (200, 200, 403, 404, 404, 404, LOGIN)
DONE_BY_MEMBERS = (302, 302, 302, 404, 404, 404, LOGIN)
DONE_BY_MANAGERS = (302, 302, 403, 404, 404, 404, LOGIN)
DONE_BY_OWNER = (302, 403, 403, 404, 404, 404, LOGIN)

PAGES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "clubs:index": ("/clubs/", (200, 200, 200, 200, 200, 200, LOGIN)),
    "clubs:new": ("/clubs/new", (200, 200, 200, 200, 200, 403, LOGIN)),
    "clubs:join": ("/clubs/join/{invite}/", (302, 302, 302, 200, 403, 200, 200)),
    "clubs:invite": ("/clubs/laoyou/invite/", MEMBERS),
    "games:club": ("/clubs/laoyou/", MEMBERS),
    "games:club_members": ("/clubs/laoyou/members/", MEMBERS),
    "games:club_member": ("/clubs/laoyou/members/{other}/", MEMBERS),
    "games:club_settings": ("/clubs/laoyou/settings/", MANAGERS),
    "games:club_variants": ("/clubs/laoyou/variants/", MEMBERS),
    "games:club_variant": ("/clubs/laoyou/variants/{variant}/", MEMBERS),
    "games:club_variant_new": ("/clubs/laoyou/variants/new?from=weihai", MANAGERS),
    "games:club_variant_edit": ("/clubs/laoyou/variants/{variant}/edit", MANAGERS),
}

Form = dict[str, Any]
FORMS: dict[str, tuple[str, Form, tuple[Any, ...]]] = {
    "clubs:new": ("/clubs/new", {"name": "新的俱乐部", "join": "link"}, (302, 302, 302, 302, 302, 403, LOGIN)),
    # whoever is not logged in is shown the page with the ways to log in, and nothing is done
    "clubs:join": ("/clubs/join/{invite}/", {}, (302, 302, 302, 302, 403, 403, 200)),
    # this club takes no requests
    "clubs:request": ("/clubs/laoyou/request", {}, (404, 404, 404, 404, 404, 404, LOGIN)),
    "clubs:withdraw": ("/clubs/laoyou/request/withdraw", {}, (404, 404, 404, 404, 404, 404, LOGIN)),
    "clubs:renew_invite": ("/clubs/laoyou/invite/renew", {}, DONE_BY_MANAGERS),
    "clubs:leave": ("/clubs/laoyou/leave", {}, (409, 302, 302, 404, 404, 404, LOGIN)),
    "clubs:announce": ("/clubs/laoyou/announce", {"text": "周五八点"}, DONE_BY_MANAGERS),
    "clubs:take_down": ("/clubs/laoyou/announcements/{notice}/remove", {}, DONE_BY_MANAGERS),
    "clubs:accept": ("/clubs/laoyou/members/{asking}/accept", {}, DONE_BY_MANAGERS),
    "clubs:decline": ("/clubs/laoyou/members/{asking}/decline", {}, DONE_BY_MANAGERS),
    "clubs:remove": ("/clubs/laoyou/members/{other}/remove", {}, DONE_BY_MANAGERS),
    "clubs:ban": ("/clubs/laoyou/members/{other}/ban", {"reason": "不好"}, DONE_BY_MANAGERS),
    "clubs:unban": ("/clubs/laoyou/members/{banned}/unban", {}, DONE_BY_MANAGERS),
    "clubs:role": ("/clubs/laoyou/members/{other}/role", {"role": "manager"}, DONE_BY_OWNER),
    "clubs:hand_over": ("/clubs/laoyou/members/{other}/owner", {}, DONE_BY_OWNER),
    "clubs:archive": ("/clubs/laoyou/archive", {}, DONE_BY_OWNER),
    "clubs:restore": ("/clubs/laoyou/restore", {}, DONE_BY_OWNER),
    "games:club_settings": (
        "/clubs/laoyou/settings/",
        {"name": "新名字", "description": "", "join": "closed", "default_variant": ""},
        DONE_BY_MANAGERS,
    ),
    "games:club_variant_new": ("/clubs/laoyou/variants/new", {"name": "周末局"}, DONE_BY_MANAGERS),
    "games:club_variant_edit": ("/clubs/laoyou/variants/{variant}/edit", {"name": "改过的"}, DONE_BY_MANAGERS),
    "games:club_variant_retire": ("/clubs/laoyou/variants/{variant}/retire", {}, DONE_BY_MANAGERS),
}
WITH_RULES = ("games:club_variant_new", "games:club_variant_edit")


@pytest.fixture(scope="module")
def founded(lasting: Lasting) -> Cast:
    return lasting(cast)


@pytest.fixture
def club(founded: Cast) -> Cast:
    return founded.again()


def posted_rules() -> Form:
    from tests.admin.test_rule_form import posted

    return dict(posted(load_rules("weihai")))


def places(club: Cast) -> dict[str, Any]:
    """What stands in the addresses: ids of people, a notice, a variant, the invitation."""
    notice = clubs.announce(club=club.club, by=club["owner"], text="你好", now=NOW)
    revision = club_variants.create(
        club=club.club, by=club["owner"], name="老规矩", rules=load_rules("weihai"), now=NOW
    )
    ids = {name: player.pk for name, player in club.people.items()}
    return {**ids, "notice": notice.pk, "variant": revision.variant.slug, "invite": club.club.invite}


def answer_of(response: Any) -> Any:
    login = response.status_code == 302 and response.headers["Location"].startswith("/accounts/login/")
    return LOGIN if login else response.status_code


def everything(club: Club) -> Any:
    """All that a form could change, to see that a refused one changed nothing."""
    return (
        Club.objects.filter(pk=club.pk).values_list().get(),
        Club.objects.count(),
        sorted(Membership.objects.values_list("club", "player", "role")),
        sorted(club.requests.values_list("player", flat=True)),
        sorted(club.bans.values_list("player", flat=True)),
        sorted(Announcement.objects.values_list("pk", flat=True)),
        sorted(club.variants.values_list("slug", "name", "retired")),
    )


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", PAGES)
def test_who_gets_which_page(club: Cast, name: str, role: str, django_assert_max_num_queries: Any) -> None:
    address, expected = PAGES[name]
    address = address.format(**places(club))
    client = client_of(club.people.get(role))
    with django_assert_max_num_queries(20):
        response = client.get(address)
    assert answer_of(response) == expected[ROLES.index(role)]
    if response.status_code == 200:
        assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", FORMS)
def test_who_may_send_which_form(club: Cast, name: str, role: str, django_assert_max_num_queries: Any) -> None:
    address, form, expected = FORMS[name]
    address = address.format(**places(club))
    if name in WITH_RULES:
        form = {**posted_rules(), **form}
    before = everything(club.club)
    client = client_of(club.people.get(role))
    with django_assert_max_num_queries(20):
        answer = answer_of(client.post(address, form))
    assert answer == expected[ROLES.index(role)]
    if answer != 302:
        assert everything(club.club) == before


@pytest.mark.parametrize("name", FORMS)
def test_no_form_does_anything_by_a_mere_link(club: Cast, name: str) -> None:
    address, _form, _expected = FORMS[name]
    address = address.format(**places(club))
    before = everything(club.club)
    response = client_of(club["owner"]).get(address)
    assert response.status_code == 405 or name in PAGES
    assert everything(club.club) == before


@pytest.mark.parametrize("name", FORMS)
def test_an_archived_club_is_read_only(club: Cast, name: str) -> None:
    address, form, _expected = FORMS[name]
    if name in ("clubs:new", "clubs:restore"):
        return
    address = address.format(**places(club))
    if name in WITH_RULES:
        form = {**posted_rules(), **form}
    clubs.archive(club=club.club, by=club["owner"], now=NOW)
    before = everything(club.club)
    for role in ("owner", "manager", "member", "asking", "stranger"):
        if name == "clubs:withdraw" and role == "asking":
            continue  # to wish no more is always possible
        client_of(club[role]).post(address, form)
        assert everything(club.club) == before, role


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ("clubs:join", "clubs:new")])
def test_an_archived_club_can_still_be_looked_at_by_its_members(club: Cast, name: str) -> None:
    address = PAGES[name][0].format(**places(club))
    clubs.archive(club=club.club, by=club["owner"], now=NOW)
    assert client_of(club["owner"]).get(address).status_code == 200
    assert client_of(club["stranger"]).get(address).status_code == (200 if name == "clubs:index" else 404)


def _names(module: Any, space: str) -> set[str]:
    return {f"{space}:{entry.name}" for entry in module.urlpatterns if isinstance(entry, URLPattern)}


def test_no_address_of_a_club_is_missing_from_the_tables() -> None:
    known = _names(urls_clubs, "clubs") | _names(game_pages, "games") | _names(variant_pages, "games")
    assert known == set(PAGES) | set(FORMS)


@pytest.mark.parametrize(
    "join, expected",
    [("request", (200, 200, 200, 200, 403, 200, LOGIN)), ("closed", MEMBERS), ("link", MEMBERS)],
)
def test_only_a_club_that_takes_requests_has_a_face_for_strangers(
    founded: Cast, join: str, expected: tuple[Any, ...]
) -> None:
    club = founded.again(join)
    clubs.announce(club=club.club, by=club["owner"], text="机密", now=NOW)
    for role, wanted in zip(ROLES, expected, strict=True):
        response = client_of(club.people.get(role)).get("/clubs/laoyou/")
        assert answer_of(response) == wanted, role
        if role not in ("owner", "manager", "member"):
            assert "机密" not in response.content.decode()
            assert club.club.invite not in response.content.decode()


@pytest.mark.parametrize(
    "join, role, expected",
    [
        ("request", "stranger", 302),
        ("request", "asking", 302),
        ("request", "member", 302),
        ("request", "banned", 403),
        ("request", "guest", 403),
        ("request", "anonymous", LOGIN),
        ("closed", "stranger", 404),
        ("closed", "banned", 404),
    ],
)
def test_who_may_ask_to_be_let_in(founded: Cast, join: str, role: str, expected: Any) -> None:
    club = founded.again(join)
    before = set(club.club.requests.values_list("player", flat=True))
    response = client_of(club.people.get(role)).post("/clubs/laoyou/request", {"text": "我想来"})
    assert answer_of(response) == expected
    added = set(club.club.requests.values_list("player", flat=True)) - before
    assert added == ({club["stranger"].pk} if (join, role) == ("request", "stranger") else set())


def _kept(club: Cast) -> bool:
    return club.role("manager") == "manager" and club.role("owner") == "owner"


@pytest.mark.parametrize("deed", ["remove", "ban", "role", "owner"])
@pytest.mark.parametrize("target", ["owner", "manager"])
def test_a_manager_does_nothing_to_the_owner_or_another_manager(club: Cast, deed: str, target: str) -> None:
    clubs.set_role(club=club.club, by=club["owner"], player=club["other"], role="manager")
    response = client_of(club["other"]).post(f"/clubs/laoyou/members/{club[target].pk}/{deed}", {"role": "member"})
    assert response.status_code == 403
    assert _kept(club)


REFUSED: list[tuple[str, Callable[[Cast], tuple[str, Form]], str]] = [
    ("owner", lambda club: ("/clubs/laoyou/leave", {}), "你是会长，不能直接离开"),
    ("member", lambda club: ("/clubs/laoyou/announce", {"text": "大家好"}), "你的职务做不了"),
    ("banned", lambda club: (f"/clubs/join/{club.club.invite}/", {}), "你不能加入这个俱乐部"),
    ("guest", lambda club: (f"/clubs/join/{club.club.invite}/", {}), "先注册一个账号"),
    ("guest", lambda club: ("/clubs/new", {"name": "游客的", "join": "link"}), "先注册一个账号"),
    ("owner", lambda club: (f"/clubs/laoyou/members/{club['stranger'].pk}/remove", {}), "不在会员名单里"),
]


@pytest.mark.parametrize("role, form, said", REFUSED)
def test_whoever_is_refused_reads_one_plain_sentence(club: Cast, role: str, form: Any, said: str) -> None:
    address, fields = form(club)
    response = client_of(club[role]).post(address, fields)
    assert response.status_code in (403, 409)
    assert said in response.content.decode()
