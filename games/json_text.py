"""JSON that comes from outside: only what can be stored and sent on again is taken.

JSON can escape half a character (a lone surrogate), which no file, database or socket can hold, and says NaN, which is
no JSON. One place refuses both, for the sockets and for the requests of programs.
"""

from __future__ import annotations

import json
from typing import Any


def json_object(text: str) -> dict[str, Any] | None:
    """The object a text stands for; None when it is none, or holds what cannot be written down again."""
    try:
        data = _reader.decode(text)
        if "\\ud" in text.lower():  # a lone surrogate can only come in through an escape
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def holds_nul(data: object) -> bool:
    """Whether any text in it holds U+0000, which PostgreSQL cannot store."""
    return "\\u0000" in json.dumps(data).replace("\\\\", "")


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_reader = json.JSONDecoder(parse_constant=_refuse)
