"""The five seats round the table.

A seat is a frame, who sits there and what he is for one viewer, round what it is doing now, which is the same for all
and changes with every play. Neither says where the viewer sits. Built with f-strings: a Django template takes six times
as long.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.actions import Kind
from games.engine.observation import Observation, Role, Solo, Step, Turn
from games.render_cards import mini_cards
from games.render_frames import escaped
from games.render_words import place_word, role_word, shape_words

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.selectors.table_view_types import SeatInfo, TableView

ROLE_ICON = {"emperor": "crown", "guard": "shield", "rebel": "flag"}


def icon(name: str) -> str:
    """An own icon, silent for screen readers: words stand beside it."""
    return f'<svg class="icon" aria-hidden="true"><use href="#i-{name}"/></svg>'


def deadline_ms(view: TableView) -> int:
    """The deadline as milliseconds since 1970, 0 for none."""
    return int(view.deadline.timestamp() * 1000) if view.deadline else 0


SEAT_IDS = tuple(f"seat-{seat}" for seat in range(5))

Frame = tuple[str, str]
"""A seat's html before and after its `now`."""


def seat_fragments(view: TableView, lang: str) -> dict[str, str]:
    """The five seats by id, as this viewer may know them."""
    frames, now = seat_frames(view, lang), seats_now(view, lang)
    return {SEAT_IDS[seat]: now[seat].join(frames[seat]) for seat in range(5)}


def seat_frames(view: TableView, lang: str) -> tuple[Frame, ...]:
    """Who sits there and what he is for this viewer; what is round `now`, and changes seldom.

    One and the same tuple for viewers who know the same roles, as long as nothing in it changes: beyond the roles all
    is public.
    """
    key = ("frames", *framed_by(view)[1:], lang)
    seats, found = view.carried.get(key, (None, ()))
    if seats is not view.seats:
        found = tuple([_frame_of(view, seat, lang) for seat in range(5)])
        view.carried[key] = view.seats, found
    frames: tuple[Frame, ...] = found
    return frames


def framed_by(view: TableView) -> tuple[object, ...]:
    """All of which the frames are made: who sits there, and of the hand what tells roles and places. Equal for whoever
    is shown the same."""
    obs = view.obs
    if obs is None:
        return view.seats, view.phase
    # of his own hidden guard only the guard himself is told
    hidden = not obs.public and obs.viewer is not None and obs.role_of(obs.viewer) is Role.GUARD
    before = obs.step in (Step.CROWN, Step.GRAB)
    return view.seats, view.phase, obs.out, obs.known, obs.own_solo, obs.solo, hidden, obs.emperor, before


def _frame_of(view: TableView, seat: int, lang: str) -> Frame:
    """Who did not play the hand that is shown has no role in it, and no place."""
    info, obs = view.seats[seat], view.obs
    if obs is None or view.phase == "waiting" or not info.played:
        return _frame(info, "", 0, lang)
    return _frame(info, "" if info.empty else _role(obs, seat), _place(obs, seat), lang)


def seats_now(view: TableView, lang: str) -> tuple[str, ...]:
    """What the five are doing: clock, number of cards, marks, last play. The same for all viewers of a moment."""
    found: tuple[str, ...] | None = view.shared.get(("now", lang))
    if found is None:
        found = view.shared["now", lang] = tuple([_now_of(view, seat, lang) for seat in range(5)])
    return found


def _now_of(view: TableView, seat: int, lang: str) -> str:
    facts = _doing(view, seat)
    key = ("now", seat, lang)
    had, html = view.carried.get(key, (None, ""))
    if had != facts:
        html = _now(*facts, lang)
        view.carried[key] = facts, html
    found: str = html
    return found


_Doing = tuple[
    "SeatInfo", str, int, bool, str, tuple["Card", ...], "Turn | None", bool, bool, int, int, bool, bool
]  # the parameters of `_now`


