"""From places to points and beans (RULES §8). Pure arithmetic on whole numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from .deck import SEATS
from .observation import Solo
from .rules import RuleSet

PLACE_WORTH = (4, 2, 0, -2, -4)
LEAVING_POINTS = 40
"""What leaving a hand for good costs, in points and, times the room, in beans (RULES §8.6)."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """`outcome` of the emperor's side; five `points` that sum to 0; five `beans` that sum to −`rounding`."""

    outcome: str
    points: tuple[int, ...]
    beans: tuple[int, ...]
    rounding: int


def settle(
    rules: RuleSet,
    *,
    emperor: int,
    guard: int | None,
    solo: Solo | None,
    guard_open: bool,
    places: Sequence[int],
    multiplier: int = 1,
    room: int = 1,
    custom: Sequence[int] = (1,) * SEATS,
) -> Settlement:
    """Points and beans of a hand.

    `places[i]` is seat i's place 1…5; `multiplier` the product of the factors earned in RULES §5.6–5.8; `room` and
    `custom` the bean multipliers of the table and of each seat. Exactly one of `guard` and `solo` is given.
    """
    base = base_points(rules, emperor, guard, solo, guard_open, places)
    if rules.scoring.mode == "sum" and solo is Solo.OPEN:
        multiplier = 1  # the factor is built into the table (RULES §8.1)
    beans, rounding = split_beans(base, emperor, guard, multiplier * room, custom)
    outcome = "win" if base[emperor] > 0 else "loss" if base[emperor] < 0 else "draw"
    return Settlement(outcome, tuple(p * multiplier for p in base), beans, rounding)


def base_points(
    rules: RuleSet, emperor: int, guard: int | None, solo: Solo | None, guard_open: bool, places: Sequence[int]
) -> tuple[int, ...]:
    """The five points before the game multiplier."""
    e = places[emperor]
    if guard is None:
        own, other = _solo_points(rules, e, solo)
        return tuple(own if seat == emperor else other for seat in range(SEATS))
    emperor_gets, guard_gets, rebel_gets = _pair_points(rules, e, places[guard], guard_open)
    return tuple(
        emperor_gets if seat == emperor else guard_gets if seat == guard else rebel_gets for seat in range(SEATS)
    )


def _solo_points(rules: RuleSet, e: int, solo: Solo | None) -> tuple[int, int]:
    """(emperor, each other) for one against four."""
    mode = rules.scoring.mode
    if mode == "sum":
        if solo is Solo.OPEN:
            return (24, -6) if e == 1 else (-24, 6)
        sign = 1 if e == 1 else 0 if e == 2 else -1
        return 12 * sign, -3 * sign
    factor = rules.scoring.solo_factor * (rules.stakes.open_solo if solo is Solo.OPEN else 1)
    if mode == "places":
        worth = PLACE_WORTH[e - 1] * factor
        return 4 * worth, -worth
    lost = mode == "outcome_home" or e > 2
    sign = 1 if e == 1 else -1 if lost else 0
    return 4 * sign * factor, -sign * factor


def _pair_points(rules: RuleSet, e: int, g: int, guard_open: bool) -> tuple[int, int, int]:
    """(emperor, guard, each rebel) for two against three."""
    mode = rules.scoring.mode
    if mode == "sum":
        guard = 6 - (e + g)
        return 2 * guard, guard, -guard
    if mode == "places":
        worth = PLACE_WORTH[e - 1] + PLACE_WORTH[g - 1]
        return 3 * worth, 3 * worth, -2 * worth
    sign = _home_outcome(e, g, guard_open) if mode == "outcome_home" else _outcome(e, g)
    return 2 * sign, sign, -sign


def _outcome(e: int, g: int) -> int:
    """+1 win, 0 draw, −1 loss (RULES §8.3)."""
    if min(e, g) == 1:
        return 1 if max(e, g) <= 3 else -1
    return 0 if {e, g} == {2, 3} else -1


def _home_outcome(e: int, g: int, guard_open: bool) -> int:
    """+1 win, 0 draw, −1 loss (RULES §8.4)."""
    if guard_open:
        return 1 if (e, g) == (1, 2) else -1
    if e == 1:
        return 1 if g <= 4 else 0
    if g == 1:
        return {2: 1, 3: 0}.get(e, -1)
    return -1


def split_beans(
    base: Sequence[int], emperor: int, guard: int | None, stake: int, custom: Sequence[int]
) -> tuple[tuple[int, ...], int]:
    """Beans of the five seats and what rounding leaves to the house (RULES §8.5). `stake` = room × multiplier."""
    total = stake * sum(p for p in base if p > 0) * prod(custom)
    ruling = [seat for seat in (emperor, guard) if seat is not None]
    rebels = [seat for seat in range(SEATS) if seat not in ruling]
    beans = [0] * SEATS
    for side, weights in (
        (ruling, [abs(base[seat]) * custom[seat] for seat in ruling]),
        (rebels, [custom[seat] for seat in rebels]),
    ):
        whole = sum(weights)
        for seat, weight in zip(side, weights, strict=True):
            share = (2 * total * weight + whole) // (2 * whole) if whole else 0
            beans[seat] = share if base[seat] > 0 else -share
    return tuple(beans), -sum(beans)
