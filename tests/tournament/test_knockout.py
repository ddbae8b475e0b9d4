"""The knockout: who goes on, what is carried, how the next stage is seeded, and its final standings."""

from fractions import Fraction

import pytest

from games.tournament.knockout import knockout_standings, pair_knockout, qualified, stage_lines, stages
from games.tournament.rows import Ruling
from games.tournament.values import people

from .events import check_round, played, rows

STAGE = """
r1 t1: 1=+8 2=+2 3=0  4=-4 5=-6
r1 t2: 6=+5 7=+4 8=+1 9=-5 bot=-5
"""


def test_two_of_each_table_and_the_best_third_go_on() -> None:
    found = qualified(rows(STAGE), "s")
    assert [(line.entrant, line.place) for line in found] == [(1, 1), (6, 1), (7, 2), (2, 2), (8, 3)]
    assert [line.carries for line in found] == [4, Fraction(5, 2), 2, 1, Fraction(1, 2)]


def test_whoever_is_gone_is_followed_by_the_next_of_his_table() -> None:
    # 3 moves up at the first table; between the thirds 4 and 8 the latter made more
    assert [line.entrant for line in qualified(rows(STAGE), "s", {1})] == [6, 7, 2, 8, 3]


def test_bots_and_the_absent_do_not_go_on() -> None:
    text = "r1 t1: 1=+8? bot=+2 3=0 4=-4 5=-6\nr1 t2: 6=+5 7=+4 8=+1 9=-5 10=-5"
    assert {line.entrant for line in qualified(rows(text), "s")} == {3, 4, 6, 7, 8}


def test_half_is_carried_exactly_and_decides_at_the_next_table() -> None:
    final = STAGE + "r2 t1: 1=-3 6=-1 7=+1 2=+1 8=+2\n"
    found = {entrant: lines[-1] for entrant, lines in stage_lines(rows(final), "s").items() if lines[-1].stage == 2}
    assert {e: (line.place, line.total) for e, line in found.items()} == {
        7: (1, Fraction(3)), 8: (2, Fraction(5, 2)), 2: (3, Fraction(2)), 6: (4, Fraction(3, 2)), 1: (5, Fraction(1)),
    }  # fmt: skip
    assert qualified(rows(final), "s") == ()
    order = [standing.entrant for standing in knockout_standings(rows(final), range(1, 11), "s")]
    assert order == [7, 8, 2, 6, 1, 3, 4, 9, 5, 10], (
        "the finalists, the third left out, the fourths by points, the rest"
    )


def test_rulings_change_the_points_of_a_stage() -> None:
    found = {line.entrant: line for line in qualified(rows(STAGE), "s", rulings=[Ruling(1, "why", 1, Fraction(7))])}
    assert found[1].place == 2
    assert found[1].total == 1


@pytest.mark.parametrize(
    "players, sizes",
    [
        (60, (60, 25, 10, 5)),
        (25, (25, 10, 5)),
        (15, (15, 9, 5)),
        (5, (5,)),
        (23, (23, 10, 5)),
        (500, (500, 200, 80, 35, 15, 9, 5)),
    ],
)
def test_stages_shrink_to_a_final_of_five(players: int, sizes: tuple[int, ...]) -> None:
    assert stages(players) == sizes
    event = played("knockout", players, 10)
    assert tuple(sum(len(people(t)) for t in p.tables) for n, p in enumerate(event.pairings)) == sizes


@pytest.mark.parametrize("players", [6, 7, 11, 23, 60, 61, 124])
def test_with_drop_outs_it_still_ends_with_one_winner(players: int) -> None:
    event = played("knockout", players, 12, drop="0.3")
    for pairing in event.pairings:
        check_round(pairing, [e for seats in pairing.tables for e in people(seats)])
    assert len(event.pairings[-1].tables) == 1
    found = event.standings()
    assert [standing.place for standing in found] == list(range(1, players + 1))
    assert found[0].entrant in people(event.pairings[-1].tables[0])


def test_seeding_is_serpentine() -> None:
    pairing = pair_knockout(range(1, 15), [], "s")
    assert [sorted(people(seats)) for seats in pairing.tables] == [[1, 6, 7, 12, 13], [2, 5, 8, 11, 14], [3, 4, 9, 10]]
    with pytest.raises(ValueError):
        pair_knockout([1, 1, 2], [], "s")
