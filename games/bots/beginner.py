"""The level 初级: sound habits of somebody who knows the rules and plays one trick at a time.

It leads its lowest rank, beats with the cheapest, lets allies win, keeps jokers for the end and stops enemies who are
nearly out. The parts are ``opening`` (before play), ``leading`` and ``following``; all of them see an observation only.
"""

import random

from games.bots.following import follow
from games.bots.holding import holding_of
from games.bots.leading import lead
from games.bots.opening import answer
from games.bots.sides import sides_of
from games.engine.actions import Action
from games.engine.observation import Observation, Step


def choose(obs: Observation, rng: random.Random) -> Action:
    """A legal action for the viewer's seat; ``ValueError`` when it is not asked."""
    if not obs.asked:
        raise ValueError(f"seat {obs.viewer} is not asked")
    if obs.step is not Step.PLAY:
        return answer(obs, rng)
    mine, sides = holding_of(obs), sides_of(obs)
    if obs.leading:
        return lead(obs, mine, sides)
    return follow(obs, mine, sides)
