"""Whole hands in every preset, one by touch and one with a mouse side by side, pressing what is offered.

Whoever is asked presses what has been pressed least so far, so that rare answers (贴牌让位, 抢独, 叫, 明保, 造反, 踢,
让牌, 申请接风) come up as often as the cards allow.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from games.engine.presets import preset_ids
from tests.browser.person import DESKTOP, PHONE, Person
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SECONDS = 90.0


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """How often each answer has been pressed in all hands so far."""
    return Counter()


@pytest.mark.parametrize("preset", preset_ids())
def test_a_hand_by_touch_and_a_hand_with_the_mouse_go_to_their_end(
    preset: str, chromium: Browser, site: Site, tally: Counter[str]
) -> None:
    people = [Person(chromium, site.url, PHONE, theme="light"), Person(chromium, site.url, DESKTOP)]
    try:
        for person in people:
            person.open_table(preset, clock="slow")
        end = time.monotonic() + SECONDS
        playing = list(people)
        while playing:
            playing = [person for person in playing if not person.play_on(tally)["result"]]
            assert time.monotonic() < end, [(person.pressed, person.look()) for person in playing]
        for person in people:
            assert person.page.locator("#result .line").count() == 5
            assert person.pressed["play"] > 0
            assert person.problems == []
    finally:
        for person in people:
            person.close()
    print(preset, dict(tally))
