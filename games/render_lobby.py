"""A table in the lobby → one row, drawn once however many look at it.

A row says nothing about who looks, so that all are sent the same. Rows that are there are replaced, others are put in
front; a table that closed is taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.render_frames import frame
from games.rule_words import one_line

if TYPE_CHECKING:
    from games.selectors.lobby import LobbyRow


def row(line: LobbyRow) -> str:
    """`<li id="lobby-ID">`."""
    return _row(line, get_language() or "")


@lru_cache(maxsize=1024)
def _row(line: LobbyRow, lang: str) -> str:
    return frame("_lobby_row.html", row=line, options=one_line(line.rules), state=_state(line))


def _state(line: LobbyRow) -> str:
    if line.status == "waiting":
        return _("等人")
    return _("第%d局") % line.number


def rows(lines: Sequence[LobbyRow]) -> str:
    """All rows, and what to do when there are none."""
    return "".join(map(row, lines)) + f'<li class="empty">{_("现在没有公开的桌。开一桌，或者用快速匹配找人打。")}</li>'


def whole(lines: Sequence[LobbyRow]) -> str:
    """The list itself, ready to send."""
    return f'<ul id="lobby-list" class="lobby-list" hx-swap-oob="true">{rows(lines)}</ul>'


def change(table_id: str, line: LobbyRow | None) -> str:
    """What takes the row to what it is now, ready to send. The page keeps a row's place and puts a new one in front
    (`lobby.js`); without a row it is taken out."""
    if line is None:
        return f'<li id="lobby-{table_id}" hx-swap-oob="delete"></li>'
    fresh = row(line)
    at = fresh.index(" ")
    return f'{fresh[:at]} hx-swap-oob="true"{fresh[at:]}'
