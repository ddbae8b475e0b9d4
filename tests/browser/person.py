"""Somebody in front of the page: looks at what is shown, and presses what a finger or a mouse would find there.

A person knows nothing of the rules. `look` is one glance at the table with everything that must hold at every moment
(nothing scrolls, nothing is cut off, every button can be hit); `press` goes to the point where the thing can be seen.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.sync_api import Error

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage

Size = tuple[int, int]
PHONE: Size = (390, 844)
SMALL_PHONE: Size = (360, 640)
LYING_PHONE: Size = (844, 390)
DESKTOP: Size = (1280, 800)

PATIENCE = 15.0
"""Seconds until something that must come is given up."""
ONCE_MORE = 4.0
"""Seconds after which somebody whose press changed nothing presses again."""
TOO_MANY = 400
"""No hand needs as many presses; more are a hand that does not end."""

SCRIPT = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
Glance = dict[str, Any]


class Person:
    """One browser context with one page in it, or a further tab of another person's context."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: Size = PHONE,
        *,
        touch: bool | None = None,
        theme: Literal["light", "dark"] = "dark",
        context: BrowserContext | None = None,
    ) -> None:
        self.address = address
        self.touch = size[0] < 900 if touch is None else touch
        self.context = context or browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=self.touch,
            is_mobile=self.touch,
            color_scheme=theme,
        )
        self.page = self.context.new_page()
        self.page.add_init_script(SCRIPT)
        self.problems: list[str] = []
        self.pressed: Counter[str] = Counter()
        self.answered = ""
        self.answered_at = 0.0
        self.repeated = 0
        self.moves = 0
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("response", lambda answer: self._got(answer.status, answer.url))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(f"console {message.type}: {message.text}")

    def _got(self, status: int, url: str) -> None:
        if status >= 400:
            self.problems.append(f"{status} for {url}")

    def tab(self) -> Person:
        """A second tab of the same player, at the same page."""
        size = self.page.viewport_size
        assert size is not None
        other = Person(self._browser(), self.address, (size["width"], size["height"]), context=self.context)
        other.touch = self.touch
        other.page.goto(self.page.url)
        return other

    def _browser(self) -> Browser:
        browser = self.context.browser
        assert browser is not None
        return browser

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def close(self) -> None:
        self.context.close()

    # --- looking -------------------------------------------------------------------------------------------------

    def look(self) -> Glance:
        """What is shown now; whatever must never be so is noted among the problems."""
        seen = self._glance()
        for fault in seen["faults"]:
            if fault not in self.problems:
                self.problems.append(fault)
        return seen

    def _glance(self) -> Glance:
        for _ in range(20):
            try:
                seen: Glance = self.page.evaluate("look()")
                return seen
            except Error as error:  # looked while one page went and the next came
                if "context was destroyed" not in error.message:
                    raise
                self.page.wait_for_load_state("domcontentloaded")
        raise AssertionError("the page does not come to rest")

    def until(self, wanted: Callable[[Glance], Any], what: str, patience: float = PATIENCE) -> Glance:
        """Look until it is so; fails with what was seen last."""
        end = time.monotonic() + patience
        while True:
            seen = self.look()
            if wanted(seen):
                return seen
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come in {patience:g} s; seen: {seen}; {self.problems}")
            self.page.wait_for_timeout(10)

    # --- pressing ------------------------------------------------------------------------------------------------

    def press(self, selector: str) -> None:
        """Press the first such thing that can be seen, where it can be seen; what is just coming is waited for."""
        end = time.monotonic() + 2
        while (point := self.page.evaluate("(selector) => pointOf(selector)", selector)) is None:
            if time.monotonic() > end:
                raise AssertionError(f"nothing to press for {selector}; seen: {self.look()}")
            self.page.wait_for_timeout(20)
        self.press_at(*point)

    def press_at(self, x: float, y: float) -> None:
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def press_long(self, selector: str) -> None:
        """A finger that stays, or the other button of the mouse."""
        x, y = self.page.evaluate("(selector) => pointOf(selector)", selector)
        if not self.touch:
            self.page.mouse.click(x, y, button="right")
            return
        finger = self.context.new_cdp_session(self.page)
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.page.locator("#picker").wait_for(state="visible", timeout=2000)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        finger.detach()

    # --- playing -------------------------------------------------------------------------------------------------

    def open_table(self, rules: str, **options: str) -> None:
        """Choose rules and four bots on the page for a new table, and open it."""
        self.go(f"/new?rules={rules}")
        for name, value in {"bots": "4", **options}.items():
            self.page.locator(f'input[name="{name}"][value="{value}"]').check()
        self.page.get_by_role("button", name="开桌").click()
        self.until(lambda seen: seen["kind"] in {"ask", "play", "wait"}, "a dealt hand")

    @property
    def waited_long(self) -> bool:
        """Whether the last press had time enough to change what is asked."""
        return time.monotonic() - self.answered_at >= ONCE_MORE

    def play_on(self, tally: Counter[str] | None = None) -> Glance:
        """One glance, and if something new is asked, one answer to it. `tally`: answers pressed so far, the rare ones
        are preferred."""
        seen = self.look()
        if seen["kind"] == "trustee":
            raise AssertionError(f"the clock ran out on {self.moves} moves: {seen}")
        if seen["kind"] not in {"ask", "play"}:
            return seen
        if seen["prompt"] == self.answered:
            if not self.waited_long:
                return seen
            self.repeated += 1  # what a finger pressed was just being replaced
            assert self.repeated < 2, f"again and again a press changes nothing: {seen}; {self.problems}"
        self.moves += 1
        if self.moves > TOO_MANY:
            raise AssertionError(f"{TOO_MANY} presses and the hand does not end; pressed {self.pressed}; seen: {seen}")
        self.answered, self.answered_at = seen["prompt"], time.monotonic()
        word = self.answer(seen, Counter() if tally is None else tally)
        self.pressed[word] += 1
        if tally is not None:
            tally[f"{seen['step']} {word}".strip()] += 1
        return seen

    def answer(self, seen: Glance, tally: Counter[str]) -> str:
        """Press one answer to what is asked; the word of what was pressed."""
        offered = [button["value"] for button in seen["buttons"] if button["value"]]
        if seen["kind"] == "ask":
            step = seen["step"]
            value = min(offered, key=lambda value: (tally[f"{step} {value.split()[0]}"], value == "pass"))
            try:
                self.press(f'#prompt button[value="{value}"]')
            except AssertionError:
                if step != "reveal" or self.look()["prompt"] == seen["prompt"]:
                    raise
                return "late"  # the reveal step lasts a second here, and on a busy machine it may be over
            return str(value).split()[0]
        for rare in ("claim", "defer"):
            if rare in offered and tally[rare] <= tally["pass"]:
                self.press(f'#prompt button[value="{rare}"]')
                return rare
        if "play" not in offered:
            self.press('#prompt button[value="pass"]')
            return "pass"
        if self.moves % 3 == 0 and self.take_by_hand(seen):
            self.press('#prompt button[value="play"]')
            return "play"
        self.press("#prompt [data-hint-button]")
        self.press('#prompt button[value="play"]')
        return "play"

    def take_by_hand(self, seen: Glance) -> bool:
        """Tap stacks until what is ticked may be played; False when nothing simple was found."""
        shape = seen["hint"][0]
        keys = sorted(set(shape), key="#WwAKQJT98765432".find)
        for key in reversed(keys):
            for _ in range(shape.count(key) if key in "Ww" else 1):
                self.press(f'#hand .stack[data-key="{key}"] .card:last-child')
        picked = self.look()
        return bool(picked["playable"])

    def play_hand(self, tally: Counter[str] | None = None) -> Glance:
        """Play until the sheet with the result is shown."""
        end = time.monotonic() + 4 * PATIENCE
        while True:
            seen = self.play_on(tally)
            if seen["result"]:
                return seen
            if time.monotonic() > end:
                raise AssertionError(f"the hand does not end: {seen}; pressed {self.pressed}; {self.problems}")
            self.page.wait_for_timeout(5)
