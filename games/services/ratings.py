"""A finished hand is counted: it gets its number, moves the ratings of its players and adds to their sums.

`rate_hand` is called in the transaction that ends the hand. `recount` comes to the same numbers from the stored
results alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

from games.models import HandResult, Rating, RatingBook, RatingOffset, SeatResult, Tally
from games.periods import day_of
from games.rating import Standing
from games.services import seasons
from games.services.counting import COLUMNS, Key, Sums, increments, judge, places, why_unrated


def locked_book() -> RatingBook:
    """The book, locked until the transaction ends: hands are counted one after the other, whatever their tables."""
    RatingBook.objects.get_or_create(pk=1)
    return RatingBook.objects.select_for_update().get(pk=1)


def rate_hand(result: HandResult, seats: Sequence[SeatResult]) -> None:
    """Count a hand whose rows are made but not yet saved: sets `order`, `season`, `bots`, `unrated` and the ratings.

    Lock: the book, after the tables' and the ledger's locks and before no other. A hand that was not scored gets its
    number and changes nothing else.
    """
    book = locked_book()
    season = seasons.turn(book, day_of(result.ended_at))
    book.last += 1
    book.save(update_fields=["last"])
    result.order = book.last
    result.season = season
    result.bots = sum(seat.player_id is None for seat in seats)
    result.unrated = why_unrated(result)
    for seat in seats:
        seat.order = book.last
    if not result.unrated:
        _move_ratings(result, seats)
    if result.scored:
        add_up(_sums(result, seats))


def _sums(result: HandResult, seats: Sequence[SeatResult]) -> dict[Key, Sums]:
    sums: dict[Key, Sums] = {}
    where = places(result)
    for seat in seats:
        if seat.player_id is None:
            continue
        row = [0] * len(COLUMNS)
        for place, number in increments(result, seat):
            row[place] = number
        sums.update(((seat.player_id, *rest), row) for rest in where)
    return sums


def _move_ratings(result: HandResult, seats: Sequence[SeatResult]) -> None:
    players = [seat.player_id for seat in seats if seat.player_id is not None]
    rows: Mapping[int, Rating] = Rating.objects.in_bulk(players)
    offset, _made = RatingOffset.objects.get_or_create(preset=result.preset, solo=bool(result.solo))
    known = {player: row.standing for player, row in rows.items()}
    judged = judge(result, seats, lambda player: known.get(player, Standing()), offset.value)
    moved = []
    for seat, after in zip(seats, judged.standings, strict=True):
        if seat.player_id is None:
            continue
        seat.rating = after.value
        seat.rating_change = after.value - known.get(seat.player_id, Standing()).value
        moved.append(row_of(seat.player_id, after))
    save_ratings(moved)
    offset.value = judged.offset
    offset.save(update_fields=["value"])


def row_of(player: int, standing: Standing) -> Rating:
    return Rating(
        player_id=player,
        value=standing.value,
        hands=standing.hands,
        experience=standing.experience,
        variance=standing.variance,
    )


def save_ratings(rows: Sequence[Rating]) -> None:
    """Write these rows, whether they were there or not. One statement for some hundred."""
    columns = ["value", "hands", "experience", "variance"]
    Rating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["player"], update_fields=columns, batch_size=150
    )


def add_up(sums: Mapping[Key, Sums]) -> None:
    """Add numbers to the tallies of these keys; rows that are missing are made. One statement."""
    if not sums:
        return
    quote = connection.ops.quote_name
    table = quote(Tally._meta.db_table)
    names = ("player_id", "scope", "period", "preset", *COLUMNS, "final")
    grown = ", ".join(f"{quote(name)} = {table}.{quote(name)} + excluded.{quote(name)}" for name in COLUMNS)
    marks = "(" + ", ".join(["%s"] * len(names)) + ")"
    statement = (
        f"INSERT INTO {table} ({', '.join(map(quote, names))}) VALUES {{}}"
        f" ON CONFLICT (scope, period, preset, player_id) DO UPDATE SET {grown}"
    )
    with connection.cursor() as cursor:
        for part in _parts(sorted(sums.items())):
            values: list[Any] = [value for key, row in part for value in (*key, *row, False)]
            cursor.execute(statement.format(", ".join([marks] * len(part))), values)


def _parts(rows: Iterable[tuple[Key, Sums]], size: int = 500) -> Iterable[list[tuple[Key, Sums]]]:
    rows = list(rows)
    return [rows[start : start + size] for start in range(0, len(rows), size)]
