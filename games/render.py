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
from games.render_frames import swap
from games.render_hand import hand_fragment, hand_news
from games.render_log import Counted, counter_fragment, counter_news, log_fragment, log_lines
from games.render_people import people_fragment
from games.render_pile import banner_fragment, bar_fragment, is_loud, names_viewer, pile_fragment
from games.render_prompt import prompt_fragment
from games.render_prompt import verdict as verdict_element
from games.render_result import result_fragment
from games.render_seats import SEAT_IDS, Frame, framed_by, seat_fragments, seat_frames, seats_now
from games.render_words import reason
from games.selectors.table_view_types import TableView

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.selectors.table_view_types import ChatLine

Held = tuple[tuple["Card", ...], "Card | None", "Card | None", bool]

__all__ = ["SEAT_IDS", "Sent", "fair_fragment", "fragments", "news", "notice", "oob", "swap", "verdict"]


@dataclass(slots=True)
class Sent:
    """What one socket was last sent, and how much of which hand's log. Empty after connecting.

    What several viewers are sent is kept as the value they share: `frames` and `now` of the seats, the `middle`. Of the
    rest, and of what is too large to be kept, the inputs are kept to compare: `framed` those of the frames, `fair`
    those of the page's facts, `cards` those of the counter, `held` those of the hand, `people` those of the list of the
    five. `counted` is what the counter shows.
    """

    framed: tuple[object, ...] = ()
    frames: tuple[Frame, ...] | None = None
    now: tuple[str, ...] | None = None
    middle: tuple[str, ...] | None = None
    prompt: str = ""
    result: str = ""
    fair: tuple[object, ...] = ()
    people: tuple[object, ...] = ()
    held: Held | tuple[()] = ()
    cards: tuple[object, ...] = ()
    counted: Counted = field(default_factory=Counted)
    hand: str | None = None
    lines: int = -1
    chat: tuple[ChatLine, ...] | None = None


def _middle(view: TableView, lang: str) -> tuple[str, ...]:
    """The bar and the pile, in which only whether they speak of the viewer differs."""
    key = ("middle", names_viewer(view), lang)
    found: tuple[str, ...] | None = view.shared.get(key)
    if found is None:
        found = view.shared[key] = bar_fragment(view, lang), pile_fragment(view, lang)
    return found


def fragments(view: TableView) -> dict[str, str]:
    """Every fragment of the table by element id, the whole log among them."""
    lang = get_language() or "zh-hans"
    bar, pile = _middle(view, lang)
    return {
        **seat_fragments(view, lang),
        "bar": bar,
        "pile": pile,
        "prompt": prompt_fragment(view, lang),
        "fair": fair_fragment(*_facts(view)),
        "result": result_fragment(view, lang),
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
    _seats(view, sent, lang, pieces)
    middle = _middle(view, lang)
    if middle is not sent.middle:
        pieces.append(_change(view, sent.middle, middle))
        sent.middle = middle
    prompt = prompt_fragment(view, lang)
    if prompt != sent.prompt:
        sent.prompt = prompt
        pieces.append(swap(prompt))
    facts = _facts(view)
    if facts != sent.fair:
        sent.fair = facts
        pieces.append(swap(fair_fragment(*facts)))
    result = result_fragment(view, lang)
    if result != sent.result:
        sent.result = result
        pieces.append(swap(result))
    people = (view.seats, view.phase, view.viewer, view.host, view.spectators, view.watching)
    if people != sent.people:
        sent.people = people
        pieces.append(swap(people_fragment(view, lang)))
    held = held_by(view)
    if held != sent.held:
        pieces.append(_hand(sent, view.hand, held, lang))
        sent.held = held
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


def _seats(view: TableView, sent: Sent, lang: str, pieces: list[str]) -> None:
    """Add the seats that changed: whole where somebody came or a role became known, else what they are doing now."""
    now = seats_now(view, lang)
    framed = framed_by(view)
    if framed != sent.framed:
        had, frames = sent.frames, seat_frames(view, lang)
        sent.framed, sent.frames = framed, frames
        for seat in range(5):
            if had is None or had[seat] != frames[seat]:
                pieces.append(swap(now[seat].join(frames[seat])))
    if sent.now is not None and sent.now is not now:
        pieces.append(_change(view, sent.now, now))
    sent.now = now


def _change(view: TableView, old: tuple[str, ...] | None, new: tuple[str, ...]) -> str:
    """What turns these elements into those, each in its place, worked out once for all who were shown the old ones."""
    key = ("change", id(old), id(new))
    known = view.shared.get(key)
    if known is None:
        had = old or ("",) * len(new)
        change = "".join([swap(html) for was, html in zip(had, new, strict=True) if was != html])
        # both are kept as long as the answer, so that their identities name nothing else
        known = view.shared[key] = (change, old, new)
    found: str = known[0]
    return found


def _hand(sent: Sent, hand: str | None, held: Held, lang: str) -> str:
    """Only what changed of the hand, as long as it is the same hand and nothing but its cards changed."""
    if sent.held and sent.held[1:] == held[1:] and sent.hand == hand:
        return hand_news(sent.held[0], *held, lang)
    return swap(hand_fragment(*held, lang))


def _facts(view: TableView) -> tuple[str | None, str | None, str | None, int | None]:
    return view.hand, view.commit, view.next_commit, view.viewer


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
    # alike for all who were sent as much of it
    log, news = view.shared.get(("story", start, lang), (None, []))
    if log is not view.obs.log:
        more = log_lines(view, start, lang)
        news = [f'<ol id="log" data-from="{start}" data-lines="{lines}" hx-swap-oob="beforeend">{more}</ol>']
        if is_loud(view, start):
            news.append(swap(banner_fragment(view, lang)))
        view.shared["story", start, lang] = view.obs.log, news
    found: list[str] = news
    return found


def oob(found: Mapping[str, str]) -> str:
    """Fragments joined for a socket or an htmx answer."""
    return "".join([swap(html) for html in found.values()])


def held_by(view: TableView) -> Held:
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
