"""A whole event without people: entrants with a skill, some of whom leave or miss a round, paired and scored for real.

Nothing here plays: whoever runs the event gets a table and gives back the points of its hands, from cards or from
`SkillModel`, which draws places from skill and luck and lets the rules settle them.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.engine.rules import RuleSet
from games.engine.settlement import settle

from .duplicate import BoardRow, duplicate_standings
from .knockout import knockout_standings, pair_knockout, qualified
from .rotation import fit_slots, pair_rotation
from .rows import Row
from .seating import turned
from .standings import ROTATION, SWISS, Criterion, Standing, standings
from .swiss import pair_swiss
from .values import SEATS, Pairing, Round, Table, drawn_order

FORMATS = ("rotation", "swiss", "knockout", "duplicate")
BLOCK = 5
"""Hands between two turns of the seats."""

Points = tuple[int, ...] | None
"""The points of the five seats in one hand; None for a void one."""

PlayBlock = Callable[[Table, int, int, range], Sequence[Points]]
"""Plays at a table, in a round, at a table number, the hands of a block (numbered in the round from 0)."""


@dataclass(frozen=True, slots=True)
class Absence:
    """An entrant misses the round `since`; he withdraws with it, or was late and plays on."""

    since: int
    for_good: bool


class Simulation:
    """One event from its entries to its standings. `rounds` is the most that are played; a knockout may end before."""

    def __init__(self, format: str, players: int, rounds: int, hands: int, seed: int, drop: Fraction) -> None:
        if format not in FORMATS:
            raise ValueError(f"no format {format}")
        rng = random.Random(f"event:{seed}")
        self.format, self.rounds, self.hands, self.seed = format, rounds, hands, str(seed)
        self.entrants = tuple(range(1, players + 1))
        self.skill = {entrant: rng.gauss(0, 1) for entrant in self.entrants}
        self.clubs = {entrant: rng.randrange(max(2, players // 8)) for entrant in self.entrants}
        gone = rng.sample(self.entrants, round(players * drop))
        self.absences = {e: Absence(rng.randint(1, rounds), number % 2 == 0) for number, e in enumerate(gone)}
        self.pairings: list[Pairing] = []
        self.rows: list[Row] = []
        self.board_rows: list[BoardRow] = []
        self._slots: tuple[int | None, ...] = ()

    @property
    def past(self) -> tuple[Round, ...]:
        """The rounds paired so far."""
        return tuple(pairing.tables for pairing in self.pairings)

    def withdrawn(self, number: int) -> frozenset[int]:
        """Who has left for good before this round is paired; who leaves in a round is still paired for it."""
        return frozenset(e for e, absence in self.absences.items() if absence.for_good and absence.since < number)

    def pair(self, table: Sequence[Standing]) -> Pairing | None:
        """Pairs the next round by the present standings; None when the event is over."""
        number = len(self.pairings) + 1
        out = self.withdrawn(number)
        active = [entrant for entrant in self.entrants if entrant not in out]
        if number > self.rounds or not active:
            return None
        made: Pairing
        if self.format == "swiss":
            order = [s.entrant for s in table if s.entrant not in out]
            scores = {s.entrant: s.value(Criterion.SCORE) for s in table}
            made = pair_swiss(order, scores, self.past, self.seed, self.clubs)
        elif self.format == "knockout":
            order = (
                list(drawn_order(active, self.seed))
                if not self.pairings
                else [line.entrant for line in qualified(self.rows, self.seed, out)]
            )
            if not order:
                return None
            made = pair_knockout(order, self.past, self.seed)
        else:
            self._slots = fit_slots(self._slots, drawn_order(active, self.seed))
            made = pair_rotation(self._slots, self.rounds, self.past, self.seed)
        self.pairings.append(made)
        return made

    def play(self, play: PlayBlock) -> None:
        """Plays the round paired last and keeps its rows."""
        number = len(self.pairings)
        for table_number, table in enumerate(self.pairings[-1].tables, 1):
            net = dict.fromkeys(range(SEATS), 0)
            for start in range(0, self.hands, BLOCK):
                block = range(start, min(start + BLOCK, self.hands))
                order = turned(range(SEATS), start // BLOCK)
                seated = turned(table, start // BLOCK)
                for hand, points in zip(block, play(seated, number, table_number, block), strict=True):
                    for seat, first in enumerate(order):
                        net[first] += points[seat] if points else 0
                    self._keep_board(number, hand, table_number, seated, points)
            for seat, entrant in enumerate(table):
                self.rows.append(Row(number, table_number, seat, entrant, net[seat], self.missed(entrant, number)))

    def missed(self, entrant: int | None, number: int) -> bool:
        """Whether this entrant does not turn up in this round."""
        absence = self.absences.get(entrant) if entrant is not None else None
        return absence is not None and absence.since == number

    def standings(self) -> tuple[Standing, ...]:
        """Everybody's standing after the rounds played."""
        if self.format == "duplicate":
            return duplicate_standings(self.board_rows, self.entrants, self.seed)
        if self.format == "knockout":
            return knockout_standings(self.rows, self.entrants, self.seed)
        return standings(SWISS if self.format == "swiss" else ROTATION, self.rows, self.entrants, self.seed)

    def _keep_board(self, number: int, hand: int, table_number: int, seated: Table, points: Points) -> None:
        if self.format == "duplicate":
            self.board_rows += [
                BoardRow(
                    number, hand + 1, table_number, seat, entrant, points[seat] if points else None,
                    self.missed(entrant, number),
                )
                for seat, entrant in enumerate(seated)
            ]  # fmt: skip


class SkillModel:
    """Results without cards: places by skill, the luck of the seat's cards and the moment; points by the rules.

    The luck of the cards is the same for a seat on the same board at every table where boards are shared.
    """

    CARDS, MOMENT = 1.5, 1.0

    def __init__(self, rules: RuleSet, skill: dict[int, float], seed: int, *, shared: bool) -> None:
        self.rules, self.skill, self.seed, self.shared = rules, skill, seed, shared

    def play(self, table: Table, number: int, table_number: int, block: range) -> tuple[Points, ...]:
        """The points of every hand of the block; a bot plays like a weak entrant."""
        return tuple(self._hand(table, number, table_number, hand) for hand in block)

    def _hand(self, table: Table, number: int, table_number: int, hand: int) -> Points:
        board = f"{self.seed}:{number}:{hand}" if self.shared else f"{self.seed}:{number}:{hand}:{table_number}"
        cards = random.Random(f"cards:{board}")
        moment = random.Random(f"moment:{self.seed}:{number}:{hand}:{table_number}")
        luck = [cards.gauss(0, self.CARDS) for _ in table]
        emperor, guard = cards.sample(range(SEATS), 2)
        strength = [
            (self.skill[entrant] if entrant is not None else -1.0) + mine + moment.gauss(0, self.MOMENT)
            for entrant, mine in zip(table, luck, strict=True)
        ]
        order = sorted(range(SEATS), key=lambda seat: -strength[seat])
        places = [order.index(seat) + 1 for seat in range(SEATS)]
        return settle(self.rules, emperor=emperor, guard=guard, solo=None, guard_open=False, places=places).points
