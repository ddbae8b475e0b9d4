"""Filling a fragment's frame, a Django template, without the request's context processors.

Fragments are pushed over sockets where there is no request; a frame gets named values and nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any

from django.template import Context, Template
from django.template.loader import get_template
from django.utils.translation import gettext


@lru_cache(maxsize=64)
def _frame(name: str) -> Template:
    return get_template(name).template  # type: ignore[attr-defined]


@lru_cache(maxsize=2048)
def escaped(text: str) -> str:
    """The text as it stands in html; Django's own function costs as much as a whole seat, and names come again."""
    return escape(text)


@lru_cache(maxsize=256)
def phrase(text: str, lang: str) -> str:
    """A text marked by `gettext_noop`, in the active language, which `lang` names. For the few that every move says: to
    ask Django costs as much as the rest of such a line."""
    return gettext(text)


def frame(name: str, **values: Any) -> str:
    """The template `games/NAME` filled with these values; text is escaped unless marked safe."""
    return _frame(f"games/{name}").render(Context(values))


def swap(html: str) -> str:
    """The fragment marked to replace the element of its id."""
    at = html.index(" ")
    return f'{html[:at]} hx-swap-oob="true"{html[at:]}'
