"""The viewer's own hand: one stack a rank, jokers first, every card a real checkbox.

Every rank has its place, empty or not, so that after a play only the stacks that changed are made and sent anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.render_cards import hand_card, stacks
from games.render_frames import phrase, swap
from games.render_words import LEVEL_KEYS, rank_word

if TYPE_CHECKING:
    from games.engine.cards import Card


LABEL = gettext_noop("%(name)s，%(n)d张")
PLACES = ("#", *reversed(LEVEL_KEYS))
"""The stacks in the order of a hand; the special card lies before all others."""
FEW = 4
"""So many changed stacks at most are sent one by one."""


@lru_cache(maxsize=4096)
def stack(key: str, cards: tuple[Card, ...], called: Card | None, sword: bool, lang: str) -> str:
    """One stack: the label on it counts, the cards under it can be reached one by one."""
    if not cards:
        return f'<i id="{stack_id(key)}" hidden></i>'
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
        f'<div id="{stack_id(key)}" class="stack n{crowd}" role="group" data-key="{key}" data-name="{name}" '
        f'data-n="{n}" aria-label="{label}"><span class="count" aria-hidden="true">{n}</span>{inner}</div>'
    )


def stack_id(key: str) -> str:
    """The element's id; a "#" would have to be written in another way wherever the id is looked for."""
    return "stack-special" if key == "#" else f"stack-{key}"


def hand_fragment(cards: tuple[Card, ...], special: Card | None, called: Card | None, sword: bool, lang: str) -> str:
    """The whole hand as it lies before its owner; an empty one keeps its place. Private, so it is kept nowhere."""
    held = dict(stacks(cards, special))
    inner = "".join([stack(key, held.get(key, ()), called, sword, lang) for key in PLACES])
    return f'<div id="hand" class="hand" role="group" aria-labelledby="held">{_number(len(cards), lang)}{inner}</div>'


def hand_news(
    was: tuple[Card, ...], cards: tuple[Card, ...], special: Card | None, called: Card | None, sword: bool, lang: str
) -> str:
    """What makes the hand `was` on the page the hand `cards`, ready to send: the changed stacks, or all of it when
    those are many. Everything but the cards must be as it was."""
    old, new = dict(stacks(was, special)), dict(stacks(cards, special))
    changed = [key for key in PLACES if old.get(key, ()) != new.get(key, ())]
    if len(changed) > FEW:
        return swap(hand_fragment(cards, special, called, sword, lang))
    pieces = [_number(len(cards), lang), *(stack(key, new.get(key, ()), called, sword, lang) for key in changed)]
    return "".join([swap(piece) for piece in pieces])


@lru_cache(maxsize=128)
def _number(number: int, lang: str) -> str:
    """How many cards there are, for the page's scripts and as the name of the hand."""
    label = _("你的牌，%(number)s张") % {"number": number}
    return f'<span id="held" data-number="{number}" hidden>{label}</span>'
