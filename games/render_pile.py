"""The bar above the table, the middle of it, and the quiet banner: what everybody sees alike.

Every function here takes only what is public, and its result is shared by all who look at the table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from games.engine.cards import CROWN
from games.engine.observation import Step
from games.render_cards import crowd, mini_card, table_card, table_cards
from games.render_frames import escaped, frame, phrase
from games.render_seats import deadline_ms
from games.render_words import card_word, event_words, names_words, shape_words

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.observation import Event, Play
    from games.selectors.table_view_types import EventPlace, TableView

YOU, SAID = gettext_noop("你"), gettext_noop("%(name)s：%(words)s")
LOUD = frozenset(
    (
        "emperor",
        "solo",
        "grab",
        "call_open",
        "open",
        "rebellion",
        "no_rebellion",
        "shown",
        "kicked",
        "forced",
        "out",
        "cleared",
        "void",
    )
)


def names_of(view: TableView) -> tuple[str, ...]:
    """The five who play or played the hand; without one those who sit there, a free seat called by its place."""
    return view.names or tuple([info.name or _("空位") for info in view.seats])


def bar_fragment(view: TableView, lang: str) -> str:
    """Preset, or at an event its name and the table's number there; number of the hand, multiplier."""
    preset, multiplier = view.rules.name or view.preset, view.obs.multiplier if view.obs else 1
    return _bar(preset, view.number, multiplier, view.room, view.event, lang)


@lru_cache(maxsize=1024)
def _bar(preset: str, number: int, multiplier: int, room: int, event: EventPlace | None, lang: str) -> str:
    return frame("_bar.html", preset=preset, number=number, multiplier=multiplier, room=room, event=event)


def pile_fragment(view: TableView, lang: str) -> str:
    """The middle of the table."""
    obs = view.obs
    names = names_of(view)
    if obs is None and view.phase != "waiting":
        veiled = view.veiled and view.phase != "closed"
        return _without_hand(view.rules.name or view.preset, veiled, lang)
    if obs is None or view.phase == "waiting":
        taken = sum(not info.empty for info in view.seats)
        return _gather(view.rules.name or view.preset, taken, view.event is not None, lang)
    called = obs.called if not (obs.public or obs.step in (Step.DONE, Step.VOID)) or obs.rules.guard.special else None
    sword = obs.rules.guard.by == "sword"
    if obs.crown_at is not None:
        return _crown("" if names_viewer(view) else names[obs.crown_at], obs.toll, sword, lang)
    if obs.top is not None:
        return _top(phrase(YOU, lang) if names_viewer(view) else names[obs.top.seat], obs.top, called, sword, lang)
    past = next((turn.play for turn in reversed(obs.last_trick) if turn.play), None)
    wait = _waiting(obs.step, names_words([names[seat] for seat in obs.to_act]), names_viewer(view), lang)
    reveal = (deadline_ms(view), view.seconds) if obs.step is Step.REVEAL and view.phase == "playing" else (0, 0)
    return _open(wait, past, called, sword, *reveal, lang)


def names_viewer(view: TableView) -> bool:
    """Whether the middle speaks of the viewer himself, as 你: the one thing in which it is not the same for all."""
    obs = view.obs
    if obs is None or view.viewer is None:
        return False
    if obs.crown_at is not None:
        return obs.crown_at == view.viewer
    if obs.top is not None:
        return obs.top.seat == view.viewer
    return obs.step in (Step.PLAY, Step.CALL) and obs.to_act == (view.viewer,)


@lru_cache(maxsize=1024)
def _waiting(step: Step, who: str, own: bool, lang: str) -> str:
    """What the table waits for when nothing lies in the middle; `own`: for the viewer."""
    match step:
        case Step.REVEAL:
            return _("等侍卫决定…")
        case Step.REBEL:
            return _("四家在想造不造反")
        case Step.KICK:
            return _("在想踢不踢")
        case Step.CALL:
            return _("等你叫牌") if own else _("等 %s 叫牌") % who
        case Step.PLAY:
            return _("你先出") if own else _("%s 先出") % who
        case Step.VOID:
            return _("没有皇帝，重新发牌")
        case _:
            return ""


