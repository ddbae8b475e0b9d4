"""Warnings, suspensions and appeals: read once, answered both ways, by those who may, and all of it noted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, Player
from games.models import AppealLine, Report, Sanction
from games.services import fairplay, reports, sanctions
from games.services.errors import Refused
from tests.clubs.people import client_of
from tests.fairplay.people import boss, moderator, person, staff
from tests.games.play_helpers import START, club

pytestmark = pytest.mark.django_db


def code_of(call: object, **named: object) -> str:
    with pytest.raises(Refused) as caught:
        call(**named)  # type: ignore[operator]
    return caught.value.code


def warned(player: Player) -> Sanction:
    return sanctions.warn(player=player, reason="别骂人", by=moderator(), now=START)


def test_a_warning_is_a_page_of_its_own_until_it_is_acknowledged_and_then_never_again() -> None:
    player = person("挨批的")
    client = client_of(player)
    assert client.get("/").status_code == 200
    row = warned(player)
    for address in ("/", "/new", "/boards/?period=week", "/accounts/"):
        answer = client.get(address)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/fair/notice/?next=%2F")
    page = client.get("/boards/?period=week", follow=True).content.decode()
    assert "别骂人" in page
    assert "我看到了" in page
    assert client.get("/", follow=True).content.decode().count("别骂人") == 1
    answer = client.post(f"/fair/{row.pk}/read", {"next": "/boards/?period=week"})
    assert answer.headers["Location"] == "/boards/?period=week"
    row.refresh_from_db()
    seen = row.seen_at
    assert seen is not None
    assert client.get("/").status_code == 200
    client.post(f"/fair/{row.pk}/read")
    row.refresh_from_db()
    assert row.seen_at == seen
    assert client.get("/fair/notice/").status_code == 302
    assert "别骂人" in client.get("/fair/").content.decode()


def test_nobody_is_torn_away_from_a_table_by_a_warning() -> None:
    at = club(people=1)
    warned(at.people[0])
    client = client_of(at.people[0])
    assert client.get(f"/t/{at.id}/").status_code == 200
    assert client.get(f"/t/{at.id}/fragments").status_code == 200


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "x"])
def test_after_reading_one_stays_on_this_site(next_: str) -> None:
    player = person("挨批的")
    row = warned(player)
    assert client_of(player).post(f"/fair/{row.pk}/read", {"next": next_}).headers["Location"] == "/"


def test_what_is_said_to_somebody_is_nobody_elses_business() -> None:
    player, stranger = person("挨批的"), person("路人")
    row = warned(player)
    client = client_of(stranger)
    assert client.post(f"/fair/{row.pk}/read").status_code == 404
    assert client.post(f"/fair/{row.pk}/appeal", {"text": "放了他"}).status_code == 404
    assert "别骂人" not in client.get("/fair/").content.decode()
    assert client.get("/").status_code == 200
    for address in ("/fair/", "/fair/notice/"):
        assert client_of(None).get(address).status_code == 302
    row.refresh_from_db()
    assert row.seen_at is None
    assert not AppealLine.objects.exists()


def test_a_suspended_player_writes_and_a_moderator_answers() -> None:
    player, by = person("停赛的"), moderator()
    row = sanctions.suspend(player=player, days=7, reason="串通", by=by, now=timezone.now())
    client = client_of(player)
    client.post(f"/fair/{row.pk}/read")
    page = client.get("/fair/").content.decode()
    assert timezone.localtime(row.until).strftime("%Y-%m-%d %H:%M") in page
    answer = client.post(f"/fair/{row.pk}/appeal", {"text": "我们是第一次一起打"}, follow=True)
    assert "我们是第一次一起打" in answer.content.decode()
    row.refresh_from_db()
    assert row.waiting
    sanctions.answer(sanction=row, by=by, text="看了三十局，没有弄错", now=timezone.now())
    row.refresh_from_db()
    assert not row.waiting
    assert "看了三十局，没有弄错" in client.get("/fair/").content.decode()
    assert AuditEntry.objects.filter(action="appeal.answer", by=by).count() == 1


def test_saying_the_same_twice_is_said_once_and_five_lines_wait_for_an_answer() -> None:
    player = person("停赛的")
    row = warned(player)
    for text in ("一", "一", "二", "三", "四", "五"):
        sanctions.appeal(sanction_id=row.pk, player=player, text=text, now=START)
    assert AppealLine.objects.count() == 5
    assert code_of(sanctions.appeal, sanction_id=row.pk, player=player, text="六", now=START) == "too_fast"
    by = boss()
    for _ in range(2):
        sanctions.answer(sanction=row, by=by, text="好了", now=START + timedelta(hours=1))
    assert AppealLine.objects.count() == 6
    assert AuditEntry.objects.filter(action="appeal.answer").count() == 1
    sanctions.appeal(sanction_id=row.pk, player=player, text="六", now=START + timedelta(hours=2))
    for text in ("", "  ", "长" * 501, "a\x00"):
        assert code_of(sanctions.appeal, sanction_id=row.pk, player=player, text=text, now=START) == "malformed"


@pytest.mark.parametrize("who", ["reporter", "target", "stranger", "staff", "himself"])
def test_only_moderators_act_and_never_on_themselves(who: str) -> None:
    player, judge = person("当事人"), moderator()
    people = {"reporter": person("一"), "target": player, "stranger": person("三"), "staff": staff("四")}
    row = sanctions.warn(player=player, reason="别骂人", by=judge, now=START)
    by = people.get(who, judge)
    target = judge if who == "himself" else player
    about = {"by": by, "now": START}
    assert code_of(sanctions.warn, player=target, reason="x", **about) == "forbidden"
    assert code_of(sanctions.suspend, player=target, days=3, reason="x", **about) == "forbidden"
    if who != "himself":
        assert code_of(sanctions.lift, sanction=row, reason="x", **about) == "forbidden"
        assert code_of(sanctions.answer, sanction=row, text="x", **about) == "forbidden"
    assert Sanction.objects.count() == 1


@pytest.mark.parametrize("days", [0, -1, 366, True, 1.5])
def test_a_suspension_has_an_end_within_a_year(days: object) -> None:
    named = {"player": person("人"), "days": days, "reason": "x", "by": moderator(), "now": START}
    assert code_of(sanctions.suspend, **named) == "malformed"
    assert not Sanction.objects.exists()


def test_a_report_is_answered_once_by_each_kind_and_closed_with_it() -> None:
    player, by = person("当事人"), moderator()
    told = reports.report(reporter=person("一"), target=player, category="talk", now=START)
    first = sanctions.warn(player=player, reason="别骂人", by=by, report=told, now=START)
    assert sanctions.warn(player=player, reason="真的别骂", by=by, report=told, now=START) == first
    row = Report.objects.get()
    assert (row.status, row.handled_by, row.handled_at) == ("done", by, START)
    assert AuditEntry.objects.filter(action="player.warn").count() == 1
    assert AuditEntry.objects.filter(action="report.done").count() == 1
    assert code_of(sanctions.warn, player=person("旁人"), reason="x", by=by, report=told, now=START) == "forbidden"


def test_lifting_ends_a_suspension_at_once_and_is_noted_once() -> None:
    player, by = person("停赛的"), moderator()
    row = sanctions.suspend(player=player, days=7, reason="串通", by=by, now=START)
    for _ in range(2):
        sanctions.lift(sanction=row, by=by, reason="弄错了", now=START + timedelta(hours=1))
    assert fairplay.may_play_until(player, START + timedelta(hours=1)) is None
    assert AuditEntry.objects.filter(action="player.lift").count() == 1
