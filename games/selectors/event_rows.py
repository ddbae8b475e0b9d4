"""An event's rows as the values the standings are made of, and the standings: a pure function of what is stored.

Nothing is cached and nothing written: called twice, or after a restart, the same rows give the same standings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from games.models import BoardResult, Entrant, Event, EventRuling, Round, RowResult
from games.tournament.duplicate import BoardRow, duplicate_standings
from games.tournament.knockout import knockout_standings
from games.tournament.rows import Row, Ruling
from games.tournament.standings import ROTATION, SWISS, Standing, standings
from games.tournament.values import Round as Tables

SEATS = 5


def closed_rounds(event: Event, upto: int | None = None) -> list[int]:
    """The numbers of the rounds that count, up to this one."""
    rounds = event.played_rounds.filter(status=Round.Status.CLOSED)
    if upto is not None:
        rounds = rounds.filter(number__lte=upto)
    return list(rounds.order_by("number").values_list("number", flat=True))


def rows_of(event: Event, rounds: Collection[int]) -> list[Row]:
    """The seats of all tables of these rounds."""
    found = (
        RowResult.objects.filter(round__event=event, round__number__in=rounds)
        .select_related("round", "pairing", "entrant")
        .order_by("round__number", "pairing__number", "seat")
    )
    return [_row(row) for row in found]


def _row(row: RowResult) -> Row:
    number = None if row.entrant is None else row.entrant.number
    return Row(row.round.number, row.pairing.number, row.seat, number, row.net, row.missed)


def board_rows_of(event: Event, rounds: Collection[int]) -> list[BoardRow]:
    """Every seat on every board of these rounds; who had no part in a hand missed it."""
    found = (
        BoardResult.objects.filter(pairing__round__event=event, pairing__round__number__in=rounds)
        .select_related("pairing__round", "entrant")
        .order_by("pairing__round__number", "board", "pairing__number", "seat")
    )
    return [_board_row(row) for row in found]


def _board_row(row: BoardResult) -> BoardRow:
    return BoardRow(
        row.pairing.round.number,
        row.board,
        row.pairing.number,
        row.seat,
        None if row.entrant is None else row.entrant.number,
        row.points,
        row.entrant is not None and row.own == 0,
    )


def past_of(event: Event) -> list[Tables]:
    """Who sat where in every round paired so far."""
    made: dict[int, dict[int, list[int | None]]] = {}
    for row in RowResult.objects.filter(round__event=event).select_related("round", "pairing", "entrant"):
        seats = made.setdefault(row.round.number, {}).setdefault(row.pairing.number, [None] * SEATS)
        seats[row.seat] = None if row.entrant is None else row.entrant.number
    return [tuple(tuple(tables[n]) for n in sorted(tables)) for _number, tables in sorted(made.items())]


def rulings_of(event: Event, rounds: Collection[int]) -> list[Ruling]:
    """The director's rulings that stand, about the event or one of these rounds."""
    made = []
    for row in EventRuling.objects.filter(event=event, revoked_at=None).select_related("entrant").order_by("pk"):
        if row.round is not None and row.round not in rounds:
            continue
        made.append(_ruling(row))
    return made


def _ruling(row: EventRuling) -> Ruling:
    return Ruling(
        entrant=row.entrant.number,
        reason=row.reason,
        round=row.round,
        penalty=Fraction(row.penalty),
        score=None if row.score is None else Fraction(row.score),
        net=row.net,
    )


def listed(event: Event, rows: Collection[Row], rulings: Collection[Ruling] = ()) -> set[int]:
    """Who stands in the list: whoever is entered or has played."""
    entered = event.entrants.filter(status=Entrant.Status.ENTERED).values_list("number", flat=True)
    return _listed(entered, rows, rulings)


def _listed(entered: Iterable[int], rows: Iterable[Row], rulings: Iterable[Ruling]) -> set[int]:
    return {*entered, *(row.entrant for row in rows if row.entrant is not None), *(r.entrant for r in rulings)}


def standings_of(event: Event, upto: int | None = None) -> tuple[Standing, ...]:
    """Everybody's standing after the closed rounds, or after those up to one."""
    rounds = closed_rounds(event, upto)
    rows = rows_of(event, rounds)
    rulings = rulings_of(event, rounds)
    return compute(event.format, event.seed, rows, board_rows_of(event, rounds), listed(event, rows, rulings), rulings)


def standings_of_many(events: Sequence[Event]) -> dict[str, tuple[Standing, ...]]:
    """The standings of several events, by their ids, with as many queries as for one."""
    rows: dict[str, list[Row]] = {event.pk: [] for event in events}
    boards: dict[str, list[BoardRow]] = {event.pk: [] for event in events}
    rulings: dict[str, list[Ruling]] = {event.pk: [] for event in events}
    entered: dict[str, set[int]] = {event.pk: set() for event in events}
    closed = {event.pk: set[int]() for event in events}
    for event_id, number in Round.objects.filter(event__in=events, status=Round.Status.CLOSED).values_list(
        "event_id", "number"
    ):
        closed[event_id].add(number)
    seats = RowResult.objects.filter(round__event__in=events, round__status=Round.Status.CLOSED)
    for row in seats.select_related("round", "pairing", "entrant"):
        rows[row.round.event_id].append(_row(row))
    hands = BoardResult.objects.filter(
        pairing__round__event__in=[event for event in events if event.format == Event.Format.DUPLICATE],
        pairing__round__status=Round.Status.CLOSED,
    )
    for board in hands.select_related("pairing__round", "entrant"):
        boards[board.pairing.round.event_id].append(_board_row(board))
    for ruling in (
        EventRuling.objects.filter(event__in=events, revoked_at=None).select_related("entrant").order_by("pk")
    ):
        if ruling.round is None or ruling.round in closed[ruling.event_id]:
            rulings[ruling.event_id].append(_ruling(ruling))
    there = Entrant.objects.filter(event__in=events, status=Entrant.Status.ENTERED)
    for event_id, number in there.values_list("event_id", "number"):
        entered[event_id].add(number)
    return {
        event.pk: compute(
            event.format,
            event.seed,
            rows[event.pk],
            boards[event.pk],
            _listed(entered[event.pk], rows[event.pk], rulings[event.pk]),
            rulings[event.pk],
        )
        for event in events
    }


def compute(
    format: str,
    seed: str,
    rows: Collection[Row],
    board_rows: Collection[BoardRow],
    entrants: Collection[int],
    rulings: Collection[Ruling],
) -> tuple[Standing, ...]:
    """The standings of a format from plain values."""
    if format == Event.Format.DUPLICATE:
        penalties: dict[int, Fraction] = {}
        for ruling in rulings:
            penalties[ruling.entrant] = penalties.get(ruling.entrant, Fraction(0)) + ruling.penalty
        return duplicate_standings(board_rows, entrants, seed, penalties)
    if format == Event.Format.KNOCKOUT:
        return knockout_standings(rows, entrants, seed, rulings)
    return standings(SWISS if format == Event.Format.SWISS else ROTATION, rows, entrants, seed, rulings)
