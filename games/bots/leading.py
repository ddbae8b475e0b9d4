"""What the beginner leads.

It gets rid of its lowest rank, all of it at once, and keeps its jokers; it leaves out sizes an enemy could go out on.
Once the jokers suffice to win every further lead it hangs them and runs.
"""

from games.bots.holding import Holding
from games.bots.sides import Sides
from games.engine.actions import Action, Kind
from games.engine.cards import BIG_LEVEL, SMALL_LEVEL, Card, level, sort_cards
from games.engine.legal import why_not
from games.engine.observation import Observation

NEARLY_OUT = 6


def lead(obs: Observation, mine: Holding, sides: Sides) -> Action:
    """A lead for the seat that must lead; the whole hand where it is one play."""
    if mine.groups <= 2 and why_not(obs, obs.hand) is None:
        return Action(Kind.PLAY, obs.hand)
    free = mine.free
    if not free:
        return _play(obs, {SMALL_LEVEL, BIG_LEVEL}, special=True)  # jokers before the held-back rank (RULES §6.4)
    if mine.big + mine.special >= mine.groups - 1:
        return _run(obs, mine, free)
    return _play(obs, {_group(obs, mine, sides, free)})


def _run(obs: Observation, mine: Holding, free: list[int]) -> Action:
    """The lowest group with a big joker; all jokers at once when only the held-back rank would be left."""
    if len(free) == 1:
        return _play(obs, {free[0], SMALL_LEVEL, BIG_LEVEL}, special=True)
    cards = _cards(obs, {free[0]})
    jokers = [card for card in obs.hand if level(card) == BIG_LEVEL and card != obs.special]
    hung = jokers[-1:] or _special(obs)
    return Action(Kind.PLAY, sort_cards((*cards, *hung)))


def _group(obs: Observation, mine: Holding, sides: Sides, free: list[int]) -> int:
    """The lowest rank of which there is not just as much as some enemy has cards left; else the highest rank."""
    feed = {obs.counts[seat] for seat in sides.allies if 0 < obs.counts[seat] <= NEARLY_OUT}
    avoid = {obs.counts[seat] for seat in sides.not_allies if 0 < obs.counts[seat] <= NEARLY_OUT}
    safe = [lv for lv in free if mine.plain[lv] not in avoid]
    if not safe:
        return free[-1]
    fed = [lv for lv in safe[: len(safe) // 2] if mine.plain[lv] in feed]
    return fed[0] if fed else safe[0]


def _play(obs: Observation, levels: set[int], special: bool = False) -> Action:
    cards = _cards(obs, levels)
    return Action(Kind.PLAY, sort_cards((*cards, *_special(obs))) if special else cards)


def _cards(obs: Observation, levels: set[int]) -> tuple[Card, ...]:
    """All cards of these levels but the special one."""
    cards = [card for card in obs.hand if level(card) in levels]
    if obs.special in cards:
        cards.remove(obs.special)
    return tuple(cards)


def _special(obs: Observation) -> tuple[Card, ...]:
    return (obs.special,) if obs.special is not None else ()
