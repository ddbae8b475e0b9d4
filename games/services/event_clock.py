"""What an event does by itself: it starts, pairs, opens tables, closes rounds and ends.

`advance_event` does at most one step, in one transaction, read off the rows and checked again under the lock; anybody
may call it any number of times, and a server killed between two steps goes on with the next one. Tables play on their
own clocks in between (`pacing`); the last to close in a round wakes the event.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Entrant, Event, Pairing, Round, RowResult, Table
from games.services import (
    deadlines,
    dealing,
    event_base,
    event_pairing,
    event_tables,
    events,
    finish,
    play,
    publish,
    tables,
)
from games.services.errors import Refused

OVERTIME = timedelta(minutes=10)
"""How long after a round's time the hand in progress may still take; then the trustees play it to its end."""
LOOK_AGAIN = timedelta(seconds=20)
MISSES = 2
"""So many rounds in a row missed, and the entrant is out."""

Status = Event.Status


def due_events(now: datetime) -> list[str]:
    """The events of which the database says that something is due."""
    due = Event.objects.filter(next_at__lte=now, paused_at=None, status__in=[Status.ENTRIES, Status.RUNNING])
    return list(due.order_by("next_at").values_list("pk", flat=True)[:50])


def run_event(event_id: str, now: datetime) -> bool:
    """All steps that are due now; whether there was any."""
    done = False
    for _ in range(20):
        if not advance_event(event_id, now):
            break
        done = True
    return done


def advance_event(event_id: str, now: datetime) -> bool:
    """Do the next step if it is due; whether anything was done.

    Lock: tables one after the other, each with the event; then the event alone.
    """
    event = Event.objects.filter(pk=event_id).first()
    if event is None or event.over or event.paused or event.next_at is None or event.next_at > now:
        return False
    if event.status == Status.RUNNING:
        _mind_tables(event, now)
    try:
        with event_base.locked_event(event_id) as event:
            if event.over or event.paused or event.next_at is None or event.next_at > now:
                return False
            _step(event, now)
            event_base.save(event)
            return True
    except Refused:
        return False


def _step(event: Event, now: datetime) -> None:
    if event.club is not None and event.club.archived:
        event.paused_at = now
        event_base.note(event, None, "pause", "archived", now)
    elif event.status == Status.ENTRIES:
        begin(event, now)
    else:
        round = event_base.open_round(event)
        if round is None:
            if event_pairing.pair_next(event, now) is None:
                finish_event(event, now)
        elif round.status == Round.Status.PAIRED:
            _open_tables(event, round, now)
        else:
            _close_round(event, round, now)


# --- the steps, inside the event's lock


def begin(event: Event, now: datetime) -> None:
    """Entries are over: lost accounts and who did not check in are out, the waiting list fills up, and the first round
    is paired next.

    With fewer than two entrants the event is cancelled. The caller saves the event.
    """
    entrants = event.entrants.select_related("player").order_by("number")
    while event_pairing.without_lost_accounts(event, now):
        events._promote(event)
    if event.check_in:
        for entrant in entrants.exclude(status=Entrant.Status.WITHDRAWN).filter(checked_in=False):
            entrant.status, entrant.why = Entrant.Status.WITHDRAWN, Entrant.Why.CHECK_IN
            entrant.save()
        events._promote(event)
    for entrant in entrants.filter(status=Entrant.Status.WAITING):
        entrant.status, entrant.why = Entrant.Status.WITHDRAWN, Entrant.Why.FULL
        entrant.save()
    if len(event_base.allowed(event, now)) < event_pairing.FEWEST:
        cancel_event(event, now)
        event_base.note(event, None, "cancel", "too_few", now)
        return
    event.status, event.started_at, event.next_at = Status.RUNNING, now, now
    event_base.note(event, None, "start", str(len(event_base.allowed(event, now))), now)


def _open_tables(event: Event, round: Round, now: datetime) -> None:
    for pairing in round.pairings.order_by("number"):
        pairing.round = round
        event_tables.open_table(event, pairing, now)
    round.status, round.began_at = Round.Status.PLAYING, now
    round.deadline = now + timedelta(seconds=event.round_seconds)
    round.save()
    event.next_at = round.deadline


