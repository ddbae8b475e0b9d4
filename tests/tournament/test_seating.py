"""Seats: what turning evens out inside a round and over an event."""

from collections import Counter
from itertools import permutations

import pytest

from games.tournament.seating import first_dealt, seat_cost, seat_tables, turned
from games.tournament.values import History, neighbours

from .events import played, tables


def test_in_four_blocks_everybody_has_everybody_once_on_each_side() -> None:
    after: Counter[tuple[str, str]] = Counter()
    for block in range(4):
        order = turned("ABCDE", block)
        assert sorted(order) == list("ABCDE")
        after.update((order[seat], order[(seat + 1) % 5]) for seat in range(5))
    assert set(after.values()) == {1}
    assert len(after) == 20


def test_the_seats_of_the_first_block_are_those_of_the_round() -> None:
    assert turned("ABCDE", 0) == tuple("ABCDE")


def test_five_hands_deal_to_each_seat_first_once() -> None:
    assert sorted(first_dealt(hand) for hand in range(5, 10)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("format, players", [("rotation", 25), ("rotation", 60), ("swiss", 60), ("duplicate", 35)])
def test_in_five_rounds_nearly_everybody_sits_in_every_seat(format: str, players: int) -> None:
    history = History(played(format, players, 5).past)
    visits = [[history.seats[entrant, seat] for seat in range(5)] for entrant in range(1, players + 1)]
    assert max(max(each) for each in visits) <= 2
    assert sum(each == [1] * 5 for each in visits) > players / 3


def test_a_table_that_meets_again_sits_otherwise() -> None:
    first = tables("1 2 3 4 5")
    (second,) = seat_tables(first, [first], "s")
    history = History([first])
    assert not set(neighbours(second)) & set(history.beside), "those who were neighbours no longer are"
    assert sum(history.seats[entrant, seat] for seat, entrant in enumerate(second) if entrant) <= 1
    assert seat_cost(second, history) == min(seat_cost(order, history) for order in permutations(first[0]))


def test_the_seed_seats_a_first_round() -> None:
    first = tables("1 2 3 4 5 / 6 7 8 9 bot")
    assert seat_tables(first, [], "a") == seat_tables(first, [], "a")
    assert len({seat_tables(first, [], seed) for seed in "abcdefgh"}) > 4
