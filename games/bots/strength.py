"""How good a hand is before play: one number, used for every decision of the steps before the first card.

``strength`` estimates by how many places better than the middle one a hand finishes when five equal players play it: 0
is an average hand, +1 finishes about second, −1 about fourth. The weights were fitted to a thousand hands the bots
played among themselves (of a place's variance the fit explains a third); they judge this level of play, no rule.
"""

from functools import lru_cache

from games.bots.holding import Holding
from games.engine.cards import RANK_LEVEL, RANKS
from games.engine.rules import RuleSet

ACE, TWO, KING = RANK_LEVEL["A"], RANK_LEVEL["2"], RANK_LEVEL["K"]

BASE = -1.15
PER_BIG = 0.60
PER_SMALL = 0.35
PER_SPECIAL = 0.70
PER_TWO = 0.08
PER_ACE = 0.04
PER_KING = 0.02
PER_WEAK_GROUP = -0.05
PER_MISSING_RANK = 0.15


def strength(rules: RuleSet, mine: Holding) -> float:
    """Places better than the middle one this hand is worth; a whole hand is mostly between −1.5 and +1.5."""
    return (
        BASE
        + PER_BIG * mine.big
        + PER_SMALL * mine.small
        + PER_SPECIAL * mine.special
        + PER_TWO * mine.plain[TWO]
        + PER_ACE * mine.plain[ACE]
        + PER_KING * mine.plain[KING]
        + PER_WEAK_GROUP * sum(1 for n in mine.plain[:ACE] if 0 < n < 3)
        + PER_MISSING_RANK * (ranks_in_play(rules) - mine.groups)
    )


@lru_cache(maxsize=256)
def ranks_in_play(rules: RuleSet) -> int:
    """How many ranks the deck of this ruleset has (RULES §3 ``deck.removed``)."""
    return len(RANKS) - sum(1 for _, copies in rules.deck.removed if copies == 16)
