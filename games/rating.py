"""The rating: how far a player's places beat what his seat and company made likely. Pure arithmetic on floats.

A hand is judged by its guard value (RULES §8.1) whatever the table's scoring, so that presets can be compared and
multipliers never count. `Standing` is one player's rating with what its next change depends on; a bot's never moves.
The same numbers in the same order give the same floats: that is what lets `recompute_ratings` check a running site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt, tanh

SEATS = 5
PROVISIONAL = 50
"""Rated hands until a rating is shown."""

SHOWN_ZERO, SHOWN_UNIT = 1500, 200
STEP_LEAST, STEP_FIRST, STEP_SLOWER = 0.04, 0.6, 12
OFFSET_STEP = 0.02
BOTS_UNRATED = 2
"""A hand with this many bots changes no rating."""

BOT_VALUES: Mapping[str, float] = {"beginner": -0.5}
"""Fixed ratings of the bots by level, on the inner scale; a level not listed counts as 0 (shown 1500)."""

PAIR_WEIGHTS = (0.6, 0.4, 1 / 3)
SOLO_WEIGHTS = (1.0, 1 / 4)

RESET_HANDS = 24
"""After a season's soft reset a rating moves as if its player had played at most this many hands."""


@dataclass(frozen=True, slots=True)
class Standing:
    """`value` is R, shown as 1500 + 200·R. `hands` counts the rated hands; `experience` is the n of the step K, which
    a soft reset makes smaller; `variance` is the expected square of the error of `value`."""

    value: float = 0.0
    hands: int = 0
    experience: int = 0
    variance: float = 1.0
    fixed: bool = False

    @property
    def shown(self) -> int:
        return shown(self.value)

    @property
    def uncertainty(self) -> int:
        """One standard error, in shown points."""
        return round(SHOWN_UNIT * sqrt(self.variance))

    @property
    def provisional(self) -> bool:
        return self.hands < PROVISIONAL


@dataclass(frozen=True, slots=True)
class Judged:
    """What one hand does: the five standings after it, the offset of its preset after it, and the surprise e."""

    standings: tuple[Standing, ...]
    offset: float
    surprise: float


def shown(value: float) -> int:
    """The number people see."""
    return round(SHOWN_ZERO + SHOWN_UNIT * value)


def bot(level: str) -> Standing:
    """A bot of this level: known exactly, and never changed."""
    return Standing(value=BOT_VALUES.get(level, 0.0), variance=0.0, fixed=True)


def step(experience: int) -> float:
    """K: how far one hand moves a player who has played so many."""
    return max(STEP_LEAST, STEP_FIRST / (1 + experience / STEP_SLOWER))


def outcome(*, emperor: int, guard: int | None, open_solo: bool = False) -> float:
    """y in −1…1, from the places of emperor and guard (RULES §8.1).

    With a guard it is the guard value over 3. Alone it is the solo table over 12; an open solo's 24 is that table with
    its factor of 2 built in, and a factor never scales y.
    """
    if guard is not None:
        return (6 - (emperor + guard)) / 3
    if emperor == 1:
        return 1.0
    return 0.0 if emperor == 2 and not open_solo else -1.0


def weights(emperor: int, guard: int | None) -> tuple[float, ...]:
    """What each seat's share in the surprise is; the rebels' is negative. They sum to 0."""
    if guard is None:
        return tuple(SOLO_WEIGHTS[0] if seat == emperor else -SOLO_WEIGHTS[1] for seat in range(SEATS))
    return tuple(
        PAIR_WEIGHTS[0] if seat == emperor else PAIR_WEIGHTS[1] if seat == guard else -PAIR_WEIGHTS[2]
        for seat in range(SEATS)
    )


def expected(standings: Sequence[Standing], *, emperor: int, guard: int | None, offset: float) -> float:
    """d: by how much the emperor's side was the stronger, with what the preset gives it."""
    ruling = {emperor} if guard is None else {emperor, guard}
    rebels = [standings[seat].value for seat in range(SEATS) if seat not in ruling]
    mean = sum(rebels) / len(rebels)
    if guard is None:
        return standings[emperor].value - mean + offset
    return PAIR_WEIGHTS[0] * standings[emperor].value + PAIR_WEIGHTS[1] * standings[guard].value - mean + offset


def judge(
    standings: Sequence[Standing],
    *,
    places: Sequence[int],
    emperor: int,
    guard: int | None,
    open_solo: bool = False,
    offset: float = 0.0,
) -> Judged:
    """One rated hand. `places[i]` is seat i's place 1…5; `offset` is the preset's, solo hands having their own."""
    y = outcome(
        emperor=places[emperor], guard=None if guard is None else places[guard], open_solo=open_solo and guard is None
    )
    likely = tanh(expected(standings, emperor=emperor, guard=guard, offset=offset) / 2)
    surprise = y - likely
    slope = (1 - likely * likely) / 2
    after = tuple(
        _moved(standing, weight, surprise, slope)
        for standing, weight in zip(standings, weights(emperor, guard), strict=True)
    )
    return Judged(after, offset + OFFSET_STEP * surprise, surprise)


def _moved(standing: Standing, weight: float, surprise: float, slope: float) -> Standing:
    """The error shrinks as the rating is drawn to what it should be, and grows by the chance in this hand."""
    if standing.fixed:
        return standing
    k = step(standing.experience)
    kept = 1 - k * weight * weight * slope
    noise = k * weight * surprise
    return Standing(
        value=standing.value + k * weight * surprise,
        hands=standing.hands + 1,
        experience=standing.experience + 1,
        variance=kept * kept * standing.variance + noise * noise,
    )


def soft_reset(standing: Standing, keep: float) -> Standing:
    """A new season: the share `keep` (0…1) of the distance from 1500 stays, and the rating moves faster again."""
    return replace(
        standing,
        value=keep * standing.value,
        experience=min(standing.experience, RESET_HANDS),
        variance=keep * keep * standing.variance + (1 - keep * keep),
    )


def wilson_lower(wins: int, hands: int, z: float = 1.96) -> float:
    """The lower end of Wilson's 95 % interval of a share of wins: what can be believed of it. 0 without hands."""
    if hands == 0:
        return 0.0
    share, square = wins / hands, z * z
    middle = share + square / (2 * hands)
    spread = z * sqrt((share * (1 - share) + square / (4 * hands)) / hands)
    return max(0.0, (middle - spread) / (1 + square / hands))
