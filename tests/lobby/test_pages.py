"""The pages and the JSON of tables for people, asked by host, guest, stranger and nobody."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services.players import sign_up
from games.models import Table
from games.services import table_setup
from tests.clubs.people import client_of
from tests.games.play_helpers import Club, club

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Club:
    return club(people=2, ready=False, bots=2, now=timezone.now(), public=True)


def posted(client: Client, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post(path, body, content_type="application/json")
    return answer.status_code, answer.json()


def test_the_lobby_lists_public_tables_with_a_way_in(game: Club, django_assert_max_num_queries: Any) -> None:
    private = table_setup.open_table(player=game.people[1], rules="classic", now=game.now)
    client = client_of(None)
    with django_assert_max_num_queries(8):
        html = client.get("/lobby/").content.decode()
    assert f"/t/{game.id}/sit" in html
    assert "人0" in html
    assert private.id not in html


def test_sitting_from_the_lobby_without_scripts_makes_a_guest(game: Club) -> None:
    answer = client_of(None).post(f"/t/{game.id}/sit", {"replace": "1"})
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{game.id}/")
    assert game.row().seats.filter(player__isnull=False).count() == 3


def test_quick_match_by_its_page_waits_and_is_cancelled() -> None:
    client = client_of(None)
    assert client.get("/match/").status_code == 200
    assert client.post("/match/", {"patience": "7"}).status_code == 422
    answer = client.post("/match/", {"rules": "", "clock": "", "patience": "30"})
    assert answer.status_code == 302
    table = Table.objects.get()
    assert answer["Location"] == f"/t/{table.id}/"
    assert "不等了" in client.get("/match/").content.decode()
    assert "不等了" in client.get(f"/t/{table.id}/").content.decode()
    assert client.post("/match/cancel").status_code == 302
    table.refresh_from_db()
    assert table.status == "closed"


def test_the_invitation_shows_link_and_picture(game: Club) -> None:
    client = client_of(game.people[0])
    html = client.get(f"/t/{game.id}/invite/").content.decode()
    assert f"http://testserver/t/{game.id}/" in html
    assert "<svg" in html
    part = client.get(f"/t/{game.id}/invite/", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div class="invite">')
    assert client.get("/t/nowhere/invite/").status_code == 404


def test_powers_by_page(game: Club) -> None:
    stranger = sign_up(username="路人", password=None)
    for player in (None, stranger, game.people[1]):
        client_of(player).post(f"/t/{game.id}/remove", {"seat": "1"})
        assert game.row().seats.get(number=1).player is not None
    client_of(game.people[1]).post(f"/t/{game.id}/swap", {"seat": "0"})
    client_of(stranger).post(f"/t/{game.id}/swap-yes", {"seat": "1"})
    assert game.row().seats.get(number=0).player == game.people[0]
    client_of(game.people[0]).post(f"/t/{game.id}/swap-yes", {"seat": "1"})
    assert game.row().seats.get(number=0).player == game.people[1]
    client_of(game.people[0]).post(f"/t/{game.id}/remove", {"seat": "0"})
    assert game.row().seats.get(number=0).player is None


def test_talk_by_page_and_the_reason_when_refused(game: Club) -> None:
    client = client_of(game.people[0])
    answer = client.post(f"/t/{game.id}/chat", {"text": "你好"}, headers={"HX-Request": "true"})
    assert "你好" in answer.content.decode()
    answer = client.post(f"/t/{game.id}/chat", {"text": "字" * 101}, headers={"HX-Request": "true"})
    assert 'data-code="too_long"' in answer.content.decode()
    page = client.get(f"/t/{game.id}/").content.decode()
    assert "你好" in page
    assert 'name="text"' in page
    assert 'id="chat-text"' not in client_of(None).get(f"/t/{game.id}/").content.decode()
    assert "你好" in client_of(None).get(f"/t/{game.id}/").content.decode()


def test_the_new_table_form_opens_with_what_was_chosen() -> None:
    client = client_of(sign_up(username="桌主", password=None))
    page = client.get("/new?public=1").content.decode()
    assert 'name="watching"' in page
    form = {"rules": "classic", "watching": "after", "substitutes": "on", "ready_seconds": "30", "public": "on"}
    client.post("/new", form)
    row = Table.objects.get()
    assert (row.watching, row.substitutes, row.ready_seconds, row.public) == ("after", True, 30, True)


def test_the_api_opens_changes_and_talks(game: Club) -> None:
    host, guest = client_of(game.people[0]), client_of(game.people[1])
    status, made = posted(host, "/api/tables", rules="classic", watching="none", substitutes=True, ready_seconds=60)
    assert status == 201
    row = Table.objects.get(pk=made["table"])
    assert (row.watching, row.substitutes, row.ready_seconds) == ("none", True, 60)
    assert posted(host, "/api/tables", rules="classic", watching="all")[0] == 400
    base = f"/api/tables/{game.id}"
    assert posted(guest, f"{base}/swap", seat=0) == (200, {})
    assert posted(host, f"{base}/swap", seat=1, accept=True) == (200, {})
    assert posted(guest, f"{base}/remove", seat=1)[1]["error"]["code"] == "forbidden"
    assert posted(host, f"{base}/remove", seat=0) == (200, {})
    assert posted(guest, f"{base}/sit")[1]["error"]["code"] == "removed"
    assert posted(host, f"{base}/chat/say", text="你好") == (200, {})
    assert host.get(f"{base}/chat").json()["lines"][0]["text"] == "你好"
    assert posted(host, f"{base}/rematch")[1]["error"]["code"] == "not_over"
    assert posted(host, f"{base}/chat/say")[0] == 400
    status, answer = posted(guest, "/api/match", patience=30)
    assert status == 200
    assert Table.objects.get(pk=answer["table"]).quick
    assert posted(guest, "/api/match", patience=31)[0] == 400
    assert posted(client_of(None), "/api/match")[0] == 401


def test_the_lobby_asks_for_the_tables_of_ones_clubs_again(game: Club) -> None:
    from accounts.services import clubs
    from tests.clubs.people import person

    owner = person("会长")
    home = clubs.create(by=owner, name="老友", now=game.now)
    page = client_of(owner).get("/lobby/").content.decode()
    assert 'hx-get="/lobby/clubs"' in page
    assert "俱乐部的桌" not in page
    table = table_setup.open_table(player=owner, rules="classic", club=home, now=game.now)
    assert table.pk in client_of(owner).get("/lobby/clubs").content.decode()
    for stranger in (game.people[0], None):
        assert table.pk not in client_of(stranger).get("/lobby/clubs").content.decode()


def test_a_clubs_table_stays_its_members(game: Club) -> None:
    from accounts.services import clubs
    from tests.clubs.people import person

    owner = person("会长")
    home = clubs.create(by=owner, name="老友", now=game.now)
    table = table_setup.open_table(player=owner, rules="classic", club=home, now=game.now)
    stranger: Player = game.people[1]
    assert table.id not in client_of(stranger).get("/lobby/").content.decode()
    assert table.id in client_of(owner).get("/lobby/").content.decode()
    assert client_of(stranger).get(f"/t/{table.id}/invite/").status_code == 404
    for path in ("chat", "chat/say", "remove", "swap", "rematch"):
        assert client_of(stranger).post(f"/api/tables/{table.id}/{path}", {}, "application/json").status_code in (
            404,
            405,
        )
