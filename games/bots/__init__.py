"""Players that are programs: an observation goes in, an action comes out.

A bot is a pure function of what its seat may know and of a source of chance handed to it; it can see
neither the state of the hand nor the clock. ``LEVELS`` names the levels a table may ask for. The system's
own answers for an absent player are no level; they live in ``trustee``.
"""

import random
from collections.abc import Callable

from games.bots import beginner
from games.engine.actions import Action
from games.engine.observation import Observation

LEVELS: dict[str, str] = {"beginner": "初级"}

NAMES = ("阿松", "阿竹", "阿梅", "阿兰", "阿菊")
"""What bots are called. At an event's table the place in this list is that of the entrant whose seat the bot keeps."""

_CHOOSERS: dict[str, Callable[[Observation, random.Random], Action]] = {"beginner": beginner.choose}


def choose(level: str, obs: Observation, rng: random.Random) -> Action:
    """The action a bot of this level takes for the seat that is asked.

    Raises ``KeyError`` for a level not in ``LEVELS`` and ``ValueError`` when the seat is not asked.
    """
    return _CHOOSERS[level](obs, rng)
