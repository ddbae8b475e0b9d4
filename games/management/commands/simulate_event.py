"""`manage.py simulate_event`: a whole tournament of bots, some of whom drop out, and how good its pairings were.

Hands are played with cards by the bots, or with `--fast` drawn from a model of skill, so that five hundred entrants run
in seconds. Nothing touches the database. Standard output depends on the arguments alone; times go to standard error.
"""

import random
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import mean
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.bots import LEVELS
from games.engine.deck import SEED_BYTES, deal
from games.engine.errors import BadRules
from games.engine.rules import RuleSet, load_rules
from games.engine.steps.tribute import previous_of
from games.management.commands.simulate import SILENT, next_first, play_hand
from games.tournament.rows import RoundLine
from games.tournament.seating import first_dealt
from games.tournament.simulation import FORMATS, Points, Simulation, SkillModel
from games.tournament.standings import Criterion, Standing
from games.tournament.values import SEATS, History, Pairing, Table, people, shown


class CardPlay:
    """Five bots of one level at every table, with cards; boards shared by all tables of a round where asked for."""

    def __init__(self, rules: RuleSet, level: str, seed: int, *, shared: bool) -> None:
        self.rules, self.level, self.seed, self.shared = rules, level, seed, shared

    def play(self, table: Table, number: int, table_number: int, block: range) -> tuple[Points, ...]:
        """The points of every hand of the block; tribute is owed inside it, but never between shared boards."""
        points: list[Points] = []
        first, previous = first_dealt(block.start), None
        for hand in block:
            where = f"{self.seed}:{number}:{hand}" if self.shared else f"{self.seed}:{number}:{hand}:{table_number}"
            server_seed = random.Random(f"deal:{where}").randbytes(SEED_BYTES)
            dealt = deal(self.rules, server_seed, SILENT, first_dealt(hand) if self.shared else first)
            rng = random.Random(f"play:{self.seed}:{number}:{hand}:{table_number}")
            result = play_hand(self.rules, dealt, previous, self.level, rng).state.result
            points.append(result.points if result else None)
            if result and not self.shared:
                first, previous = next_first(self.rules, result), previous_of(result)
        return tuple(points)


class Command(BaseCommand):
    help = "Run whole tournaments of bots; print the quality of the pairings and the final standings."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, help="entrants, 5 to 500")
        parser.add_argument("--format", choices=FORMATS, required=True)
        parser.add_argument("--rounds", type=int, default=5, help="most rounds; a knockout ends with its final")
        parser.add_argument("--hands", type=int, default=5, help="hands a round (default 5)")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--drop", default="0", help="share of entrants who leave or miss a round, 0 to 1")
        parser.add_argument("--fast", action="store_true", help="draw results from skill instead of playing cards")
        parser.add_argument("--rules", default="lianzhong-simple", help="a preset")
        parser.add_argument("--level", choices=sorted(LEVELS), default="beginner")
        parser.add_argument("--top", type=int, default=0, help="lines of the standings (default all)")

    def handle(self, *args: Any, **options: Any) -> None:
        simulation, shared = self._event(options), options["format"] == "duplicate"
        rules = _rules(options["rules"], shared)
        play = (
            SkillModel(rules, simulation.skill, options["seed"], shared=shared).play
            if options["fast"]
            else CardPlay(rules, options["level"], options["seed"], shared=shared).play
        )
        left = sum(absence.for_good for absence in simulation.absences.values())
        self.stdout.write(
            f"{options['format']}: {options['players']} entrants, at most {options['rounds']} rounds of "
            f"{options['hands']} hands, seed {options['seed']}; {left} withdraw, "
            f"{len(simulation.absences) - left} miss a round"
        )
        seconds = []
        while True:
            standings = simulation.standings()
            # processor time: what else the machine does is no part of a pairing
            started = time.process_time()
            pairing = simulation.pair(standings)
            seconds.append(time.process_time() - started)
            if pairing is None:
                break
            self.stdout.write(round_line(len(simulation.pairings), pairing, _scores(standings)))
            simulation.play(play)
        for line in quality(simulation):
            self.stdout.write(line)
        found = simulation.standings()
        for standing in found[: options["top"] or len(found)]:
            self.stdout.write(standing_line(standing))
        times = [1000 * each for each in seconds[:-1]]
        self.stderr.write(f"pairing: mean {mean(times):.0f} ms, most {max(times):.0f} ms of processor time")

    def _event(self, options: dict[str, Any]) -> Simulation:
        try:
            drop = Fraction(options["drop"])
        except (ValueError, ZeroDivisionError) as error:
            raise CommandError("--drop is a number from 0 to 1") from error
        if not 5 <= options["players"] <= 500:
            raise CommandError("--players must be 5 to 500")
        if options["rounds"] < 1 or options["hands"] < 1:
            raise CommandError("--rounds and --hands must be at least 1")
        if not 0 <= drop <= 1:
            raise CommandError("--drop is a number from 0 to 1")
        return Simulation(
            options["format"], options["players"], options["rounds"], options["hands"], options["seed"], drop
        )


