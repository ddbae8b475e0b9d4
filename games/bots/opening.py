"""What the beginner says before the first card: crown, grab, call, reveal, rebel, kick (RULES §5).

Every decision compares the strength of the hand as it would be played with a bar. A little chance moves the bar, so
that an answer does not tell exactly what a bot holds.
"""

import random

from games.bots.holding import Holding, count, holding_of
from games.bots.strength import strength
from games.bots.trustee import copies, default_action
from games.engine.actions import Action, Kind
from games.engine.cards import CROWN, SWORD
from games.engine.legal import answers
from games.engine.observation import Observation, Role, Step

ACCEPT = 0.1
ACCEPT_LAST_LAP = (0.1, 0.0, -0.2, -0.6, -1.5)  # by how many have refused in it: a void hand pleases nobody
HIDDEN_SOLO = 1.0
OPEN_SOLO = 2.0
OPEN_GUARD = 0.5
OPEN_GUARD_AT_HOME = 1.5  # there an open guard wins only as second behind the emperor (RULES §8.4)
REBEL = 0.6
KICK_AS_EMPEROR = 0.3
KICK_AS_REBEL = 0.8
PAID_TRIBUTE = 0.8  # how much lower the bar lies for a seat that would yield to those it paid
JITTER = 0.15


def answer(obs: Observation, rng: random.Random) -> Action:
    """The beginner's answer in a step before play."""
    legal = answers(obs)
    luck = rng.uniform(-JITTER, JITTER)
    kinds = {action.kind for action in legal}
    worth = strength(obs.rules, _with_crown(obs) if obs.crown_at is not None else holding_of(obs)) + luck
    match obs.step:
        case Step.CROWN:
            wanted = _crown(obs, kinds, worth)
        case Step.GRAB:
            wanted = Kind.SOLO if worth >= OPEN_SOLO else Kind.PASS
        case Step.CALL:
            return _call(obs, legal, worth)
        case Step.REVEAL:
            wanted = Kind.OPEN if worth >= _open_bar(obs) else Kind.HIDE
        case Step.REBEL:
            wanted = Kind.REBEL if worth >= REBEL else Kind.PASS
        case Step.KICK:
            bar = KICK_AS_REBEL if obs.role_of(obs.viewer or 0) is Role.REBEL else KICK_AS_EMPEROR
            wanted = Kind.KICK if worth >= bar else Kind.PASS
        case _:
            raise ValueError(f"nothing is asked before play in step {obs.step}")
    return Action(wanted) if wanted in kinds else default_action(obs)


def _with_crown(obs: Observation) -> Holding:
    """The hand with the crown card and the toll beside it, as its emperor would play it (RULES §5.2)."""
    return count((*obs.hand, CROWN, *obs.toll))


def _crown(obs: Observation, kinds: set[Kind], worth: float) -> Kind:
    if worth >= OPEN_SOLO and Kind.SOLO in kinds:
        return Kind.SOLO
    if obs.rules.guard.by == "sword" and SWORD in obs.hand:
        bar = HIDDEN_SOLO  # whoever accepts with the sword card plays alone; who yields becomes the guard
    else:
        bar = _accept_bar(obs)
    return Kind.ACCEPT if worth >= bar else Kind.YIELD


def _accept_bar(obs: Observation) -> float:
    bar = ACCEPT
    if obs.last_lap:
        refused = sum(event.kind == "yield" for event in obs.log)
        bar = ACCEPT_LAST_LAP[-1 if obs.forced else refused % len(ACCEPT_LAST_LAP)]
    paid = any(gift.giver == obs.viewer for gift in obs.gifts)
    return bar - PAID_TRIBUTE if paid else bar


def _open_bar(obs: Observation) -> float:
    if obs.own_solo is not None:
        return OPEN_SOLO
    return OPEN_GUARD_AT_HOME if obs.rules.scoring.mode == "outcome_home" else OPEN_GUARD


def _call(obs: Observation, legal: tuple[Action, ...], worth: float) -> Action:
    """A quad when strong enough to play alone, else the highest triple: a high fourth card stays hidden longest."""
    alone = [action for action in legal if copies(obs, action.cards[0]) == 4]
    if alone and worth >= OPEN_SOLO and any(action.opened for action in alone):
        return next(action for action in alone if action.opened)
    hidden = [action for action in alone if not action.opened]
    if hidden and worth >= HIDDEN_SOLO:
        return hidden[0]
    return default_action(obs)
