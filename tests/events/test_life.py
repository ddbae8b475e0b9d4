"""What happens to an event in life: waiting lists, check-in, no-shows, people coming back, pauses, the director."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from accounts.models import Player
from accounts.services import clubs
from games.models import BoardResult, Entrant, Event, Hand, HandResult, Pairing, Round, RowResult, Table
from games.selectors import event_rows, replays, seat_views
from games.selectors.histories import Filters, history
from games.services import event_clock, event_direction, events, play, tables
from games.services.errors import Refused
from tests.clubs.people import client_of
from tests.clubs.people import enter as enter_club
from tests.events.evening import START, Evening, evening, staff

pytestmark = pytest.mark.django_db(transaction=True)


def refused(call: Any) -> str:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.code


def started(format: str = "swiss", people: int = 5, **options: Any) -> Evening:
    """The tables of the first round are open, nobody has come yet."""
    night = evening(format, people=people, **options)
    event_clock.run_event(night.id, night.later(3600))
    event_clock.run_event(night.id, night.later(30))
    return night


def test_a_suspended_entrant_frees_his_place_at_the_start() -> None:
    night = evening(people=3, limit=2)
    Player.objects.filter(pk=night.people[0].pk).update(is_active=False)
    event_clock.run_event(night.id, night.later(3600))
    assert [night.entrant(n).status for n in range(3)] == ["withdrawn", "entered", "entered"]
    assert night.row().status == "running"


@pytest.mark.parametrize("days", [-10_000, 10_000])
def test_no_event_is_made_for_another_age(days: int) -> None:
    start = START + timedelta(days=days)
    with pytest.raises(Refused) as caught:
        events.create(
            by=staff(), club=None, name="周五", format="swiss", rounds=2, hands=1, rules="standard",
            opens_at=start, starts_at=start, now=START,
        )  # fmt: skip
    assert (caught.value.code, caught.value.field) == ("malformed", "starts_at")


def test_who_comes_when_a_bot_plays_for_him_is_told_so_instead_of_looking_on() -> None:
    night = started(people=5, hands=2)
    client = client_of(night.people[2])
    table = Table.objects.get()
    night.away.add((2, 1))
    night.until(lambda night: Hand.objects.filter(table=table).exists())
    answer = client.post(f"/events/{night.id}/sit", follow=True)
    assert answer.redirect_chain[-1][0] == f"/events/{night.id}/"
    assert "机器人正在替你打" in answer.content.decode()


def test_who_enters_a_full_event_waits_and_moves_up_when_somebody_withdraws() -> None:
    night = evening(people=4, limit=3)
    assert [night.entrant(n).status for n in range(4)] == ["entered"] * 3 + ["waiting"]
    events.withdraw(event_id=night.id, player=night.people[0], now=START)
    assert night.entrant(3).status == "entered"
    events.enter(event_id=night.id, player=night.people[0], now=START)
    assert (night.entrant(0).status, night.entrant(0).number) == ("waiting", 1)


def test_who_does_not_check_in_is_out_and_the_waiting_list_fills_up() -> None:
    night = evening(people=4, limit=3, check_in=600)
    assert refused(lambda: events.check_in(event_id=night.id, player=night.people[1], now=night.now)) == "not_now"
    night.later(3300)
    for number in (1, 2, 3):
        events.check_in(event_id=night.id, player=night.people[number], now=night.now)
    event_clock.run_event(night.id, night.later(300))
    assert [(night.entrant(n).status, night.entrant(n).why) for n in range(4)] == [
        ("withdrawn", "check_in"), ("entered", ""), ("entered", ""), ("entered", ""),
    ]  # fmt: skip


def test_an_event_without_entrants_is_cancelled_at_its_hour() -> None:
    night = evening(people=1)
    event_clock.run_event(night.id, night.later(3600))
    assert night.row().status == "cancelled"


def test_entries_open_and_close_with_the_window_and_late_ones_are_paired_next() -> None:
    night = evening(people=5, rounds=2, late_until=2, enter=False)
    early = START - timedelta(minutes=1)
    assert refused(lambda: events.enter(event_id=night.id, player=night.people[0], now=early)) == "not_now"
    for player in night.people[:4]:
        events.enter(event_id=night.id, player=player, now=START)
    night.until(lambda e: e.row().status == "running" and e.round() is not None)
    events.enter(event_id=night.id, player=night.people[4], now=night.now)
    night.play()
    assert list(night.entrant(4).rows.values_list("round__number", flat=True)) == [2]
    assert refused(lambda: events.enter(event_id=night.id, player=night.director, now=night.now)) == "not_now"


def test_a_bot_sits_in_for_who_does_not_come_and_two_missed_rounds_put_him_out() -> None:
    night = evening(people=5, rounds=3)
    night.away = {(0, 1), (0, 2)}
    night.until(lambda e: Hand.objects.exists())
    hand = Hand.objects.get()
    assert [p["player"] for p in hand.players].count(None) == 1
    night.play()
    rows = list(night.entrant(0).rows.order_by("round__number"))
    assert [(row.own, row.missed) for row in rows] == [(0, True), (0, True)]
    assert (night.entrant(0).status, night.entrant(0).why) == ("withdrawn", "missed")


def test_who_comes_late_to_his_table_plays_from_the_next_hand_and_the_share_is_recorded() -> None:
    night = evening(people=5, rounds=1, hands=2)
    night.away = {(0, 1)}
    night.until(lambda e: Hand.objects.exists())
    night.away = set()
    table = night.tables()[0]
    tables.sit(table_id=table.pk, player=night.people[0], now=night.now)
    assert night.people[0].pk not in [p["player"] for p in Hand.objects.get().players]
    night.play()
    row = night.entrant(0).rows.get()
    assert row.own > 0
    assert row.served > 0
    boards = BoardResult.objects.filter(entrant=night.entrant(0)).order_by("board")
    assert [board.own > 0 for board in boards] == [False, True]
    assert row.net == sum(board.points or 0 for board in boards)


def test_nobody_takes_a_seat_or_sends_anybody_away_at_a_table_of_an_event() -> None:
    night = started(people=4)
    table = night.tables()[0]
    for player in (night.director, night.people[0]):
        assert (
            refused(lambda p=player: tables.set_bots(table_id=table.pk, player=p, add=1, now=night.now)) == "forbidden"
        )
    assert refused(lambda: tables.sit(table_id=table.pk, player=night.director, now=night.now)) == "not_here"


def test_leaving_costs_nothing_and_a_bot_sits_until_one_is_back() -> None:
    night = started(people=5)
    table = night.tables()[0]
    tables.leave(table_id=table.pk, player=night.people[0], now=night.now)
    row = night.entrant(0).rows.get()
    assert not row.here
    assert table.seats.exclude(bot="").count() == 1
    tables.sit(table_id=table.pk, player=night.people[0], now=night.now)
    assert table.seats.filter(player=night.people[0]).exists()


def test_a_suspended_account_is_never_paired() -> None:
    night = evening(people=6)
    night.people[2].is_active = False
    night.people[2].save()
    event_clock.run_event(night.id, night.later(3600))
    assert not RowResult.objects.filter(entrant=night.entrant(2)).exists()
    assert night.entrant(2).why == "account"


def of_a_club(people: int, **options: Any) -> Evening:
    """A club's event of its members, paired and with its tables open; nobody has come yet."""
    director = staff("部长")
    club = clubs.create(by=director, name="周五俱乐部", now=START)
    night = evening(people=people, enter=False, club=club, director=director, **options)
    for player in night.people:
        enter_club(club, player)
        events.enter(event_id=night.id, player=player, now=START)
    event_clock.run_event(night.id, night.later(3600))
    event_clock.run_event(night.id, night.later(30))
    return night


