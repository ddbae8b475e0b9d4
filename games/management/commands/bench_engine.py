"""`manage.py bench_engine`: how fast the engine is, in four figures against their goals.

Each figure is the median of several runs, and a run averages over many different hands, so that no cache answers
for the engine. Times are processor time, so that other work on the machine counts little. Nothing touches the
database.
"""

import random
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.actions import Action, play_action
from games.engine.cards import Card, sort_cards
from games.engine.deck import SEATS, SEED_BYTES, Deal, deal
from games.engine.errors import BadRules
from games.engine.fold import apply, begin
from games.engine.legal import answers, cards_for, hand_plays, plays
from games.engine.observation import Observation, Step
from games.engine.observe import observe
from games.engine.rules import RuleSet, load_rules

SILENT = ("",) * SEATS
HANDS_A_RUN = 10
DEALS_A_RUN = 50
LISTS_A_RUN = 500

Log = tuple[tuple[int, Action], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report: seconds each, and what it should stay under."""

    name: str
    seconds: float
    goal: float

    def __str__(self) -> str:
        mark = "ok" if self.seconds <= self.goal else "OVER"
        return f"{self.name:<52} {_time(self.seconds):>10}   goal {_time(self.goal):>8}   {mark}"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


def measure(runs: int, once: Callable[[], int]) -> float:
    """Median over the runs of the processor seconds one thing takes; ``once`` does some and says how many."""
    times = []
    for _ in range(runs):
        started = time.process_time()
        done = once()
        times.append((time.process_time() - started) / done)
    return median(times)


def random_action(obs: Observation, rng: random.Random) -> Action:
    """Any legal action, each answer and each shape equally likely; before play no seat yields while it may accept."""
    said = answers(obs)
    if obs.step is Step.CROWN:
        return said[0]
    shapes = plays(obs)
    choice = rng.randrange(len(said) + len(shapes))
    return said[choice] if choice < len(said) else play_action(cards_for(obs, shapes[choice - len(said)]))


def play_random_hand(rules: RuleSet, dealt: Deal, rng: random.Random) -> Log:
    """A hand of five random players to its end; every seat asked has all its legal actions listed."""
    state = begin(rules, dealt)
    log = []
    while state.to_act:
        seat = state.to_act[0]
        action = random_action(observe(state, seat), rng)
        state = apply(state, seat, action)
        log.append((seat, action))
    return tuple(log)


def fold(rules: RuleSet, dealt: Deal, log: Log) -> None:
    """The finished hand once more, from its actions alone."""
    state = begin(rules, dealt)
    for seat, action in log:
        state = apply(state, seat, action)


def figures(rules: RuleSet, runs: int, seed: int) -> list[Figure]:
    """The four figures of a ruleset."""
    rng = random.Random(seed)
    deals = [deal(rules, rng.randbytes(SEED_BYTES), SILENT, 0) for _ in range(HANDS_A_RUN)]
    logs = [play_random_hand(rules, dealt, rng) for dealt in deals]
    deck = [card for hand in deals[0].hands for card in hand]
    size = max(len(hand) for hand in deals[0].hands)
    leading = [_some(deck, size, rng) for _ in range(LISTS_A_RUN)]
    following = [(hand, rng.choice(hand_plays(rules, _some(deck, 12, rng), None, None))) for hand in leading]
    seeds = [rng.randbytes(SEED_BYTES) for _ in range(DEALS_A_RUN)]

    def whole_hands() -> int:
        for dealt in deals:
            play_random_hand(rules, dealt, rng)
        return len(deals)

    def lead_lists() -> int:
        for hand in leading:
            hand_plays(rules, hand, None, None)
        return len(leading)

    def follow_lists() -> int:
        for hand, top in following:
            hand_plays(rules, hand, top, None)
        return len(following)

    def folds() -> int:
        for dealt, log in zip(deals, logs, strict=True):
            fold(rules, dealt, log)
        return len(deals)

    def all_deals() -> int:
        for server_seed in seeds:
            deal(rules, server_seed, SILENT, 0)
        return len(seeds)

    mean_length = sum(map(len, logs)) // len(logs)
    return [
        Figure(f"random whole hand, all legal moves listed ({mean_length} actions)", measure(runs, whole_hands), 10e-3),
        Figure(f"legal plays of a {size}-card hand, leading", measure(runs, lead_lists), 50e-6),
        Figure(f"legal plays of a {size}-card hand, following", measure(runs, follow_lists), 50e-6),
        Figure(f"fold of a finished hand ({mean_length} actions)", measure(runs, folds), 5e-3),
        Figure("deal", measure(runs, all_deals), 1.5e-3),
    ]


def _some(deck: list[Card], size: int, rng: random.Random) -> tuple[Card, ...]:
    return sort_cards(rng.sample(deck, size))


class Command(BaseCommand):
    help = "Measure the engine: a whole hand, lists of legal plays, the fold, the deal."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", default="lianzhong-simple", help="a preset (default lianzhong-simple)")
        parser.add_argument("--runs", type=int, default=7, help="runs of which the median is printed (default 7)")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--strict", action="store_true", help="exit 1 when a goal is missed")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rules = load_rules(options["rules"])
        except BadRules as error:
            raise CommandError(str(error)) from error
        if options["runs"] < 1:
            raise CommandError("--runs must be at least 1")
        found = figures(rules, options["runs"], options["seed"])
        for figure in found:
            self.stdout.write(str(figure))
        if options["strict"] and any(figure.seconds > figure.goal for figure in found):
            raise CommandError("a goal was missed")
