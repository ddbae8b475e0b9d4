"""What the viewer is asked, and the buttons for exactly that; or, in a sentence, what the table waits for.

The play prompt carries the legal shapes of the own hand, so that the page greys out 出牌 at once without knowing a
rule. Private to its viewer: never memoised beyond the values it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from games.engine import legal
from games.engine.actions import Kind
from games.engine.cards import RANK_LEVEL, Card
from games.engine.errors import BadCards
from games.engine.observation import Observation, Step
from games.render_asks import ask_of
from games.render_frames import escaped, frame, phrase
from games.render_people import asking
from games.render_pile import names_of
from games.render_seats import deadline_ms
from games.render_words import names_words, reason, shape_words

if TYPE_CHECKING:
    from games.engine.shapes import Shape
    from games.selectors.table_view_types import TableView


def prompt_fragment(view: TableView, lang: str) -> str:
    """The viewer's question, or what everybody waits for."""
    obs = view.obs
    if view.phase == "closed":
        seated, event = view.viewer is not None, view.event.id if view.event else ""
        return _closed(view.closed_because, view.result is not None, bool(view.rematch), seated, event, lang)
    if view.phase == "waiting" or obs is None:
        return _room(view, lang)
    if view.phase == "between":
        return _between(view, lang)
    if view.trustee:
        return _trustee(view.can_take_back, lang)
    if obs.prompt is None or view.prompt is None or not obs.asked:
        return _wait_of(view, obs, lang)
    names = names_of(view)
    if obs.step is Step.PLAY:
        return play_prompt(obs, view.prompt, names, deadline_ms(view), view.seconds, lang)
    ask = ask_of(obs, legal.answers(obs), names, lang)
    return frame(
        "_ask.html", ask=ask, prompt=view.prompt, due=deadline_ms(view), seconds=view.seconds, step=obs.step.value
    )


def _room(view: TableView, lang: str) -> str:
    """Before a hand: sit down, fill up with bots, say that you are ready."""
    seat = view.seats[view.viewer] if view.viewer is not None else None
    return _room_frame(
        seated=seat is not None,
        ready=bool(seat and seat.ready),
        host=view.host,
        free=sum(info.empty for info in view.seats),
        unready=names_words([info.name for info in view.seats if not (info.empty or info.bot or info.ready)]),
        # a bot may be relieved while no hand is on
        bots=view.phase in ("waiting", "between") and any(info.bot for info in view.seats),
        veil=view.watching if view.veiled else "",
        swap=asking(view),
        quick=view.quick,
        alone=seat is not None and view.host and all(info is seat or info.bot for info in view.seats),
        event=view.event is not None,
        paused=(paused := view.event is not None and view.event.paused),
        due=deadline_ms(view) if view.wait_for or (view.event and not paused) else 0,
        seconds=view.seconds,
        lang=lang,
    )


@lru_cache(maxsize=256)
def _room_frame(
    *,
    seated: bool,
    ready: bool,
    host: bool,
    free: int,
    unready: str,
    bots: bool,
    veil: str,
    swap: tuple[int, str] | None,
    quick: bool,
    alone: bool,
    event: bool,
    paused: bool,
    due: int,
    seconds: int,
    lang: str,
) -> str:
    return frame(
        "_room.html",
        seated=seated,
        ready=ready,
        host=host,
        free=free,
        unready=unready,
        bots=bots,
        veil=veil,
        swap=swap,
        quick=quick,
        alone=alone,
        event=event,
        paused=paused,
        due=due,
        seconds=seconds,
    )


def _between(view: TableView, lang: str) -> str:
    """After a hand: the button is on the result sheet and here, for whoever has put the sheet away."""
    seat = view.seats[view.viewer] if view.viewer is not None else None
    bots = any(info.bot for info in view.seats)
    return _between_frame(seat is not None, bool(seat and seat.ready), bots, asking(view), lang)


@lru_cache(maxsize=256)
def _between_frame(seated: bool, ready: bool, bots: bool, swap: tuple[int, str] | None, lang: str) -> str:
    return frame("_between.html", seated=seated, ready=ready, bots=bots, swap=swap)


