"""A club's tables: opened and joined by members, not there for anybody else, at no address and in no list."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts import selectors_clubs
from accounts.models import Player
from accounts.services import clubs
from games.engine.errors import BadRules
from games.engine.rules import load_rules
from games.models import Hand, SeatResult, Table
from games.selectors import club_tables, lobby, replays, seat_views
from games.services import club_variants, table_setup, tables
from games.services.errors import Refused
from tests.clubs.people import NOW, Cast, cast, client_of
from tests.games.play_helpers import Club as Game

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club() -> Cast:
    return cast()


def opened(club: Cast, by: str = "owner", **options: Any) -> Table:
    return table_setup.open_table(player=club[by], rules="weihai", club=club.club, now=NOW, **options)


def refusal(call: Any) -> str:
    try:
        call()
    except Refused as fault:
        return fault.code
    return ""


@pytest.mark.parametrize(
    "who, code",
    [
        ("owner", ""),
        ("manager", ""),
        ("member", ""),
        ("stranger", "not_found"),
        ("banned", "not_found"),
        ("asking", "not_found"),
        ("guest", "not_found"),
    ],
)
def test_members_open_and_join_tables_of_the_club(club: Cast, who: str, code: str) -> None:
    assert refusal(lambda: opened(club, who)) == code
    table = opened(club, "other")
    assert refusal(lambda: tables.sit(table_id=table.id, player=club[who], now=NOW)) == code


def test_a_club_s_table_is_never_public(club: Cast) -> None:
    table = opened(club, public=True)
    assert not table.public
    assert table.id not in {line.id for line in lobby.public_tables()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(public=True)


def test_members_find_the_club_s_tables(club: Cast) -> None:
    table = opened(club)
    assert [line.id for line in club_tables.open_tables(club.club)] == [table.id]
    assert [line.id for line in club_tables.tables_for(club["member"])] == [table.id]
    assert club_tables.tables_for(club["stranger"]) == []
    html = client_of(club["member"]).get("/clubs/laoyou/").content.decode()
    assert f'action="/t/{table.id}/sit"' in html


ADDRESSES = (
    "/t/{table}/",
    "/t/{table}/rules/",
    "/t/{table}/fragments",
    "/api/tables/{table}",
    "/hands/{hand}/",
    "/hands/{hand}/replay/",
    "/hands/{hand}/fair/",
    "/hands/{hand}/deal.json",
    "/api/hands/{hand}/record",
)
DEEDS = ("act", "ready", "trustee", "bots", "contribute", "sit", "leave")
API_DEEDS = ("sit", "ready", "leave", "trustee", "bots", "contribute")


def finished(club: Cast) -> tuple[Table, Hand]:
    """A club table of the owner and a member, after one hand."""
    table = opened(club, bots=3)
    tables.sit(table_id=table.id, player=club["member"], now=NOW)
    game = Game(table, {0: club["owner"], 4: club["member"]}, NOW)
    game.seed_next(5)
    game.ready()
    return table, game.play_hand()


def test_who_gets_what_of_a_club_s_table_and_its_hand(club: Cast) -> None:
    table, hand = finished(club)
    for role, expected in (
        ("owner", 200),
        ("manager", 200),
        ("member", 200),
        ("other", 200),
        ("stranger", 404),
        ("banned", 404),
        ("guest", 404),
        ("nobody", 404),
    ):
        client = client_of(club.people.get(role))
        for address in ADDRESSES:
            response = client.get(address.format(table=table.id, hand=hand.id))
            wanted = 302 if role == "nobody" and address == "/t/{table}/" else expected
            assert response.status_code == wanted, (role, address)
            if expected == 404:
                said = response.content.decode()
                assert table.rules["name"] not in said
                assert club["owner"].username not in said


@pytest.mark.parametrize("role", ["stranger", "banned", "guest", "nobody"])
def test_whoever_is_no_member_does_nothing_at_a_club_s_table(club: Cast, role: str) -> None:
    table, _hand = finished(club)
    client = client_of(club.people.get(role))
    before = (Table.objects.get(pk=table.pk).version, Player.objects.count())
    for deed in DEEDS:
        response = client.post(f"/t/{table.id}/{deed}", {"seat": "2", "add": "1", "text": "x", "action": "pass"})
        assert response.status_code == 404, deed
    for deed in API_DEEDS:
        body = json.dumps({"bots": {"add": 1}, "contribute": {"text": "x"}, "trustee": {"on": True}}.get(deed, {}))
        response = client.post(f"/api/tables/{table.id}/{deed}", body, content_type="application/json")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found"), deed
    assert (Table.objects.get(pk=table.pk).version, Player.objects.count()) == before


def test_somebody_who_has_not_logged_in_is_asked_to_at_a_club_s_table_only(club: Cast) -> None:
    nobody = client_of(None)
    assert nobody.get(f"/t/{opened(club).id}/").headers["Location"].startswith("/accounts/login/?next=/t/")
    assert nobody.get("/t/nothing/").status_code == 404


def test_whoever_played_a_hand_may_look_at_it_after_he_left_the_club(club: Cast) -> None:
    _table, hand = finished(club)
    clubs.leave(club=club.club, player=club["member"])
    clubs.leave(club=club.club, player=club["manager"])
    assert replays.finished_hand(hand.id, club["member"].pk).id == hand.id
    with pytest.raises(replays.NoSuchHand):
        replays.finished_hand(hand.id, club["manager"].pk)
    with pytest.raises(replays.NoSuchHand):
        replays.record_of(hand.id)


def test_who_leaves_the_club_leaves_its_tables(club: Cast) -> None:
    table = opened(club, "member")
    tables.sit(table_id=table.id, player=club["other"], now=NOW)
    clubs.remove(club=club.club, by=club["owner"], player=club["member"])
    table.refresh_from_db()
    assert table.host == club["other"]
    assert [seat.player for seat in table.seats.all()] == [None, club["other"], None, None, None]
    clubs.ban(club=club.club, by=club["owner"], player=club["other"], now=NOW)
    table.refresh_from_db()
    assert (table.status, table.closed_because) == ("closed", "empty")


def test_who_is_sent_away_during_a_hand_plays_it_to_its_end_and_no_further(club: Cast) -> None:
    table = opened(club, bots=3)
    tables.sit(table_id=table.id, player=club["member"], now=NOW)
    game = Game(table, {0: club["owner"], 4: club["member"]}, NOW)
    game.seed_next(5)
    game.ready()
    clubs.ban(club=club.club, by=club["owner"], player=club["member"], now=NOW)
    assert game.view(4).viewer == 4
    hand = game.play_hand()
    assert SeatResult.objects.filter(result=hand.id, player=club["member"]).exists()
    table.refresh_from_db()
    assert table.status == "waiting"
    assert table.seats.get(number=4).empty
    assert seat_views.table_view(table.id, club["member"], NOW) is None


def test_archiving_closes_the_tables_where_nobody_plays_and_the_others_after_their_hand(club: Cast) -> None:
    idle = opened(club, "member")
    playing = opened(club, bots=4)
    game = Game(playing, {0: club["owner"]}, NOW)
    game.seed_next(5)
    game.ready()
    clubs.archive(club=club.club, by=club["owner"], now=NOW)
    idle.refresh_from_db()
    assert (idle.status, idle.closed_because) == ("closed", "club")
    assert game.row().status == "playing"
    game.play_hand()
    assert (game.row().status, game.row().closed_because) == ("closed", "club")
    assert refusal(lambda: opened(club)) == "archived"


def test_a_club_s_rules_are_played_in_the_club_only(club: Cast) -> None:
    revision = club_variants.create(
        club=club.club, by=club["manager"], name="老规矩", rules=load_rules("weihai"), now=NOW
    )
    slug = revision.variant.slug
    table = table_setup.open_table(player=club["member"], rules=slug, club=club.club, now=NOW)
    assert (table.revision, table.rules["name"]) == (revision, "老规矩")
    with pytest.raises(BadRules):
        table_setup.open_table(player=club["member"], rules=slug, now=NOW)
    other = cast(slug="biede")
    with pytest.raises(BadRules):
        table_setup.open_table(player=other["owner"], rules=slug, club=other.club, now=NOW)


def test_a_table_is_opened_in_the_club_through_the_page(club: Cast) -> None:
    member = client_of(club["member"])
    page = member.get("/new?club=laoyou").content.decode()
    assert "老友 laoyou" in page
    assert 'name="public"' not in page
    response = member.post("/new?club=laoyou", {"rules": "weihai", "bots": "0", "room": "1", "public": "on"})
    table = Table.objects.get()
    assert response.headers["Location"] == f"/t/{table.id}/"
    assert (table.club, table.public) == (club.club, False)
    for role in ("stranger", "banned", "guest"):
        for answer in (client_of(club[role]).get("/new?club=laoyou"), client_of(club[role]).post("/new?club=laoyou")):
            assert answer.status_code == 404
    assert client_of(None).get("/new?club=laoyou").status_code == 404


def test_the_usual_rules_of_the_club_are_chosen_first(club: Cast) -> None:
    slug = club_variants.create(
        club=club.club, by=club["owner"], name="老规矩", rules=load_rules("weihai"), now=NOW
    ).variant.slug
    form = {"name": club.club.name, "join": "link", "description": "", "default_variant": slug}
    assert client_of(club["manager"]).post("/clubs/laoyou/settings/", form).status_code == 302
    page = client_of(club["member"]).get("/new?club=laoyou").content.decode()
    assert f'value="{slug}" checked' in page
    assert slug not in client_of(club["member"]).get("/new").content.decode()


def test_a_program_opens_a_table_in_its_player_s_club(club: Cast) -> None:
    body = json.dumps({"rules": "weihai", "club": "laoyou"})
    answer = client_of(club["member"]).post("/api/tables", body, content_type="application/json")
    assert answer.status_code == 201
    assert Table.objects.get().club == club.club
    refused = client_of(club["stranger"]).post("/api/tables", body, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["field"]) == (404, "club")


def test_the_hands_of_this_month_are_counted_at_the_club_s_tables(club: Cast) -> None:
    _table, hand = finished(club)
    ids = [club["owner"].pk, club["member"].pk, club["other"].pk]
    assert hand.ended_at is not None
    assert club_tables.hands_this_month(club.club, ids, hand.ended_at) == {ids[0]: 1, ids[1]: 1}
    assert club_tables.hands_this_month(club.club, ids, hand.ended_at + timedelta(days=32)) == {}
    other = cast(slug="biede")
    assert club_tables.hands_this_month(other.club, ids, hand.ended_at) == {}
    assert selectors_clubs.member_ids(other.club.pk) & set(ids) == set()