def _doing(view: TableView, seat: int) -> _Doing:
    info = view.seats[seat]
    obs = view.obs
    if obs is None or view.phase == "waiting" or not info.played:
        return info, view.phase, -1, False, "", (), None, False, False, 0, 0, False, False
    asked = seat in obs.to_act and view.phase == "playing" and obs.step is not Step.REVEAL
    due, seconds = (deadline_ms(view), view.seconds) if asked else (0, 0)
    turn, past = _turn(obs, seat)
    word, toll = ("", ()) if turn else _declared(obs, seat)
    return (
        info,
        view.phase,
        obs.counts[seat],
        seat in obs.rebels,
        word,
        toll,
        turn,
        past,
        asked,
        due,
        seconds,
        obs.rules.guard.by == "sword",
        obs.crown_at == seat,
    )


def _place(obs: Observation, seat: int) -> int:
    """1 for whoever was out of cards first; 0 while he holds some."""
    return obs.out.index(seat) + 1 if seat in obs.out else 0


def _role(obs: Observation, seat: int) -> str:
    """A word of three kinds: "" while there are no roles, "?" unknown, else role and what is special about it."""
    role = obs.role_of(seat)
    if role is None:
        return "?" if obs.emperor is not None and obs.step not in (Step.CROWN, Step.GRAB) else ""
    if role is Role.EMPEROR:
        solo = obs.solo or (obs.own_solo if seat == obs.viewer else None)
        return "emperor-open" if solo is Solo.OPEN else "emperor-hidden" if solo is Solo.HIDDEN else "emperor"
    if role is Role.GUARD and not obs.public and seat == obs.viewer:
        return "guard-hidden"
    return role.value


def role_of(obs: Observation, seat: int, lang: str) -> str:
    """The role this seat has for the viewer, and its place when it is out."""
    return _role_markup(_role(obs, seat), _place(obs, seat), lang)


def act_of(obs: Observation, seat: int, lang: str) -> str:
    """What the seat did or said last."""
    turn, past = _turn(obs, seat)
    word, toll = ("", ()) if turn else _declared(obs, seat)
    return _act(turn, past, word, toll, obs.rules.guard.by == "sword", lang)


def _turn(obs: Observation, seat: int) -> tuple[Turn | None, bool]:
    """What the seat did last in this trick, or in the one before until somebody leads."""
    past = not obs.trick
    for turn in reversed(obs.last_trick if past else obs.trick):
        if turn.seat == seat:
            return turn, past
    return None, past


def _declared(obs: Observation, seat: int) -> tuple[str, tuple[Card, ...]]:
    """What the seat said before the first card: shown until play begins."""
    if obs.step in (Step.CROWN, Step.GRAB):
        for event in reversed(obs.log):
            if event.seat == seat and event.kind == "yield":
                return "yield", event.cards
    return "", ()


def _frame(info: SeatInfo, role: str, place: int, lang: str) -> Frame:
    number = info.number
    if info.empty:
        free, sit = _("空位"), pgettext("button", "坐下")
        return (
            f'<section id="seat-{number}" class="seat empty" data-seat="{number}">'
            f'<span class="medal">{icon("plus")}</span><span class="who"><span class="name">{free}</span></span>',
            f'<button type="submit" class="btn small sit" form="sit-form" name="seat" value="{number}">'
            f"{sit}</button></section>",
        )
    name = escaped(info.name)
    stake = f' <span class="times">×{info.multiplier}</span>' if info.multiplier > 1 else ""
    look = f" role-{role.partition('-')[0].replace('?', 'unknown')}" if role else ""
    return (
        f'<section id="seat-{number}" class="seat{" out" if place else ""}{look}" data-seat="{number}" '
        f'data-name="{name}"><span class="who"><span class="name">{name}{stake}</span>'
        f"{_role_markup(role, place, lang)}</span>",
        "</section>",
    )


