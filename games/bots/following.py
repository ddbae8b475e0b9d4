"""Whether the beginner beats the top play, and with what.

It weighs every legal shape by what giving it up costs, takes the cheapest and plays it when the reason is worth that:
going out always is, stopping an enemy who is nearly out almost always, beating an ally never. Otherwise it defers,
claims the windfall or passes.
"""

from games.bots.holding import Holding
from games.bots.sides import Sides
from games.engine.actions import Action, Kind, play_action
from games.engine.cards import RANK_LEVEL
from games.engine.legal import cards_for, plays
from games.engine.observation import Observation, Play, Role
from games.engine.shapes import Shape

PER_LEVEL = 0.3
BREAK = 2.0
BREAK_HIGH = 0.7
HIGH = RANK_LEVEL["K"]
WILD_TWO = 2.5
PER_SMALL = 5.0
PER_BIG = 8.0
SPECIAL = 9.0

AGAINST_ENEMY = 4.5
AGAINST_UNKNOWN = 4.0
SECOND_CHANCE = 1.5
SHORT_HAND = 14
SHORT_BONUS = 3.0
NEARLY_OUT = 5
STOP_ENEMY = 100.0
STOP_UNKNOWN = 6.0


def follow(obs: Observation, mine: Holding, sides: Sides) -> Action:
    """The answer of a seat that may beat ``obs.top`` or let it go."""
    top = obs.top
    if top is None:
        raise ValueError("nothing to follow")
    let_go = _is_allys(obs, top, sides)
    if let_go and mine.groups > 2:
        return _decline(obs, sides, could=False)
    legal = plays(obs)
    for shape in legal:
        if shape.size == len(obs.hand):
            return play_action(cards_for(obs, shape))
    if let_go or not legal:
        return _decline(obs, sides, could=False)
    price, place = min((cost(mine, shape), place) for place, shape in enumerate(legal))
    if price <= _worth(obs, top, sides):
        return play_action(cards_for(obs, legal[place]))
    return _decline(obs, sides, could=True)


def cost(mine: Holding, shape: Shape) -> float:
    """What playing this shape takes from the hand: high cards, jokers, groups torn apart; less when it ends well."""
    price = PER_SMALL * shape.small + PER_BIG * shape.big + SPECIAL * shape.special
    if shape.count:
        lv = RANK_LEVEL[shape.rank]
        own = min(mine.plain[lv], shape.count)
        price += PER_LEVEL * lv + WILD_TWO * (shape.count - own)
        if own < mine.plain[lv]:
            price += BREAK_HIGH if lv >= HIGH else BREAK
    left = mine.after(shape)
    if left.groups <= left.big + 1 and left.groups < mine.groups:
        price -= PER_BIG  # from here on the jokers win every lead
    return price


def _is_allys(obs: Observation, top: Play, sides: Sides) -> bool:
    """Whether letting the play go leaves the lead with the own side (RULES §6.6 when its owner is out)."""
    if top.seat not in sides.allies:
        return False
    if top.seat not in obs.out:
        return True
    return obs.rules.play.windfall == "ally" and obs.public


def _worth(obs: Observation, top: Play, sides: Sides) -> float:
    """The highest price worth paying to beat this play."""
    enemy = top.seat in sides.enemies or dict(obs.known).get(obs.viewer or 0) is Role.EMPEROR
    worth = AGAINST_ENEMY if enemy else AGAINST_UNKNOWN
    if 0 < obs.counts[top.seat] <= NEARLY_OUT:
        worth += STOP_ENEMY if enemy else STOP_UNKNOWN
    if len(obs.hand) <= SHORT_HAND:
        worth += SHORT_BONUS
    if any(turn.kind is Kind.DEFER and turn.seat == obs.viewer for turn in obs.trick):
        worth += SECOND_CHANCE
    return worth


def _decline(obs: Observation, sides: Sides, could: bool) -> Action:
    """Claim unless an ally has; defer with something in hand to beat it; else pass (RULES §6.5, §6.6)."""
    if obs.may_claim and not any(turn.kind is Kind.CLAIM and turn.seat in sides.allies for turn in obs.trick):
        return Action(Kind.CLAIM)
    if could and obs.may_defer:
        return Action(Kind.DEFER)
    return Action(Kind.PASS)
