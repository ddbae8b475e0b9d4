"""What the pages of an event say: the own table in one press, reasons, hands, the ladder, exports, English."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games.models import Event, Hand, Round, Season, Table
from games.selectors import event_calls, event_rows
from games.selectors import events as reading
from games.services import event_clock, event_direction, events, tables
from games.services.errors import Refused
from tests.clubs.people import cast, client_of
from tests.events.evening import START, Evening, evening, staff

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_crosstable_shows_a_crowd_only_those_who_met(monkeypatch: pytest.MonkeyPatch) -> None:
    night = evening(people=10, rounds=1)
    night.play()
    client = client_of(night.people[0])
    square = client.get(f"/events/{night.id}/crosstable/").content.decode()
    assert square.count("<td>1</td>") == 10 * 4
    monkeypatch.setattr(reading, "CROSS_MOST", 9)
    lines = reading.crosstable(night.row())
    assert [len(line.met) for line in lines] == [4] * 10
    for place, line in enumerate(lines, 1):
        assert all(times == 1 and (place, 1) in lines[other - 1].met for other, times in line.met)
    listed = client.get(f"/events/{night.id}/crosstable/").content.decode()
    assert "<td>" not in listed
    assert " · ".join(str(place) for place, _ in lines[0].met) in listed


def test_a_club_names_what_is_coming_to_its_members() -> None:
    people = cast()
    evening(people=0, club=people.club, director=staff())
    assert "周五晚上" in client_of(people["member"]).get("/clubs/laoyou/").content.decode()
    assert "周五晚上" not in client_of(people["stranger"]).get("/clubs/laoyou/").content.decode()


def test_an_event_s_page_is_made_anew_when_the_event_has_moved_on() -> None:
    night = evening(people=5)
    client = client_of(night.people[2])
    page = client.get(f"/events/{night.id}/").content.decode()
    (asks,) = re.findall(rf'hx-get="(/events/{night.id}/mine[^"]*)"', page)
    still = client.get(asks)
    assert "HX-Refresh" not in still.headers
    assert f'hx-get="{asks}"' in still.content.decode()
    event_clock.run_event(night.id, night.later(3600))
    assert client.get(asks).headers["HX-Refresh"] == "true"


def test_on_every_page_who_is_called_sees_it_and_nobody_else() -> None:
    night = evening(people=5)
    mine, director = client_of(night.people[2]), client_of(night.director)
    early = mine.get("/boards/").content.decode()
    assert 'hx-get="/events/call"' in early  # a page that is open when the event begins
    assert "号桌" not in early
    event_clock.run_event(night.id, night.later(3600))
    waiting = mine.get("/boards/").content.decode()
    assert 'hx-get="/events/call"' in waiting
    assert "第1轮：你在 1 号桌" in waiting
    assert "入座" not in waiting
    event_clock.run_event(night.id, night.later(30))
    for page in ("/", "/boards/", "/rules/", f"/events/{night.id}/standings/", "/events/call"):
        html = mine.get(page).content.decode()
        assert "第1轮：你在 1 号桌" in html, page
        assert f'action="/events/{night.id}/sit"' in html, page
        assert "号桌" not in director.get(page).content.decode() or page.startswith(f"/events/{night.id}"), page
        assert 'id="call"' not in director.get(page).content.decode(), page
    event_direction.pause(event_id=night.id, by=night.director, now=night.now)
    assert "入座" not in mine.get("/events/call").content.decode()
    event_direction.resume(event_id=night.id, by=night.director, now=night.now)
    night.play()
    assert mine.get("/events/call").content.decode().strip() == ""


def seated(**options: Any) -> tuple[Evening, Client, str]:
    """The tables of the first round are open, and the first entrant sits at his: his browser, and its address."""
    night = evening(**options)
    event_clock.run_event(night.id, night.later(3600))
    event_clock.run_event(night.id, night.later(30))
    client = client_of(night.people[0])
    return night, client, client.post(f"/events/{night.id}/sit").headers["Location"]


def test_a_table_of_an_event_names_the_event_and_whose_place_a_bot_keeps() -> None:
    night, client, address = seated(people=5, rounds=1)
    page = client.get(address).content.decode()
    assert "<b>周五晚上</b><span>1轮1桌</span>" in page
    assert "到时没来的，机器人先替他打" in page
    assert "自定倍数" not in page
    assert 'data-panel="invite"' not in page
    assert "比赛里离开不扣分" in page
    night.away.add((2, 1))
    night.until(lambda e: Hand.objects.exists())
    page = client.get(address).content.decode()
    (seat,) = re.findall(r'<section id="seat-\d"[^>]*data-name="选手2">.*?</section>', page)
    assert "机器人代打" in seat
    assert "机器人代打" not in page.replace(seat, "")
    night.play()
    hand = Hand.objects.get()
    (bot,) = [occupant["name"] for occupant in hand.players if occupant["player"] is None]
    for page in (address, f"/hands/{hand.pk}/", f"/hands/{hand.pk}/deal.json"):
        told = client.get(page).content.decode()
        assert bot not in told
        assert "选手2" in told or "\\u9009\\u624b2" in told


def test_a_pause_is_seen_at_the_tables() -> None:
    night, client, address = seated(people=5, rounds=1)
    assert "暂停" not in client.get(address).content.decode()
    event_direction.pause(event_id=night.id, by=night.director, now=night.now)
    page = client.get(address).content.decode()
    assert "比赛暂停，请等裁判。" in page
    assert '<span class="times">暂停</span>' in page
    assert "比赛暂停" in client_of(night.people[1]).get("/events/call").content.decode()
    event_direction.resume(event_id=night.id, by=night.director, now=night.now)
    assert "暂停" not in client.get(address).content.decode()


def test_at_an_event_all_play_for_the_same() -> None:
    night = evening(people=5)
    event_clock.run_event(night.id, night.later(3600))
    event_clock.run_event(night.id, night.later(30))
    table, player = Table.objects.get(), night.people[1]
    with pytest.raises(Refused) as caught:
        tables.set_multiplier(table_id=table.pk, player=player, multiplier=2, now=night.now)
    assert caught.value.code == "same_for_all"


def test_who_plays_elsewhere_is_called_there_too() -> None:
    night = evening(people=5)
    client = client_of(night.people[2])
    elsewhere = client.post("/start").headers["Location"].partition("#")[0]
    assert "号桌" not in client.get(elsewhere).content.decode()
    event_clock.run_event(night.id, night.later(3600))
    event_clock.run_event(night.id, night.later(30))
    assert f'action="/events/{night.id}/sit"' in client.get(elsewhere).content.decode()
    own = client.post(f"/events/{night.id}/sit").headers["Location"]
    table = own.removeprefix("/t/").removesuffix("/")
    page = client.get(own).content.decode()
    assert f'hx-get="/events/call?here={table}"' in page
    assert "号桌" not in page
    night.until(lambda e: Round.objects.filter(number=2, status=Round.Status.PLAYING).exists())
    assert "第2轮：你在 1 号桌" in client.get(f"/events/call?here={table}").content.decode()


def test_who_has_played_reads_his_place_at_the_end() -> None:
    night = evening(people=5, rounds=1)
    client = client_of(night.people[2])
    assert "比赛结束" not in client.get(f"/events/{night.id}/").content.decode()
    night.play()
    names = reading.names_of(night.row())
    order = [names[line.entrant] for line in event_rows.standings_of(night.row())]
    page = client.get(f"/events/{night.id}/").content.decode()
    assert f"比赛结束：你是第 {order.index('选手2') + 1} 名。" in page
    assert "比赛结束" not in client_of(night.director).get(f"/events/{night.id}/").content.decode()


def test_a_list_counts_whoever_plays_or_has_played() -> None:
    night = evening(people=7, rounds=2)
    events.withdraw(event_id=night.id, player=night.people[6], now=night.now)
    night.until(lambda e: Round.objects.filter(number=2).exists())
    events.withdraw(event_id=night.id, player=night.people[5], now=night.now)
    night.play()
    client = client_of(night.people[0])
    assert "6人" in client.get("/events/").content.decode()
    assert "6 人" in client.get(f"/events/{night.id}/").content.decode()


def test_who_is_called_to_a_table_gets_there_by_one_press() -> None:
    night = evening(people=5)
    event_clock.run_event(night.id, night.later(3600))
    client = client_of(night.people[2])
    assert "第1轮：你在 1 号桌" in client.get(f"/events/{night.id}/mine").content.decode()
    event_clock.run_event(night.id, night.later(30))
    assert "入座" in client.get(f"/events/{night.id}/").content.decode()
    response = client.post(f"/events/{night.id}/sit")
    table = Table.objects.get()
    assert response.headers["Location"] == f"/t/{table.pk}/"
    assert table.seats.get(player=night.people[2]).ready
    assert client_of(night.director).post(f"/events/{night.id}/sit").headers["Location"] == f"/events/{night.id}/"


def test_every_page_of_a_finished_event_says_its_part(django_assert_max_num_queries: Any) -> None:
    night = evening("swiss", people=7, rounds=2, club=None)
    night.play()
    Season.objects.create(name="春季", starts=date(2026, 3, 1), ends=date(2026, 5, 31))
    order = event_rows.standings_of(night.row())
    names = reading.names_of(night.row())
    client = client_of(night.people[0])
    pages = {}
    for path in ("", "rounds/2/", "standings/", f"players/{order[2].entrant}/", "crosstable/", "screen/", "export.csv"):
        with django_assert_max_num_queries(20):
            pages[path] = client.get(f"/events/{night.id}/{path}").content.decode()
    assert night.event.seed in pages[""]
    second = Hand.objects.filter(board_results__board=1, table__pairing__round__number=2)
    assert all(f"/hands/{hand.pk}/" in pages["rounds/2/"] for hand in second)
    assert pages["standings/"].count("event-why") == 1
    assert f"{names[order[1].entrant]}" in pages[f"players/{order[2].entrant}/"]
    assert f"{names[order[3].entrant]}" in pages[f"players/{order[2].entrant}/"]
    lines = list(csv.reader(io.StringIO(pages["export.csv"].lstrip("\ufeff"))))
    assert lines[0][:4] == ["名次", "号", "选手", "场分"]
    assert [line[2] for line in lines[1:]] == [names[line.entrant] for line in order]
    with django_assert_max_num_queries(20):
        ladder = client.get(f"/events/ladder/?season={Season.objects.get().pk}").content.decode()
    assert names[order[0].entrant] in ladder
    assert reading.ladder(Season.objects.get(), None)[0].points == 7
    assert reading.ladder(Season.objects.get(), None)[-1].points == 1


def test_the_ladder_adds_up_events_and_leaves_out_what_does_not_count() -> None:
    first = evening("rotation", people=5, rounds=1)
    first.play()
    season = Season.objects.create(name="春季", starts=date(2026, 3, 1), ends=date(2026, 5, 31))
    once = {line.name: line.points for line in reading.ladder(season, None)}
    assert sorted(once.values()) == [1, 2, 3, 4, 5]
    Event.objects.update(ladder=False)
    assert reading.ladder(season, None) == []


def test_in_english_the_pages_of_an_event_speak_english() -> None:
    night = evening("duplicate", people=6, rounds=1)
    night.play()
    Event.objects.update(name="Friday", rules={**night.event.rules, "name": "Quick"})
    client = client_of(night.director)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    for path in ("", "rounds/1/", "standings/", "players/1/", "crosstable/", "direct/"):
        text = client.get(f"/events/{night.id}/{path}").content.decode()
        main = text[text.index('<main id="main"') :]
        for name in ("选手", "裁判", "周五晚上"):
            main = re.sub(rf"{name}\d*", "", main)
        assert re.findall(r"[\u4e00-\u9fff]+", re.sub(r"<[^>]+>", " ", main)) == [], path


def test_the_list_shows_what_is_coming_and_what_has_been() -> None:
    night = evening(people=5, rounds=1)
    assert "周五晚上" in client_of(None).get("/events/").content.decode()
    assert night.row().starts_at > START


def test_a_season_that_cannot_be_is_none_instead_of_a_fault() -> None:
    client = client_of(None)
    for asked in ("9" * 5000, "-1", "²", "x"):
        assert client.get("/events/ladder/", {"season": asked}).status_code == 200
        assert client.get("/hands/", {"period": f"s{asked}"}).status_code in (200, 302)


def test_pages_ask_for_the_call_only_when_an_event_is_near() -> None:
    night = evening(people=3)
    far = START - timedelta(hours=12)
    assert event_calls.summons(night.people[0], START) == (True, None)
    assert event_calls.summons(night.people[0], far) == (False, None)
    assert event_calls.summons(night.director, START) == (False, None)
    events.withdraw(event_id=night.id, player=night.people[0], now=START)
    assert event_calls.summons(night.people[0], START) == (False, None)
