"""`manage.py simulate`: bots play hand after hand at one table, and what came of it is printed.

Five bots of one level stay seated, so first seat and tribute carry over from hand to hand (RULES §4.3, §9). Every hand
is checked: its record must fold to the same state again and no card may be lost. Nothing touches the database. What
goes to standard output depends on the arguments alone; times go to standard error.
"""

import json
import random
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.bots import LEVELS, choose
from games.engine.actions import Action
from games.engine.cards import CROWN, Card
from games.engine.deck import SEATS, SEED_BYTES, Deal, deal
from games.engine.errors import BadRules, EngineError
from games.engine.fold import apply, begin
from games.engine.observation import Result, Role
from games.engine.observe import observe
from games.engine.presets import preset_ids
from games.engine.record import Record, read_record, replay, write_record
from games.engine.rules import RuleSet, load_rules
from games.engine.state import State
from games.engine.steps.tribute import Previous, previous_of

SILENT = ("",) * SEATS


class BrokenHand(Exception):
    """A hand that breaks a law every hand must keep: its record folds to something else, or cards went missing."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand played to its end, with all that is needed to fold it again."""

    deal: Deal
    previous: Previous | None
    actions: tuple[tuple[int, Action], ...]
    state: State
    thinking: float  # seconds the bots took for all their decisions

    @property
    def tricks(self) -> int:
        """How many tricks were led."""
        return sum(event.kind == "trick" for event in self.state.log) + 1


def play_hand(rules: RuleSet, dealt: Deal, previous: Previous | None, level: str, rng: random.Random) -> PlayedHand:
    """One hand played by five bots of this level, to its end or void."""
    state = begin(rules, dealt, previous)
    actions: list[tuple[int, Action]] = []
    thinking = 0.0
    while state.to_act:
        seat = state.to_act[0]
        obs = observe(state, seat)
        started = time.perf_counter()
        action = choose(level, obs, rng)
        thinking += time.perf_counter() - started
        state = apply(state, seat, action)
        actions.append((seat, action))
    return PlayedHand(dealt, previous, tuple(actions), state, thinking)


def play_table(rules: RuleSet, level: str, seed: int) -> Iterator[PlayedHand]:
    """Hand after hand at one table of five bots, without end; the same seed gives the same hands."""
    rng = random.Random(seed)
    first, previous = 0, None
    while True:
        hand = play_hand(rules, deal(rules, rng.randbytes(SEED_BYTES), SILENT, first), previous, level, rng)
        yield hand
        result = hand.state.result
        if result is not None:  # after a void the same seat is dealt to first and tribute is still owed (RULES §4.4)
            first = next_first(rules, result)
            previous = previous_of(result)


def next_first(rules: RuleSet, result: Result) -> int:
    """The seat that gets the first card of the hand after this one (RULES §3 ``deck.deal_from``)."""
    return result.emperor if rules.deck.deal_from == "emperor" else result.places.index(1)


def check_hand(rules: RuleSet, hand: PlayedHand) -> None:
    """Raises ``BrokenHand`` unless the hand's written record folds to its state and no card was lost or made."""
    dealt = Counter(card for cards in hand.deal.hands for card in cards)
    if rules.deck.reserve_crown:
        dealt[CROWN] += 1
    if dealt != Counter(_cards_anywhere(hand.state)):
        raise BrokenHand("cards were lost or made")
    log = tuple((seat, str(action)) for seat, action in hand.actions)
    record = Record(ruleset=rules, deal=hand.deal, actions=log, previous=hand.previous)
    written = json.loads(json.dumps(write_record(record)))
    if replay(read_record(written)) != hand.state:
        raise BrokenHand("the record folds to another state")


def _cards_anywhere(state: State) -> Iterator[Card]:
    """Every card of a finished hand: played, still held, or lying out with the crown card."""
    for cards in state.hands:
        yield from cards
    for event in state.log:
        if event.kind == "play":
            yield from event.cards
    if state.crown_at is not None:
        yield CROWN
        yield from state.toll