def round_line(number: int, pairing: Pairing, scores: dict[int, Fraction]) -> str:
    """One round: tables, bots, repeated meetings, and how far apart the scores of a table are before it."""
    spreads = [_spread([scores[entrant] for entrant in people(table)]) for table in pairing.tables]
    bots = max(table.count(None) for table in pairing.tables)
    return (
        f"round {number}: {len(pairing.tables)} tables, {pairing.bots} bots (at most {bots} a table), "
        f"{pairing.repeats} pairs met before ({pairing.again} in the last round), {pairing.clubmates} clubmates, "
        f"spread at a table mean {shown(sum(spreads, Fraction(0)) / len(spreads))} most {shown(max(spreads))}, "
        f"cost {shown(pairing.cost)}"
    )


def quality(simulation: Simulation) -> Iterator[str]:
    """What all rounds together come to."""
    past = simulation.past
    history = History(past)
    times = Counter(history.met.values())
    yield "pairs that met: " + ", ".join(f"{pairs} {n}×" for n, pairs in sorted(times.items()))
    entrants = {entrant for tables in past for table in tables for entrant in people(table)}
    uneven = Counter(
        max(visits) - min(visits)
        for entrant in entrants
        if (visits := [history.seats[entrant, seat] for seat in range(SEATS)])
    )
    yield "seats, most less least visited: " + ", ".join(f"{n} entrants {by}" for by, n in sorted(uneven.items()))
    beside = Counter(history.beside.values())
    yield "neighbours: " + ", ".join(f"{pairs} pairs {n}×" for n, pairs in sorted(beside.items()))
    had = Counter(history.bots[entrant] for entrant in entrants)
    yield "rounds with a bot: " + ", ".join(f"{n} entrants {rounds}" for rounds, n in sorted(had.items()))


def standing_line(standing: Standing) -> str:
    """Place, entrant, the values he was ranked by, his rounds, and what put him behind the one above."""
    values = " ".join(
        f"{criterion.value} {shown(value)}" for criterion, value in standing.values if criterion is not Criterion.LOT
    )
    rounds = " ".join(_line(line) for line in standing.lines)
    behind = f"  behind {standing.above.other} by {standing.above.criterion.value}" if standing.above else ""
    return f"{standing.place:>3}  #{standing.entrant:<3}  {values}  {rounds}{behind}".rstrip()


def _scores(found: Sequence[Standing]) -> dict[int, Fraction]:
    """What the entrants of a table are to be close in: 场分 or match points; the total in a knockout."""
    return {standing.entrant: dict(standing.values).get(Criterion.TOTAL, standing.values[0][1]) for standing in found}


def _line(line: RoundLine) -> str:
    return "–" if line.missed and not line.reasons else shown(line.worth)


def _spread(values: list[Fraction]) -> Fraction:
    return max(values) - min(values) if values else Fraction(0)


def _rules(name: str, shared: bool) -> RuleSet:
    """The preset; tribute is off where boards are shared, for it would change them."""
    try:
        return load_rules(name, {"tribute": "none"} if shared else {})
    except BadRules as error:
        raise CommandError(f"{name}: {error}") from error
