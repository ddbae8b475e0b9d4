"""Every question before the first card, answered by pressing the answer that is rare.

Whoever is asked depends on the cards, so tables are opened until somebody's luck brings the question.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.browser.person import DESKTOP, PHONE, Glance, Person
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TABLES = 200  # in weihai every sixteenth hand asks a person whether he kicks
SECONDS = 300.0


def asked(seen: Glance) -> bool:
    return seen["kind"] in {"ask", "play"}


def bring(person: Person, preset: str, step: str, answer: str) -> Glance | None:
    """Open a table and go towards the step; what is asked there if it offers the answer, None if it did not come."""
    person.open_table(preset, clock="slow")
    end = time.monotonic() + 3  # a reveal step lasts one second; after that it is play
    done = ""
    while time.monotonic() < end:
        seen = person.look()
        if seen["kind"] == "play" or (seen["pile"] and not asked(seen)):
            return None
        if seen["kind"] == "ask" and seen["prompt"] != done:
            offered = [button["value"] for button in seen["buttons"]]
            if seen["step"] == step and any(value.split()[0] == answer for value in offered):
                return seen
            done = seen["prompt"]
            person.press(f'#prompt button[value="{offered[-1] if seen["step"] == "crown" else offered[0]}"]')
        person.page.wait_for_timeout(20)
    return None


@pytest.mark.parametrize(
    "preset, step, answer, told",
    [
        ("qingdao", "crown", "yield", "让位，贴"),
        ("tribute", "crown", "accept", "要当皇帝"),
        ("home", "call", "call", " 叫 "),
        ("lianzhong-classic", "grab", "solo", "抢独"),
        ("standard", "reveal", "open", "亮明身份"),
        ("special", "reveal", "hide", "没有人亮明身份"),
        ("lianzhong-simple", "rebel", "rebel", "造反"),
        ("weihai", "kick", "kick", "踢"),
        ("special", "kick", "kick", "踢"),
    ],
)
def test_the_rare_answer_can_be_pressed_and_the_table_hears_it(
    preset: str, step: str, answer: str, told: str, chromium: Browser, site: Site
) -> None:
    person = Person(chromium, site.url, PHONE if step in {"crown", "reveal"} else DESKTOP)
    try:
        end = time.monotonic() + SECONDS
        seen = None
        for _ in range(TABLES):
            seen = bring(person, preset, step, answer)
            if seen is not None or time.monotonic() > end:
                break
        assert seen is not None, f"nobody was offered {answer} in {TABLES} hands of {preset}"
        prompt = seen["prompt"]
        person.press(f'#prompt button[value^="{answer}"]')
        person.until(lambda new: new["prompt"] != prompt, "what comes after the answer")
        log = person.page.locator("#log")
        for _ in range(100):
            if told in (log.text_content() or ""):
                break
            person.page.wait_for_timeout(50)
        assert told in (log.text_content() or "")
        assert person.problems == []
    finally:
        person.close()
