"""What happens to a club: coming in, roles, going; and two people who do something at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from accounts import selectors_clubs
from accounts.models import Club, ClubBan, Membership, Player
from accounts.services import clubs
from accounts.services.clubs import ClubRefused
from accounts.services.players import make_guest
from tests.clubs.people import NOW, Cast, cast, client_of, person


@pytest.fixture
def club(db: None) -> Cast:
    return cast()


def code_of(call: Callable[[], object]) -> str:
    """The word with which it was refused, "" when it was done."""
    try:
        call()
    except ClubRefused as fault:
        return fault.code
    return ""


def test_the_founder_owns_the_club(club: Cast) -> None:
    assert club.club.owner == club["owner"]
    assert club.role("owner") == "owner"
    assert selectors_clubs.role_in(club.club, club["owner"]) == "owner"
    assert selectors_clubs.role_in(club.club, club["stranger"]) is None
    assert selectors_clubs.role_in(club.club, None) is None


@pytest.mark.parametrize(
    "fields, code",
    [
        ({"slug": "new"}, "slug_taken"),
        ({"slug": "join"}, "slug_taken"),
        ({"slug": "laoyou"}, "slug_taken"),
        ({"name": "老友 laoyou"}, "name_taken"),
        ({"name": "老友 LAOYOU"}, "name_taken"),
        ({"name": "另一个"}, ""),
    ],
)
def test_names_and_addresses_are_taken_once(club: Cast, fields: dict[str, str], code: str) -> None:
    wanted = {"name": "第二个", **fields}
    assert code_of(lambda: clubs.create(by=club["stranger"], now=NOW, **wanted)) == code


def test_the_name_of_an_archived_club_is_free_and_restoring_it_then_is_refused(club: Cast) -> None:
    clubs.archive(club=club.club, by=club["owner"], now=NOW)
    clubs.create(by=club["stranger"], name=club.club.name, now=NOW)
    assert code_of(lambda: clubs.restore(club=club.club, by=club["owner"])) == "name_taken"


@pytest.mark.django_db
def test_a_guest_neither_founds_nor_joins_nor_asks() -> None:
    club, guest = cast("link"), make_guest()
    assert code_of(lambda: clubs.create(by=guest, name="游客的", now=NOW)) == "guest"
    assert code_of(lambda: clubs.join_by_link(token=club.club.invite, player=guest, now=NOW)) == "guest"
    Club.objects.update(join="request")
    assert code_of(lambda: clubs.request(club=club.club, player=guest, now=NOW)) == "guest"


@pytest.mark.django_db
def test_nobody_owns_clubs_without_end() -> None:
    rich = person("大户")
    for number in range(clubs.CLUBS_MOST):
        clubs.create(by=rich, name=f"第{number}个", now=NOW)
    assert code_of(lambda: clubs.create(by=rich, name="再来一个", now=NOW)) == "too_many"


@pytest.mark.parametrize(
    "join, who, code",
    [
        ("link", "stranger", ""),
        ("link", "banned", "banned"),
        ("link", "manager", ""),
        ("request", "stranger", "ask"),
        ("closed", "stranger", "closed"),
        ("closed", "member", ""),
    ],
)
@pytest.mark.django_db
def test_the_invitation_lets_in_whom_the_club_wants(join: str, who: str, code: str) -> None:
    club = cast(join)
    before = club.role(who)
    assert code_of(lambda: clubs.join_by_link(token=club.club.invite, player=club[who], now=NOW)) == code
    assert club.role(who) == ("member" if not code and before is None else before)


def test_a_new_invitation_ends_the_old_one(club: Cast) -> None:
    old = club.club.invite
    new = clubs.renew_invite(club=club.club, by=club["manager"])
    assert code_of(lambda: clubs.join_by_link(token=old, player=club["stranger"], now=NOW)) == "not_found"
    clubs.join_by_link(token=new, player=club["stranger"], now=NOW)
    assert club.role("stranger") == "member"


def test_a_request_is_accepted_once_and_a_declined_one_is_gone(club: Cast) -> None:
    for _ in range(2):
        clubs.accept(club=club.club, by=club["manager"], player=club["asking"], now=NOW)
    assert club.role("asking") == "member"
    assert not club.club.requests.exists()
    never = club["stranger"]
    assert code_of(lambda: clubs.accept(club=club.club, by=club["owner"], player=never, now=NOW)) == "not_member"


def test_whoever_is_banned_while_asking_does_not_ask_any_more(club: Cast) -> None:
    clubs.ban(club=club.club, by=club["manager"], player=club["asking"], now=NOW)
    assert not club.club.requests.exists()
    Club.objects.update(join="request")
    assert code_of(lambda: clubs.request(club=club.club, player=club["asking"], now=NOW)) == "banned"
    clubs.unban(club=club.club, by=club["manager"], player=club["asking"])
    assert code_of(lambda: clubs.request(club=club.club, player=club["asking"], now=NOW)) == ""


def test_the_last_owner_cannot_leave_and_reads_why(club: Cast) -> None:
    assert code_of(lambda: clubs.leave(club=club.club, player=club["owner"])) == "owner_stays"
    page = client_of(club["owner"]).post("/clubs/laoyou/leave")
    assert "先把俱乐部转给别的会员，或者停用俱乐部" in page.content.decode()
    clubs.hand_over(club=club.club, by=club["owner"], to=club["member"])
    clubs.leave(club=club.club, player=club["owner"])
    assert (club.role("owner"), club.role("member"), club.fresh().owner) == (None, "owner", club["member"])


def test_handing_over_makes_a_manager_of_the_owner(club: Cast) -> None:
    clubs.hand_over(club=club.club, by=club["owner"], to=club["manager"])
    assert (club.role("owner"), club.role("manager")) == ("manager", "owner")
    assert code_of(lambda: clubs.archive(club=club.club, by=club["owner"], now=NOW)) == "forbidden"


@pytest.mark.parametrize("to", ["stranger", "banned", "asking"])
def test_a_club_is_handed_over_to_members_only(club: Cast, to: str) -> None:
    assert code_of(lambda: clubs.hand_over(club=club.club, by=club["owner"], to=club[to])) == "not_member"


def test_the_owner_s_role_changes_by_handing_over_only(club: Cast) -> None:
    for role in ("owner", "king", ""):
        refused = code_of(
            lambda role=role: clubs.set_role(club=club.club, by=club["owner"], player=club["member"], role=role)
        )  # type: ignore[misc]
        assert refused == "forbidden"
    own = code_of(lambda: clubs.set_role(club=club.club, by=club["owner"], player=club["owner"], role="member"))
    assert own == "forbidden"


def test_closing_an_account_leaves_every_club_unless_others_need_it(club: Cast) -> None:
    assert code_of(lambda: clubs.part_with_all(player=club["owner"], now=NOW)) == "owner_stays"
    clubs.part_with_all(player=club["member"], now=NOW)
    clubs.part_with_all(player=club["asking"], now=NOW)
    assert club.role("member") is None
    assert not club.club.requests.exists()
    alone = clubs.create(by=club["stranger"], name="一个人的", now=NOW)
    clubs.part_with_all(player=club["stranger"], now=NOW)
    assert Club.objects.get(pk=alone.pk).archived


def test_a_member_counts_as_seen_every_ten_minutes_at_most(club: Cast) -> None:
    member = Membership.objects.get(club=club.club, player=club["member"])
    for minutes, moved in ((9, False), (11, True)):
        now = NOW + timedelta(minutes=minutes)
        clubs.seen(member=member, now=now)
        assert (Membership.objects.get(pk=member.pk).last_active == now) is moved


def test_notices_are_plain_text(club: Cast) -> None:
    clubs.announce(club=club.club, by=club["manager"], text="周五\n<b>八点</b>", now=NOW)
    html = client_of(club["member"]).get("/clubs/laoyou/").content.decode()
    assert "周五<br>&lt;b&gt;八点&lt;/b&gt;" in html
    assert code_of(lambda: clubs.announce(club=club.club, by=club["manager"], text=" \n", now=NOW)) == "empty"


def test_the_list_shows_my_clubs_and_those_i_can_ask(club: Cast) -> None:
    other = clubs.create(by=club["stranger"], name="可以申请的", join="request", now=NOW)
    clubs.create(by=club["stranger"], name="看不见的", join="closed", now=NOW)
    clubs.ban(club=other, by=club["stranger"], player=club["manager"], now=NOW)
    seen = {role: client_of(club[role]).get("/clubs/").content.decode() for role in ("member", "manager")}
    assert [name in seen["member"] for name in ("老友 laoyou", "可以申请的", "看不见的")] == [True, True, False]
    assert [name in seen["manager"] for name in ("老友 laoyou", "可以申请的", "看不见的")] == [True, False, False]


def test_five_hundred_members_are_listed_in_pages_and_few_queries(
    club: Cast, django_assert_max_num_queries: object
) -> None:
    many = Player.objects.bulk_create(Player(username=f"m{number}") for number in range(500))
    Membership.objects.bulk_create(
        Membership(club=club.club, player=player, joined_at=NOW, last_active=NOW) for player in many
    )
    client = client_of(club["owner"])
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        html = client.get("/clubs/laoyou/members/").content.decode()
    assert html.count("<tr") == 51
    assert "m499" in client.get("/clubs/laoyou/members/?q=m499").content.decode()


# --- two at once


def at_once(*calls: Callable[[], object]) -> list[str]:
    """Run them in threads that start together; the words with which they were refused."""
    gate = threading.Barrier(len(calls))
    codes = [""] * len(calls)

    def run(number: int) -> None:
        gate.wait()
        try:
            codes[number] = code_of(calls[number])
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return codes


@pytest.mark.django_db(transaction=True)
def test_of_two_hand_overs_at_once_one_counts() -> None:
    club = cast()
    codes = at_once(
        lambda: clubs.hand_over(club=club.club, by=club["owner"], to=club["member"]),
        lambda: clubs.hand_over(club=club.club, by=club["owner"], to=club["manager"]),
    )
    assert sorted(codes) == ["", "forbidden"]
    winner = club["member"] if codes[0] == "" else club["manager"]
    assert club.fresh().owner == winner
    assert list(club.club.memberships.filter(role="owner").values_list("player", flat=True)) == [winner.pk]


@pytest.mark.django_db(transaction=True)
def test_joining_twice_at_once_makes_one_member() -> None:
    club = cast()
    token, stranger = club.club.invite, club["stranger"]
    codes = at_once(*[lambda: clubs.join_by_link(token=token, player=stranger, now=NOW)] * 2)
    assert codes == ["", ""]
    assert club.club.memberships.filter(player=stranger).count() == 1


@pytest.mark.django_db(transaction=True)
def test_leaving_while_the_club_is_handed_to_one_leaves_an_owner_all_the_same() -> None:
    club = cast()
    codes = at_once(
        lambda: clubs.hand_over(club=club.club, by=club["owner"], to=club["member"]),
        lambda: clubs.leave(club=club.club, player=club["member"]),
    )
    assert sorted(codes) in (["", "not_member"], ["", "owner_stays"])
    assert club.club.memberships.filter(role="owner", player=club.fresh().owner).count() == 1


@pytest.mark.django_db(transaction=True)
def test_joining_while_being_banned_never_ends_with_a_banned_member() -> None:
    club = cast()
    token, stranger = club.club.invite, club["stranger"]
    at_once(
        lambda: clubs.join_by_link(token=token, player=stranger, now=NOW),
        lambda: clubs.ban(club=club.club, by=club["owner"], player=stranger, now=NOW),
    )
    assert ClubBan.objects.filter(player=stranger).exists()
    assert club.role("stranger") is None


@pytest.mark.django_db(transaction=True)
def test_two_clubs_of_one_name_founded_at_once_are_one() -> None:
    one, two = person("甲"), person("乙")
    codes = at_once(
        lambda: clubs.create(by=one, name="同名", now=NOW), lambda: clubs.create(by=two, name="同名", now=NOW)
    )
    assert sorted(codes) == ["", "name_taken"]
