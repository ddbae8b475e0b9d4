"""Cards and their order (RULES §2).

A card IS its token: `7S`, `TH`, `w`, `w!` (sword card), `W`, `W!` (crown card). Four equal copies of a plain card
are indistinguishable, so nothing here has an identity. `level` is strength: 0…12 for the ranks 3…2, 13 small joker,
14 big joker; the special card (level 15) is a matter of the hand being played, not of the card.
"""

from collections.abc import Iterable, Sequence
from typing import NewType

from .errors import BadCards

Card = NewType("Card", str)

RANKS = "3456789TJQKA2"
SUITS = "SHCD"
SMALL = Card("w")
SWORD = Card("w!")
BIG = Card("W")
CROWN = Card("W!")

SMALL_LEVEL = 13
BIG_LEVEL = 14
LEVELS = 15
TWO = 12
RANK_LEVEL: dict[str, int] = {rank: i for i, rank in enumerate(RANKS)}

CANONICAL: tuple[Card, ...] = (
    CROWN,
    BIG,
    SWORD,
    SMALL,
    *(Card(rank + suit) for rank in reversed(RANKS) for suit in SUITS),
)
"""All 56 tokens in the order in which cards are shown and compared (RULES §2)."""

ORDER: dict[str, int] = {card: i for i, card in enumerate(CANONICAL)}
LEVEL: dict[str, int] = {
    **{rank + suit: i for i, rank in enumerate(RANKS) for suit in SUITS},
    SMALL: SMALL_LEVEL,
    SWORD: SMALL_LEVEL,
    BIG: BIG_LEVEL,
    CROWN: BIG_LEVEL,
}
MARKED = frozenset((SWORD, CROWN))
JOKERS = frozenset((SMALL, SWORD, BIG, CROWN))

Hand = tuple[Card, ...]


def parse_card(text: str) -> Card:
    """The card a token stands for. Raises BadCards for anything that is not a token of RULES §2."""
    if text not in ORDER:
        raise BadCards(f"not a card: {text!r}")
    return Card(text)


def sort_cards(cards: Iterable[Card]) -> Hand:
    """The cards in canonical order: jokers first, then 2 down to 3, suits S H C D (RULES §2)."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def face(card: Card) -> Card:
    """The card without its mark: what a call names (RULES §5.5)."""
    return BIG if card == CROWN else SMALL if card == SWORD else card


def level(card: Card) -> int:
    """Strength of a card by itself: 0…12 for 3…2, 13 small joker, 14 big joker. Marks never matter."""
    return LEVEL[card]


def count_levels(cards: Iterable[Card]) -> list[int]:
    """How many cards of each level: a list of 15 counts, weakest first."""
    counts = [0] * LEVELS
    levels = LEVEL
    for card in cards:
        counts[levels[card]] += 1
    return counts


def count_faces(cards: Iterable[Card]) -> dict[Card, int]:
    """How many copies of each face, marks ignored."""
    counts: dict[Card, int] = {}
    for card in cards:
        plain = face(card)
        counts[plain] = counts.get(plain, 0) + 1
    return counts


def without(hand: Sequence[Card], cards: Iterable[Card]) -> Hand:
    """The hand with these cards taken out, one copy each. Raises BadCards when one is not in it."""
    rest = list(hand)
    for card in cards:
        try:
            rest.remove(card)
        except ValueError:
            raise BadCards(f"not in the hand: {card}") from None
    return tuple(rest)