def _called_markup(called: Card | None, sword: bool, lang: str) -> str:
    if called is None:
        return '<span class="called"></span>'
    word = pgettext("table", "叫")
    card = f'{mini_card(called, sword, lang)}<span class="sr">{card_word(called, lang=lang)}</span>'
    return f'<span class="called">{word}{card}</span>'


@lru_cache(maxsize=256)
def _gather(preset: str, taken: int, event: bool, lang: str) -> str:
    missing = 5 - taken
    # at an event all places are taken from the start, whoever is there
    words = _("等大家到场") if event else _("还差%d位") % missing if missing else _("人齐了，等大家准备")
    return f'<div id="pile" class="pile gather"><p class="preset">{escape(preset)}</p><p class="lies">{words}</p></div>'


@lru_cache(maxsize=64)
def _without_hand(preset: str, veiled: bool, lang: str) -> str:
    """Where the viewer is not shown the hand, or there was none before the table was closed."""
    words = _("这一局不给旁观的人看") if veiled else ""
    return f'<div id="pile" class="pile gather"><p class="preset">{escape(preset)}</p><p class="lies">{words}</p></div>'


@lru_cache(maxsize=1024)
def _crown(name: str, toll: tuple[Card, ...], sword: bool, lang: str) -> str:
    who = escape(_("皇牌在 %s") % name) if name else _("皇牌在你手里")
    cards = table_card(CROWN, sword, lang) + "".join(table_card(card, sword, lang) for card in toll)
    label = names_words([card_word(CROWN, lang=lang), *(card_word(card, sword=sword, lang=lang) for card in toll)])
    words = _("贴牌 %d 张") % len(toll) if toll else ""
    paid = f'<p class="lies">{words}</p>'
    return (
        f'<div id="pile" class="pile crowning" data-say="{who}"><p class="from">{who}</p>'
        f'<span class="cards {crowd(1 + len(toll))}" role="img" aria-label="{label}">{cards}</span>{paid}'
        '<span class="called"></span></div>'
    )


@lru_cache(maxsize=512)
def _top(name: str, play: Play, called: Card | None, sword: bool, lang: str) -> str:
    words = shape_words(play.shape, lang)
    said = escaped(phrase(SAID, lang) % {"name": name, "words": words})
    return (
        f'<div id="pile" class="pile lying" data-owner="{play.seat}" data-say="{said}">'
        f'<p class="from">{escaped(name)}</p>{table_cards(play.cards, sword, lang)}<p class="lies">{words}</p>'
        f"{_called_markup(called, sword, lang)}</div>"
    )


@lru_cache(maxsize=1024)
def _open(wait: str, past: Play | None, called: Card | None, sword: bool, due: int, seconds: int, lang: str) -> str:
    text = escaped(wait)
    ring = (
        f'<svg class="ring" viewBox="0 0 44 44" aria-hidden="true" data-deadline="{due}" data-seconds="{seconds}">'
        '<circle cx="22" cy="22" r="20" pathLength="100"/></svg>'
        if due
        else ""
    )
    old = f'<span class="past" data-owner="{past.seat}">{table_cards(past.cards, sword, lang)}</span>' if past else ""
    return (
        f'<div id="pile" class="pile open" data-say="{text}">{old}<p class="wait">{ring}<span>{text}</span></p>'
        f"{_called_markup(called, sword, lang)}</div>"
    )


def is_loud(view: TableView, start: int) -> bool:
    """Whether an event from this one on is worth the banner."""
    return view.obs is not None and any(event.kind in LOUD for event in view.obs.log[start:])


def banner_fragment(view: TableView, lang: str) -> str:
    """The last thing worth a quiet line: roles, rebellions, places."""
    log = view.obs.log if view.obs is not None else ()
    hand = view.hand or ""
    for at in range(len(log) - 1, -1, -1):
        if log[at].kind in LOUD:
            return _banner(f"{hand}-{at}", log[at], names_of(view), view.redeal, lang)
    return _banner(hand, None, (), view.redeal, lang)


@lru_cache(maxsize=2048)
def _banner(at: str, event: Event | None, names: tuple[str, ...], redeal: bool, lang: str) -> str:
    if event is not None:
        text: str = escape(event_words(event, names, lang))
    else:
        text = _("上一副没人当皇帝，重新发了牌") if redeal else ""
    return f'<p id="banner" class="banner" data-at="{at}" role="status">{text}</p>'
