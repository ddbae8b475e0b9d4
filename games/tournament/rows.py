"""What is stored of an event and scored: rows of seats, the director's rulings, and the places a table's rows give.

Round places at a table are worth 5 4 3 2 1 场分; who is equal shares the average, so halves occur. A row belongs to the
entrant who was seated, whoever played the cards in the end.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from .values import SEATS

WORTH = (5, 4, 3, 2, 1)
AVERAGE = Fraction(sum(WORTH), SEATS)
"""What a round one did not play counts for those who compare by him: 3 场分."""


@dataclass(frozen=True, slots=True)
class Row:
    """One seat of one table in one round: rounds and tables from 1, seats from 0, `entrant` None for a bot.

    `net` are the points of the seat over all hands of the round. `missed`: the entrant played none of them himself, the
    row is no result of his; the others at the table are compared with the seat all the same.
    """

    round: int
    table: int
    seat: int
    entrant: int | None
    net: int
    missed: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of the director with its reason.

    With `score` the 场分 of that round are set to it (an adjusted score), with `net` its net points; `penalty` is
    taken off the 场分. A ruling without `round` concerns the whole event and can only be a penalty.
    """

    entrant: int
    reason: str
    round: int | None = None
    penalty: Fraction = Fraction(0)
    score: Fraction | None = None
    net: int | None = None

    def __post_init__(self) -> None:
        if self.round is None and not (self.score is None and self.net is None):
            raise ValueError("an adjusted score belongs to a round")


@dataclass(frozen=True, slots=True)
class RoundLine:
    """What one entrant made of one round, as it is explained to him.

    `place` 1…5 at the table and with how many it is `shared` (1: alone); `worth` the 场分 they came to and `net` the
    points, both after rulings; `opponents` the other four seats, None for a bot and for whoever missed the round;
    `reasons` of the rulings that changed the line. A round without a seat, scored by a ruling, has table and place 0.
    """

    round: int
    table: int
    seat: int
    place: int
    shared: int
    worth: Fraction
    net: int
    opponents: tuple[int | None, ...]
    missed: bool
    reasons: tuple[str, ...] = ()


def places(nets: Sequence[int]) -> tuple[int, ...]:
    """The place of each, best net points first; equals have the same, the best of those they share."""
    return tuple(1 + sum(other > net for other in nets) for net in nets)


def worths(nets: Sequence[int]) -> tuple[Fraction, ...]:
    """The 场分 of each of five: 5 4 3 2 1 by place, the average where places are shared."""
    result = []
    for place, net in zip(places(nets), nets, strict=True):
        shared = nets.count(net)
        result.append(Fraction(sum(WORTH[place - 1 : place - 1 + shared]), shared))
    return tuple(result)


def by_table(rows: Iterable[Row]) -> dict[tuple[int, int], tuple[Row, ...]]:
    """The five rows of each closed table by (round, table), in the order of seats.

    Raises ValueError for a table that has not five seats and for an entrant with two rows in a round.
    """
    tables: dict[tuple[int, int], list[Row]] = {}
    seen: set[tuple[int, int]] = set()
    for row in sorted(rows, key=lambda row: (row.round, row.table, row.seat)):
        tables.setdefault((row.round, row.table), []).append(row)
        if row.entrant is not None:
            if (row.round, row.entrant) in seen:
                raise ValueError(f"entrant {row.entrant} has two rows in round {row.round}")
            seen.add((row.round, row.entrant))
    for (number, table), found in tables.items():
        if [row.seat for row in found] != list(range(SEATS)):
            raise ValueError(f"round {number}, table {table} has not five seats")
    return {where: tuple(found) for where, found in tables.items()}


def lines(rows: Iterable[Row], rulings: Iterable[Ruling] = ()) -> dict[int, tuple[RoundLine, ...]]:
    """The rounds of every entrant who has rows, in their order, with rulings applied."""
    decided = _by_round(rulings)
    made: dict[int, list[RoundLine]] = {}
    for (number, table), seats in by_table(rows).items():
        nets = [row.net for row in seats]
        for row, place, worth in zip(seats, places(nets), worths(nets), strict=True):
            if row.entrant is None:
                continue
            line = RoundLine(
                round=number,
                table=table,
                seat=row.seat,
                place=place,
                shared=nets.count(row.net),
                worth=Fraction(0) if row.missed else worth,
                net=0 if row.missed else row.net,
                opponents=tuple(None if other.missed else other.entrant for other in seats if other is not row),
                missed=row.missed,
            )
            made.setdefault(row.entrant, []).append(_ruled(line, decided.get((row.entrant, number), [])))
    for (entrant, number), several in sorted(decided.items()):
        if all(line.round != number for line in made.get(entrant, ())):
            none = RoundLine(number, 0, 0, 0, 0, Fraction(0), 0, (), missed=True)
            made.setdefault(entrant, []).append(_ruled(none, several))
    return {entrant: tuple(sorted(made[entrant], key=lambda line: line.round)) for entrant in sorted(made)}


def _by_round(rulings: Iterable[Ruling]) -> Mapping[tuple[int, int], list[Ruling]]:
    """Adjusted scores by entrant and round. Raises ValueError where a round was adjusted twice."""
    found: dict[tuple[int, int], list[Ruling]] = {}
    for ruling in rulings:
        if ruling.round is not None and not (ruling.score is None and ruling.net is None):
            found.setdefault((ruling.entrant, ruling.round), []).append(ruling)
    for (entrant, number), several in found.items():
        if sum(ruling.score is not None for ruling in several) > 1 or sum(r.net is not None for r in several) > 1:
            raise ValueError(f"round {number} of entrant {entrant} is adjusted twice")
    return found


def _ruled(line: RoundLine, rulings: Sequence[Ruling]) -> RoundLine:
    worth = next((ruling.score for ruling in rulings if ruling.score is not None), line.worth)
    net = next((ruling.net for ruling in rulings if ruling.net is not None), line.net)
    reasons = tuple(sorted(ruling.reason for ruling in rulings))
    return replace(line, worth=worth, net=net, reasons=reasons)
