"""Who is at the table, and what the viewer may do about it: send away, change places, stop listening.

Drawn from what everybody knows of the seats and from the viewer's own seat; never from the hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.render_frames import frame

if TYPE_CHECKING:
    from games.selectors.table_view_types import SeatInfo, TableView


@dataclass(frozen=True, slots=True)
class Person:
    """A seat's line in the list. The booleans say which buttons it has."""

    seat: int
    name: str
    state: str
    empty: bool
    bot: bool
    mine: bool
    player: int | None
    removable: bool
    swappable: bool
    asked: bool  # the viewer has asked him to change places
    asks: bool  # he asks the viewer


def people_fragment(view: TableView, lang: str) -> str:
    """The list of the five, with how many look on."""
    idle = view.phase in ("waiting", "between")
    return _people(view.seats, view.phase, view.viewer, view.host and idle, view.spectators, view.watching, lang)


@lru_cache(maxsize=512)
def _people(
    seats: tuple[SeatInfo, ...],
    phase: str,
    viewer: int | None,
    may_remove: bool,
    spectators: int,
    watching: str,
    lang: str,
) -> str:
    idle = phase in ("waiting", "between")
    own = seats[viewer] if viewer is not None else None
    lines = [
        Person(
            seat=info.number,
            name=info.name or _("空位"),
            state=_state(info, idle),
            empty=info.empty,
            bot=info.bot,
            mine=info is own,
            player=None if info is own or own is None else info.player,
            removable=may_remove and not info.empty and info is not own,
            swappable=idle and own is not None and not info.empty and info is not own,
            asked=own is not None and own.swap_with == info.number,
            asks=idle and own is not None and info.swap_with == own.number,
        )
        for info in seats
    ]
    return frame("_people.html", lines=lines, spectators=spectators, watching=_watching_words(watching))


def _state(info: SeatInfo, idle: bool) -> str:
    """The one thing to know about a seat now."""
    if info.empty:
        return ""
    if info.bot:
        return _("机器人")
    if not info.connected:
        return _("掉线")
    if info.trustee:
        return _("托管")
    if idle:
        return _("已准备") if info.ready else _("还没准备")
    return _("桌主") if info.host else ""


def _watching_words(watching: str) -> str:
    return {
        "trick": _("旁观的人晚一圈看到"),
        "after": _("旁观的人打完才看到"),
        "none": _("这一桌不让旁观"),
    }.get(watching, _("旁观的人随打随看"))


def asking(view: TableView) -> tuple[int, str] | None:
    """Who asks the viewer to change places: his seat and name."""
    if view.viewer is None:
        return None
    found = next((info for info in view.seats if info.swap_with == view.viewer), None)
    return None if found is None else (found.number, found.name)
