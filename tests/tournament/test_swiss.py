"""The Swiss pairing: laws of every round, what it weighs, bots, and its time."""

import time
from fractions import Fraction
from statistics import median

import pytest

from games.tournament.fill import bot_company, bots_at_tables, tables_in_order
from games.tournament.standings import SWISS, standings
from games.tournament.swiss import pair_swiss
from games.tournament.values import people
from tests.pace import slowness

from .events import check_round, meetings, played, tables

NOBODY: dict[int, Fraction] = {}


SOME = (*range(5, 13), 21, 24, 44)
"""Every rest by five, with few and with many; the others are tried in the long run."""


@pytest.mark.parametrize(
    "players", [pytest.param(n, marks=() if n in SOME else pytest.mark.slow) for n in (*range(5, 31), 44, 61)]
)
def test_every_entrant_has_one_seat_in_every_round(players: int) -> None:
    event = played("swiss", players, 3, drop="0.2")
    for number, pairing in enumerate(event.pairings, 1):
        check_round(pairing, [e for e in event.entrants if e not in event.withdrawn(number)])


@pytest.mark.parametrize("players, rounds", [(25, 3), (40, 5), (60, 6), (61, 6), (100, 7), (200, 7)])
def test_nobody_meets_twice_where_that_is_possible(players: int, rounds: int) -> None:
    event = played("swiss", players, rounds, drop="0.1")
    assert set(meetings(event.past).values()) == {1}
    assert all(pairing.repeats == 0 for pairing in event.pairings)


def test_tables_are_of_equals() -> None:
    scores = {entrant: Fraction(entrant // 10) for entrant in range(50)}
    pairing = pair_swiss(sorted(scores, key=lambda e: -scores[e]), scores, [tables("0 11 22 33 44")], "s")
    assert pairing.spread == 0
    assert all(len({scores[e] for e in people(seats)}) == 1 for seats in pairing.tables)


def test_the_cost_is_what_the_parts_say() -> None:
    past = [tables("1 2 3 4 5")]
    scores = {entrant: Fraction(entrant) for entrant in range(1, 6)}
    pairing = pair_swiss([5, 4, 3, 2, 1], scores, past, "s", {1: 7, 2: 7, 3: 8})
    # ten pairs that met once, all in the last round; one pair of a club; scores 1 … 5 about their mean: 4 1 0 1 4
    assert (pairing.repeats, pairing.again, pairing.clubmates, pairing.spread) == (10, 10, 1, 10)
    assert pairing.cost == 4 * 10 + 10 * 10 + 6 * 1 + 10


def test_clubmates_are_apart_in_the_first_two_rounds_only() -> None:
    clubs = {entrant: entrant % 5 for entrant in range(25)}
    first = pair_swiss(range(25), NOBODY, [], "s", clubs)
    second = pair_swiss(range(25), NOBODY, [first.tables], "s", clubs)
    assert (first.clubmates, second.clubmates) == (0, 0)
    third = pair_swiss(range(25), NOBODY, [first.tables, second.tables], "s", dict.fromkeys(range(25), 1))
    assert third.clubmates == 0, "clubs are not looked at any more"


def test_without_fresh_the_bare_cost_decides() -> None:
    # five at 9 and five at 0 have just met: keeping them apart would mix strong and weak
    scores = {entrant: Fraction(9 if entrant <= 5 else 0) for entrant in range(1, 11)}
    past = [tables("1 2 3 4 5 / 6 7 8 9 10")]
    assert pair_swiss(range(1, 11), scores, past, "s", fresh=False).repeats == 20
    assert pair_swiss(range(1, 11), scores, past, "s").repeats < 20


def test_the_same_seed_gives_the_same_tables_and_another_seed_others() -> None:
    a, b = played("swiss", 44, 4), played("swiss", 44, 4)
    assert a.pairings == b.pairings
    assert pair_swiss(range(44), NOBODY, [], "one").tables != pair_swiss(range(44), NOBODY, [], "two").tables


@pytest.mark.parametrize(
    "entrants, bots",
    [(5, (0,)), (4, (1,)), (9, (0, 1)), (8, (1, 1)), (6, (2, 2)), (7, (1, 2)), (11, (1, 1, 2)), (23, (0, 0, 0, 1, 1))],
)
def test_bots_are_spread_from_the_last_table_up(entrants: int, bots: tuple[int, ...]) -> None:
    assert bots_at_tables(entrants) == bots


def test_bots_go_to_the_lowest_of_those_who_had_one_least_often() -> None:
    order = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert bot_company(order, {}) == {6, 7, 8, 9}
    assert bot_company(order, {9: 1, 8: 1}) == {4, 5, 6, 7}
    assert tables_in_order(order, {9: 1, 8: 1}) == tables("1 2 3 8 9 / 4 5 6 7 bot")


@pytest.mark.parametrize("players, rounds", [(38, 5), (61, 6), (44, 6), (24, 6)])
def test_bots_come_round_to_everybody_alike(players: int, rounds: int) -> None:
    event = played("swiss", players, rounds)
    had = [sum(seats.count(None) for tables in event.past for seats in tables if e in seats) for e in event.entrants]
    assert max(had) - min(had) <= 2


def test_somebody_listed_twice_is_refused() -> None:
    with pytest.raises(ValueError):
        pair_swiss([1, 2, 2, 3, 4], NOBODY, [], "s")


def test_nobody_makes_no_tables() -> None:
    assert pair_swiss([], NOBODY, [], "s").tables == ()


@pytest.mark.timed
def test_pairing_two_hundred_takes_two_tenths_of_a_second() -> None:
    event = played("swiss", 200, 4)
    order = [standing.entrant for standing in event.standings()]
    scores = {standing.entrant: standing.values[0][1] for standing in standings(SWISS, event.rows, event.entrants, "s")}
    taken = []
    for _ in range(3):
        started = time.process_time()
        pair_swiss(order, scores, event.past, "s", event.clubs)
        taken.append(time.process_time() - started)
    assert median(taken) < 0.2 * slowness()
