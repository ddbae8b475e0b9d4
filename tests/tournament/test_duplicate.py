"""Duplicate boards: match points by seat, their sums, and what happens to void hands and the absent."""

from collections import defaultdict
from fractions import Fraction

import pytest

from games.tournament.duplicate import BoardRow, board_lines, compared, duplicate_standings
from games.tournament.standings import Criterion
from games.tournament.values import shown

from .events import played


def board(text: str, number: int = 1) -> list[BoardRow]:
    """A line a table: the points of its five seats, `x` for a void hand; entrants are 10·table + seat."""
    made = []
    for table, line in enumerate(text.split("/"), 1):
        for seat, word in enumerate(line.split()):
            made.append(BoardRow(1, number, table, seat, 10 * table + seat, None if word == "x" else int(word)))
    return made


def test_match_points_by_hand() -> None:
    #  seat 0: 8 8 2 → one lower and one equal of two others: 3/4, twice; none: 0
    #  seat 1: 2 −4 2 → 3/4, 0, 3/4
    found = board_lines(board("8 2 -2 -4 -4 / 8 -4 2 -2 -4 / 2 2 4 -4 -4"))
    assert [shown(found[10 * t][0].match_points) for t in (1, 2, 3)] == ["0.75", "0.75", "0"]
    assert [shown(found[10 * t + 1][0].match_points) for t in (1, 2, 3)] == ["0.75", "0", "0.75"]
    assert [found[10 * t][0].cross for t in (1, 2, 3)] == [6, 6, -12]
    line = found[10][0]
    assert (line.lower, line.equal, line.higher) == (1, 1, 0)


def test_a_void_hand_gets_half_and_is_compared_with_nobody() -> None:
    found = board_lines(board("8 2 -2 -4 -4 / x x x x x / 2 2 4 -4 -4"))
    assert [shown(found[10 * t][0].match_points) for t in (1, 2, 3)] == ["1", "0.5", "0"]
    assert found[20][0].points is None


def test_a_single_table_gets_half() -> None:
    assert {line.match_points for line in compared(board("8 2 -2 -4 -4")).values()} == {Fraction(1, 2)}


@pytest.mark.parametrize("players", [23, 40])
def test_match_points_of_a_seat_on_a_board_sum_to_half_the_tables(players: int) -> None:
    event = played("duplicate", players, 3, drop="0.1")
    sums: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    cross: dict[tuple[int, int, int], int] = defaultdict(int)
    for row, line in compared(event.board_rows).items():
        sums[row.round, row.board, row.seat].append(line.match_points)
        cross[row.round, row.board, row.seat] += line.cross
    for found in sums.values():
        assert sum(found) == Fraction(len(found), 2)
    assert set(cross.values()) == {0}


def test_cross_difference_is_the_second_key_and_rows_come_in_any_order() -> None:
    rows = board("8 2 -2 -4 -4 / 4 -4 2 2 -4", 1) + board("2 2 4 -4 -4 / 3 -1 -1 -2 1", 2)
    entrants = sorted({row.entrant for row in rows if row.entrant is not None})
    found = duplicate_standings(rows, entrants, "s")
    assert found == duplicate_standings(rows[::-1], entrants[::-1], "s")
    by = {standing.entrant: standing for standing in found}
    # 10 and 20 have one match point each: 8 over 4 and 2 under 3
    assert by[10].value(Criterion.MATCH_POINTS) == by[20].value(Criterion.MATCH_POINTS) == 1
    assert (by[10].value(Criterion.CROSS), by[20].value(Criterion.CROSS)) == (3, -3)
    assert by[10].place < by[20].place


def test_penalties_and_the_absent() -> None:
    rows = [*board("8 2 -2 -4 -4 / 4 -4 2 2 -4")]
    rows[0] = BoardRow(1, 1, 1, 0, 10, 8, missed=True)
    entrants = [row.entrant for row in rows if row.entrant is not None]
    by = {s.entrant: s for s in duplicate_standings(rows, entrants, "s", {11: Fraction(1, 2)})}
    assert by[10].value(Criterion.MATCH_POINTS) == 0
    assert by[20].value(Criterion.MATCH_POINTS) == 0, "what was made in his seat is compared all the same"
    assert by[11].value(Criterion.MATCH_POINTS) == Fraction(1, 2)


def test_two_rows_of_one_seat_or_entrant_are_refused() -> None:
    rows = board("8 2 -2 -4 -4")
    with pytest.raises(ValueError):
        compared([*rows, rows[0]])
    with pytest.raises(ValueError):
        compared([*rows, BoardRow(1, 1, 2, 0, 11, 3)])
    with pytest.raises(ValueError):
        duplicate_standings(rows, [10], "s")
