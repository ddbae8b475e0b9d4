"""A hand as a bot counts it: cards by rank, jokers apart, the special apart, the held-back rank marked.

A ``group`` is all the cards of one rank. The number of groups is how often a hand must win or be given the lead, and
is what the bots judge hands by.
"""

from dataclasses import dataclass

from games.engine.cards import BIG_LEVEL, RANK_LEVEL, RANKS, SMALL_LEVEL, Card, count_levels, level
from games.engine.observation import Observation
from games.engine.shapes import Shape

NO_RANK = -1


@dataclass(frozen=True, slots=True)
class Holding:
    """``plain``: cards of each rank 3…2 without the special; ``held``: level of the held-back rank or ``NO_RANK``."""

    plain: tuple[int, ...]
    small: int
    big: int
    special: bool
    held: int

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.plain) + self.jokers

    @property
    def jokers(self) -> int:
        """Jokers and the special card together."""
        return self.small + self.big + self.special

    @property
    def groups(self) -> int:
        """Ranks of which there is a card, the held-back one too."""
        return sum(1 for n in self.plain if n)

    @property
    def free(self) -> list[int]:
        """Levels that may be led, weakest first: all but the held-back rank (RULES §6.4)."""
        return [lv for lv, n in enumerate(self.plain) if n and lv != self.held]

    def after(self, shape: Shape) -> "Holding":
        """What is left when this shape has been played; under wild twos the 2s fill up the rank."""
        plain = list(self.plain)
        if shape.count:
            lv = RANK_LEVEL[shape.rank]
            own = min(plain[lv], shape.count)
            plain[lv] -= own
            plain[-1] -= shape.count - own
        return Holding(
            tuple(plain), self.small - shape.small, self.big - shape.big, self.special and not shape.special, self.held
        )


def holding_of(obs: Observation) -> Holding:
    """The viewer's hand, counted."""
    hold_back = obs.rules.play.hold_back
    return count(obs.hand, obs.special, RANK_LEVEL[hold_back] if hold_back else NO_RANK)


def count(cards: tuple[Card, ...], special: Card | None = None, held: int = NO_RANK) -> Holding:
    """Any cards, counted; ``special`` is one of them that ranks ``#``."""
    counts = count_levels(cards)
    if special is not None:
        counts[level(special)] -= 1
    return Holding(tuple(counts[: len(RANKS)]), counts[SMALL_LEVEL], counts[BIG_LEVEL], special is not None, held)
