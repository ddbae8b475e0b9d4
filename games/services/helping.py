"""Decisions that help a seat of the other side: passes on a sure enemy's play that a bot there would have beaten.

Read from the logs of finished hands. One such pass says nothing; what is counted is how often somebody spares one
enemy, beside how often he spares all the others in the same kind of decision, over many hands.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from games import history
from games.bots import choose
from games.bots.sides import sides_of
from games.engine.actions import Kind, parse_action
from games.engine.errors import EngineError
from games.engine.legal import plays
from games.engine.observation import Step
from games.engine.observe import observe
from games.history import Logged
from games.models import Hand, HandAction, Signal
from games.selectors.signals import SHOWN, Candidate, Company

LEVEL = "beginner"
"""Whose choice a person's is compared with."""
PAIR_HANDS = 20
"""Only people who met on opposite sides so often are looked at."""
CHANCES, SPARED_MORE, Z = 15, 0.25, 3.0
"""So many decisions, spared so much more often than others are, so many standard deviations."""


@dataclass(slots=True)
class Tally:
    """Decisions of one person against one enemy: chances to beat him cheaply, and those let go."""

    chances: int = 0
    spared: int = 0
    hands: list[str] = field(default_factory=list)


Table = dict[tuple[int, int], Tally]


def decisions(hand: Hand, who: Collection[int]) -> Iterator[tuple[int, int, bool]]:
    """(player, enemy, whether he was spared) for each decision of these people in which a cheap beat was there.

    Counted is where he beat the play, and where he let it go though the bot would have beaten it. Nothing else: not
    what the system did for a seat, not a play of somebody who may have been a friend as far as the seat knew.
    """
    players = [occupant["player"] for occupant in hand.players]
    fold = history.begin_fold(hand)
    for row in HandAction.objects.filter(hand_id=hand.pk).order_by("seq"):
        action, state = parse_action(row.text), fold.state
        player = players[row.seat]
        judged = state.step is Step.PLAY and state.top is not None and row.source == HandAction.Source.PLAYER
        if judged and player in who and state.top is not None and players[state.top.seat] is not None:
            obs = observe(state, row.seat)
            enemy = state.top.seat
            if enemy in sides_of(obs).enemies:
                if action.kind is Kind.PLAY:
                    yield player, players[enemy], False
                elif plays(obs):
                    chosen = choose(LEVEL, obs, random.Random(f"{hand.pk}:{row.seq}"))
                    if chosen.kind is Kind.PLAY:
                        yield player, players[enemy], True
        fold = fold.then(action, Logged(row.seat, row.text, row.source, row.action_id))


def tallies(hands: Iterable[Hand], who: Collection[int]) -> tuple[Table, int]:
    """Count over these hands, newest first; and how many could be read."""
    table: Table = defaultdict(Tally)
    read = 0
    for hand in hands:
        try:
            found = list(decisions(hand, who))
        except (EngineError, LookupError):
            continue
        read += 1
        for player, enemy, spared in found:
            row = table[player, enemy]
            row.chances += 1
            row.spared += spared
            if spared and len(row.hands) < SHOWN and hand.pk not in row.hands:
                row.hands.append(hand.pk)
    return dict(table), read


def helping(table: Table) -> Iterator[Candidate]:
    """Whoever spares one enemy far more often than the others: `player` spares `other`."""
    everything = Tally()
    for row in table.values():
        everything.chances += row.chances
        everything.spared += row.spared
    usual = everything.spared / everything.chances if everything.chances else 0.0
    own: dict[int, Tally] = defaultdict(Tally)
    for (player, _), row in table.items():
        own[player].chances += row.chances
        own[player].spared += row.spared
    for (player, enemy), row in table.items():
        if row.chances < CHANCES:
            continue
        rest_chances = own[player].chances - row.chances
        rest_spared = own[player].spared - row.spared
        # his own habit, drawn to everybody's where little is known of it
        habit = (rest_spared + CHANCES * usual) / (rest_chances + CHANCES)
        habit = min(max(habit, 0.02), 0.98)
        rate = row.spared / row.chances
        z = (row.spared - row.chances * habit) / math.sqrt(row.chances * habit * (1 - habit))
        if rate - habit >= SPARED_MORE and z >= Z:
            figures = {
                "spared": row.spared,
                "chances": row.chances,
                "rest_spared": rest_spared,
                "rest_chances": rest_chances,
                "habit": round(habit, 3),
            }
            yield Candidate(Signal.Kind.HELP, player, enemy, round(z, 2), figures, row.hands)


def suspects(seen: Company) -> set[int]:
    """People with somebody they met often on the other side: only their decisions are read."""
    return {key for pair, row in seen.pairs.items() if row.opposed >= PAIR_HANDS for key in pair}
