"""Which release this is, as `pyproject.toml` says."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def version() -> str:
    """Such as `0.1.0`; `unknown` where the file is missing."""
    path = Path(__file__).resolve().parent.parent / "pyproject.toml"
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        return "unknown"
