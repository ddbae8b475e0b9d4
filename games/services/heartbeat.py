"""Whether the tables' clock of this process still turns: it says so at each turn, the health page looks."""

from __future__ import annotations

LASTS_SECONDS = 15.0

_last: float | None = None


def beat(now: float) -> None:
    """The clock has turned; `now` in seconds of the monotonic clock."""
    global _last
    _last = now


def stop() -> None:
    """The clock was stopped on purpose."""
    global _last
    _last = None


def alive(now: float) -> bool | None:
    """Whether the clock turned lately; None when none is meant to run here."""
    return None if _last is None else now - _last < LASTS_SECONDS
