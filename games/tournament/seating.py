"""Which seat at the table: seats turn so that everybody sits in every seat and beside everybody equally often.

Inside a round of more than five hands the order turns every five hands: in block b the seat after player i's is that
of player i+k mod 5, with another step k in each of four blocks, so that in 20 hands each has each other once on his
left and once on his right. In every block each seat is dealt to first once. Between rounds each table takes,
of the 120 ways to sit, the one that evens out best what its players had before.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

from .values import SEATS, History, Round, Table, lot, neighbours

T = TypeVar("T")

STEPS = (1, 2, 4, 3)
"""The step from neighbour to neighbour in each block of five hands; 1 and 4, like 2 and 3, are one circle both ways."""

SAME_SEAT, SAME_NEIGHBOUR = 2, 1
_ORDERS = tuple(permutations(range(SEATS)))


def turned(table: Sequence[T], block: int) -> tuple[T, ...]:
    """Who sits in seats 0…4 in the block of five hands with this number, from those of block 0."""
    step = STEPS[block % len(STEPS)]
    return tuple(table[(block + seat * step) % SEATS] for seat in range(SEATS))


def first_dealt(hand: int) -> int:
    """The seat dealt to first in the hand with this number, from 0, where hands of a round stand for themselves."""
    return hand % SEATS


def seat_tables(tables: Round, past: Sequence[Round], seed: str) -> Round:
    """The same tables with their players in seats: fewest returns to a seat (squared), then to a neighbour.

    Where several ways are equally good, the seed decides.
    """
    history = History(past)
    return tuple(_seated(table, history, f"{seed}:{len(past)}:{number}") for number, table in enumerate(tables))


def seat_cost(table: Table, history: History) -> int:
    """What these seats repeat: the growth of Σ sat here² over seats and of Σ beside² over neighbours."""
    return SAME_SEAT * sum(
        2 * history.seats[entrant, seat] + 1 for seat, entrant in enumerate(table) if entrant is not None
    ) + SAME_NEIGHBOUR * sum(2 * history.beside[two] + 1 for two in neighbours(table))


def _seated(table: Table, history: History, seed: str) -> Table:
    sat = [
        [0 if entrant is None else SAME_SEAT * 2 * history.seats[entrant, seat] for seat in range(SEATS)]
        for entrant in table
    ]
    beside = [
        [
            0 if a is None or b is None else SAME_NEIGHBOUR * 2 * history.beside[(a, b) if a < b else (b, a)]
            for b in table
        ]
        for a in table
    ]
    # the lot turns the list of orders, so that a first round is not seated in the order of the ranking
    start = lot(seed, 0) % len(_ORDERS)
    best = min(
        _ORDERS[start:] + _ORDERS[:start],
        key=lambda o: (
            sat[o[0]][0] + sat[o[1]][1] + sat[o[2]][2] + sat[o[3]][3] + sat[o[4]][4]
            + beside[o[0]][o[1]] + beside[o[1]][o[2]] + beside[o[2]][o[3]] + beside[o[3]][o[4]] + beside[o[4]][o[0]]
        ),
    )  # fmt: skip
    return tuple(table[i] for i in best)
