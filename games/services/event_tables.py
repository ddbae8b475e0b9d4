"""The tables of a round: opened with the pairing's seats, told who sits before each hand, and what each hand came to.

Called by the services that hold the table's lock (`dealing`, `finish`, `tables`); the event's lock is taken second.
A bot sits for whoever is not there; what it makes goes to his row, and so does how much of it he played himself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.conf import settings

from accounts.models import Player
from games import live
from games.bots import NAMES
from games.history import Fold
from games.models import (
    BoardResult,
    Event,
    Hand,
    HandAction,
    Pairing,
    Round,
    RowResult,
    Seat,
    SeatResult,
    Table,
)
from games.services import deadlines, dealing, event_base, finish, publish, tables
from games.services.errors import Refused
from games.tournament.seating import first_dealt, turned

BLOCK = 5
"""Hands between two turns of the seats."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a table needs to know of its event."""

    event: Event
    round: Round
    pairing: Pairing


class Next(Enum):
    """What a table of an event does after a hand."""

    CLOSED = "closed"
    HELD = "held"
    REDEAL = "redeal"
    PAUSE = "pause"


def place_of(table: Table, *, lock: bool = False) -> Place:
    """The event, round and pairing of an event's table; with `lock` the event's row is locked first."""
    assert table.pairing_id is not None
    pairing = Pairing.objects.select_related("round__event").get(pk=table.pairing_id)
    if not lock:
        return Place(pairing.round.event, pairing.round, pairing)
    event = Event.objects.select_for_update().get(pk=pairing.round.event_id)
    pairing = Pairing.objects.select_related("round").get(pk=pairing.pk)
    return Place(event, pairing.round, pairing)


def rows_at(pairing: Pairing) -> list[RowResult]:
    return list(pairing.rows.select_related("entrant__player").order_by("seat"))


