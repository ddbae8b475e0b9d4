"""Scores, chains and explanations on examples small enough to check by hand; and that the order of rows is nothing."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from games.tournament.rows import Ruling, lines, places, worths
from games.tournament.standings import ROTATION, SWISS, Criterion, Reason, standings
from games.tournament.values import lot, shown

from .events import played, rows

EVENING = """
r1 t1: 1=+8 2=+2 3=0   4=-4 5=-6
r1 t2: 6=+5 7=+5 8=0 9=-5 bot=-5
r2 t1: 1=+4 6=+4 2=+4 7=-6 3=-6
r2 t2: 4=+6 5=+1 8=+1 9=-2 bot=-6
"""


@pytest.mark.parametrize(
    "nets, place, worth",
    [
        ("8 2 0 -4 -6", "1 2 3 4 5", "5 4 3 2 1"),
        ("5 5 0 -5 -5", "1 1 3 4 4", "4.5 4.5 3 1.5 1.5"),
        ("4 4 4 -6 -6", "1 1 1 4 4", "4 4 4 1.5 1.5"),
        ("1 1 1 1 -4", "1 1 1 1 5", "3.5 3.5 3.5 3.5 1"),
        ("0 0 0 0 0", "1 1 1 1 1", "3 3 3 3 3"),
    ],
)
def test_places_are_worth_five_to_one_and_equals_share(nets: str, place: str, worth: str) -> None:
    given = [int(net) for net in nets.split()]
    assert " ".join(map(str, places(given))) == place
    assert " ".join(map(shown, worths(given))) == worth
    assert sum(worths(given)) == 15


def test_the_swiss_chain_by_hand() -> None:
    found = {s.entrant: s for s in standings(SWISS, rows(EVENING), range(1, 10), "s")}
    assert {e: shown(s.value(Criterion.SCORE)) for e, s in found.items()} == {
        1: "9", 2: "8", 3: "4.5", 4: "7", 5: "4.5", 6: "8.5", 7: "6", 8: "6.5", 9: "3.5",
    }  # fmt: skip
    # opponents of 8: 6 7 9 and a bot, then 4 5 9 and a bot; a bot counts 3 a round, 6 in all
    assert found[8].value(Criterion.OPPONENTS) == Fraction("8.5") + 6 + Fraction("3.5") + 6 + 7 + Fraction("4.5") + (
        Fraction("3.5") + 6
    )
    assert [s.entrant for s in sorted(found.values(), key=lambda s: s.place)][:5] == [1, 6, 2, 4, 8]
    # 3 and 5 have 4.5 each; the opponents of 3 were better
    assert found[5].above == Reason(3, Criterion.OPPONENTS, Fraction(103, 2), found[3].value(Criterion.OPPONENTS))
    assert found[5].above.own < found[5].above.theirs


def test_the_rotation_chain_goes_to_net_points_first() -> None:
    found = standings(ROTATION, rows(EVENING), range(1, 10), "s")
    assert [criterion for criterion, _ in found[0].values] == list(ROTATION)
    assert [s.entrant for s in found] == [1, 6, 2, 4, 8, 7, 5, 3, 9]
    assert found[7].above == Reason(5, Criterion.NET, Fraction(-6), Fraction(-5))
    assert found[6].below == Reason(3, Criterion.NET, Fraction(-5), Fraction(-6))
    assert (found[0].above, found[-1].below) == (None, None)


def test_the_direct_table_decides_among_equals() -> None:
    # 1 and 2 are equal in everything; at their common table 2 was ahead
    text = """
    r1 t1: 1=0 2=+1 3=+4 4=-2 5=-3
    r2 t1: 1=+1 6=+4 7=0 8=-2 9=-3
    r2 t2: 2=0 3=+4 4=+1 5=-2 bot=-3
    """
    found = standings(ROTATION, rows(text), range(1, 10), "s")
    by = {s.entrant: s for s in found}
    assert by[1].above == Reason(2, Criterion.DIRECT, Fraction(-1), Fraction(1))


def test_the_published_lot_decides_at_last() -> None:
    text = "r1 t1: 1=0 2=0 3=0 4=0 5=0"
    found = standings(SWISS, rows(text), range(1, 6), "s")
    assert [s.entrant for s in found] == sorted(range(1, 6), key=lambda e: lot("s", e))
    assert all(s.above is None or s.above.criterion is Criterion.LOT for s in found)
    assert [s.entrant for s in found] != [s.entrant for s in standings(SWISS, rows(text), range(1, 6), "other")]


def test_who_missed_a_round_gets_nothing_and_counts_three_for_others() -> None:
    text = "r1 t1: 1=+9? 2=+3 3=0 4=-4 5=-8"
    found = {s.entrant: s for s in standings(SWISS, rows(text), range(1, 6), "s")}
    assert (found[1].value(Criterion.SCORE), found[1].value(Criterion.NET), found[1].value(Criterion.FIRSTS)) == (
        0,
        0,
        0,
    )
    assert found[2].value(Criterion.SCORE) == 4, "the seat he left is compared all the same"
    assert found[2].value(Criterion.OPPONENTS) == 3 + 3 + 2 + 1
    assert found[1].value(Criterion.OPPONENTS) == 0
    assert found[2].lines[0].opponents == (None, 3, 4, 5)


def test_who_never_played_is_listed_with_nothing() -> None:
    found = standings(SWISS, rows(EVENING), range(1, 12), "s")
    assert {s.entrant for s in found[-2:]} == {10, 11}
    assert found[-1].lines == ()


def test_a_penalty_costs_score_with_its_reason_but_opponents_nothing() -> None:
    ruling = Ruling(1, "late", penalty=Fraction(1, 2))
    plain = {s.entrant: s for s in standings(SWISS, rows(EVENING), range(1, 10), "s")}
    ruled = {s.entrant: s for s in standings(SWISS, rows(EVENING), range(1, 10), "s", [ruling])}
    assert ruled[1].value(Criterion.SCORE) == plain[1].value(Criterion.SCORE) - Fraction(1, 2)
    assert ruled[1].penalties == ((Fraction(1, 2), "late"),)
    assert ruled[2].value(Criterion.OPPONENTS) == plain[2].value(Criterion.OPPONENTS)


def test_an_adjusted_score_replaces_the_rounds_even_where_there_was_no_seat() -> None:
    rulings = [
        Ruling(3, "wrong table", round=2, score=Fraction(3), net=0),
        Ruling(10, "sent away", 2, score=Fraction(3)),
    ]
    found = {s.entrant: s for s in standings(SWISS, rows(EVENING), range(1, 11), "s", rulings)}
    assert found[3].value(Criterion.SCORE) == 6
    assert found[3].lines[1].reasons == ("wrong table",)
    assert (found[10].value(Criterion.SCORE), found[10].lines[0].table) == (3, 0)


@pytest.mark.parametrize(
    "text, entrants, rulings, words",
    [
        ("r1 t1: 1=0 2=0 3=0 4=0", range(9), [], "five seats"),
        ("r1 t1: 1=0 2=0 3=0 4=0 5=0\nr1 t2: 1=0 6=0 7=0 8=0 9=0", range(10), [], "two rows"),
        ("r1 t1: 1=0 2=0 3=0 4=0 5=0", range(5), [], "no entrant"),
        ("r1 t1: 1=0 2=0 3=0 4=0 5=0", range(6), [Ruling(1, "a", 1, score=Fraction(1))] * 2, "twice"),
    ],
)
def test_rows_that_cannot_be_are_refused(text: str, entrants: range, rulings: list[Ruling], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        standings(SWISS, rows(text), entrants, "s", rulings)


def test_an_adjusted_score_belongs_to_a_round() -> None:
    with pytest.raises(ValueError):
        Ruling(1, "why", score=Fraction(3))


@pytest.mark.parametrize("chain", [SWISS, ROTATION])
def test_the_order_of_rows_is_nothing(chain: tuple[Criterion, ...]) -> None:
    event = played("swiss", 23, 5, drop="0.2")
    first = standings(chain, event.rows, event.entrants, "s")
    shuffled = list(event.rows)
    random.Random(1).shuffle(shuffled)
    assert standings(chain, shuffled, reversed(event.entrants), "s") == first
    assert [s.place for s in first] == list(range(1, 24))


def test_everybodys_reasons_are_true() -> None:
    event = played("swiss", 60, 5, drop="0.1")
    found = standings(SWISS, event.rows, event.entrants, "s")
    for above, below in pairwise(found):
        reason = below.above
        assert reason is not None
        assert reason.other == above.entrant
        assert (above.below and above.below.criterion) == reason.criterion
        better = reason.theirs < reason.own if reason.criterion is Criterion.LOT else reason.theirs > reason.own
        assert better
        before = SWISS[: SWISS.index(reason.criterion)]
        assert all(above.value(criterion) == below.value(criterion) for criterion in before)
    for standing in found:
        assert standing.value(Criterion.SCORE) == sum(line.worth for line in standing.lines)


def test_lines_name_places_shared_and_opponents() -> None:
    line = lines(rows(EVENING))[7][0]
    assert (line.round, line.table, line.seat, line.place, line.shared, line.net) == (1, 2, 1, 1, 2, 5)
    assert line.opponents == (6, 8, 9, None)


@pytest.mark.parametrize(
    "value, text",
    [
        (Fraction(9, 2), "4.5"),
        (Fraction(6), "6"),
        (Fraction(-57, 8), "-7.125"),
        (Fraction(2, 3), "0.667"),
        (0, "0"),
        (Fraction(-1, 4), "-0.25"),
    ],
)
def test_scores_are_written_as_people_write_them(value: Fraction, text: str) -> None:
    assert shown(value) == text