def sent_away(night: Evening, number: int) -> None:
    assert night.event.club is not None
    clubs.ban(club=night.event.club, by=night.director, player=night.people[number], now=night.now)


def test_whoever_is_banned_from_the_club_after_the_pairing_is_not_dealt_to() -> None:
    night = of_a_club(5, hands=1)
    table = Table.objects.get()
    sent_away(night, 2)
    assert refused(lambda: tables.sit(table_id=table.pk, player=night.people[2], now=night.now)) == "not_here"
    assert refused(lambda: tables.ready(table_id=table.pk, player=night.people[2], now=night.now)) == "not_here"
    assert not table.seats.get(player=night.people[2]).ready
    client = client_of(night.people[2])
    assert "号桌" not in client.get("/events/call").content.decode()
    assert "不在俱乐部" in client_of(night.director).get(f"/events/{night.id}/direct/").content.decode()
    assert "你已经不在这个俱乐部里" in client.get(f"/events/{night.id}/mine").content.decode()
    night.away.add((2, 1))
    night.until(lambda e: Hand.objects.exists())
    assert night.people[2].pk not in {p["player"] for p in Hand.objects.get().players}
    assert not night.entrant(2).rows.get().here


def test_whoever_is_banned_from_the_club_between_two_hands_is_dealt_to_no_more() -> None:
    night = of_a_club(5, rounds=1, hands=2)
    night.until(lambda e: Hand.objects.filter(status=Hand.Status.DONE).exists())
    assert night.people[2].pk in {p["player"] for p in Hand.objects.get().players}
    sent_away(night, 2)
    night.until(lambda e: Hand.objects.count() == 2)
    assert night.people[2].pk not in {p["player"] for p in Hand.objects.latest("number").players}
    night.play()
    assert Pairing.objects.get().hands == 2