def seated_rows(pairing: Pairing, rows: list[RowResult]) -> tuple[RowResult, ...]:
    """Whose seats 0…4 are in the next hand: the order turns every five hands."""
    return turned(rows, pairing.hands // BLOCK)


def has_boards(table: Table) -> bool:
    """Whether the deals at this table were fixed before the event (duplicate)."""
    return place_of(table).event.format == Event.Format.DUPLICATE


# --- opening


def open_table(event: Event, pairing: Pairing, now: datetime) -> Table:
    """Open the table of a pairing, inside the event's lock. The cards come when all are there, or after the grace."""
    table = Table(
        host=event.created_by,
        revision=event.revision,
        preset=event.preset,
        rules=event.rules,
        clock_step=event.clock_step,
        clock_play=event.clock_play,
        clock_next=event.clock_next,
        clock_reveal=settings.REVEAL_SECONDS,
        room=0,
        public=False,
        club=event.club,
        pairing=pairing,
        level=event.level,
        hands_limit=event.hands,
        status=Table.Status.BETWEEN,
        next_at=now + timedelta(seconds=event.grace_seconds),
        created_at=now,
        changed_at=now,
    )
    dealing.prepare_next_seed(table)
    _next_deal(table, Place(event, pairing.round, pairing))
    table.save(force_insert=True)
    rows = rows_at(pairing)
    Seat.objects.bulk_create(_seat(Seat(table=table, number=n), row, event) for n, row in enumerate(rows))
    publish.table_changed(table)
    return table


def _seat(seat: Seat, row: RowResult, event: Event) -> Seat:
    """Put the row's entrant on the seat, or a bot where nobody is there."""
    player = row.entrant.player if row.entrant is not None and row.here else None
    if player is not None:
        if seat.player_id != player.pk:
            seat.ready = False
        seat.player, seat.bot, seat.level = player, "", ""
    else:
        seat.player, seat.bot, seat.level, seat.ready = None, NAMES[row.seat], event.level, True
    seat.multiplier = 1
    return seat


# --- before a hand


def holds(table: Table, now: datetime) -> bool:
    """Whether no hand may begin: the event is paused or over, or the round's time is up."""
    place = place_of(table)
    late = place.round.deadline is not None and place.round.deadline <= now
    return place.event.paused or place.event.over or late or place.pairing.closed_at is not None


def before_hand(table: Table, seats: list[Seat], now: datetime) -> list[Seat]:
    """Say who is there, turn the seats, choose who is dealt to first; the seats as they are now. Saves seats only."""
    place = place_of(table)
    rows = rows_at(place.pairing)
    ready = {seat.player_id for seat in seats if seat.ready and seat.player_id is not None}
    there = ready | live.connected(table.id)
    allowed = event_base.allowed_of(place.event, rows, now)
    for row in rows:
        if row.entrant is None:
            continue
        # before the first hand only those count who said that they are there or look at the table
        stays = row.here and table.number > 0
        here = row.entrant_id in allowed and (row.entrant.player_id in there or stays)
        if here != row.here:
            row.here = here
            row.save(update_fields=["here"])
    _next_deal(table, place)
    return arrange(table, seats, place, rows)


def arrange(table: Table, seats: list[Seat], place: Place, rows: list[RowResult]) -> list[Seat]:
    """Bring the seats to what the rows say."""
    ready = {seat.player_id for seat in seats if seat.ready and seat.player_id is not None}
    wanted = seated_rows(place.pairing, rows)
    made = [
        _seat(Seat(pk=s.pk, table=table, number=s.number), row, place.event)
        for s, row in zip(seats, wanted, strict=True)
    ]
    if [seat.key for seat in made] == [seat.key for seat in seats]:
        return seats
    # a player may move to a seat that another one has not left yet
    Seat.objects.filter(table_id=table.id).update(player=None, bot="")
    for seat in made:
        if seat.player_id in ready:
            seat.ready = True
        seat.save()
    return made


def promise_next(table: Table) -> None:
    """While a board is played its successor's commitment is shown (duplicate), as it was before the event."""
    place = place_of(table)
    if place.event.format == Event.Format.DUPLICATE:
        place.pairing.hands += 1
        _next_deal(table, place)


def _next_deal(table: Table, place: Place) -> None:
    """Who is dealt to first, and in duplicate the board's seed with nobody's contribution. The caller saves."""
    from games.services import events  # it needs tables, and tables need this

    table.next_first = first_dealt(place.pairing.hands)
    if place.event.format == Event.Format.DUPLICATE:
        board = place.pairing.hands + 1
        if board <= place.event.hands:
            seed = events.board_seed(place.event.board_secret, place.round.number, board)
            table.next_seed = seed.hex()
            table.next_commit = place.event.board_commits[place.round.number - 1][board - 1]
        table.contributions = {}
        table.previous = table.previous_seats = None


# --- after a hand


def after_hand(table: Table, hand: Hand, fold: Fold, now: datetime, *, void: bool) -> Next:
    """Write down what the hand came to and say what the table does next, inside the transaction that ends the hand.

    Lock: the event's row, after the table's. Changes `table`, which the caller saves and publishes.
    """
    place = place_of(table, lock=True)
    duplicate = place.event.format == Event.Format.DUPLICATE
    rows = rows_at(place.pairing)
    seated = seated_rows(place.pairing, rows)
    if not void or duplicate:
        _write(place, hand, fold, seated)
        place.pairing.hands += 1
        place.pairing.save(update_fields=["hands"])
    for seat, row in enumerate(seated):
        if not deadlines.is_bot(hand, seat) and deadlines.under_trustee(hand, seat):
            row.here = False
    for row in rows:
        row.save(update_fields=["here", "net", "own", "served"])
    _next_deal(table, place)
    late = place.round.deadline is not None and place.round.deadline <= now
    if place.event.over or late or place.pairing.hands >= (table.hands_limit or place.event.hands):
        finish.close(table, Table.Reason.ROUND, now)
    elif place.event.paused:
        table.status, table.next_at = Table.Status.WAITING, None
        dealing.touch(table, now)
        return Next.HELD
    elif void and fold.seq > 0 and not duplicate:
        return Next.REDEAL
    else:
        return Next.PAUSE
    return Next.CLOSED


def _write(place: Place, hand: Hand, fold: Fold, seated: tuple[RowResult, ...]) -> None:
    points: dict[int, int] = {}
    if hand.status == Hand.Status.DONE:
        points = dict(SeatResult.objects.filter(result_id=hand.pk).values_list("seat", "points"))
    boards = []
    for seat, row in enumerate(seated):
        himself = row.entrant is not None and hand.players[seat]["player"] == row.entrant.player_id
        sources = [entry.source for entry in fold.log if entry.seat == seat]
        own = sources.count(HandAction.Source.PLAYER) if himself else 0
        row.net += points.get(seat, 0)
        row.own += own
        row.served += len(sources) - own
        boards.append(
            BoardResult(
                pairing=place.pairing,
                hand=hand,
                board=place.pairing.hands + 1,
                seat=seat,
                entrant=row.entrant,
                points=points.get(seat),
                own=own,
                served=len(sources) - own,
            )
        )
    BoardResult.objects.bulk_create(boards)


def closed(table: Table, now: datetime) -> None:
    """The table has broken up, for whatever reason: its results stand. The last one of a round wakes the event.

    Lock: the event's row, after the table's.
    """
    place = place_of(table, lock=True)
    settle(place.event, place.pairing, now)


def settle(event: Event, pairing: Pairing, now: datetime) -> None:
    """Close the pairing, inside the event's lock. Any number of calls come to the same."""
    if pairing.closed_at is not None:
        return
    pairing.closed_at = now
    pairing.save(update_fields=["closed_at"])
    if not event.over and not Pairing.objects.filter(round_id=pairing.round_id, closed_at=None).exists():
        event.next_at = now
        event.save(update_fields=["next_at"])


# --- coming and going


def come(table: Table, player: Player, now: datetime) -> int:
    """The entrant is there (again): the next hand is dealt to him, the first one at once when all are there.

    Raises Refused: not_here (no entrant of this table, or he may not play in this event any more), closed.
    """
    place = place_of(table, lock=True)
    rows = rows_at(place.pairing)
    row = next((row for row in rows if row.entrant is not None and row.entrant.player_id == player.pk), None)
    if row is None or row.entrant_id not in event_base.allowed_of(place.event, [row], now):
        raise Refused("not_here")
    if table.status == Table.Status.CLOSED:
        raise Refused("closed")
    if not row.here:
        row.here = True
        row.save(update_fields=["here"])
    seated = seated_rows(place.pairing, rows)
    if table.status != Table.Status.PLAYING:
        arrange(table, tables.seats_of(table), place, rows)
        Seat.objects.filter(table_id=table.id, player=player).update(ready=True)
    return next(number for number, other in enumerate(seated) if other is row)


def go(table: Table, player: Player, now: datetime) -> None:
    """The entrant steps away between two hands: a bot sits for him until he comes back."""
    place = place_of(table, lock=True)
    rows = rows_at(place.pairing)
    for row in rows:
        if row.entrant is not None and row.entrant.player_id == player.pk and row.here:
            row.here = False
            row.save(update_fields=["here"])
    arrange(table, tables.seats_of(table), place, rows)
