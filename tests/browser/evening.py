"""An evening in a club: five people found it, join it, sit down at its table and play what somebody wants to see.

Everything goes through the pages. What the sheets of the hands have shown is kept (`Shown`), so that tests can hold
boards, statements and histories against it; `Ratings` works the ratings out again, from those sheets alone.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from math import tanh
from typing import TYPE_CHECKING, Any

from tests.browser.person import Glance, Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import WebSocketRoute

PASSWORD = "schöner Tag 7"
CLUB, SLUG, RULES = "槐树底下的老友", "huaishu", "槐树规矩"
ABOUT, NOTICE, SAID = "在老槐树底下打了三十年。", "礼拜五晚上八点，老地方见。", "今晚手气不错嘛"
NAMES = ("老张", "老李", "老王", "小赵", "阿芳")
ROOM = 2
LEFT_OUT = {"3": 16, "4": 16, "5": 16, "6": 16, "7": 16, "8": 16, "9": 16, "T": 16, "J": 16}
"""Ranks that are not played with, so that a hand is over soon."""
DECLARATIONS: dict[str, Any] = {
    "solo__grab": "any",
    "stakes__rebellion": "2",
    "stakes__kick": "2",
    "play__windfall": "claim",
}
"""Laid over 青岛, whose crown card is yielded with a toll and whose guard is called and may open."""
HOURS = 240.0
"""Seconds until a hand that does not end is given up."""

MANY = 8
"""Hands in which something wanted must come up."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a sheet with a result."""

    name: str
    role: str
    place: int
    points: int
    beans: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What the sheet of a finished hand said."""

    hand: str
    why: str
    rows: tuple[Row, ...]

    def of(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)


def number(text: str) -> int:
    """A figure of a page, with its true minus."""
    return int(text.strip().split()[0].replace("−", "-").replace("+", ""))


SHEET = """() => [...document.querySelectorAll(".lines .line")].map((line) => [
    line.querySelector(".who b").textContent, line.querySelector(".who small").textContent,
    line.querySelector(".points").textContent, line.querySelector(".beans").textContent])"""
PLACES = ("头客", "二客", "三客", "二拉", "大拉")


def sheet(person: Person, hand: str) -> Shown:
    """The result as it stands on this person's page."""
    rows = []
    for name, words, points, beans in person.page.evaluate(SHEET):
        role, place = words.split(" · ")
        rows.append(Row(name, role, PLACES.index(place) + 1, number(points), number(beans)))
    rows.sort(key=lambda row: row.place)
    why = person.page.locator(".why, .hand-page .note").first.text_content() or ""
    return Shown(hand, why, tuple(rows))


# --- coming together


def sign_up(person: Person, name: str, after: str = "/") -> None:
    person.go(f"/accounts/signup/?next={after}")
    person.page.get_by_label("名字").fill(name)
    person.page.get_by_label("密码", exact=True).fill(PASSWORD)
    person.page.get_by_label("再输一次密码").fill(PASSWORD)
    person.page.locator("main form button[type=submit]").click()
    person.page.wait_for_url(person.address + after)


def found_club(owner: Person) -> tuple[str, str]:
    """The club, its notice and its own rules; the way in for the others, as the page shows it, and what the rules are
    called in addresses."""
    page = owner.page
    owner.go("/clubs/new")
    page.get_by_label("名称", exact=True).fill(CLUB)
    page.get_by_label("介绍", exact=True).fill(ABOUT)
    page.get_by_label("网址代号").fill(SLUG)
    page.get_by_role("button", name="建好").click()
    link = page.get_by_label("邀请链接", exact=True).input_value()
    owner.go(f"/clubs/{SLUG}/")
    page.get_by_text("写公告").click()
    page.get_by_label("所有会员都能看到").fill(NOTICE)
    page.get_by_role("button", name="发出").click()
    owner.go(f"/clubs/{SLUG}/variants/new?from=qingdao")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.get_by_label("规则的名称").fill(RULES)
    for name, value in DECLARATIONS.items():
        one = page.locator(f'[name="{name}"]')
        if one.evaluate("one => one.tagName") == "SELECT":
            one.select_option(value)
        else:
            one.fill(value)
    for rank, copies in LEFT_OUT.items():
        page.locator(f'[name="deck__removed_{rank}"]').fill(str(copies))
    page.get_by_role("button", name="保存").click()
    page.get_by_text("新规则可以用了").wait_for()
    return link.removeprefix(owner.address), page.url.rstrip("/").split("/")[-1]


