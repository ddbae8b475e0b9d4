"""The viewer's own hand: one stack a rank, jokers first, every card a real checkbox.

Stacks are memoised by their cards, so after a play only the frame and the one changed stack are made anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.render_cards import hand_card, stacks
from games.render_frames import phrase
from games.render_words import rank_word

if TYPE_CHECKING:
    from games.engine.cards import Card


LABEL = gettext_noop("%(name)s，%(n)d张")


@lru_cache(maxsize=4096)
def stack(key: str, cards: tuple[Card, ...], called: Card | None, sword: bool, lang: str) -> str:
    """One stack: the label on it counts, the cards under it can be reached one by one."""
    extra = "special" if key == "#" else ""
    inner = "".join(
        hand_card(card, extra or ("called" if called is not None and card.rstrip("!") == called else ""), sword, lang)
        for card in cards
    )
    n = len(cards)
    name = _("特画") if key == "#" else rank_word(key)
    label = phrase(LABEL, lang) % {"name": name, "n": n}
    crowd = min(n, 9)
    return (
        f'<div class="stack n{crowd}" role="group" data-key="{key}" data-name="{name}" data-n="{n}" '
        f'aria-label="{label}"><span class="count" aria-hidden="true">{n}</span>{inner}</div>'
    )


def hand_fragment(cards: tuple[Card, ...], special: Card | None, called: Card | None, sword: bool, lang: str) -> str:
    """The whole hand as it lies before its owner; an empty one keeps its place. Private, so it is kept nowhere."""
    piles = stacks(cards, special)
    inner = "".join([stack(key, group, called, sword, lang) for key, group in piles])
    number = len(cards)
    return (
        f'<div id="hand" class="hand p{len(piles)}" role="group" aria-label="{_hand_label(number, lang)}" '
        f'data-number="{number}">{inner}</div>'
    )


@lru_cache(maxsize=128)
def _hand_label(number: int, lang: str) -> str:
    return _("你的牌，%(number)s张") % {"number": number}