class Tally:
    """What is counted over the hands of one ruleset."""

    def __init__(self) -> None:
        self.ends: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.outcomes: dict[str, Counter[str]] = {}
        self.points: dict[str, list[int]] = {}
        self.places: dict[str, list[int]] = {}
        self.stakes: Counter[int] = Counter()
        self.lengths: list[int] = []
        self.tricks: list[int] = []
        self.decisions = 0
        self.thinking = 0.0

    def add(self, hand: PlayedHand) -> None:
        """Counts one hand."""
        self.decisions += len(hand.actions)
        self.thinking += hand.thinking
        result = hand.state.result
        self.ends[hand.state.step.value] += 1
        if result is None:
            return
        kind = _kind(result)
        self.kinds[kind] += 1
        self.outcomes.setdefault(kind, Counter())[result.outcome] += 1
        self.stakes[result.multiplier] += 1
        self.lengths.append(len(hand.actions))
        self.tricks.append(hand.tricks)
        for seat in range(SEATS):
            role = _role(result, seat)
            self.points.setdefault(role, []).append(result.points[seat])
            self.places.setdefault(role, []).append(result.places[seat])

    def lines(self) -> Iterator[str]:
        """The report, a line each; it holds no times."""
        yield f"  ends      {_shares(self.ends)}"
        for kind in sorted(self.kinds):
            outcomes = self.outcomes[kind]
            yield f"  {kind:<12} {self.kinds[kind]:>6} hands   emperor's side: {_shares(outcomes)}"
        for role in sorted(self.points):
            points, places = self.points[role], self.places[role]
            yield f"  {role:<12} {len(points):>6} seats   points {mean(points):+7.3f}   place {mean(places):.2f}"
        if self.lengths:
            yield f"  stakes    {_shares(Counter({f'×{factor}': n for factor, n in sorted(self.stakes.items())}))}"
            yield f"  actions   {_spread(self.lengths)}"
            yield f"  tricks    {_spread(self.tricks)}"


def _kind(result: Result) -> str:
    if result.solo is not None:
        return f"{result.solo.value} solo"
    return "open guard" if result.guard_open else "hidden guard"


def _role(result: Result, seat: int) -> str:
    role = result.role(seat)
    if result.solo is None:
        return role.value
    return f"{result.solo.value} solo" if role is Role.EMPEROR else f"against {result.solo.value}"


def _shares(counts: Counter[str]) -> str:
    total = sum(counts.values())
    return "   ".join(f"{name} {n} ({n / total:.1%})" for name, n in counts.items())


def _spread(values: list[int]) -> str:
    return f"mean {mean(values):.1f}   least {min(values)}   most {max(values)}"


class Command(BaseCommand):
    help = "Let bots play hands among themselves; check every hand and print what came of it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", default="all", help="a preset, or all (default)")
        parser.add_argument("--overrides", default="{}", help="JSON laid over the preset")
        parser.add_argument("--hands", type=int, default=100, help="how many hands of each ruleset (default 100)")
        parser.add_argument("--seed", type=int, default=0, help="another seed, other hands (default 0)")
        parser.add_argument("--level", choices=sorted(LEVELS), default="beginner")
        parser.add_argument("--no-check", action="store_true", help="do not fold each hand a second time")

    def handle(self, *args: Any, **options: Any) -> None:
        names = preset_ids() if options["rules"] == "all" else [options["rules"]]
        if options["hands"] < 1:
            raise CommandError("--hands must be at least 1")
        for name in names:
            self._simulate(_rules(name, options["overrides"]), name, options)

    def _simulate(self, rules: RuleSet, name: str, options: dict[str, Any]) -> None:
        started = time.perf_counter()
        tally = Tally()
        table = play_table(rules, options["level"], options["seed"])
        for number in range(1, options["hands"] + 1):
            try:
                hand = next(table)
                if not options["no_check"]:
                    check_hand(rules, hand)
            except (EngineError, BrokenHand) as error:
                raise CommandError(f"{name}: hand {number} of seed {options['seed']}: {error}") from error
            tally.add(hand)
        self.stdout.write(f"{name} {rules.name}: {options['hands']} hands, seed {options['seed']}, {options['level']}")
        for line in tally.lines():
            self.stdout.write(line)
        seconds = time.perf_counter() - started
        self.stderr.write(
            f"  {name}: {seconds:.1f} s, {1000 * seconds / options['hands']:.1f} ms a hand, "
            f"{1e6 * tally.thinking / max(1, tally.decisions):.0f} µs a decision"
        )


def _rules(name: str, overrides: str) -> RuleSet:
    try:
        return load_rules(name, json.loads(overrides))
    except (BadRules, json.JSONDecodeError) as error:
        raise CommandError(f"{name}: {error}") from error