def _now(
    info: SeatInfo,
    phase: str,
    count: int,
    rebelled: bool,
    word: str,
    toll: tuple[Card, ...],
    turn: Turn | None,
    past: bool,
    asked: bool,
    due: int,
    seconds: int,
    sword: bool,
    crown: bool,
    lang: str,
) -> str:
    number = info.number
    if info.empty:
        return f'<span id="now-{number}" class="now"></span>'
    ring = (
        f'<svg class="ring" viewBox="0 0 44 44" aria-hidden="true" data-deadline="{due}" data-seconds="{seconds}">'
        '<circle cx="22" cy="22" r="20" pathLength="100"/></svg>'
        if asked
        else ""
    )
    middle = icon("robot") if info.bot else f"<b>{escaped(info.name[:1])}</b>"
    return (
        f'<span id="now-{number}" class="now{" asked" if asked else ""}"><span class="medal">{ring}{middle}</span>'
        f"{_count_markup(count, lang) if count >= 0 else ''}{_marks(info, phase, rebelled, crown, lang)}"
        f'<span class="act">{_act(turn, past, word, toll, sword, lang)}</span></span>'
    )


@lru_cache(maxsize=256)
def _role_markup(role: str, place: int, lang: str) -> str:
    done = f'<span class="place">{place_word(place)}</span>' if place else ""
    if not role:
        return done
    if role == "?":
        words = _("未明")
        return f'<span class="role">{icon("unknown")}<span>{words}</span></span>{done}'
    base, _dash, more = role.partition("-")
    words = role_word(base)
    if more:
        kind = _("暗保") if base == "guard" else _("明独") if more == "open" else _("暗独")
        words = f'<span class="more">{words}·</span>{kind}'
    return f'<span class="role">{icon(ROLE_ICON[base])}<span>{words}</span></span>{done}'


@lru_cache(maxsize=256)
def _count_markup(count: int, lang: str) -> str:
    few = " few" if 0 < count <= 5 else ""
    label = _("剩%d张") % count
    return (
        f'<span class="left{few}" aria-label="{label}"><b>{count}</b>'
        f'<progress class="bar" max="44" value="{min(count, 44)}" aria-hidden="true"></progress></span>'
    )


def _marks(info: SeatInfo, phase: str, rebelled: bool, crown: bool, lang: str) -> str:
    idle = info.ready and not info.bot and phase in ("waiting", "between")
    return _marks_markup(crown, info.keeps, rebelled, info.trustee, not info.connected and not info.bot, idle, lang)


@lru_cache(maxsize=128)
def _marks_markup(crown: bool, kept: bool, rebelled: bool, trustee: bool, away: bool, ready: bool, lang: str) -> str:
    marks = []
    if crown:
        marks.append(("crown", _("皇牌在这里")))
    if kept:
        marks.append(("keeps", _("机器人代打")))
    if rebelled:
        marks.append(("hoe", _("造过反")))
    if trustee:
        marks.append(("gear", _("托管")))
    if away:
        marks.append(("plug", _("掉线")))
    if ready:
        marks.append(("check", _("已准备")))
    if not marks:
        return '<span class="marks"></span>'
    inner = "".join(
        f'<span class="mark m-{key}" title="{word}">{_sign(key)}<span>{word}</span></span>' for key, word in marks
    )
    return f'<span class="marks">{inner}</span>'


def _sign(key: str) -> str:
    """A mark's icon; whose place a bot keeps is a sign of its own, for the medal shows a robot already."""
    return f'<b aria-hidden="true">{pgettext("mark", "代")}</b>' if key == "keeps" else icon(key)


def _act(turn: Turn | None, past: bool, word: str, toll: tuple[Card, ...], sword: bool, lang: str) -> str:
    if word == "yield":
        said = pgettext("said", "让位")
        return f'<span class="said">{said}</span>{mini_cards(toll, sword, lang) if toll else ""}'
    if turn is None:
        return ""
    old = " past" if past else ""
    if turn.kind is Kind.PLAY and turn.play is not None:
        cards = mini_cards(turn.play.cards, sword, lang)
        return f'<span class="played{old}" title="{shape_words(turn.play.shape, lang)}">{cards}</span>'
    return f'<span class="said{old}">{_said(turn.kind, lang)}</span>'


@lru_cache(maxsize=16)
def _said(kind: Kind, lang: str) -> str:
    return {
        Kind.PASS: pgettext("said", "过"),
        Kind.DEFER: pgettext("said", "让牌"),
        Kind.CLAIM: pgettext("said", "申请接风"),
    }.get(kind, "")
