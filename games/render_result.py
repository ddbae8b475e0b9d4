"""The end of a hand: roles turned over, places, points, beans, what was left, and what decided it.

Everything on this sheet is public once the hand is over; only the button at its foot depends on the viewer's seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.render_cards import mini_cards
from games.render_frames import frame
from games.render_seats import ROLE_ICON, deadline_ms
from games.render_words import place_word, role_word, signed

if TYPE_CHECKING:
    from games.selectors.table_view_types import ResultView, TableView


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's line on the sheet."""

    name: str
    icon: str
    role: str
    side: str
    place: str
    points: str
    beans: str
    sign: str
    cards: SafeString
    ready: bool
    mine: bool


def result_fragment(view: TableView, lang: str) -> str:
    """The sheet while a hand is over and the next not dealt; else its empty place."""
    if view.result is None or view.phase not in ("between", "closed"):
        return _no_result(lang)
    ready = tuple(info.ready and not info.bot for info in view.seats)
    again = view.phase == "closed" and view.closed_because == "limit" and view.viewer is not None
    return _result(
        view.result,
        view.viewer,
        ready,
        view.phase,
        view.hand or "",
        deadline_ms(view),
        view.seconds,
        lang,
        again,
        view.event.id if view.event else "",
    )


@lru_cache(maxsize=2)
def _no_result(lang: str) -> str:
    return '<div id="result" class="result" hidden></div>'


@lru_cache(maxsize=128)
def _result(
    result: ResultView,
    viewer: int | None,
    ready: tuple[bool, ...],
    phase: str,
    hand: str,
    due: int,
    seconds: int,
    lang: str,
    again: bool,
    event: str,
) -> str:
    mine = next((row for row in result.rows if row.seat == viewer), None)
    return frame(
        "_result.html",
        title=headline(result, viewer),
        mood=_mood(mine.points if mine else 0),
        why=decided(result),
        # one's own line first: the others' whole hands must not push it out of sight
        lines=sorted(result_lines(result, viewer, ready, lang), key=lambda line: not line.mine),
        result=result,
        hand=hand,
        phase=phase,
        rematch=again,
        event=event,
        seated=viewer is not None,
        ready=viewer is not None and ready[viewer],
        others=[line for line in result_lines(result, viewer, ready, lang) if line.ready and not line.mine],
        due=due,
        seconds=seconds,
    )


def _mood(points: int) -> str:
    return "won" if points > 0 else "lost" if points < 0 else "even"


def headline(result: ResultView, viewer: int | None) -> str:
    """The one thing a player wants to know first."""
    mine = next((row for row in result.rows if row.seat == viewer), None)
    if not result.scored:
        return _("这一局不计分")
    if mine is not None and mine.points:
        return _("你赢了 %d 分") % mine.points if mine.points > 0 else _("你输了 %d 分") % -mine.points
    return {"win": _("皇帝一方赢"), "loss": _("起义军赢")}.get(result.outcome, _("平局"))


def decided(result: ResultView) -> str:
    """What decided the hand, in one sentence."""
    rows = sorted(result.rows, key=lambda row: row.place)
    emperor = next(row for row in rows if row.role == "emperor")
    guard = next((row for row in rows if row.role == "guard"), None)
    won = {"win": _("皇帝一方赢"), "loss": _("起义军赢")}.get(result.outcome, _("不分胜负"))
    if guard is None:
        kind = _("明独") if result.solo == "open" else _("暗独")
        text = _("%(kind)s一打四，皇帝%(place)s，%(won)s") % {
            "kind": kind,
            "place": place_word(emperor.place),
            "won": won,
        }
    else:
        text = _("皇帝%(e)s、侍卫%(g)s，%(won)s") % {
            "e": place_word(emperor.place),
            "g": place_word(guard.place),
            "won": won,
        }
    return text + _("，分数×%d。") % result.multiplier if result.multiplier > 1 else text + _("。")


def result_lines(result: ResultView, viewer: int | None, ready: tuple[bool, ...], lang: str) -> list[Line]:
    """The five lines, first out first."""
    return [
        Line(
            name=row.name,
            icon=ROLE_ICON[row.role],
            role=role_word(row.role),
            side="rebels" if row.role == "rebel" else "court",
            place=place_word(row.place),
            points=signed(row.points),
            beans=signed(row.beans),
            sign=_mood(row.points),
            cards=mark_safe(mini_cards(row.left, True, lang) if row.left else ""),
            ready=ready[row.seat],
            mine=row.seat == viewer,
        )
        for row in sorted(result.rows, key=lambda row: row.place)
    ]
