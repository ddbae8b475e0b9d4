"""A table as one viewer may see it → html fragments by element id; for pages, polls and sockets alike.

`fragments` gives all of them. A socket keeps a `Sent` and asks for its `news`, only what changed for it, ready to send:
every fragment replaces the element of its id, the log grows. What viewers share is made once (each fragment is
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

__all__ = ["SEAT_IDS", "Sent", "fair_fragment", "fragments", "news", "notice", "oob", "swap", "verdict"]


@dataclass(slots=True)
class Sent:
    """What one socket was last sent, and how much of which hand's log. Empty after connecting.

    `public` is the html of what everybody sees who knows the same roles, one dictionary for all of them. Of the rest,
    and of what is too large to be kept, the inputs are kept to compare: `cards` are those of the counter, `counted` its
    cells, `held` those of the hand, `people` those of the list of the five.
    """

    public: Mapping[str, str] | None = None
    own: dict[str, str] = field(default_factory=dict)
    people: tuple[object, ...] = ()
    held: tuple[object, ...] = ()
    cards: tuple[object, ...] = ()
    counted: list[str] = field(default_factory=list)
    hand: str | None = None
    lines: int = -1
    chat: tuple[ChatLine, ...] | None = None


def _public(view: TableView, lang: str) -> Mapping[str, str]:
    """The seats, the bar and the middle: the same, and one dictionary, for all viewers who know the same."""
    obs = view.obs
    # the roles are those of `seat_fragments`: who knows the same of them is shown the same
    key = ("public", None if obs is None else (obs.known, obs.own_solo), names_viewer(view), lang)
    found: dict[str, str] | None = view.shared.get(key)
    if found is None:
        found = view.shared[key] = {**seat_fragments(view, lang), **_middle(view, lang)}
    return found


def _middle(view: TableView, lang: str) -> dict[str, str]:
    """The bar and the middle, in which only whether they speak of the viewer differs."""
    key = ("middle", names_viewer(view), lang)
    found: dict[str, str] | None = view.shared.get(key)
    if found is None:
        found = view.shared[key] = {"bar": bar_fragment(view, lang), "pile": pile_fragment(view, lang)}
    return found


def _own(view: TableView, lang: str) -> dict[str, str]:
    """What depends on the viewer's seat and is cheap to ask for anew."""
    return {
        "prompt": prompt_fragment(view, lang),
        "fair": fair_fragment(view.hand, view.commit, view.next_commit, view.viewer),
        "result": result_fragment(view, lang),
    }


def fragments(view: TableView) -> dict[str, str]:
    """Every fragment of the table by element id, the whole log among them."""
    lang = get_language() or "zh-hans"
    return {
        **_public(view, lang),
        **_own(view, lang),
        "people": people_fragment(view, lang),
        "hand": hand_fragment(*held_by(view), lang),
        "banner": banner_fragment(view, lang),
        "counter": counter_fragment(view, lang),
        "log": log_fragment(view, lang),
        "chat": chat_fragment(view.chat, lang),
    }


def news(view: TableView, sent: Sent, lang: str) -> list[str]:
    """What a socket that has `sent` must be sent to show `view`, none for nothing; `sent` is brought up to date.

    Pieces that several viewers are sent are one and the same string for all of them. `lang` is the active language.
    """
    pieces: list[str] = []
    public = _public(view, lang)
    if public is not sent.public:
        pieces.extend(_change(view, sent.public, public))
        sent.public = public
    had = sent.own
    for key, html in _own(view, lang).items():
        if had.get(key) != html:
            had[key] = html
            pieces.append(swap(html))
    people = (view.seats, view.phase, view.viewer, view.host, view.spectators, view.watching)
    if people != sent.people:
        sent.people = people
        pieces.append(swap(people_fragment(view, lang)))
    held = held_by(view)
    if held != sent.held:
        sent.held = held
        pieces.append(swap(hand_fragment(*held, lang)))
    obs = view.obs
    cards = (obs.hand, obs.played, obs.rules.deck) if obs is not None else (None,)
    if cards != sent.cards:
        pieces.append(counter_news(view, sent.counted, lang))
        sent.cards = cards
    pieces.extend(_story(view, sent, lang))
    if view.chat is not sent.chat:
        more = None if sent.chat is None else chat_news(view.chat, sent.chat, lang)
        sent.chat = view.chat
        pieces.append(swap(chat_fragment(view.chat, lang)) if more is None else more)
    return [piece for piece in pieces if piece]


def _change(view: TableView, old: Mapping[str, str] | None, new: Mapping[str, str]) -> tuple[str, ...]:
    """What turns one public dictionary into another, worked out once for all who were shown the old one."""
    key = ("change", id(old), id(new))
    known = view.shared.get(key)
    if known is None:
        had = old or {}
        change = tuple([swap(html) for name, html in new.items() if had.get(name) != html])
        # both are kept as long as the answer, so that their identities name nothing else
        known = view.shared[key] = (change, old, new)
    found: tuple[str, ...] = known[0]
    return found


def _story(view: TableView, sent: Sent, lang: str) -> list[str]:
    """The log's new lines, or all of it for another hand; the banner only when something loud is among them."""
    lines = len(view.obs.log) if view.obs is not None else 0
    start = sent.lines
    whole = sent.hand != view.hand or start > lines or start < 0
    sent.hand, sent.lines = view.hand, lines
    if whole:
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