def _close_round(event: Event, round: Round, now: datetime) -> None:
    """Close the round when no table plays any more; else look again at its deadline, or a little later."""
    for pairing in Pairing.objects.filter(round=round, closed_at=None).select_related("round", "table"):
        table = getattr(pairing, "table", None)
        # a table that is not there any more keeps nobody waiting
        if table is None or table.status == Table.Status.CLOSED:
            event_tables.settle(event, pairing, now)
    if Pairing.objects.filter(round=round, closed_at=None).exists():
        assert round.deadline is not None
        event.next_at = round.deadline if round.deadline > now else now + LOOK_AGAIN
        return
    close_round(event, round, now)


def close_round(event: Event, round: Round, now: datetime) -> None:
    """The round's results stand; whoever missed this and the last one is out."""
    round.status, round.closed_at = Round.Status.CLOSED, now
    round.save()
    recent = range(round.number - MISSES + 1, round.number + 1)
    missed: dict[int, int] = {}
    for row in RowResult.objects.filter(round__event=event, round__number__in=recent, entrant__isnull=False):
        if row.missed and row.entrant_id is not None:
            missed[row.entrant_id] = missed.get(row.entrant_id, 0) + 1
    out = [pk for pk, times in missed.items() if times >= MISSES]
    for entrant in event.entrants.filter(pk__in=out, status=Entrant.Status.ENTERED).select_related("player"):
        entrant.status, entrant.why = Entrant.Status.WITHDRAWN, Entrant.Why.MISSED
        entrant.save()
        event_base.note(event, None, "out", entrant.player.username, now)
    last = round.number >= event.rounds
    event.next_at = now if last else now + timedelta(seconds=event.break_seconds)


def finish_event(event: Event, now: datetime) -> None:
    """The standings are final."""
    event.status, event.ended_at, event.next_at = Status.FINISHED, now, None
    event_base.note(event, None, "finish", "", now)


def cancel_event(event: Event, now: datetime) -> None:
    event.status, event.ended_at, event.next_at, event.paused_at = Status.CANCELLED, now, None, None


# --- tables that need a hand, each under its own lock


def _mind_tables(event: Event, now: datetime) -> None:
    """Wake tables that a pause held; at the end of the round's time close those between two hands; long after it let
    the trustees play what is still on."""
    round = event_base.open_round(event)
    if round is None or round.deadline is None:
        return
    still = Table.objects.filter(pairing__round=round, pairing__closed_at=None).exclude(status=Table.Status.CLOSED)
    late = round.deadline <= now
    for table_id in list(still.order_by("pk").values_list("pk", flat=True)):
        if late:
            end_table(table_id, now, hurry=round.deadline + OVERTIME <= now)
        else:
            _wake(table_id, now)


def _wake(table_id: str, now: datetime) -> None:
    with tables.locked(table_id) as table:
        if table.status != Table.Status.WAITING or event_tables.holds(table, now):
            return
        table.status, table.next_at = Table.Status.BETWEEN, now + timedelta(seconds=table.clock_next)
        dealing.touch(table, now)
        table.save()
        publish.table_changed(table)


def end_table(table_id: str, now: datetime, *, hurry: bool, reason: Table.Reason = Table.Reason.ROUND) -> None:
    """Close a table between two hands. With a hand on it is closed after that; in a `hurry` every seat is handed over
    to the trustee, for good, so that the hand is over soon. Lock: the table's row, then the event's."""
    with tables.locked(table_id) as table:
        if table.status == Table.Status.CLOSED:
            return
        hand = play.active_hand(table)
        if hand is None:
            finish.close(table, reason, now)
            table.save()
            publish.table_changed(table)
        elif hurry:
            for seat in range(5):
                if not deadlines.is_bot(hand, seat):
                    hand.trustees[seat] |= {"on": True, "count": deadlines.TRUSTEESHIPS + 1}
            tables.position_changed(table, hand)
