"""复式: all tables of a round play the same boards, and each seat is compared with the same seat elsewhere.

The roles of a seat may differ from table to table, its cards do not: comparing goes by seat, never by role. On a board
a seat gets as match points the share of the other tables whose points in that seat are lower, half for equal ones:
(lower + half the equal) / (n − 1). The sum of differences to the other tables is the second key.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from .standings import Criterion, Standing, ranked
from .values import lot

CHAIN = (Criterion.MATCH_POINTS, Criterion.CROSS, Criterion.LOT)
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One seat of one table on one board of one round; `entrant` None for a bot.

    `points` of the hand, None where the board was void or not played at this table. `missed`: the entrant had no part
    in the hand, somebody else's points are compared but do not count for him.
    """

    round: int
    board: int
    table: int
    seat: int
    entrant: int | None
    points: int | None
    missed: bool = False


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One entrant on one board: what he got, how many other tables had less, as much and more in his seat."""

    round: int
    board: int
    table: int
    seat: int
    points: int | None
    lower: int
    equal: int
    higher: int
    match_points: Fraction
    cross: int


def compared(rows: Iterable[BoardRow]) -> dict[BoardRow, BoardLine]:
    """Every row's comparison with the same seat at the other tables.

    With nobody to compare, and on a board void at this table, a row gets half a match point.
    Raises ValueError for two rows of one seat of a table on one board, and of one entrant on one board.
    """
    boards: dict[tuple[int, int, int], list[BoardRow]] = {}
    seats: set[tuple[int, int, int, int]] = set()
    people: set[tuple[int, int, int]] = set()
    for row in sorted(rows, key=lambda row: (row.round, row.board, row.table, row.seat)):
        seat = (row.round, row.board, row.table, row.seat)
        if seat in seats or (row.entrant is not None and (row.round, row.board, row.entrant) in people):
            raise ValueError(f"two rows in round {row.round}, board {row.board}")
        seats.add(seat)
        if row.entrant is not None:
            people.add((row.round, row.board, row.entrant))
        boards.setdefault((row.round, row.board, row.seat), []).append(row)
    return {row: _compared(row, alike) for alike in boards.values() for row in alike}


def board_lines(rows: Iterable[BoardRow]) -> dict[int, tuple[BoardLine, ...]]:
    """The boards every entrant took part in, in their order."""
    made: dict[int, list[BoardLine]] = {}
    for row, line in compared(rows).items():
        if row.entrant is not None and not row.missed:
            made.setdefault(row.entrant, []).append(line)
    return {
        entrant: tuple(sorted(found, key=lambda line: (line.round, line.board)))
        for entrant, found in sorted(made.items())
    }


def duplicate_standings(
    rows: Iterable[BoardRow], entrants: Iterable[int], seed: str, penalties: Mapping[int, Fraction] | None = None
) -> tuple[Standing, ...]:
    """Everybody by match points (less penalties), then cross-difference, then lot. `board_lines` says how they came.

    Raises ValueError for rows of somebody who is no entrant, and what `compared` raises.
    """
    listed = frozenset(entrants)
    made = board_lines(rows)
    if not listed.issuperset(made):
        raise ValueError("rows of somebody who is no entrant")
    own = {entrant: made.get(entrant, ()) for entrant in listed}
    taken = penalties or {}
    return ranked(
        CHAIN,
        listed,
        {
            Criterion.MATCH_POINTS: {
                e: sum((line.match_points for line in own[e]), -taken.get(e, Fraction(0))) for e in listed
            },
            Criterion.CROSS: {e: Fraction(sum(line.cross for line in own[e])) for e in listed},
            Criterion.LOT: {e: Fraction(lot(seed, e)) for e in listed},
        },
    )


def _compared(row: BoardRow, alike: Iterable[BoardRow]) -> BoardLine:
    others = [other.points for other in alike if other is not row and other.points is not None]
    if row.points is None or not others:
        return BoardLine(row.round, row.board, row.table, row.seat, row.points, 0, 0, 0, HALF, 0)
    lower = sum(points < row.points for points in others)
    equal = others.count(row.points)
    match_points = (lower + HALF * equal) / len(others)
    cross = sum(row.points - points for points in others)
    where = (row.round, row.board, row.table, row.seat, row.points)
    return BoardLine(*where, lower, equal, len(others) - lower - equal, match_points, cross)
