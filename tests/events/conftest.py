"""Bots think no time in these tests, so that an evening needs no clock of its own."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def quick_bots(settings: Any) -> None:
    settings.BOT_SECONDS = (0.0, 0.0)
    settings.REVEAL_SECONDS = 1