def test_a_pause_holds_the_next_hand_and_moves_the_clock_of_the_round() -> None:
    night = evening(people=5, rounds=1, hands=2)
    night.until(lambda e: Hand.objects.exists())
    deadline = Round.objects.get().deadline
    event_direction.pause(event_id=night.id, by=night.director, now=night.now)
    night.until(lambda e: Table.objects.get().status == Table.Status.WAITING)
    event_direction.resume(event_id=night.id, by=night.director, now=night.later(500))
    assert deadline is not None
    assert (Round.objects.get().deadline or START) >= deadline + timedelta(seconds=500)
    assert Table.objects.get().status == Table.Status.BETWEEN
    night.play()
    assert Pairing.objects.get().hands == 2


def test_who_is_ready_after_a_hand_that_was_played_for_him_keeps_his_seat() -> None:
    """In a pause nothing is dealt, so being ready has to count by itself."""
    night = of_a_club(5, rounds=1, hands=2)
    night.until(lambda e: Hand.objects.exists())
    table = Table.objects.get()
    event_direction.pause(event_id=night.id, by=night.director, now=night.now)
    night.away = {(1, 1), (3, 1)}  # both fall asleep in the hand
    night.until(lambda e: Table.objects.get().status == Table.Status.WAITING)
    assert not night.entrant(1).rows.get().here
    tables.ready(table_id=table.pk, player=night.people[1], now=night.now)
    tables.sit(table_id=table.pk, player=night.people[0], now=night.now)
    assert night.entrant(1).rows.get().here
    assert table.seats.get(player=night.people[1]).ready
    assert not table.seats.filter(player=night.people[3]).exists()


def test_a_pairing_is_taken_back_before_the_cards_and_not_after() -> None:
    night = started(people=5)
    event_direction.undo_pairing(event_id=night.id, by=night.director, now=night.now)
    assert (Round.objects.count(), night.row().paused, Table.objects.get().status) == (0, True, "closed")
    event_direction.resume(event_id=night.id, by=night.director, now=night.now)
    assert Round.objects.get().seed.endswith("-1")
    night.until(lambda e: Hand.objects.exists())
    code = refused(lambda: event_direction.undo_pairing(event_id=night.id, by=night.director, now=night.now))
    assert code == "not_now"


def test_stalling_cannot_block_a_round() -> None:
    """Four people answer at the last second, always: the round ends with the hand, and that ends by trustee."""
    night = evening(people=5, rounds=1, hands=20)
    night.until(lambda e: Hand.objects.exists())
    deadline = Round.objects.get().deadline
    assert deadline is not None
    night.now = deadline + event_clock.OVERTIME + timedelta(seconds=1)
    event_clock.run_event(night.id, night.now)
    hand = Hand.objects.get()
    assert all(mark["on"] and mark["count"] > 3 for mark in hand.trustees)
    night.away = {(n, 1) for n in range(5)}
    night.play()
    assert Pairing.objects.get().hands == 1


