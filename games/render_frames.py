"""Filling a fragment's frame, a Django template, without the request's context processors.

Fragments are pushed over sockets where there is no request; a frame gets named values and nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.template import Context, Template
from django.template.loader import get_template
from django.utils.html import escape


@lru_cache(maxsize=64)
def _frame(name: str) -> Template:
    return get_template(name).template  # type: ignore[attr-defined]


@lru_cache(maxsize=2048)
def escaped(text: str) -> str:
    """The text as it stands in html; Django's own function costs as much as a whole seat, and names come again."""
    return str(escape(text))


def frame(name: str, **values: Any) -> str:
    """The template `games/NAME` filled with these values; text is escaped unless marked safe."""
    return _frame(f"games/{name}").render(Context(values))


def swap(html: str) -> str:
    """The fragment marked to replace the element of its id."""
    at = html.index(" ")
    return f'{html[:at]} hx-swap-oob="true"{html[at:]}'
