"""The html of cards: one precomputed piece of markup per token, in the three sizes in which cards are shown.

A card in the own hand is a label around a real checkbox; on the table it is a bare face; beside a seat it is a small
tag. All three are constants per token and language, so drawing forty cards is one join.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import pgettext

from games.engine.cards import BIG, CROWN, SMALL, SWORD, Card
from games.render_words import card_word, rank_word

CLASS = {"S": "s", "H": "h", "C": "c", "D": "d"}


def _suit(card: Card) -> str:
    return f'<svg><use href="#s-{card[1]}"/></svg>'


def _look(card: Card, sword: bool) -> tuple[str, str]:
    """The classes and the inner markup of a card's face."""
    if card in (BIG, CROWN, SMALL, SWORD):
        big = card[0] == "W"
        mark = "crown" if card == CROWN else "sword" if card == SWORD and sword else ""
        figure = f"i-{mark}" if mark else f"j-{card[0]}"
        name = corner_word(card)
        corner = "".join(f"<span>{sign}</span>" for sign in name) if len(name) == 2 else name
        kind = "joker big" if big else "joker small"
        return f"{kind} {mark}".strip(), f'<b>{corner}</b><svg class="pip"><use href="#{figure}"/></svg>'
    suit = _suit(card)
    return CLASS[card[1]], f"<b>{rank_word(card[0])}</b>{suit}{suit.replace('<svg>', '<svg class=pip>', 1)}"


def corner_word(card: Card) -> str:
    """What stands in the corner of a joker."""
    return pgettext("corner", "大王") if card[0] == "W" else pgettext("corner", "小王")


@lru_cache(maxsize=2048)
def hand_card(card: Card, extra: str, sword: bool, lang: str) -> str:
    """A card of the own hand: tap it, tick it, read it aloud. `extra`: "called" or "special"."""
    classes, inner = _look(card, sword)
    classes = f"{classes} {extra}".strip()
    special = ' data-special="1"' if extra == "special" else ""
    return (
        f'<label class="card {classes}" data-card="{card}"{special}>'
        f'<input type="checkbox" name="card" value="{card}" aria-label="{card_word(card, sword=sword, lang=lang)}">'
        f'<span class="face" aria-hidden="true">{inner}</span></label>'
    )


@lru_cache(maxsize=512)
def table_card(card: Card, sword: bool, lang: str, extra: str = "") -> str:
    """A card lying in the middle of the table, or in a hand that is only looked at. `extra`: "called" or "special"."""
    classes, inner = _look(card, sword)
    return f'<span class="card {f"{classes} {extra}".strip()}"><span class="face">{inner}</span></span>'


@lru_cache(maxsize=512)
def mini_card(card: Card, sword: bool, lang: str) -> str:
    """A small card beside a seat or in a list."""
    if card in (BIG, CROWN, SMALL, SWORD):
        mark = "crown" if card == CROWN else "sword" if card == SWORD and sword else ""
        figure = f"i-{mark}" if mark else f"j-{card[0]}"
        size, letter = "big" if card[0] == "W" else "small", corner_word(card)[0]
        return f'<span class="mini {size} {mark}"><b>{letter}</b><svg><use href="#{figure}"/></svg></span>'
    ten = " ten" if card[0] == "T" else ""
    return f'<span class="mini {CLASS[card[1]]}{ten}"><b>{rank_word(card[0])}</b>{_suit(card)}</span>'


@lru_cache(maxsize=1024)
def mini_cards(cards: tuple[Card, ...], sword: bool, lang: str) -> str:
    """Several small cards, overlapping the more the more there are; read aloud as one list."""
    label = "、".join(card_word(card, sword=sword, lang=lang) for card in cards)
    near = "few" if len(cards) <= 4 else "some" if len(cards) <= 8 else "many"
    inner = "".join([mini_card(card, sword, lang) for card in cards])
    return f'<span class="minis {near}" role="img" aria-label="{label}">{inner}</span>'


def crowd(count: int) -> str:
    """How closely so many cards in the middle must lie: few, some, many."""
    return "few" if count <= 5 else "some" if count <= 8 else "many"


@lru_cache(maxsize=1024)
def table_cards(cards: tuple[Card, ...], sword: bool, lang: str) -> str:
    """The top play, large."""
    inner = "".join([table_card(card, sword, lang) for card in cards])
    return f'<span class="cards {crowd(len(cards))}" aria-hidden="true">{inner}</span>'


def stack_key(card: Card, special: bool) -> str:
    """Which stack of the hand a card belongs to: its rank, `w`, `W`, or `#` for the special card."""
    return "#" if special else card[0]


def stacks(cards: Iterable[Card], special: Card | None) -> list[tuple[str, tuple[Card, ...]]]:
    """The hand cut into stacks of one rank, in the order of the hand; the special card comes first, by itself."""
    groups: dict[str, list[Card]] = {}
    if special is not None:
        groups["#"] = []
    for card in cards:
        if card == special and not groups["#"]:
            groups["#"].append(card)  # of equal tokens one is special (PROTOCOL)
        else:
            groups.setdefault(card[0], []).append(card)
    return [(key, tuple(group)) for key, group in groups.items() if group]
