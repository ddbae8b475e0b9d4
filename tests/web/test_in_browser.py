"""The table in a real browser: keys and touch, selection that stays, life without a socket, the deal checked again."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}

NO_SOCKET = "window.WebSocket = class { constructor() { throw new Error('no sockets here'); } };"
BROKEN_SOCKET = """
window.WebSocket = class extends EventTarget {
  constructor() { super(); this.readyState = 0; setTimeout(() => { this.readyState = 3;
    if (this.onclose) this.onclose({ code: 1006 }); }, 20); }
  send() {} close() {}
};
window.WebSocket.prototype.OPEN = 1;
"""


def open_page(chromium: Browser, said: list[str], size: dict[str, int], touch: bool = False, script: str = "") -> Page:
    context = chromium.new_context(viewport=size, has_touch=touch, is_mobile=touch)  # type: ignore[arg-type]
    if script:
        context.add_init_script(script)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return page


def start(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.get_by_role("button", name="马上开局").click()
    page.wait_for_selector("#table")


def asked(page: Page) -> dict[str, Any] | None:
    """What the page asks now; None while it asks nothing."""
    found: dict[str, Any] | None = page.evaluate(
        "() => { const p = document.querySelector('#prompt.asked'); return p && { ...p.dataset }; }"
    )
    return found


def over(page: Page) -> bool:
    return bool(page.evaluate("() => !document.getElementById('result').hidden"))


def next_question(page: Page, before: str = "") -> dict[str, Any] | None:
    """Wait until another question is asked, or the hand is over (None)."""
    page.wait_for_function(
        "before => !document.getElementById('result').hidden ||"
        " (document.querySelector('#prompt.asked') || { dataset: {} }).dataset.prompt > '' &&"
        " document.querySelector('#prompt.asked').dataset.prompt !== before",
        arg=before,
        timeout=30_000,
    )
    if over(page):
        return None
    # between the two looks the question may have been taken away, when its step was over for everybody
    return asked(page) or next_question(page, before)


def answer(page: Page, question: dict[str, Any], last: bool = False) -> None:
    """Press what is offered: a declaration, or what the hint picks, or pass."""
    if question["kind"] == "ask":
        buttons = page.locator("#prompt .choice")
        (buttons.last if last else buttons.first).click()
    elif question["legal"]:
        page.locator("[data-hint-button]").click()
        page.locator("#prompt .play").click()
    else:
        page.locator("#prompt .pass").click()


def to_the_play(page: Page) -> dict[str, Any]:
    """Answer the questions before the first card."""
    before = ""
    while True:
        question = next_question(page, before)
        assert question is not None
        if question["kind"] == "play":
            return question
        answer(page, question, last=True)
        before = question["prompt"]


@pytest.mark.slow
def test_a_hand_is_played_with_the_keyboard_alone(chromium: Browser, site: Site) -> None:
    said: list[str] = []
    page = open_page(chromium, said, DESKTOP)
    start(page, site)
    before, turns = "", 0
    while (question := next_question(page, before)) is not None and turns < 60:
        if question["kind"] == "ask":
            page.keyboard.press("1")
        elif question["legal"]:
            page.keyboard.press("h")
            assert page.locator("#prompt .play").is_enabled()
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("p")
        before, turns = question["prompt"], turns + 1
    assert over(page)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('result').hidden")
    assert said == []
    page.context.close()


def test_taps_lift_and_lower_a_stack_and_the_words_say_what_it_would_be(chromium: Browser, site: Site) -> None:
    said: list[str] = []
    page = open_page(chromium, said, PHONE, touch=True)
    start(page, site)
    question = to_the_play(page)
    stack = page.locator("#hand .stack:not([data-key=w]):not([data-key=W]):not([data-key='#'])").last
    stack.locator(".card").last.tap()
    number, need = int(stack.get_attribute("data-n") or 0), int(question["need"])
    assert stack.locator("input:checked").count() == (min(need, number) if need else number)
    assert page.locator("#picker").is_visible() == (not need and number > 1)
    rank = stack.get_attribute("data-name") or ""
    assert rank in (page.locator("#verdict").text_content() or "")
    shape = (stack.get_attribute("data-key") or "") * stack.locator("input:checked").count()
    play = page.locator("#prompt .play")
    assert play.count() == bool(question["legal"]), "whoever can beat nothing is offered no 出牌"
    if question["legal"]:
        assert play.is_enabled() == (shape in question["legal"].split())
    stack.locator(".card").last.tap()
    assert page.locator("#hand input:checked").count() == 0
    if question["legal"]:
        assert play.is_disabled()
    assert page.evaluate("() => document.scrollingElement.scrollHeight <= innerHeight")
    assert page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth")
    assert said == []
    page.context.close()


def test_what_is_ticked_stays_ticked_while_the_others_play(chromium: Browser, site: Site) -> None:
    said: list[str] = []
    page = open_page(chromium, said, PHONE, touch=True)
    start(page, site)
    question = to_the_play(page)
    answer(page, question)
    page.wait_for_function(
        "before => document.querySelector('#prompt').dataset.prompt !== before", arg=question["prompt"]
    )
    card = page.locator("#hand .card").last
    token = card.get_attribute("data-card")
    page.evaluate("() => [...document.querySelectorAll('#hand .card')].at(-1).click()")
    ticked = page.evaluate("() => Hand.selected()")
    assert token in ticked
    later = next_question(page, question["prompt"])
    if later is not None:
        assert page.evaluate("() => Hand.selected()") == ticked
    assert said == []
    page.context.close()


@pytest.mark.parametrize(
    "script",
    [pytest.param(NO_SOCKET, id="none"), pytest.param(BROKEN_SOCKET, id="broken", marks=pytest.mark.slow)],
)
def test_without_a_socket_the_hand_goes_on_by_plain_requests(chromium: Browser, site: Site, script: str) -> None:
    said: list[str] = []
    page = open_page(chromium, said, PHONE, touch=True, script=script)
    start(page, site)
    question = to_the_play(page)
    page.locator("#line").wait_for()
    answer(page, question)
    later = next_question(page, question["prompt"])
    assert later is None or later["prompt"] != question["prompt"]
    page.context.close()


def test_reloading_shows_the_same_question(chromium: Browser, site: Site) -> None:
    said: list[str] = []
    page = open_page(chromium, said, PHONE, touch=True)
    start(page, site)
    question = to_the_play(page)
    cards = page.evaluate("() => [...document.querySelectorAll('#hand .card')].map((card) => card.dataset.card)")
    page.reload()
    page.wait_for_selector("#prompt.asked")
    again = asked(page)
    assert again is not None
    assert (again["prompt"], again["deadline"]) == (question["prompt"], question["deadline"])
    assert cards == page.evaluate("() => [...document.querySelectorAll('#hand .card')].map((c) => c.dataset.card)")
    assert said == []
    page.context.close()


@pytest.mark.slow
def test_the_deal_is_checked_in_the_browser_with_and_without_webcrypto(chromium: Browser, site: Site) -> None:
    said: list[str] = []
    page = open_page(chromium, said, DESKTOP)
    start(page, site)
    for hand in range(2):
        before, turns = "", 0
        while (question := next_question(page, before)) is not None and turns < 80:
            answer(page, question)
            before, turns = question["prompt"], turns + 1
        assert over(page)
        if hand == 0:
            page.locator("#result .again").click()
            page.wait_for_function("() => document.getElementById('result').hidden")
    address = page.locator('#result .links a[href$="/fair/"]').get_attribute("href")
    page.goto(f"{site.url}{address}")
    page.wait_for_selector("[data-checked]")
    assert page.locator("[data-checked]").get_attribute("data-checked") == "ok"
    # the second hand was dealt after this browser had sent its share
    assert "你的浏览器是在看到这串指纹以后才给的随机数" in (page.locator("#checks").text_content() or "")
    assert page.locator("#dealt .mini").count() == 216
    page.context.add_init_script("Object.defineProperty(window.crypto, 'subtle', { value: undefined });")
    page.reload()
    page.wait_for_selector("[data-checked]")
    assert page.evaluate("() => Sha2.best.name") == "own"
    assert page.locator("[data-checked]").get_attribute("data-checked") == "ok"
    # a forged answer is found out
    page.route("**/deal.json", lambda route: route.fulfill(json=_forged(route.fetch().json())))
    page.reload()
    page.wait_for_selector("[data-checked]")
    assert page.locator("[data-checked]").get_attribute("data-checked") == "no"
    assert said == []
    page.context.close()


def _forged(data: dict[str, Any]) -> dict[str, Any]:
    one, two = data["hands"][:2]
    at = next(at for at, card in enumerate(two) if card != one[0])
    one[0], two[at] = two[at], one[0]
    return data


def test_our_own_hashes_are_the_ones_of_the_standard(chromium: Browser, root: Path) -> None:
    page = chromium.new_page()
    page.add_script_tag(path=root / "static/js/sha2.js")
    for length in (0, 1, 55, 56, 63, 64, 111, 112, 127, 128, 129, 1000):
        data, key = os.urandom(length), os.urandom(length * 7 % 300)
        found = page.evaluate(
            "async ([data, key]) => [Sha2.hex(await Sha2.own.sha256(Sha2.unhex(data))),"
            " Sha2.hex(await Sha2.own.hmac512(Sha2.unhex(key), Sha2.unhex(data)))]",
            [data.hex(), key.hex()],
        )
        assert found == [hashlib.sha256(data).hexdigest(), hmac.new(key, data, hashlib.sha512).hexdigest()]
    page.close()


def test_settings_of_the_device_hold_at_once_and_stay(chromium: Browser, site: Site) -> None:
    said: list[str] = []
    page = open_page(chromium, said, PHONE, touch=True)
    start(page, site)
    page.locator("header [data-panel=menu]").tap()
    page.get_by_label("四色牌").check()
    page.get_by_label("浅", exact=True).check()
    page.get_by_label("顺时针").check()
    found = json.loads(page.evaluate("() => JSON.stringify(document.documentElement.dataset)"))
    assert (found["four"], found["theme"], found["direction"]) == ("1", "light", "clockwise")
    left = page.locator("#seat-1").bounding_box()
    assert left is not None
    assert left["x"] < PHONE["width"] / 2  # the next seat is on the left now
    page.reload()
    assert json.loads(page.evaluate("() => JSON.stringify(document.documentElement.dataset)")) == found
    assert said == []
    page.context.close()
