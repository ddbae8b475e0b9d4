"""The deck, the shuffle anyone can verify, the deal (RULES §4).

A deal follows from the server's 64 secret bytes, whose SHA-256 is shown beforehand, and the five seats' contributions.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from .cards import BIG, CROWN, RANKS, SMALL, SUITS, SWORD, Card, Hand, sort_cards

if TYPE_CHECKING:
    from .rules import RuleSet

SEATS = 5
DECKS = 4
SEED_BYTES = 64
CLIENT_BYTES = 64


@dataclass(frozen=True, slots=True)
class Deal:
    """Five hands in canonical order, the seat dealt to first, and with `reserve_crown` the drawn seat."""

    hands: tuple[Hand, ...]
    first: int = 0
    drawn: int | None = None


def copies_in_deck(rules: "RuleSet") -> dict[str, int]:
    """Copies of each token in play under the ruleset; the crown card counts even where it is kept out of the deal.

    Removed copies go suit by suit in the order S H C D, round and round (RULES §3).
    """
    copies: dict[str, int] = {rank + suit: DECKS for rank in RANKS for suit in SUITS}
    for rank, removed in rules.deck.removed:
        for i in range(removed):
            copies[rank + SUITS[i % len(SUITS)]] -= 1
    copies |= {SWORD: 1, SMALL: DECKS - 1, CROWN: 1, BIG: DECKS - 1}
    return copies


def deck_size(rules: "RuleSet") -> int:
    """How many cards are dealt."""
    return sum(copies_in_deck(rules).values()) - (1 if rules.deck.reserve_crown else 0)


@lru_cache(maxsize=64)
def unshuffled(rules: "RuleSet") -> tuple[Card, ...]:
    """The deck before the shuffle, in the order of RULES §4.2."""
    copies = copies_in_deck(rules)
    cards = [Card(rank + suit) for rank in RANKS for suit in SUITS for _ in range(copies[rank + suit])]
    cards += [SWORD, *[SMALL] * copies[SMALL]]
    if not rules.deck.reserve_crown:
        cards.append(CROWN)
    cards += [BIG] * copies[BIG]
    return tuple(cards)


def commitment(server_seed: bytes) -> str:
    """What is shown before any contribution is taken: hex SHA-256 of the server's seed (RULES §4.2)."""
    return hashlib.sha256(server_seed).hexdigest()


def _words(server_seed: bytes, clients: Sequence[str]) -> Iterator[int]:
    """The stream of 32-bit words (RULES §4.2)."""
    message = b"\x00".join(client.encode() for client in clients)
    key = hmac.digest(server_seed, message, "sha512")
    block = 0
    while True:
        yield from struct.unpack(">16I", hmac.digest(key, struct.pack(">Q", block), "sha512"))
        block += 1


def _draw(words: Iterator[int], bound: int) -> int:
    """A number below `bound`, each equally likely: words past the last whole multiple are thrown away."""
    limit = (1 << 32) // bound * bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words is endless")


def deal(rules: "RuleSet", server_seed: bytes, clients: Sequence[str], first: int) -> Deal:
    """Shuffle and deal (RULES §4.2, §4.3).

    `server_seed` 64 bytes; `clients` five texts of at most 64 UTF-8 bytes without U+0000; `first` the seat 0…4
    that gets the first card.
    """
    words = _words(server_seed, clients)
    cards = list(unshuffled(rules))
    for i in range(len(cards) - 1, 0, -1):
        j = _draw(words, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    hands = tuple(sort_cards(cards[(seat - first) % SEATS :: SEATS]) for seat in range(SEATS))
    drawn = _draw(words, SEATS) if rules.deck.reserve_crown else None
    return Deal(hands, first, drawn)
