"""The story of the hand in words, and the counter of cards played (记牌).

The log only grows: a socket that has the first n lines is sent the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.engine.cards import LEVEL
from games.render_frames import swap
from games.render_pile import LOUD, names_of
from games.render_words import LEVEL_KEYS, event_words, rank_word

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.observation import Event
    from games.engine.rules import RuleSet
    from games.selectors.table_view_types import TableView


DOWNWARDS = range(len(LEVEL_KEYS) - 1, -1, -1)
"""The levels, the highest first."""


@lru_cache(maxsize=2048)
def log_line(event: Event, names: tuple[str, ...], lang: str) -> str:
    """One line; nothing for events that are only for the engine."""
    words = event_words(event, names, lang)
    if not words:
        return ""
    look = "loud" if event.kind in LOUD else "turn" if event.kind in ("trick", "windfall") else event.kind
    return f'<li class="{look}">{escape(words)}</li>'


def log_fragment(view: TableView, lang: str) -> str:
    """The whole log of this hand; `data-lines` counts its events, also those without words."""
    events = 0 if view.obs is None else len(view.obs.log)
    return (
        f'<ol id="log" class="log" data-hand="{escape(view.hand or "")}" data-lines="{events}">'
        f"{log_lines(view, 0, lang)}</ol>"
    )


def log_lines(view: TableView, start: int, lang: str) -> str:
    """The lines of the events from this one on."""
    if view.obs is None:
        return ""
    names = names_of(view)
    return "".join([log_line(event, names, lang) for event in view.obs.log[start:]])


@dataclass(slots=True)
class Counted:
    """What a socket's counter shows, by level: cards of the deck, `played` ones, and the viewer's `own`, in `hand`."""

    deck: tuple[int, ...] = ()
    played: tuple[int, ...] = ()
    own: tuple[int, ...] = ()
    hand: tuple[Card, ...] | None = None


def counter_fragment(view: TableView, lang: str) -> str:
    """How many cards of each rank are still with the others, as the viewer may work it out himself."""
    obs = view.obs
    if obs is None:
        note = _("发牌后开始记。")
        return f'<div id="counter" class="counter"><p class="note">{note}</p></div>'
    note = _("大字：还在别人手里；小字：已经打出")
    deck, own = deck_totals(obs.rules), own_counts(obs.hand)
    cells = "".join([_cell(i, deck[i] - own[i], obs.played[i], lang) for i in DOWNWARDS])
    return f'<div id="counter" class="counter"><p class="note">{note}</p><ul>{cells}</ul></div>'


def counter_news(view: TableView, counted: Counted, lang: str) -> str:
    """What brings a counter that shows `counted` up to date: the cells that differ, or all of it; "" for nothing.
    `counted` is brought up to date too."""
    obs = view.obs
    if obs is None:
        counted.deck = ()
        return swap(counter_fragment(view, lang))
    deck, played = deck_totals(obs.rules), obs.played
    own = counted.own if obs.hand is counted.hand else own_counts(obs.hand)
    whole, was, held = deck != counted.deck, counted.played, counted.own
    counted.deck, counted.played, counted.own, counted.hand = deck, played, own, obs.hand
    if whole:
        return swap(counter_fragment(view, lang))
    changed = [i for i in DOWNWARDS if played[i] != was[i] or own[i] != held[i]]
    return "".join([swap(_cell(i, deck[i] - own[i], played[i], lang)) for i in changed])


def own_counts(hand: tuple[Card, ...]) -> tuple[int, ...]:
    """How many cards of each level the hand holds, weakest first."""
    own = [0] * len(LEVEL_KEYS)
    for card in hand:
        own[LEVEL[card]] += 1
    return tuple(own)


@lru_cache(maxsize=64)
def _deck_totals(removed: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    taken = dict(removed)
    return tuple(4 if key in "wW" else 16 - taken.get(key, 0) for key in LEVEL_KEYS)


def deck_totals(rules: RuleSet) -> tuple[int, ...]:
    """How many cards of each level the deck has, weakest first."""
    return _deck_totals(rules.deck.removed)


@lru_cache(maxsize=4096)
def _cell(level: int, others: int, played: int, lang: str) -> str:
    """`others`: how many of the deck the viewer does not hold."""
    rest = max(0, others - played)
    gone = "" if rest else ' class="gone"'
    rank = rank_word(LEVEL_KEYS[level])
    return f'<li id="n-{level}"{gone}><b>{rank}</b><span>{rest}</span><small>{played}</small></li>'
