"""The chat of a table as the viewer may read it: grows line by line, and comes whole when a line in it went."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from games.selectors.table_view_types import ChatLine


def chat_fragment(lines: tuple[ChatLine, ...], lang: str) -> str:
    """All of it; what to do here when nothing was said."""
    inner = "".join([_line(line, lang) for line in lines]) or _nothing(lang)
    return f'<ol id="chat" class="chat">{inner}</ol>'


def chat_news(lines: tuple[ChatLine, ...], had: tuple[ChatLine, ...], lang: str) -> str | None:
    """The lines that follow those that were sent; None when that is not all that changed."""
    if not had:
        return None
    old = [line for line in lines if line.id <= had[-1].id]
    if tuple(old) != had[len(had) - len(old) :] or not old:
        return None
    more = "".join([_line(line, lang) for line in lines[len(old) :]])
    return f'<ol id="chat" hx-swap-oob="beforeend">{more}</ol>' if more else ""


def phrases() -> list[str]:
    """What is said most, to be said with one press."""
    return [_("你好"), _("快点吧"), _("打得好"), _("稍等一下"), _("谢谢"), _("再来一局"), _("我先走了")]


@lru_cache(maxsize=2048)
def _line(line: ChatLine, lang: str) -> str:
    mark = f"<small>{_('旁观')}</small> " if line.by == "watcher" else ""
    return (
        f'<li class="by-{line.by}" data-line="{line.id}"><b>{escape(line.name)}</b> {mark}'
        f"<span>{escape(line.text)}</span></li>"
    )


@lru_cache(maxsize=4)
def _nothing(lang: str) -> str:
    return f'<li class="note">{_("还没有人说话。")}</li>'
