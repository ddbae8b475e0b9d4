"""Who stands where and why: the chains of criteria of each format, applied to rows.

Standings are a pure function of the rows, the rulings and the published seed of the lots: the order in which rows come
does not matter. Each standing carries the values it was ranked by, the lines they were added up from, and by which
criterion it differs from the neighbour above and below: the answer to “why am I 7th”.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from .rows import AVERAGE, RoundLine, Row, Ruling, lines
from .values import lot


class Criterion(StrEnum):
    """What entrants are ranked by; more is better but for STAGE_PLACE and LOT."""

    SCORE = "score"  # 场分
    OPPONENTS = "opponents"  # 对手分
    FIRSTS = "firsts"  # rounds won at the table, shared ones too
    NET = "net"  # net points
    DIRECT = "direct"  # tables shared with equals: finished higher minus finished lower
    MATCH_POINTS = "match_points"  # duplicate
    CROSS = "cross"  # duplicate: cross-difference
    STAGE = "stage"  # knockout: the last stage played
    STAGE_PLACE = "stage_place"  # knockout: the place at the table of that stage
    TOTAL = "total"  # knockout: points carried and made
    LOT = "lot"


LOWER_IS_BETTER = frozenset({Criterion.STAGE_PLACE, Criterion.LOT})
SWISS = (Criterion.SCORE, Criterion.OPPONENTS, Criterion.FIRSTS, Criterion.NET, Criterion.LOT)
ROTATION = (Criterion.SCORE, Criterion.NET, Criterion.FIRSTS, Criterion.DIRECT, Criterion.LOT)


@dataclass(frozen=True, slots=True)
class Reason:
    """The first criterion by which an entrant differs from a neighbour in the standings, and both values."""

    other: int
    criterion: Criterion
    own: Fraction
    theirs: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings: the `values` in the order of the chain.

    `above` is None for the first, `below` for the last. `lines` are the rounds behind the values; `penalties` pairs of
    场分 taken off and the director's reason.
    """

    place: int
    entrant: int
    values: tuple[tuple[Criterion, Fraction], ...]
    lines: tuple[RoundLine, ...] = ()
    penalties: tuple[tuple[Fraction, str], ...] = ()
    above: Reason | None = None
    below: Reason | None = None

    def value(self, criterion: Criterion) -> Fraction:
        """The value of one criterion. Raises KeyError when the chain has none."""
        return dict(self.values)[criterion]


Grouped = Callable[[Collection[int]], Mapping[int, Fraction]]
"""A criterion that depends on who is equal so far."""


def standings(
    chain: Sequence[Criterion], rows: Iterable[Row], entrants: Iterable[int], seed: str, rulings: Iterable[Ruling] = ()
) -> tuple[Standing, ...]:
    """Everybody's standing by the chain SWISS or ROTATION (or another made of the same criteria).

    `rows` of closed tables; `entrants` all who are to be listed, those without rows too.
    Raises ValueError for rows that are no whole tables, for two rows of one entrant in a round, for a round adjusted
    twice, and for rows of somebody who is no entrant.
    """
    rows, rulings = tuple(rows), tuple(rulings)
    listed = frozenset(entrants)
    played = lines(rows, rulings)
    if not listed.issuperset(played):
        raise ValueError("rows of somebody who is no entrant")
    penalties = {entrant: _penalties(entrant, rulings) for entrant in listed}
    own = {entrant: played.get(entrant, ()) for entrant in listed}
    score = {e: sum((line.worth for line in own[e]), -sum((p for p, _ in penalties[e]), Fraction(0))) for e in listed}
    rounds = frozenset(row.round for row in rows)
    fixed: dict[Criterion, Mapping[int, Fraction]] = {
        Criterion.SCORE: score,
        Criterion.OPPONENTS: _opponents(own, rounds),
        Criterion.FIRSTS: {e: Fraction(sum(x.place == 1 and not x.missed for x in own[e])) for e in listed},
        Criterion.NET: {e: Fraction(sum(line.net for line in own[e])) for e in listed},
        Criterion.LOT: {e: Fraction(lot(seed, e)) for e in listed},
    }
    found = ranked(chain, listed, fixed, {Criterion.DIRECT: lambda group: _direct(own, group)})
    return tuple(
        Standing(s.place, s.entrant, s.values, own[s.entrant], penalties[s.entrant], s.above, s.below) for s in found
    )