@lru_cache(maxsize=8)
def _trustee(can_take_back: bool, lang: str) -> str:
    return frame("_trustee.html", can_take_back=can_take_back)


@lru_cache(maxsize=32)
def _closed(because: str, has_result: bool, rematch: bool, seated: bool, event: str, lang: str) -> str:
    again = seated and because == "limit" and not event
    why = _closing_words(because)
    return frame(
        "_closed.html", why=why, has_result=has_result, rematch=rematch, again=again, seated=seated, event=event
    )


def _closing_words(because: str) -> str:
    """Why a table broke up, in a sentence."""
    match because:
        case "trustee":
            return _("有人在托管，打完这一局就散了。")
        case "left":
            return _("有人离开了。")
        case "limit":
            return _("说好的局数打满了。")
        case "idle":
            return _("很久没有人在。")
        case "round":
            return _("这一轮打完了，下一桌看比赛的页面。")
        case "hung":
            return _("裁判散了这一桌。")
        case "admin":
            return _("管理员散了这一桌。")
        case _:
            return ""


def _wait_of(view: TableView, obs: Observation, lang: str) -> str:
    """Who is waited for; alike for all who wait, but for who is out of cards or looks on."""
    key = ("wait", obs.to_act, obs.viewer in obs.out, view.viewer is None, lang)
    found: str | None = view.shared.get(key)
    if found is None:
        names = names_of(view)
        who = names_words([names[seat] for seat in obs.to_act])
        found = view.shared[key] = _wait(obs.step, who, obs.viewer in obs.out, view.viewer is None, lang)
    return found


@lru_cache(maxsize=4096)
def _wait(step: Step, who: str, out: bool, watching: bool, lang: str) -> str:
    text, note = _waiting_words(step, who, out)
    small = note or (_("你在旁观") if watching else "")
    return (
        f'<div id="prompt" class="prompt wait" data-kind="wait"><p class="question">{escaped(text)}</p>'
        f'<p class="note">{escape(small)}</p></div>'
    )


def _waiting_words(step: Step, who: str, out: bool) -> tuple[str, str]:
    """What the table waits for, and a smaller word; in the reveal step the same for everybody (RULES §5.6)."""
    match step:
        case Step.CROWN:
            return _("等 %s 决定当不当皇帝") % who, ""
        case Step.GRAB:
            return _("等 %s 决定抢不抢独") % who, _("五家一起答，答完才翻开")
        case Step.CALL:
            return _("等 %s 叫牌") % who, ""
        case Step.REVEAL:
            return _("等侍卫决定…"), ""
        case Step.REBEL:
            return _("等 %s 决定造不造反") % who, _("一起答，答完才翻开")
        case Step.KICK:
            return _("等 %s 决定踢不踢") % who, _("一起答，答完才翻开")
        case Step.PLAY:
            return (_("你已经出完了，等 %s 出牌") if out else _("等 %s 出牌")) % who, ""
        case _:
            return _("马上重新发牌"), ""


# --- the play prompt -----------------------------------------------------------------------------------------------

LEAD, BEAT = gettext_noop("轮到你，先出牌"), gettext_noop("要压过 %(name)s 的 %(words)s")
CHOOSE, NOTHING = gettext_noop("点选要出的牌"), gettext_noop("没有能压过的牌")


def play_prompt(obs: Observation, prompt: str, names: tuple[str, ...], due: int, seconds: int, lang: str) -> str:
    """Pass, hint, play, with the shapes that are legal now in the order in which the hint offers them."""
    shapes = legal.plays(obs)
    kinds = {action.kind for action in legal.answers(obs)}
    texts = [str(shape) for shape in shapes]
    hints = [str(shape) for shape in hint_order(shapes, obs)]
    top = obs.top
    if top is None:
        question = phrase(LEAD, lang)
    else:
        question = phrase(BEAT, lang) % {"name": names[top.seat], "words": shape_words(top.shape, lang)}
    need = (top.shape.count or top.shape.size) if top else 0
    silent = not shapes
    note = phrase(NOTHING if silent else CHOOSE, lang)
    buttons = "".join(
        _answer_button(kind, silent, lang) for kind in (Kind.PASS, Kind.DEFER, Kind.CLAIM) if kind in kinds
    )
    key, wild = escaped(prompt), "1" if obs.rules.play.wild_twos else ""
    return (
        f'<div id="prompt" class="prompt asked play" data-kind="play" data-prompt="{key}" '
        f'data-legal="{" ".join(texts)}" data-hint="{" ".join(hints)}" data-need="{need}" data-wild="{wild}" '
        f'data-deadline="{due}" data-seconds="{seconds}" data-question="{escaped(question)}">'
        f'<input type="hidden" name="prompt" value="{key}"><input type="hidden" name="id" value="{key}">'
        f'<p class="question">{escaped(question)}</p>{verdict_markup(note, "" if silent else "idle")}'
        f'<div class="buttons">{buttons}{_play_buttons(silent, lang)}</div></div>'
    )


