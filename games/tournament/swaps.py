"""Local search over swaps: five at a table, a weight for every two who share one, the sum as small as can be found.

The sum of weights between each player and each table is kept, so that the worth of a swap is six look-ups. The search
is bounded by a count of looked-at swaps, never by a clock, and draws from the source of chance handed in: the same
weights, start and seed give the same tables on any machine.
"""

import random
from collections.abc import Iterable, Sequence

NEVER = 1 << 60
SHAKES = 400
"""Shakes after which a search is over in any case: small fields have been seen from all sides by then."""


class Swaps:
    """Players 0…n−1 at tables, under symmetric whole `weights` with zeros on the diagonal."""

    def __init__(self, weights: Sequence[Sequence[int]], tables: Iterable[Iterable[int]]) -> None:
        self.weights = weights
        self.tables = [list(table) for table in tables]
        self.looked = 0
        self._place = [0] * len(weights)
        for number, table in enumerate(self.tables):
            for player in table:
                self._place[player] = number
        # toward[t][p]: what p would cost at table t, beside all who sit there; own[p]: what p costs where he is
        self._toward: list[list[int]] = [
            [sum(column) for column in zip(*(weights[p] for p in table), strict=True)] for table in self.tables
        ]
        self._own: list[int] = [self._toward[self._place[player]][player] for player in range(len(weights))]

    def cost(self) -> int:
        """The sum of the weights of all who share a table."""
        return sum(self._own) // 2

    def descend(self, touched: Iterable[int]) -> None:
        """Makes the best swap of each player at the touched tables, and at those it touches, until none pays."""
        waiting = list(touched)
        while waiting:
            number = waiting.pop()
            for player in tuple(self.tables[number]):
                if self._place[player] == number and (other := self._best_swap(player)) is not None:
                    partner = self._place[other]
                    self._swap(player, other)
                    waiting += [table for table in (number, partner) if table not in waiting]

    def improve(self, rng: random.Random, looks: int) -> None:
        """Descends, then shakes the tables that cost most and descends again, until so many swaps were looked at.

        What a shake makes worse is undone. Ends early when nothing costs anything any more.
        """
        self.descend(range(len(self.tables)))
        if len(self.tables) < 2:
            return
        best = self.cost()
        for _ in range(SHAKES):
            if best == 0 or self.looked >= looks:
                return
            before = [list(table) for table in self.tables]
            self.descend(self._shake(rng))
            now = self.cost()
            if now <= best:
                best = now
            else:
                self._restore(before)

    def _best_swap(self, player: int) -> int | None:
        """The other player a swap with whom saves most, if any saves anything."""
        here = self._place[player]
        stay = self._own[player]
        there = [toward[player] for toward in self._toward]
        gains = [
            enters + there[place] - leaves - 2 * both
            for enters, place, leaves, both in zip(
                self._toward[here], self._place, self._own, self.weights[player], strict=True
            )
        ]
        for mate in self.tables[here]:
            gains[mate] = NEVER
        self.looked += len(gains)
        least = min(gains)
        return gains.index(least) if least < stay else None

    def _shake(self, rng: random.Random) -> tuple[int, ...]:
        """Swaps a player, one who costs much rather than one who costs little, with two others; the tables touched."""
        one = max(rng.sample(range(len(self._place)), 3), key=lambda player: (self._own[player], player))
        touched = {self._place[one]}
        for _ in range(2):
            other = rng.randrange(len(self._place))
            if self._place[other] != self._place[one]:
                touched |= {self._place[one], self._place[other]}
                self._swap(one, other)
        return tuple(sorted(touched))

    def _swap(self, a: int, b: int) -> None:
        here, there = self._place[a], self._place[b]
        of_a, of_b = self.weights[a], self.weights[b]
        self.tables[here][self.tables[here].index(a)] = b
        self.tables[there][self.tables[there].index(b)] = a
        self._place[a], self._place[b] = there, here
        self._toward[here] = [w - x + y for w, x, y in zip(self._toward[here], of_a, of_b, strict=True)]
        self._toward[there] = [w + x - y for w, x, y in zip(self._toward[there], of_a, of_b, strict=True)]
        for number in (here, there):
            for player in self.tables[number]:
                self._own[player] = self._toward[number][player]

    def _restore(self, before: list[list[int]]) -> None:
        """Back to these tables, by rebuilding only what differs."""
        for number, table in enumerate(before):
            if self.tables[number] != table:
                self.tables[number] = table
                self._toward[number] = [sum(column) for column in zip(*(self.weights[p] for p in table), strict=True)]
                for player in table:
                    self._place[player] = number
                    self._own[player] = self._toward[number][player]
