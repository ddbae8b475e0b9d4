"""Tribute: cards paid for the previous hand, before anybody is asked anything (RULES §9). It needs no answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..cards import MARKED, ORDER, Card, Hand, sort_cards, without
from ..deck import SEATS
from ..observation import Gift, Result, Solo
from ..rules import RuleSet
from ..settlement import base_points


@dataclass(frozen=True, slots=True)
class Previous:
    """The last scored hand at this table, as tribute needs it; `cleared` pairs (清3'd seat, seat that beat it)."""

    emperor: int
    guard: int | None
    solo: Solo | None
    guard_open: bool
    places: tuple[int, ...]
    cleared: tuple[tuple[int, int], ...] = ()


def previous_of(result: Result) -> Previous | None:
    """What the next hand of the same five owes tribute for; None after a draw, when nothing is owed (RULES §9.1)."""
    if result.outcome == "draw":
        return None
    return Previous(result.emperor, result.guard, result.solo, result.guard_open, result.places, result.cleared)


def pay_tribute(
    rules: RuleSet, previous: Previous | None, hands: Sequence[Hand]
) -> tuple[tuple[Gift, ...], tuple[Hand, ...]]:
    """The gifts, by giver and then in canonical order, and the hands after them (RULES §9.2–9.4)."""
    hands = tuple(map(sort_cards, hands))
    if previous is None:
        return (), hands
    base = base_points(rules, previous.emperor, previous.guard, previous.solo, previous.guard_open, previous.places)
    if base[previous.emperor] == 0:
        return (), hands
    gifts: list[Gift] = []
    if rules.tribute == "standard":
        gifts = _standard_gifts(previous, hands, emperor_won=base[previous.emperor] > 0)
        hands = _hand_over(hands, gifts)
    if rules.clear_threes and rules.play.hold_back == "3":
        cleared = [Gift(giver, taker, card) for giver, taker in previous.cleared for card in highest(hands[giver], 1)]
        hands = _hand_over(hands, cleared)
        gifts += cleared
    return tuple(sorted(gifts, key=lambda gift: (gift.giver, ORDER[gift.card]))), hands


def highest(hand: Hand, count: int) -> list[Card]:
    """The hand's highest cards; marked cards are never given (RULES §9.3)."""
    return [card for card in hand if card not in MARKED][:count]


def _standard_gifts(previous: Previous, hands: Sequence[Hand], *, emperor_won: bool) -> list[Gift]:
    k = 2 if previous.solo is Solo.OPEN or previous.guard_open else 1
    emperor, guard = previous.emperor, previous.guard
    rebels = [seat for seat in range(SEATS) if seat not in (emperor, guard)]
    if emperor_won:
        pool = _pool(hands, {seat: k for seat in rebels})
        # The guard takes the middle k of what there is, the emperor the rest.
        return [
            Gift(giver, emperor if guard is None or not k <= i < 2 * k else guard, card)
            for i, (giver, card) in enumerate(pool)
        ]
    owed = {emperor: 4 * k} if guard is None else {emperor: 2 * k, guard: k}
    takers = sorted(rebels, key=lambda seat: previous.places[seat])
    return [Gift(giver, takers[i // k], card) for i, (giver, card) in enumerate(_pool(hands, owed))]


def _pool(hands: Sequence[Hand], owed: dict[int, int]) -> list[tuple[int, Card]]:
    """All cards given, highest first; between equal cards the lower seat first."""
    given = [(seat, card) for seat, count in sorted(owed.items()) for card in highest(hands[seat], count)]
    return sorted(given, key=lambda pair: (ORDER[pair[1]], pair[0]))


def _hand_over(hands: Sequence[Hand], gifts: Sequence[Gift]) -> tuple[Hand, ...]:
    """The hands after all gifts at once."""
    after = []
    for seat, hand in enumerate(hands):
        rest = without(hand, [gift.card for gift in gifts if gift.giver == seat])
        after.append(sort_cards([*rest, *(gift.card for gift in gifts if gift.taker == seat)]))
    return tuple(after)
