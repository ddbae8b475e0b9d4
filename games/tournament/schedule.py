"""排位轮转: schedules in which as many as possible meet, fixed before the first card: which slot sits where in a round.

5q slots are five classes of q. In round r the table t seats of class c the slot whose number in its class is t plus a
step that depends on c and r. Two of different classes then meet once in all rounds if, for every two classes, the
differences of their steps are all different. For q without the factors 2 and 3 (5, 7, 11, 13, 17 …) the step c·r does
it for q rounds; for 8, 9 and 12 tables of steps do; for other q as many rounds as a search finds. Rounds beyond these
come from swaps that lower Σ met².
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from .fill import ALONE
from .swaps import Swaps
from .values import SEATS

Slots = tuple[tuple[int, ...], ...]
"""The slots 0…5q−1 at each table of a round."""

# The steps of classes 2, 3, 4 (class 0 stays, class 1 moves by r) for the q whose products c·r would repeat. Numbers
# stand for vectors over these moduli: 8 and 9 are products in the fields of that size, 12 was found by search.
_VECTORS: dict[int, tuple[int, ...]] = {8: (2, 2, 2), 9: (3, 3), 12: (2, 6)}
_STEPS: dict[int, tuple[tuple[int, ...], ...]] = {
    8: ((0, 2, 4, 6, 3, 1, 7, 5), (0, 3, 6, 5, 7, 4, 1, 2), (0, 4, 3, 7, 6, 2, 5, 1)),
    9: ((0, 2, 1, 6, 8, 7, 3, 5, 4), (0, 3, 6, 2, 5, 8, 1, 4, 7), (0, 4, 8, 5, 6, 1, 7, 2, 3)),
    12: (
        (0, 8, 10, 9, 7, 3, 5, 6, 1, 11, 2, 4),
        (0, 3, 7, 10, 11, 6, 2, 4, 9, 1, 8, 5),
        (0, 7, 6, 1, 9, 2, 8, 3, 11, 4, 5, 10),
    ),
}

TRIES, NODES, BRANCHES = 12, 300, 3
"""How often, how far and how broadly steps are searched for other q: a fraction of a second."""

LOOKS = 250_000
"""Swaps looked at for each round beyond the steps, and again when it is looked at a second time."""


@lru_cache(maxsize=32)
def plan(q: int, rounds: int) -> tuple[Slots, ...]:
    """Which slots sit together in each of so many rounds with q tables; the same wherever it is asked.

    Slots of one class (5 classes of q, one after the other) do not meet while the steps last.
    Raises ValueError when there is no table or no round.
    """
    if q < 1 or rounds < 1:
        raise ValueError("a plan has tables and rounds")
    made = [tuple(tuple(c * q + add(q, t, step) for c, step in enumerate(column)) for t in range(q))
            for column in steps(q, rounds)]  # fmt: skip
    if q == SEATS and len(made) < rounds:
        # the classes themselves: nobody has met anybody of his own
        made.append(tuple(tuple(range(c * q, c * q + q)) for c in range(SEATS)))
    return tuple(_with_more(made, q, rounds)) if len(made) < rounds else tuple(made)


def steps(q: int, rounds: int) -> tuple[tuple[int, ...], ...]:
    """For at most so many rounds, what is added to the table's number in each of the five classes."""
    if q % 2 and q % 3:
        return tuple(tuple(c * r % q for c in range(SEATS)) for r in range(min(q, rounds)))
    if q in _STEPS:
        rows = ((0,) * q, tuple(range(q)), *_STEPS[q])
        return tuple(tuple(row[r] for row in rows) for r in range(min(q, rounds)))
    return _searched(q, min(q, rounds))


def add(q: int, a: int, b: int) -> int:
    """The sum of two numbers in the group that schedules with q tables use: mod q, but for 8, 9 and 12 by digits."""
    total, weight = 0, 1
    for modulus in _VECTORS.get(q, (q,)):
        total += weight * ((a + b) % modulus)
        a, b, weight = a // modulus, b // modulus, weight * modulus
    return total


