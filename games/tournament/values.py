"""The words of a tournament: a table, a round, a pairing with its cost, and what earlier rounds say about two entrants.

Scores are 场分, exact fractions (half points occur); net points are the points of RULES §8 summed over the hands of a
round. Nothing here decides anything.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import combinations

SEATS = 5

Table = tuple[int | None, ...]
"""Five seats in order; `None` is a bot."""

Round = tuple[Table, ...]
Pair = tuple[int, int]
"""Two entrants, the lower number first."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables of a round, the seed that decided what chance decided, and what the result costs.

    `repeats` counts pairs at one table that have met before, `again` those that met in the last round, `clubmates`
    pairs of one club (where they are kept apart), `spread` the sum over all entrants of the squared distance from the
    mean score of their table. `cost` is what the search minimised.
    """

    tables: Round
    seed: str
    cost: Fraction = Fraction(0)
    repeats: int = 0
    again: int = 0
    clubmates: int = 0
    spread: Fraction = Fraction(0)

    @property
    def bots(self) -> int:
        """How many seats are filled by bots."""
        return sum(table.count(None) for table in self.tables)


class History:
    """What the rounds played so far say: who met whom, who had a bot at the table, who sat where and beside whom."""

    def __init__(self, past: Sequence[Round]) -> None:
        self.rounds = len(past)
        self.met: Counter[Pair] = Counter()
        self.last: frozenset[Pair] = frozenset(met_at(past[-1])) if past else frozenset()
        self.bots: Counter[int] = Counter()
        self.seats: Counter[tuple[int, int]] = Counter()
        self.beside: Counter[Pair] = Counter()
        for tables in past:
            self.met.update(met_at(tables))
            for table in tables:
                self.bots.update({entrant: table.count(None) for entrant in people(table)})
                self.seats.update((entrant, seat) for seat, entrant in enumerate(table) if entrant is not None)
                self.beside.update(neighbours(table))


def pair(a: int, b: int) -> Pair:
    """The two in the order in which they are looked up."""
    return (a, b) if a < b else (b, a)


def people(table: Table) -> tuple[int, ...]:
    """The entrants at a table, without bots."""
    return tuple(entrant for entrant in table if entrant is not None)


def met_at(tables: Iterable[Table]) -> Iterator[Pair]:
    """Every two entrants that share a table."""
    for table in tables:
        yield from (pair(a, b) for a, b in combinations(people(table), 2))


def neighbours(table: Table) -> Iterator[Pair]:
    """Every two entrants that sit side by side."""
    for seat, one in enumerate(table):
        other = table[(seat + 1) % len(table)]
        if one is not None and other is not None:
            yield pair(one, other)


def lot(seed: str, entrant: int) -> int:
    """The lot this entrant drew, lower is better: the first 8 bytes of the SHA-256 of `seed:entrant`."""
    return int.from_bytes(sha256(f"{seed}:{entrant}".encode()).digest()[:8], "big")


def drawn_order(entrants: Iterable[int], seed: str) -> tuple[int, ...]:
    """The entrants in the order of their lots."""
    return tuple(sorted(entrants, key=lambda entrant: (lot(seed, entrant), entrant)))


def shown(value: Fraction | int) -> str:
    """A score as people write it: at most three decimals, none that are zero."""
    if value == int(value):
        return str(int(value))
    thousandths = round(Fraction(value) * 1000)
    sign, digits = "-" if thousandths < 0 else "", f"{abs(thousandths):04d}"
    return (sign + digits[:-3] + "." + digits[-3:]).rstrip("0").rstrip(".")
