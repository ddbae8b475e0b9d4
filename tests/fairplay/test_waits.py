"""Leaving hands and being suspended: who may not sit down, until when, and that it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, Player
from games.models import Desertion, Hand, Table
from games.services import fairplay, sanctions, table_setup, tables
from games.services.errors import Refused
from tests.clubs.people import client_of
from tests.fairplay.people import moderator, person
from tests.games.play_helpers import START, Club, club

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def refused(call: object, *args: object, **named: object) -> Refused:
    with pytest.raises(Refused) as caught:
        call(*args, **named)  # type: ignore[operator]
    return caught.value


def open_for(player: Player, now: object) -> Table:
    return table_setup.open_table(player=player, rules="lianzhong-simple", now=now)  # type: ignore[arg-type]


def desert(at: Club, player: Player) -> Desertion | None:
    hand = at.hand()
    return fairplay.record_desertion(player=player, hand=hand, now=at.now)


def test_each_further_time_in_a_day_waits_longer_and_a_day_without_wipes_it_out() -> None:
    at = club(people=2)
    leaver = at.people[1]
    hand = at.hand()
    waits = []
    for number in range(7):
        # as many hands as it takes, all of them with the same five
        hand.pk, hand.number, hand.status = f"h{number}", 100 + number, "done"
        hand.due_at, hand.ended_at = None, at.now
        hand._state.adding = True
        hand.save(force_insert=True)
        row = fairplay.record_desertion(player=leaver, hand=hand, now=at.later(60))
        assert row is not None
        waits.append(round((row.until - row.at).total_seconds() / 60))
    assert waits == [0, 5, 15, 60, 1440, 1440, 1440]
    assert fairplay.may_play_until(leaver, at.now) == at.now + timedelta(days=1)
    assert fairplay.may_play_until(leaver, at.now + timedelta(days=1)) is None
    hand.pk, hand.number, hand._state.adding = "h9", 109, True
    hand.save(force_insert=True)
    first_again = fairplay.record_desertion(player=leaver, hand=hand, now=at.now + timedelta(days=1, seconds=1))
    assert first_again is not None
    assert (first_again.times, first_again.until) == (1, first_again.at)


def test_leaving_a_hand_is_counted_once_however_often_it_is_said() -> None:
    at = club(people=3)
    tables.leave(table_id=at.id, player=at.people[2], now=at.now)
    assert refused(tables.leave, table_id=at.id, player=at.people[2], now=at.now).code == "not_seated"
    assert desert(at, at.people[2]) == Desertion.objects.get()
    assert Desertion.objects.filter(player=at.people[2]).count() == 1
    assert fairplay.may_play_until(at.people[2], at.now) is None


def test_leaving_bots_or_people_who_have_left_costs_no_waiting() -> None:
    alone = club(people=1)
    tables.leave(table_id=alone.id, player=alone.people[0], now=alone.now)
    assert not Desertion.objects.exists()


def test_the_last_of_those_who_leave_leaves_nobody() -> None:
    at = club(people=2)
    tables.leave(table_id=at.id, player=at.people[0], now=at.now)
    tables.leave(table_id=at.id, player=at.people[1], now=at.now)
    assert list(Desertion.objects.values_list("player", flat=True)) == [at.people[0].pk]


def test_between_hands_everybody_may_go() -> None:
    at = club(people=2, ready=False)
    tables.leave(table_id=at.id, player=at.people[1], now=at.now)
    assert not Desertion.objects.exists()


def test_whoever_waits_may_neither_open_nor_sit_until_the_moment_has_come() -> None:
    at = club(people=2, ready=False)
    leaver, other = person("走的"), person("新桌")
    Desertion.objects.create(player=leaver, hand=club_hand(), at=START, until=START + 5 * MINUTE, times=2)
    table = open_for(other, START)
    for call in (lambda now: open_for(leaver, now), lambda now: tables.sit(table_id=table.pk, player=leaver, now=now)):
        fault = refused(call, START + 4 * MINUTE)
        assert (fault.code, fault.field) == ("suspended", (START + 5 * MINUTE).isoformat())
    assert tables.sit(table_id=table.pk, player=leaver, now=START + 5 * MINUTE) == 1
    assert at.row().status == Table.Status.WAITING


def club_hand() -> Hand:
    """Some hand that is on."""
    owner = person("别人")
    table = table_setup.open_table(player=owner, rules="lianzhong-simple", bots=4, now=START)
    tables.ready(table_id=table.pk, player=owner, now=START)
    return Hand.objects.get(table=table)


def test_a_suspended_player_is_stood_up_where_no_hand_is_and_kept_from_every_way_to_a_seat() -> None:
    at = club(people=2, ready=False)
    by, player = moderator(), at.people[1]
    made = sanctions.suspend(player=player, days=3, reason="骂人", by=by, now=at.now)
    assert not at.row().seats.filter(player=player).exists()
    assert fairplay.may_play_until(player, at.now) == made.until == at.now + timedelta(days=3)
    for call in (
        lambda: open_for(player, at.now),
        lambda: tables.sit(table_id=at.id, player=player, now=at.now),
    ):
        fault = refused(call)
        assert (fault.code, fault.field) == ("suspended", made.until.isoformat())
    entry = AuditEntry.objects.get(action="player.suspend")
    assert (entry.by, entry.target) == (by, f"accounts.player:{player.pk}")
    assert "骂人" in entry.reason
    assert fairplay.may_play_until(player, made.until) is None


def test_a_hand_is_played_to_its_end_and_then_the_suspended_one_goes() -> None:
    at = club(people=2, seed=5)
    sanctions.suspend(player=at.people[0], days=1, reason="骂人", by=moderator(), now=at.now)
    assert at.row().seats.filter(player=at.people[0]).exists()
    at.play_hand()
    row = at.row()
    assert not row.seats.filter(player=at.people[0]).exists()
    assert row.status == Table.Status.WAITING
    assert row.host_id == at.people[1].pk


def test_ready_is_refused_while_suspended_also_at_a_seat_one_still_has() -> None:
    at = club(people=2, ready=False)
    made = sanctions.suspend(player=at.people[1], days=1, reason="骂人", by=moderator(), now=at.now)
    at.row().seats.filter(number=1).update(player=at.people[1])
    assert refused(tables.ready, table_id=at.id, player=at.people[1], now=at.now).code == "suspended"
    sanctions.lift(sanction=made, by=made.by, reason="弄错了", now=at.now)
    tables.ready(table_id=at.id, player=at.people[1], now=at.now)
    assert at.row().seats.get(number=1).ready


def test_a_page_says_until_when_and_where_to_answer() -> None:
    at = club(people=1, ready=False, bots=0)
    player = person("停赛的")
    made = sanctions.suspend(player=player, days=2, reason="骂人", by=moderator(), now=timezone.now())
    when = timezone.localtime(made.until).strftime("%Y-%m-%d %H:%M")
    client = client_of(player)
    page = client.post(f"/t/{at.id}/sit", follow=True).content.decode()
    assert when in page
    assert "公平与处罚" in page
    assert when in client.post("/t/" + at.id + "/sit", headers={"HX-Request": "true"}).content.decode()
    assert when in client.post("/start", follow=True).content.decode()
    answer = client.post(f"/api/tables/{at.id}/sit", content_type="application/json")
    assert answer.json()["error"]["code"] == "suspended"
    assert answer.json()["error"]["field"] == made.until.isoformat(timespec="seconds")