def met_squares(rounds: Sequence[Slots]) -> int:
    """Σ met² over all pairs: the number of pairs at tables if nobody meets twice, more if somebody does."""
    met: dict[tuple[int, int], int] = {}
    for tables in rounds:
        for table in tables:
            for two in combinations(sorted(table), 2):
                met[two] = met.get(two, 0) + 1
    return sum(times * times for times in met.values())


def _searched(q: int, wanted: int) -> tuple[tuple[int, ...], ...]:
    """Columns of steps mod q whose differences between two classes never repeat, as many as a short search finds."""
    best: list[tuple[int, ...]] = []
    for number in range(TRIES):
        found = _Columns(q, wanted, random.Random(f"steps:{q}:{number}")).find()
        if len(found) > len(best):
            best = found
        if len(best) == wanted:
            break
    return tuple(best)


class _Columns:
    """A search in depth for columns of steps, a few branches at every depth."""

    def __init__(self, q: int, wanted: int, rng: random.Random) -> None:
        self.q, self.wanted, self.rng, self.nodes = q, wanted, rng, 0
        self.columns: list[tuple[int, ...]] = []
        self.best: list[tuple[int, ...]] = []
        self.used: dict[tuple[int, int], set[int]] = {two: set() for two in combinations(range(SEATS), 2)}

    def find(self) -> list[tuple[int, ...]]:
        self._deeper()
        return self.best

    def _deeper(self) -> bool:
        """Whether to stop: enough columns, or enough looked at."""
        if len(self.columns) > len(self.best):
            self.best = list(self.columns)
        if len(self.best) == self.wanted:
            return True
        for branch, column in enumerate(self._candidates((0,))):
            self.nodes += 1
            if self.nodes > NODES:
                return True
            self.columns.append(column)
            for (c, d), used in self.used.items():
                used.add((column[d] - column[c]) % self.q)
            if self._deeper():
                return True
            self.columns.pop()
            for (c, d), used in self.used.items():
                used.discard((column[d] - column[c]) % self.q)
            if branch == BRANCHES:
                return False
        return False

    def _candidates(self, column: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Every way to go on with this column, in an order of chance."""
        d = len(column)
        if d == SEATS:
            yield column
            return
        order = list(range(self.q))
        self.rng.shuffle(order)
        for step in order:
            if all((step - column[c]) % self.q not in self.used[c, d] for c in range(d)):
                yield from self._candidates((*column, step))


def _with_more(made: list[Slots], q: int, rounds: int) -> list[Slots]:
    """The rounds made, and more: each lowers Σ met² against those before, then each is looked at again once."""
    rng = random.Random(f"plan:{q}:{rounds}")
    first = len(made)
    for _ in range(first, rounds):
        order = list(range(SEATS * q))
        rng.shuffle(order)
        start = [order[t * SEATS : t * SEATS + SEATS] for t in range(q)]
        made.append(_searched_round(made, start, q, rng))
    for number in range(first, rounds):
        others = made[:number] + made[number + 1 :]
        made[number] = _searched_round(others, made[number], q, rng)
    return made


def _searched_round(others: Sequence[Slots], start: Sequence[Sequence[int]], q: int, rng: random.Random) -> Slots:
    """A round that adds little to Σ met² of the others; the last four slots, where bots may sit, stay apart."""
    weights = [[0] * (SEATS * q) for _ in range(SEATS * q)]
    for tables in others:
        for table in tables:
            for a, b in combinations(table, 2):
                weights[a][b] += 1
                weights[b][a] += 1
    if q >= SEATS - 1:
        for a, b in combinations(range(SEATS * q - SEATS + 1, SEATS * q), 2):
            weights[a][b] = weights[b][a] = ALONE
    search = Swaps(weights, start)
    search.improve(rng, LOOKS)
    return tuple(tuple(sorted(table)) for table in search.tables)
