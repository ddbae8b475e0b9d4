"""The story of the hand in words, and the counter of cards played (记牌).

The log only grows: a socket that has the first n lines is sent the rest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import gettext as _

from games.engine.cards import LEVEL
from games.render_pile import LOUD, names_of
from games.render_words import LEVEL_KEYS, event_words, rank_word

if TYPE_CHECKING:
    from games.engine.observation import Event
    from games.engine.rules import RuleSet
    from games.selectors.table_view_types import TableView


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


def counter_fragment(view: TableView, lang: str) -> str:
    """How many cards of each rank are still with the others, as the viewer may work it out himself."""
    return _counter("".join(_cells(view, lang)), lang)


def counter_news(view: TableView, counted: list[str], lang: str) -> str:
    """What brings a counter that shows the cells `counted` up to date: the cells that differ, or all of it; "" for
    nothing. `counted` is brought up to date too."""
    cells = _cells(view, lang)
    old, counted[:] = list(counted), cells
    if not old or len(old) != len(cells):
        html = _counter("".join(cells), lang)
        return f'<div hx-swap-oob="true"{html[4:]}'
    return "".join([f'<li hx-swap-oob="true"{new[3:]}' for new, was in zip(cells, old, strict=True) if new != was])


def _cells(view: TableView, lang: str) -> list[str]:
    """The counter's cells, the highest rank first; none before the deal."""
    obs = view.obs
    if obs is None:
        return []
    own = [0] * len(LEVEL_KEYS)
    for card in obs.hand:
        own[LEVEL[card]] += 1
    total = deck_totals(obs.rules)
    played = obs.played
    return [
        _cell(i, max(0, total[i] - played[i] - own[i]), played[i], lang) for i in range(len(LEVEL_KEYS) - 1, -1, -1)
    ]


@lru_cache(maxsize=64)
def _deck_totals(removed: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    taken = dict(removed)
    return tuple(4 if key in "wW" else 16 - taken.get(key, 0) for key in LEVEL_KEYS)


def deck_totals(rules: RuleSet) -> tuple[int, ...]:
    """How many cards of each level the deck has, weakest first."""
    return _deck_totals(rules.deck.removed)


def _counter(cells: str, lang: str) -> str:
    if not cells:
        note = _("发牌后开始记。")
        return f'<div id="counter" class="counter"><p class="note">{note}</p></div>'
    note = _("大字：还在别人手里；小字：已经打出")
    return f'<div id="counter" class="counter"><p class="note">{note}</p><ul>{cells}</ul></div>'


@lru_cache(maxsize=4096)
def _cell(level: int, rest: int, played: int, lang: str) -> str:
    gone = "" if rest else ' class="gone"'
    rank = rank_word(LEVEL_KEYS[level])
    return f'<li id="n-{level}"{gone}><b>{rank}</b><span>{rest}</span><small>{played}</small></li>'
