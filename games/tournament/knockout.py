"""淘汰: the top two of each table go on, best thirds fill the tables of the next stage, half of the points come along.

Stages are rounds of `Row`s. In a stage an entrant's total is what he carried plus his net points; half of it, exactly,
is carried on. Bots and whoever missed the stage do not go on. A ruling may set the net points of a stage or take points
off them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .fill import bots_for, tables_for
from .rows import Row, Ruling, by_table
from .seating import seat_tables
from .standings import Criterion, Standing, ranked
from .swiss import described
from .values import SEATS, History, Pairing, Round, lot

CHAIN = (Criterion.STAGE, Criterion.STAGE_PLACE, Criterion.TOTAL, Criterion.NET, Criterion.LOT)
STRAIGHT = 2
"""How many of each table go on by their place alone."""


@dataclass(frozen=True, slots=True)
class StageLine:
    """One entrant in one stage: his place among the people of the table, net points, and those carried and in all."""

    stage: int
    table: int
    entrant: int
    place: int
    net: Fraction
    carried: Fraction
    missed: bool

    @property
    def total(self) -> Fraction:
        """Points carried and made."""
        return self.carried + self.net

    @property
    def carries(self) -> Fraction:
        """What he takes into the next stage."""
        return self.total / 2


def stage_lines(rows: Iterable[Row], seed: str, rulings: Iterable[Ruling] = ()) -> dict[int, tuple[StageLine, ...]]:
    """Every entrant's stages. At a table the higher total is ahead, then the higher net points, then the lot.

    Net points, and so totals, may be fractions where a penalty is one. Raises ValueError as `by_table` does.
    """
    made: dict[int, tuple[StageLine, ...]] = {}
    rulings = tuple(rulings)
    for (stage, table), seats in sorted(by_table(rows).items()):
        here = []
        for row in seats:
            if row.entrant is not None:
                before = made.get(row.entrant, ())
                carried = before[-1].carries if before else Fraction(0)
                net = _net(row, rulings)
                here.append(StageLine(stage, table, row.entrant, 0, net, carried, row.missed))
        here.sort(key=lambda line: (line.missed, -line.total, -line.net, lot(seed, line.entrant)))
        for place, line in enumerate(here, 1):
            placed = StageLine(stage, table, line.entrant, place, line.net, line.carried, line.missed)
            made[line.entrant] = (*made.get(line.entrant, ()), placed)
    return made


def qualified(
    rows: Iterable[Row], seed: str, gone: Collection[int] = (), rulings: Iterable[Ruling] = ()
) -> tuple[StageLine, ...]:
    """Who plays the next stage, best seed first: by place, then total, net points and lot. Empty after the final.

    Empty too when nobody is left. The first two of each table, then the best thirds until tables are full; `gone` have
    withdrawn, whoever was behind them at their table moves up.
    """
    last = _last_stage(stage_lines(rows, seed, rulings))
    tables = len({line.table for line in last})
    if tables < 2:
        return ()
    groups: dict[int, list[StageLine]] = {}
    for line in sorted(last, key=lambda line: (line.table, line.place)):
        if not line.missed and line.entrant not in gone:
            groups.setdefault(line.table, []).append(line)
    straight = [line for group in groups.values() for line in group[:STRAIGHT]]
    thirds = [line for group in groups.values() for line in group[STRAIGHT : STRAIGHT + 1]]
    free = tables_for(STRAIGHT * tables) * SEATS - len(straight)
    thirds.sort(key=lambda line: _seeding(line, seed))
    return tuple(sorted([*straight, *thirds[:free]], key=lambda line: _seeding(line, seed)))


def pair_knockout(order: Sequence[int], past: Sequence[Round], seed: str) -> Pairing:
    """Serpentine: the best to tables 1, 2, … n, the next to n, … 2, 1, and so on; bots come last, seats are turned.

    `order` are all who play the stage, best seed first (before the first stage by rating, or by lot).
    Raises ValueError when somebody is listed twice.
    """
    if len(set(order)) != len(order):
        raise ValueError("somebody is in the order twice")
    count = tables_for(len(order))
    tables: list[list[int | None]] = [[] for _ in range(count)]
    for number, entrant in enumerate([*order, *[None] * bots_for(len(order))]):
        lap, step = divmod(number, count)
        tables[count - 1 - step if lap % 2 else step].append(entrant)
    seated = seat_tables(tuple(tuple(table) for table in tables), past, seed)
    return described(seated, {}, History(past), {}, seed)


def stages(entrants: int) -> tuple[int, ...]:
    """How many play in each stage until the final, if nobody drops out: 60 gives 60, 25, 10, 5."""
    sizes = [entrants]
    while (tables := tables_for(sizes[-1])) > 1:
        people_at = [SEATS - (1 if table < bots_for(sizes[-1]) else 0) for table in range(tables)]
        thirds = sum(people > STRAIGHT for people in people_at)
        sizes.append(min(tables_for(STRAIGHT * tables) * SEATS, STRAIGHT * tables + thirds))
    return tuple(sizes)


def knockout_standings(
    rows: Iterable[Row], entrants: Iterable[int], seed: str, rulings: Iterable[Ruling] = ()
) -> tuple[Standing, ...]:
    """Everybody by the last stage he played, his place at its table, his total there, its net points, the lot."""
    listed = frozenset(entrants)
    played = stage_lines(rows, seed, rulings)
    if not listed.issuperset(played):
        raise ValueError("rows of somebody who is no entrant")
    last = {entrant: played[entrant][-1] if entrant in played else None for entrant in listed}
    return ranked(
        CHAIN,
        listed,
        {
            Criterion.STAGE: {e: Fraction(x.stage if x else 0) for e, x in last.items()},
            Criterion.STAGE_PLACE: {e: Fraction(x.place if x else 0) for e, x in last.items()},
            Criterion.TOTAL: {e: x.total if x else Fraction(0) for e, x in last.items()},
            Criterion.NET: {e: x.net if x else Fraction(0) for e, x in last.items()},
            Criterion.LOT: {e: Fraction(lot(seed, e)) for e in listed},
        },
    )


def _last_stage(made: dict[int, tuple[StageLine, ...]]) -> list[StageLine]:
    newest = max((all_[-1].stage for all_ in made.values()), default=0)
    return [all_[-1] for all_ in made.values() if all_[-1].stage == newest]


def _seeding(line: StageLine, seed: str) -> tuple[int, Fraction, Fraction, int]:
    return line.place, -line.total, -line.net, lot(seed, line.entrant)


def _net(row: Row, rulings: Sequence[Ruling]) -> Fraction:
    """The net points of a row after the director's rulings on that stage."""
    about = [ruling for ruling in rulings if (ruling.entrant, ruling.round) == (row.entrant, row.round)]
    net = next((ruling.net for ruling in about if ruling.net is not None), 0 if row.missed else row.net)
    return net - sum((ruling.penalty for ruling in about), Fraction(0))