def test_a_table_that_hangs_is_closed_by_the_director_at_last_without_its_hand() -> None:
    night = evening(people=5, rounds=1)
    night.until(lambda e: Hand.objects.exists())
    for _ in range(2):
        event_direction.close_table(event_id=night.id, by=night.director, number=1, now=night.now)
    assert Hand.objects.get().status == Hand.Status.VOID
    assert Table.objects.get().closed_because == "hung"
    night.play()
    assert [line.value(line.values[0][0]) for line in event_rows.standings_of(night.row())] == [3] * 5
    assert "五家并列" in client_of(None).get(f"/events/{night.id}/rounds/1/").content.decode()


def test_rulings_change_the_standings_and_can_be_taken_back() -> None:
    night = evening(people=5, rounds=1)
    night.play()
    before = event_rows.standings_of(night.row())
    best = next(p for p in night.people if night.row().entrants.get(player=p).number == before[0].entrant)
    ruling = event_direction.rule(
        event_id=night.id, by=night.director, player=best, reason="迟到", penalty=Decimal("4.5"), now=night.now
    )
    after = event_rows.standings_of(night.row())
    assert after[-1].entrant == before[0].entrant
    assert after[-1].penalties[0][1] == "迟到"
    event_direction.revoke(event_id=night.id, by=night.director, ruling_id=ruling.pk, now=night.now)
    assert event_rows.standings_of(night.row()) == before


def test_the_director_alone_directs() -> None:
    night = evening(people=3)
    for call in (event_direction.start, event_direction.pause, event_direction.cancel):
        assert refused(lambda c=call: c(event_id=night.id, by=night.people[0], now=night.now)) == "forbidden"


def test_a_board_is_shown_to_nobody_else_before_its_last_table_has_closed_it() -> None:
    night = evening("duplicate", people=6, rounds=1)
    night.until(lambda e: Pairing.objects.filter(hands=1).exists() and Pairing.objects.filter(hands=0).exists())
    first = Pairing.objects.get(hands=1)
    hand = Hand.objects.get(table=first.table)
    players = [p["player"] for p in hand.players if p["player"]]
    for viewer in (*players, night.director.pk, None):
        with pytest.raises(replays.NotRevealed):
            replays.record_of(hand.pk, viewer)
    other = next(p for p in night.people if p.pk not in players)
    for table in night.tables():
        assert seat_views.table_view(table.pk, night.director, night.now) is None
        assert client_of(None).get(f"/t/{table.pk}/").status_code == 404
    assert seat_views.table_view(first.table.pk, other, night.now) is None
    who = Player.objects.get(pk=players[0])
    HandResult.objects.update(public=True)  # whatever the table's own setting
    assert [line.id for line in history(who, Filters(), viewer=who, now=night.now).lines] == [hand.pk]
    for viewer in (other, None):
        assert history(who, Filters(), viewer=viewer, now=night.now).lines == ()
    night.play()
    HandResult.objects.update(public=True)
    assert hand.pk in [line.id for line in history(who, Filters(), viewer=other, now=night.now).lines]
    assert replays.record_of(hand.pk)["commit"] == night.row().board_commits[0][0]
    hands = Hand.objects.filter(number=1)
    assert len({str(hand.deal) for hand in hands}) == 1


def test_who_withdraws_while_playing_is_played_for_and_not_paired_again() -> None:
    night = evening(people=5, rounds=2, hands=2)
    night.until(lambda e: Hand.objects.exists())
    events.withdraw(event_id=night.id, player=night.people[1], now=night.now)
    night.play()
    assert list(night.entrant(1).rows.values_list("round__number", flat=True)) == [1]
    assert Entrant.objects.get(pk=night.entrant(1).pk).status == "withdrawn"
    second = Hand.objects.filter(board_results__pairing__round__number=1, number=2).first()
    assert second is not None
    assert night.people[1].pk not in [p["player"] for p in second.players]


def test_an_event_called_off_ends_its_tables_after_the_hand() -> None:
    night = evening(people=5, rounds=2, hands=2)
    night.until(lambda e: Hand.objects.exists())
    event_direction.cancel(event_id=night.id, by=night.director, reason="停电", now=night.now)
    assert night.row().status == Event.Status.CANCELLED
    table = Table.objects.get()
    assert play.active_hand(table) is not None
