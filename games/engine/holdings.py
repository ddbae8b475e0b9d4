"""What a hand holds that matters before play: callable triples and quads (RULES §5.3)."""

from collections.abc import Collection, Iterable

from .cards import JOKERS, ORDER, Card, count_faces, sort_cards
from .rules import RuleSet


def callable_faces(rules: RuleSet, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Faces that may be called in this hand: of a callable rank, with four copies among all the cards in play."""
    if rules.guard.by != "call":
        return ()
    ranks = rules.guard.callable
    return sort_cards(f for f, n in count_faces(cards).items() if n == 4 and f[0] in ranks)


def triples(rules: RuleSet, callable_: Collection[Card], hand: Iterable[Card]) -> tuple[tuple[Card, int], ...]:
    """The (face, copies) pairs of this hand's callable triples, in canonical order.

    Where a hidden solo is not allowed a quad may not be called (RULES §5.5).
    """
    held = count_faces(hand)
    most = 4 if rules.solo.hidden else 3
    found = [(f, n) for f, n in held.items() if 3 <= n <= most and f in callable_]
    return tuple(sorted(found, key=lambda pair: ORDER[pair[0]]))


def has_callable_quad(callable_: Collection[Card], hand: Iterable[Card]) -> bool:
    """Whether the hand holds four identical callable cards (`triple_unless_quad`, RULES §5.2)."""
    return any(n == 4 and f in callable_ for f, n in count_faces(hand).items())


def has_plain_quad(hand: Iterable[Card]) -> bool:
    """Whether the hand holds four identical cards that are not jokers (`solo.grab` = quad, RULES §5.2, §5.4)."""
    return any(n == 4 and f not in JOKERS for f, n in count_faces(hand).items())
