"""A table as one viewer may see it → html fragments by element id; for pages, polls and sockets alike.

`fragments` gives all of them. A socket keeps a `Sent` and calls `update`, which gives only what changed for it, ready
to send: every fragment replaces the element of its id, the log grows. What viewers share is made once (each fragment is
memoised on the few values it is made of); card markup is constant per token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import get_language

from games.render_chat import chat_fragment, chat_news
from games.render_hand import hand_fragment
from games.render_log import counter_fragment, counter_news, log_fragment, log_lines
from games.render_people import people_fragment
from games.render_pile import banner_fragment, bar_fragment, is_loud, names_viewer, pile_fragment
from games.render_prompt import prompt_fragment
from games.render_prompt import verdict as verdict_element
from games.render_result import result_fragment
from games.render_seats import SEAT_IDS, seat_fragments
from games.render_words import reason
from games.selectors.table_view_types import TableView

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.selectors.table_view_types import ChatLine

__all__ = ["SEAT_IDS", "Sent", "fair_fragment", "fragments", "notice", "oob", "swap", "update", "verdict"]


@dataclass(slots=True)
class Sent:
    """What one socket was last sent: html by id, and how much of which hand's log. Empty after connecting.

    `cards` are the inputs of the counter, `counted` its cells, and `held` the inputs of the hand, whose html is too
    large to be kept to compare.
    """

    html: dict[str, str] = field(default_factory=dict)
    hand: str | None = None
    lines: int = 0
    cards: tuple[object, ...] = ()
    counted: list[str] = field(default_factory=list)
    chat: tuple[ChatLine, ...] = ()
    held: tuple[object, ...] = ()


def _common(view: TableView, lang: str) -> dict[str, str]:
    """Every fragment that is cheap to ask for anew: all but the hand, the counter, the banner and the log."""
    found = dict(seat_fragments(view, lang))
    key = ("public", names_viewer(view), lang)
    public = view.shared.get(key)
    if public is None:
        public = {"bar": bar_fragment(view, lang), "pile": pile_fragment(view, lang)}
        view.shared[key] = public
    found.update(public)
    found["prompt"] = prompt_fragment(view, lang)
    found["fair"] = fair_fragment(view.hand, view.commit, view.next_commit, view.viewer)
    found["result"] = result_fragment(view, lang)
    found["people"] = people_fragment(view, lang)
    return found


def fragments(view: TableView) -> dict[str, str]:
    """Every fragment of the table by element id, the whole log among them."""
    lang = get_language() or "zh-hans"
    found = _common(view, lang)
    found["hand"] = hand_fragment(*held_by(view), lang)
    found["banner"] = banner_fragment(view, lang)
    found["counter"] = counter_fragment(view, lang)
    found["log"] = log_fragment(view, lang)
    found["chat"] = chat_fragment(view.chat, lang)
    return found


def update(view: TableView, sent: Sent, lang: str = "") -> str:
    """What a socket that has `sent` must be sent to show `view`, "" for nothing; `sent` is brought up to date.

    `lang` is the active language, for who knows it: to ask for it costs more than many a move.
    """
    lang = lang or get_language() or "zh-hans"
    had = sent.html
    changed = []
    for key, html in _common(view, lang).items():
        if had.get(key) != html:
            had[key] = html
            changed.append(swap(html))
    held = held_by(view)
    if "hand" not in had or held != sent.held:
        sent.held, had["hand"] = held, ""
        changed.append(swap(hand_fragment(*held, lang)))
    obs = view.obs
    cards = (obs.hand, obs.played, obs.rules.deck) if obs is not None else ()
    if "counter" not in had or cards != sent.cards:
        changed.append(counter_news(view, sent.counted, lang))
        sent.cards, had["counter"] = cards, ""
    changed.extend(_story(view, sent, lang))
    if "chat" not in had or view.chat is not sent.chat:
        news = chat_news(view.chat, sent.chat, lang) if "chat" in had else None
        sent.chat, had["chat"] = view.chat, ""
        changed.append(swap(chat_fragment(view.chat, lang)) if news is None else news)
    return "".join(changed)


def _story(view: TableView, sent: Sent, lang: str) -> list[str]:
    """The log's new lines, or all of it for another hand; the banner only when something loud is among them."""
    lines = len(view.obs.log) if view.obs is not None else 0
    start = sent.lines
    whole = sent.hand != view.hand or start > lines or "log" not in sent.html
    sent.hand, sent.lines = view.hand, lines
    if whole:
        sent.html["log"] = sent.html["banner"] = ""
        return [swap(log_fragment(view, lang)), swap(banner_fragment(view, lang))]
    if lines == start:
        return []
    assert view.obs is not None
    log, more = view.shared.get(("log", start, lang), (None, ""))
    if log is not view.obs.log:
        more = log_lines(view, start, lang)
        view.shared["log", start, lang] = view.obs.log, more
    news = [f'<ol id="log" data-from="{start}" data-lines="{lines}" hx-swap-oob="beforeend">{more}</ol>']
    if is_loud(view, start):
        news.append(swap(banner_fragment(view, lang)))
    return news


def swap(html: str) -> str:
    """The fragment marked to replace the element of its id."""
    at = html.index(" ")
    return f'{html[:at]} hx-swap-oob="true"{html[at:]}'


def oob(found: Mapping[str, str]) -> str:
    """Fragments joined for a socket or an htmx answer."""
    return "".join([swap(html) for html in found.values()])


def held_by(view: TableView) -> tuple[tuple[Card, ...], Card | None, Card | None, bool]:
    """What the viewer's hand is drawn from: cards, special card, called card, sword; a spectator has none."""
    obs = view.obs
    if obs is None or view.viewer is None or view.phase == "waiting":
        return (), None, None, False
    return obs.hand, obs.special, obs.called, obs.rules.guard.by == "sword"


def verdict(view: TableView, cards: Sequence[str]) -> str:
    """`#verdict`, ready to send: what these cards would be and whether they may be played now."""
    return swap(verdict_element(view.obs, cards))


def notice(code: str, view: TableView | None = None) -> str:
    """`#notice`, ready to send: one sentence why something was refused."""
    rank = view.rules.play.hold_back if view is not None else ""
    words, word = escape(reason(code, rank)), escape(code.partition(":")[0])
    return f'<p id="notice" class="notice" role="alert" data-code="{word}" hx-swap-oob="true">{words}</p>'


@lru_cache(maxsize=256)
def fair_fragment(hand: str | None, commit: str | None, next_commit: str | None, viewer: int | None) -> str:
    """What the page's scripts must know: the commitments of this hand and of the next deal, and the viewer's seat."""
    return (
        f'<span id="fair" hidden data-hand="{escape(hand or "")}" data-commit="{escape(commit or "")}" '
        f'data-next="{escape(next_commit or "")}" data-viewer="{"" if viewer is None else viewer}"></span>'
    )