def open_table(host: Person) -> str:
    """A table of the club by its own rules, from the club's page; where it is."""
    page = host.page
    host.go(f"/clubs/{SLUG}/")
    page.get_by_role("link", name="在俱乐部开桌").click()
    page.locator("label.preset-card", has_text=RULES).click()
    for name, value in {"bots": "0", "clock": "slow", "room": str(ROOM), "watching": "none"}.items():
        page.locator(f'input[name="{name}"][value="{value}"]').check()
    page.get_by_role("button", name="开桌").click()
    host.until(lambda seen: seen["kind"] == "room", "the table")
    return page.url.removeprefix(host.address)


def talk(one: Person, other: Person) -> None:
    """Somebody says something at the table, and another can read it."""
    one.press('.bar [data-panel="chat"]')
    one.page.locator("#chat-text").fill(SAID)
    one.press(".chat-form.say button")
    other.page.locator("#chat", has_text=SAID).wait_for(state="attached")
    one.page.keyboard.press("Escape")
    one.page.locator("#panel-chat").wait_for(state="hidden")


class Line:
    """The socket of one person, which can be cut like that of a phone in a tunnel."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.ends: tuple[WebSocketRoute, WebSocketRoute]
        self.dead = False
        person.page.route_web_socket("**/ws/**", self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        if self.dead:
            socket.close(code=1011)
            return
        self.ends = socket, socket.connect_to_server()

    def cut(self) -> None:
        self.dead = True
        self.person.context.set_offline(True)
        page, server = self.ends
        page.close(code=1011)
        server.close(code=3001)

    def mend(self) -> None:
        self.dead = False
        self.person.context.set_offline(False)


# --- playing


@dataclass
class Evening:
    """The five at their table, and what they have seen. `log` is everything the records of the hands have said."""

    people: dict[str, Person]
    came: dict[str, Person]
    rules: str
    table: str = ""
    shown: list[Shown] = field(default_factory=list)
    declared: Counter[str] = field(default_factory=Counter)
    log: str = ""
    gone: dict[str, Person] = field(default_factory=dict)

    def everybody(self, button: str) -> None:
        for person in self.people.values():
            person.press(button)

    def leave(self, name: str) -> None:
        """Somebody leaves the table for good, by its menu."""
        self.gone[name] = person = self.people.pop(name)
        person.press('.bar [data-panel="menu"]')
        person.page.get_by_text("离开这一桌").click()
        person.page.get_by_role("button", name="确定离开").click()
        person.page.wait_for_url(person.address + "/")

    def until(self, goal: str, who: str = "", deed: Callable[[Person], None] | None = None) -> None:
        """Hands, until one has brought what is wanted."""
        for _ in range(MANY):
            if self.play(goal, who, deed):
                return
            self.everybody("#result .again")
        raise AssertionError(f"no {goal} in {MANY} hands: {self.declared}")

    def play(self, goal: str, who: str = "", deed: Callable[[Person], None] | None = None) -> bool:
        """One hand in which people declare what leads to the goal: whether it came. Once it has, and `who` is asked for
        cards for the first time, he does the deed instead; without it the goal did not come."""
        before, done = self.declared[goal], deed is None
        end = time.monotonic() + HOURS
        playing = list(self.people.values())
        for person in playing:  # the sheet of the hand before may still be there
            person.until(lambda seen: not seen["result"] and seen["kind"] not in ("room", "between"), "the next hand")
        while playing:
            for person in list(playing):
                seen = person.look()
                assert seen["kind"] != "trustee", (person.moves, seen)
                if seen["result"]:
                    playing.remove(person)
                elif seen["kind"] == "ask" and seen["prompt"] != person.answered:
                    self.declare(person, seen, goal)
                elif deed and not done and seen["kind"] == "play" and person is self.people.get(who):
                    done = self.declared[goal] > before
                    if done:
                        deed(person)
                        playing = [one for one in playing if one in self.people.values()]
                        break
                    person.play_on(self.declared)
                elif seen["kind"] == "play":
                    person.play_on(self.declared)
            assert time.monotonic() < end, [(one.moves, one.look(), one.problems) for one in playing]
        self.read_result()
        return done and self.declared[goal] > before

    def declare(self, person: Person, seen: Glance, goal: str) -> None:
        offered = {button["value"]: button["text"] for button in seen["buttons"] if button["value"]}
        wanted = {
            "crown": ("yield", "accept"),
            "grab": ("solo", "pass") if goal == "grab solo" else ("pass",),
            "reveal": ("open", "hide") if goal == "open kick" else ("hide",),
            "rebel": ("rebel", "pass"),
            "kick": ("kick", "pass"),
        }
        step = seen["step"]
        if step == "crown" and self.yielded_once(person):
            wanted["crown"] = ("accept", "yield")
        if step == "call":
            value = min(offered, key=lambda one: ("独" in offered[one], one))
        else:
            value = next(word for word in wanted[step] if word in offered)
        person.answered = seen["prompt"]
        person.moves += 1
        person.press(f'#prompt button[value="{value}"]')
        word = value.split()[0]
        self.declared[f"{step} {word}"] += 1
        if word == "kick":
            self.declared["rebel kick" if "造反" in seen["question"] else "open kick"] += 1

    def yielded_once(self, person: Person) -> bool:
        return "让位" in (person.page.locator("#log").text_content() or "")

    def read_result(self) -> None:
        """The sheet is the same for whoever still sits there."""
        sheets = []
        for person in self.people.values():
            person.until(lambda seen: seen["result"], "the sheet")
            hand = person.page.locator("#result").get_attribute("data-hand")
            assert hand
            sheets.append(sheet(person, hand))
            person.moves = 0
            person.answered = ""
        assert all(one == sheets[0] for one in sheets), sheets
        self.shown.append(sheets[0])
        self.log += next(iter(self.people.values())).page.locator("#log").text_content() or ""

    def sums(self, name: str) -> tuple[int, int]:
        """Points and beans of somebody over all hands shown."""
        own = [shown.of(name) for shown in self.shown]
        return sum(row.points for row in own), sum(row.beans for row in own)


# --- ratings, worked out from the sheets alone


@dataclass
class Ratings:
    """The role-weighted margin rating of people who all begin at 0."""

    value: dict[str, float] = field(default_factory=lambda: dict.fromkeys(NAMES, 0.0))
    hands: int = 0
    offsets: dict[bool, float] = field(default_factory=lambda: {False: 0.0, True: 0.0})

    def count(self, shown: Shown) -> dict[str, int]:
        """What this hand changes, in the points that are shown."""
        emperor = next(row for row in shown.rows if row.role == "皇帝")
        guard = next((row for row in shown.rows if row.role == "侍卫"), None)
        rebels = [row.name for row in shown.rows if row.role == "起义军"]
        mean = sum(self.value[name] for name in rebels) / len(rebels)
        alone = guard is None
        if guard is None:
            y = 1.0 if emperor.place == 1 else 0.0 if emperor.place == 2 and "暗独" in shown.why else -1.0
            weights = {emperor.name: 1.0, **dict.fromkeys(rebels, -1 / 4)}
            d = self.value[emperor.name] - mean
        else:
            y = (6 - emperor.place - guard.place) / 3
            weights = {emperor.name: 0.6, guard.name: 0.4, **dict.fromkeys(rebels, -1 / 3)}
            d = 0.6 * self.value[emperor.name] + 0.4 * self.value[guard.name] - mean
        e = y - tanh((d + self.offsets[alone]) / 2)
        k = max(0.04, 0.6 / (1 + self.hands / 12))
        moved = {name: k * weight * e for name, weight in weights.items()}
        for name, by in moved.items():
            self.value[name] += by
        self.offsets[alone] += 0.02 * e
        self.hands += 1
        return {name: round(200 * by) for name, by in moved.items()}
