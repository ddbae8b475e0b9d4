"""The rotation schedule: exact where it can be, quick; and its rounds when entrants come and go."""

import time

import pytest

from games.tournament.rotation import fit_slots, pair_rotation, still_new
from games.tournament.schedule import add, met_squares, plan, steps
from games.tournament.values import Round
from tests.pace import slowness

from .events import check_round, meetings, tables


@pytest.mark.parametrize("q", [5, 7, 11, 13, 17, 19, 23, 25, 49, 8, 9, 12])
def test_in_q_rounds_nobody_meets_twice(q: int) -> None:
    rounds = plan(q, q)
    assert all(sorted(slot for seats in round_ for slot in seats) == list(range(5 * q)) for round_ in rounds)
    assert met_squares(rounds) == 10 * q * q, "every pair at a table counts once, so none is met twice"


def test_class_c_sits_as_the_formula_says() -> None:
    for q in (5, 7, 11):
        for r, round_ in enumerate(plan(q, q)):
            for t, seats in enumerate(round_):
                assert seats == tuple(c * q + (t + c * r) % q for c in range(5))


def test_twenty_five_meet_everybody_exactly_once_in_six_rounds() -> None:
    met = meetings(plan(5, 6))
    assert len(met) == 25 * 24 // 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("q, rounds", [(6, 5), (10, 7), (14, 9), (15, 10), (16, 10), (18, 10), (20, 12), (100, 12)])
def test_other_numbers_last_for_an_evening_too(q: int, rounds: int) -> None:
    assert met_squares(plan(q, rounds)) == 10 * q * rounds


@pytest.mark.parametrize("q, rounds, most", [(1, 3, 90), (2, 4, 200), (3, 5, 300), (4, 4, 240), (6, 7, 500)])
def test_where_repeats_cannot_be_avoided_they_are_spread(q: int, rounds: int, most: int) -> None:
    assert met_squares(plan(q, rounds)) <= most


@pytest.mark.parametrize("q", [8, 9, 12])
def test_the_steps_of_eight_nine_and_twelve_differ_in_all_ways(q: int) -> None:
    for c in range(5):
        for d in range(c):
            # x with row_d + x = row_c, found by trying: all of them are different
            found = {next(x for x in range(q) if add(q, column[d], x) == column[c]) for column in steps(q, q)}
            assert len(found) == q


def test_a_plan_needs_tables_and_rounds() -> None:
    with pytest.raises(ValueError):
        plan(0, 1)
    with pytest.raises(ValueError):
        plan(1, 0)


@pytest.mark.parametrize("entrants, rounds", [(23, 5), (24, 5), (60, 8), (57, 8), (33, 5), (9, 3), (6, 3), (5, 2)])
def test_a_rotation_seats_everybody_and_repeats_no_meeting_the_plan_has_not(entrants: int, rounds: int) -> None:
    active = list(range(1, entrants + 1))
    slots = fit_slots((), active)
    past: list[Round] = []
    for _ in range(rounds):
        pairing = pair_rotation(slots, rounds, past, "s")
        check_round(pairing, active)
        past.append(pairing.tables)
    if entrants > 20:
        assert set(meetings(past).values()) == {1}


def test_slots_are_kept_and_newcomers_take_those_left_empty() -> None:
    slots = fit_slots((), [1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert slots == (1, 2, 3, 4, 5, 6, 7, 8, 9, None)
    assert fit_slots(slots, [1, 2, 4, 5, 6, 7, 8, 9]) == (1, 2, None, 4, 5, 6, 7, 8, 9, None)
    assert fit_slots(slots, [1, 2, 4, 5, 6, 7, 8, 9, 11]) == (1, 2, 11, 4, 5, 6, 7, 8, 9, None)
    assert fit_slots(slots, [1, 2, 7, 8, 9]) == (1, 2, 7, 8, 9)
    assert len(fit_slots(slots, range(1, 12))) == 15


@pytest.mark.parametrize("slots", [(1, 2, 3, 4), (1, None, None, None, None, None, 2, 3, 4, 5)])
def test_slots_that_are_no_whole_tables_are_refused(slots: tuple[int | None, ...]) -> None:
    with pytest.raises(ValueError):
        pair_rotation(slots, 3, [], "s")


def test_nobody_takes_two_slots() -> None:
    with pytest.raises(ValueError):
        fit_slots((), [1, 2, 3, 4, 4])


def test_those_who_leave_and_come_cost_no_repeated_meeting_while_there_is_another_way() -> None:
    active = list(range(1, 41))
    slots: tuple[int | None, ...] = ()
    past: list[Round] = []
    for number in range(5):
        active = [entrant for entrant in active if entrant % 13 != number] + [100 + number]
        slots = fit_slots(slots, active)
        pairing = pair_rotation(slots, 5, past, "s")
        check_round(pairing, active)
        assert pairing.repeats == 0
        past.append(pairing.tables)


def test_a_rotation_is_the_same_for_the_same_seed_and_mended_ones_too() -> None:
    past = [pair_rotation(fit_slots((), range(1, 24)), 6, [], "s").tables]
    slots = fit_slots((), [*range(1, 19), 30, 31])
    assert pair_rotation(slots, 6, past, "s") == pair_rotation(slots, 6, past, "s")


def test_the_page_can_say_how_many_have_not_met() -> None:
    assert still_new([1, 2, 3, 4, 5, 6], [tables("1 2 3 4 5 / 6 7 8 9 10")]) == 5


@pytest.mark.timed
def test_planning_and_pairing_a_hundred_tables_takes_no_second() -> None:
    slots = fit_slots((), range(1, 501))
    started = time.process_time()
    pairing = pair_rotation(slots, 8, [], "s")
    pair_rotation(slots, 8, [pairing.tables], "s")
    assert time.process_time() - started < slowness()