@lru_cache(maxsize=32)
def _answer_button(kind: Kind, main: bool, lang: str) -> str:
    words = {
        Kind.PASS: pgettext("button", "不出"),
        Kind.DEFER: pgettext("button", "让牌"),
        Kind.CLAIM: pgettext("button", "申请接风"),
    }[kind]
    key = {Kind.PASS: "P", Kind.DEFER: "R", Kind.CLAIM: "J"}[kind]
    look = " main" if main and kind is Kind.PASS else ""
    return (
        f'<button type="submit" class="btn {kind.value}{look}" name="action" value="{kind.value}" data-key="{key}" '
        f'data-focus="{kind.value}">{words}<kbd>{key}</kbd></button>'
    )


@lru_cache(maxsize=8)
def _play_buttons(silent: bool, lang: str) -> str:
    if silent:
        return ""
    hint, play = pgettext("button", "提示"), pgettext("button", "出牌")
    return (
        '<button type="button" class="btn hint" data-hint-button data-key="H" data-focus="hint">'
        f"{hint}<kbd>H</kbd></button>"
        f'<button type="submit" class="btn main play" name="action" value="play" data-key="Enter" data-focus="play" '
        f'aria-describedby="verdict">{play}<kbd>Enter</kbd></button>'
    )


def hint_order(shapes: Sequence[Shape], obs: Observation) -> list[Shape]:
    """What the hint offers first: whole ranks weakest first, then parts of a rank, then plays with jokers."""
    held: dict[str, int] = {}
    for card in obs.hand:
        held[card[0]] = held.get(card[0], 0) + 1
    if obs.special is not None:
        held[obs.special[0]] -= 1

    def order(shape: Shape) -> tuple[int, int, int]:
        jokers = shape.special * 4 + shape.big * 2 + shape.small
        broken = bool(shape.count) and shape.count != held.get(shape.rank, 0)
        return jokers, int(broken), RANK_LEVEL.get(shape.rank, 99)

    if obs.top is None:
        whole = [
            shape
            for shape in shapes
            if shape.count and shape.count == held.get(shape.rank) and shape.size == shape.count
        ]
        return sorted(whole, key=order) or list(shapes)
    return sorted(shapes, key=order)


def verdict_markup(text: str, state: str) -> str:
    """The line above the buttons. `state`: "idle", "good", "bad"."""
    return f'<p id="verdict" class="verdict {state}">{escaped(text)}</p>'


def verdict(obs: Observation | None, cards: Sequence[str]) -> str:
    """What these cards would be and whether they may be played now: the answer to a selection."""
    if obs is None or not obs.asked or obs.step is not Step.PLAY:
        return verdict_markup("", "idle")
    if not cards:
        return verdict_markup(reason("empty"), "idle")
    hand = tuple(Card(card) for card in cards)
    why = legal.why_not(obs, hand)
    try:
        words = shape_words(legal.shape_of(obs.rules, hand, obs.special))
    except BadCards:
        words = ""
    if why is None:
        text = _("%s，可以出") % words if obs.top is None else _("%s，压得住") % words
        return verdict_markup(text, "good")
    sentence = reason(why, obs.rules.play.hold_back)
    return verdict_markup(
        _("%(words)s：%(reason)s") % {"words": words, "reason": sentence} if words else sentence, "bad"
    )