def ranked(
    chain: Sequence[Criterion],
    entrants: Collection[int],
    fixed: Mapping[Criterion, Mapping[int, Fraction]],
    grouped: Mapping[Criterion, Grouped] | None = None,
) -> tuple[Standing, ...]:
    """The entrants in order of the chain, with values, places and reasons; what is equal to the end goes by number."""
    values: dict[int, list[tuple[Criterion, Fraction]]] = {entrant: [] for entrant in entrants}
    groups = [sorted(entrants)] if entrants else []
    for criterion in chain:
        finer: list[list[int]] = []
        for group in groups:
            found = fixed[criterion] if criterion in fixed else (grouped or {})[criterion](group)
            classes: dict[Fraction, list[int]] = {}
            for entrant in group:
                values[entrant].append((criterion, found[entrant]))
                classes.setdefault(found[entrant], []).append(entrant)
            finer += [classes[value] for value in sorted(classes, reverse=criterion not in LOWER_IS_BETTER)]
        groups = finer
    order = [entrant for group in groups for entrant in group]
    last = len(order) - 1
    return tuple(
        Standing(
            place=number + 1,
            entrant=entrant,
            values=tuple(values[entrant]),
            above=_reason(values, entrant, order[number - 1]) if number else None,
            below=_reason(values, entrant, order[number + 1]) if number < last else None,
        )
        for number, entrant in enumerate(order)
    )


def _reason(values: Mapping[int, Sequence[tuple[Criterion, Fraction]]], one: int, other: int) -> Reason | None:
    for (criterion, own), (_, theirs) in zip(values[one], values[other], strict=True):
        if own != theirs:
            return Reason(other, criterion, own, theirs)
    return None


def _penalties(entrant: int, rulings: Sequence[Ruling]) -> tuple[tuple[Fraction, str], ...]:
    return tuple(sorted((r.penalty, r.reason) for r in rulings if r.entrant == entrant and r.penalty))


def _opponents(own: Mapping[int, Sequence[RoundLine]], rounds: Collection[int]) -> dict[int, Fraction]:
    """对手分: the 场分 of all one met, without penalties.

    A round an opponent did not play counts 3, so a bot counts 3 for each round of the event. A round one missed oneself
    brings no opponents.
    """
    worth = {}
    for entrant, played in own.items():
        counted = [line.worth for line in played if not line.missed or line.reasons]
        worth[entrant] = sum(counted, AVERAGE * (len(rounds) - len(counted)))
    bot = AVERAGE * len(rounds)
    return {
        entrant: sum(
            (
                bot if opponent is None else worth[opponent]
                for line in played
                if not line.missed
                for opponent in line.opponents
            ),
            Fraction(0),
        )
        for entrant, played in own.items()
    }


def _direct(own: Mapping[int, Sequence[RoundLine]], group: Collection[int]) -> dict[int, Fraction]:
    """At tables shared with others of the group: how often one finished above one of them, minus how often below."""
    at: dict[tuple[int, int], list[tuple[int, RoundLine]]] = {}
    for entrant in group:
        for line in own[entrant]:
            if not line.missed:
                at.setdefault((line.round, line.table), []).append((entrant, line))
    balance = {entrant: 0 for entrant in group}
    for seats in at.values():
        for entrant, line in seats:
            balance[entrant] += sum((line.worth > other.worth) - (line.worth < other.worth) for _, other in seats)
    return {entrant: Fraction(value) for entrant, value in balance.items()}
