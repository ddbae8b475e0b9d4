"""The pages as a stranger, a guest, the owner of a table and a table-mate get them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from accounts.models import Player
from accounts.services.players import make_guest, sign_up
from games.engine.presets import preset_ids
from games.models import Hand, Table
from games.new_table import OPTIONS
from games.services import table_setup, tables
from tests.games.play_helpers import club

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def browser(player: Player | None = None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    """Whatever language a request chose, the next test begins with ours."""
    yield
    translation.activate("zh-hans")


@pytest.fixture
def owner() -> Player:
    return sign_up(username="老王", password="ein langer Satz")


@pytest.fixture
def table(owner: Player) -> Table:
    found = table_setup.open_table(player=owner, rules="lianzhong-simple", bots=4, now=NOW)
    tables.ready(table_id=found.pk, player=owner, now=NOW)
    return found


def text_of(response) -> str:  # type: ignore[no-untyped-def]
    return response.content.decode()


def sound(html: str) -> None:
    """Nothing our own policy forbids, one heading, a title."""
    assert " style=" not in html
    assert not re.search(r"<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"<[^>]+\son[a-z]+=", html)
    assert "<style" not in html
    assert len(re.findall(r"<h1[\s>]", html)) == 1
    assert re.search(r"<title>\s*[^<\s]", html)


@pytest.mark.parametrize("path", ["/", "/new", "/rules/", "/learn/"])
def test_public_pages_open_for_everybody(path: str, owner: Player) -> None:
    for player in (None, make_guest(), owner):
        response = browser(player).get(path)
        assert response.status_code == 200
        sound(text_of(response))


def test_one_press_makes_a_guest_a_table_and_a_dealt_hand() -> None:
    client = browser()
    response = client.post("/start")
    assert response.status_code == 302
    assert re.fullmatch(r"/t/[\w-]{10,}/#begin", response["Location"])
    address = response["Location"].partition("#")[0]
    html = text_of(client.get(address))
    sound(html)
    table = Table.objects.get()
    assert (table.number, table.contributions) == (0, {})
    assert f'data-next="{table.next_commit}"' in html, "the commitment is shown before anything is sent"
    buttons = re.findall(r"<button[^>]*>([^<]*)", html.split('id="prompt"')[1].split("</div></div>")[0])
    assert buttons == ["开始"]
    assert 'data-seated="1"' in html
    assert Player.objects.get().is_guest
    client.post(address + "ready", {"text": "mine", "commit": table.next_commit})
    assert len(re.findall(r'name="card" value=', text_of(client.get(address)))) >= 43
    hand = table.hands.get()
    assert (hand.commit, hand.clients) == (table.next_commit, ["mine", "", "", "", ""])


def test_a_share_for_a_deal_that_is_over_does_not_go_into_the_next(owner: Player) -> None:
    client = browser(owner)
    address = client.post("/start")["Location"].partition("#")[0]
    old = Table.objects.get().next_commit
    client.post(address + "ready")
    for do in ("ready", "contribute"):
        client.post(address + do, {"text": "mine", "commit": old})
        assert Table.objects.get().contributions == {}


def test_start_takes_the_rules_played_last(owner: Player) -> None:
    changes = {"play": {"hold_back": "6"}}
    table_setup.open_table(player=owner, rules="qingdao", overrides=changes, clock={"play": 45}, now=NOW)
    client = browser(owner)
    assert "青岛" in text_of(client.get("/"))
    client.post("/start")
    newest = Table.objects.order_by("-created_at")[0]
    assert (newest.preset, newest.overrides, newest.clock_play) == ("qingdao", changes, 45)


@pytest.mark.parametrize("path, form", [("/start", {}), ("/new", {"rules": "qingdao", "bots": "4"})])
@pytest.mark.parametrize("most", ["TABLES_PER_HOUR", "ADDRESS_TABLES_PER_HOUR"])
def test_an_account_and_an_address_open_only_so_many_tables_in_an_hour(
    path: str, form: dict[str, str], most: str, owner: Player, settings: Any
) -> None:
    setattr(settings, most, 2)
    client = browser(owner)
    answers = [client.post(path, form) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "这一小时里开的桌太多了" in text_of(answers[2])
    assert Table.objects.count() == 2


def test_start_is_not_for_links() -> None:
    assert browser().get("/start").status_code == 405


def test_home_leads_back_to_an_open_table(owner: Player, table: Table) -> None:
    html = text_of(browser(owner).get("/"))
    assert f'href="/t/{table.pk}/"' in html
    assert "回到牌桌" in html
    assert "回到牌桌" not in text_of(browser(make_guest()).get("/"))


def test_home_lists_public_tables_only(owner: Player, table: Table) -> None:
    shown = table_setup.open_table(player=owner, rules="weihai", public=True, now=NOW)
    html = text_of(browser().get("/"))
    assert f"/t/{shown.pk}/" in html
    assert f"/t/{table.pk}/" not in html


def test_a_seat_page_is_stored_by_no_cache_and_shows_its_own_cards_only(owner: Player, table: Table) -> None:
    mine = browser(owner).get(f"/t/{table.pk}/")
    assert "no-store" in mine["Cache-Control"]
    assert "private" in mine["Cache-Control"]
    assert len(re.findall(r'name="card" value=', text_of(mine))) >= 43
    for other in (None, make_guest(), sign_up(username="路人", password="ein langer Satz")):
        response = browser(other).get(f"/t/{table.pk}/")
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]
        html = text_of(response)
        sound(html)
        assert 'name="card"' not in html
        assert "data-card" not in html
        assert "data-seated" not in html.split("<main")[1].split(">")[0]


def test_a_table_mate_sees_his_own_hand(owner: Player) -> None:
    friend = make_guest()
    found = table_setup.open_table(player=owner, rules="special", bots=3, now=NOW)
    seat = tables.sit(table_id=found.pk, player=friend, now=NOW)
    for player in (owner, friend):
        tables.ready(table_id=found.pk, player=player, now=NOW)
    pages = [text_of(browser(player).get(f"/t/{found.pk}/")) for player in (owner, friend)]
    assert 'data-me="0"' in pages[0]
    assert f'data-me="{seat}"' in pages[1]
    hands = [re.findall(r'name="card" value="([^"]+)"', html) for html in pages]
    assert hands[0]
    assert hands[0] != hands[1]


def test_the_page_works_without_scripts(owner: Player, table: Table) -> None:
    """Checkboxes, a prompt and submit buttons in one real form with its token."""
    html = text_of(browser(owner).get(f"/t/{table.pk}/"))
    form = html.split('<form id="play-form"')[1].split("</form>")[0]
    assert f'action="/t/{table.pk}/act"' in form
    assert "csrfmiddlewaretoken" in form
    assert 'type="checkbox" name="card"' in form


@pytest.mark.parametrize("preset", preset_ids())
def test_every_preset_can_be_opened_from_the_form(preset: str) -> None:
    client = browser()
    response = client.post("/new", {"rules": preset, "bots": "4", "clock": "slow", "room": "2", "hands": "4"})
    assert response.status_code == 302
    made = Table.objects.get()
    assert (made.preset, made.clock_play, made.room, made.hands_limit, made.number) == (preset, 40, 2, 4, 0)
    address = response["Location"].partition("#")[0]
    assert client.get(address).status_code == 200
    client.post(address + "ready")
    assert Table.objects.get().number == 1


@pytest.mark.parametrize("name", list(OPTIONS))
def test_every_value_of_every_option_reaches_the_rules_or_is_refused_in_words(name: str) -> None:
    _label, key, values = OPTIONS[name]
    for value, (_words, meant) in values.items():
        client = browser()
        response = client.post("/new", {"rules": "special", name: value})
        assert response.status_code in (302, 422)
        if response.status_code == 302:
            rules = Table.objects.order_by("-created_at")[0].rules
            for part in key.split("."):
                rules = rules[part]
            assert rules == meant
        else:
            assert re.search(r'class="error"[^>]*>[^<]+。<', text_of(response))


def test_a_contradiction_is_explained_beside_the_option_and_what_was_chosen_stays() -> None:
    chosen = {"rules": "home", "removed": "345", "hold_back": "3", "bots": "2", "clock": "easy", "public": "on"}
    response = browser().post("/new", chosen)
    assert response.status_code == 422
    html = text_of(response)
    sound(html)
    fieldset = html.split("<legend>憋牌</legend>")[1].split("</fieldset>")[0]
    assert "没有可憋的" in fieldset
    for name, value in chosen.items():
        if name == "public":
            assert re.search(r'name="public"[^>]*checked', html)
        else:
            assert re.search(rf'name="{name}" value="{value}" checked', html), name
    assert not Table.objects.exists()


def test_an_unknown_variant_or_nonsense_opens_nothing() -> None:
    for data in ({}, {"rules": "nope"}, {"rules": "home", "bots": "9"}, {"rules": "home", "clock": "never"}):
        assert browser().post("/new", data).status_code == 422
    assert not Table.objects.exists()


@pytest.mark.parametrize("path", ["/t/nosuchtable/", "/hands/nosuchhand/", "/hands/nosuchhand/fair/", "/nowhere"])
def test_what_is_not_there_says_so(path: str) -> None:
    response = browser().get(path)
    assert response.status_code == 404
    sound(text_of(response))
    assert "没有这一页" in text_of(response)


@pytest.mark.parametrize(
    "path",
    [
        *("/t/%00/", "/hands/%00/", "/hands/%00/fair/", "/hands/%00/deal.json", "/new?club=%00", "/hands/?rules=a%00b"),
        *("/api/tables/%00", "/api/hands/%00/record", "/rules/%00/", "/players/%00/hands/"),
    ],
)
def test_an_address_with_a_null_character_is_refused_and_no_fault(path: str, owner: Player) -> None:
    answer = browser(owner).get(path)
    assert answer.status_code == 400
    if path.startswith("/api/"):
        assert answer.json()["error"]["code"] == "malformed"


def test_a_hand_in_progress_is_shown_to_nobody(owner: Player, table: Table) -> None:
    hand = Hand.objects.get(table=table)
    for player in (None, owner):
        for path in (f"/hands/{hand.pk}/", f"/hands/{hand.pk}/fair/"):
            response = browser(player).get(path)
            assert response.status_code == 409
            html = text_of(response)
            sound(html)
            assert hand.server_seed not in html
            assert "data-card" not in html
        data = browser(player).get(f"/hands/{hand.pk}/deal.json")
        assert data.status_code == 409
        assert set(data.json()) == {"error"}
    assert browser().get("/hands/nosuchhand/deal.json").status_code == 404


def test_a_finished_hand_has_its_page_its_check_and_its_data() -> None:
    made = club("lianzhong-simple", seed=3)
    hand = made.play_hand()
    owner = made.people[0]
    page = browser().get(f"/hands/{hand.pk}/")
    assert page.status_code == 200
    sound(text_of(page))
    assert text_of(page).count('class="line ') == 5
    check = browser(owner).get(f"/hands/{hand.pk}/fair/")
    assert check.status_code == 200
    sound(text_of(check))
    data = browser().get(f"/hands/{hand.pk}/deal.json").json()
    assert set(data) >= {
        "commit",
        "server_seed",
        "clients",
        "first",
        "deck",
        "hands",
        "drawn",
        "reserve_crown",
        "names",
    }
    assert sum(map(len, data["hands"])) == len(data["deck"])


def test_the_policy_allows_nothing_inline(owner: Player, table: Table) -> None:
    for path in ("/", f"/t/{table.pk}/"):
        policy = browser(owner).get(path)["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy
        assert "unsafe" not in policy


def test_players_names_are_escaped_on_pages(owner: Player) -> None:
    Player.objects.filter(pk=owner.pk).update(username="<b>x</b>")
    owner.refresh_from_db()
    table_setup.open_table(player=owner, rules="home", public=True, now=NOW)
    for path in ("/", f"/t/{Table.objects.get().pk}/"):
        html = text_of(browser(owner).get(path))
        assert "<b>x</b>" not in html
        assert "&lt;b&gt;x&lt;/b&gt;" in html


@pytest.mark.parametrize("name", ["400.html", "403.html", "403_csrf.html", "404.html", "500.html"])
def test_an_error_page_needs_no_request_and_says_what_to_do(name: str) -> None:
    html = render_to_string(name)
    sound(html)
    assert "回首页" in html


def test_in_english_the_table_speaks_english(owner: Player, table: Table) -> None:
    client = browser(owner)
    client.cookies["django_language"] = "en"
    html = text_of(client.get(f"/t/{table.pk}/"))
    assert '<html lang="en"' in html
    assert "Menu" in html
    words = re.sub(r"<[^>]+>|联众简明|保皇|阿.|老王?", "", html.split("<main")[1])
    assert not re.findall(r"[\u4e00-\u9fff]+", words)
