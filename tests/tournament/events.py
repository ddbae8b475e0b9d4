"""Help for the tests of tournaments: rows and tables written as text, and whole events drawn from a model of skill."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from games.engine.rules import load_rules
from games.tournament.rows import Row
from games.tournament.simulation import Simulation, SkillModel
from games.tournament.values import SEATS, Pairing, Round, Table, people

RULES = load_rules("lianzhong-simple")


def table(text: str) -> Table:
    """`1 2 3 4 bot` is a table."""
    return tuple(None if word == "bot" else int(word) for word in text.split())


def tables(text: str) -> Round:
    """`1 2 3 4 5 / 6 7 8 9 bot` is a round."""
    return tuple(table(part) for part in text.split("/"))


def rows(text: str) -> list[Row]:
    """A line a table: `r1 t2: 1=+8 2=-4 bot=-4 4=0? 5=0`; `?` marks somebody who missed the round."""
    made = []
    for line in text.strip().splitlines():
        where, seats = line.split(":")
        number, table_number = where.split()
        for seat, word in enumerate(seats.split()):
            who, net = word.split("=")
            entrant = None if who == "bot" else int(who)
            row = Row(int(number[1:]), int(table_number[1:]), seat, entrant, int(net.rstrip("?")), net.endswith("?"))
            made.append(row)
    return made


def played(format: str, players: int, rounds: int, *, seed: int = 1, drop: str = "0", hands: int = 5) -> Simulation:
    """A whole event, results drawn."""
    event = Simulation(format, players, rounds, hands, seed, Fraction(drop))
    play = SkillModel(RULES, event.skill, seed, shared=format == "duplicate").play
    while event.pair(event.standings()) is not None:
        event.play(play)
    return event


def meetings(past: Sequence[Round]) -> dict[tuple[int, int], int]:
    """How often every two met, counted here once more."""
    met: dict[tuple[int, int], int] = {}
    for round_ in past:
        for seats in round_:
            for two in combinations(sorted(people(seats)), 2):
                met[two] = met.get(two, 0) + 1
    return met


def check_round(pairing: Pairing, entrants: Sequence[int]) -> None:
    """Everybody sits exactly once at whole tables, as few tables as hold them, bots apart wherever they can be."""
    seated = [entrant for seats in pairing.tables for entrant in people(seats)]
    assert sorted(seated) == sorted(entrants), "every entrant has exactly one seat, nobody sits out"
    assert all(len(seats) == SEATS for seats in pairing.tables)
    assert len(pairing.tables) == -(-len(entrants) // SEATS)
    if pairing.tables:
        most = -(-pairing.bots // len(pairing.tables))
        assert max(seats.count(None) for seats in pairing.tables) == most
        assert most <= 1 or len(entrants) in {1, 2, 3, 6, 7, 11}
