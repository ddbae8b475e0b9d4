"""One person, one phone, one desktop: from the first press to the next hand, and what the pages round it promise."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Comes
from tests.browser.person import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, Glance, Person, Size
from tests.pace import slowness
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser


def dealt(seen: Glance) -> bool:
    return len(seen["hand"]) >= 30


@pytest.fixture(scope="module")
def finished(chromium: Browser, site: Site) -> Iterator[tuple[Person, str]]:
    """Somebody who has just played a whole hand by touch, and the hand."""
    person = Person(chromium, site.url, PHONE)
    person.go("/")
    person.press("#start")
    person.until(dealt, "a dealt hand")
    yield person, person.play_hand()["id"]
    person.close()


@pytest.mark.timed
def test_from_the_first_press_to_a_dealt_hand_it_takes_less_than_a_second(somebody: Comes) -> None:
    took = []
    for _ in range(5):
        person = somebody()
        person.go("/")
        began = time.monotonic()
        person.press("#start")
        person.until(dealt, "a dealt hand")
        took.append((time.monotonic() - began) / slowness())
    assert median(took) < 1, took


def test_a_whole_hand_by_touch_ends_with_the_result_and_one_press_deals_the_next(finished: tuple[Person, str]) -> None:
    person, hand = finished
    assert person.page.locator("#result .line").count() == 5
    points = [int(text.replace("−", "-")) for text in person.page.locator("#result .points").all_text_contents()]
    assert sum(points) == 0
    person.press("#result .again")
    seen = person.until(lambda seen: not seen["result"] and dealt(seen), "the next hand")
    assert seen["id"] != hand
    assert person.pressed["play"] > 0
    assert person.problems == []


def test_the_rank_of_a_played_card_has_the_colour_of_its_suit(somebody: Comes) -> None:
    person = somebody()
    person.open_table("lianzhong-simple", clock="slow")
    look = """() => [...document.querySelectorAll(".seat .minis.few .mini:not(.big, .small)")].slice(0, 1).flatMap(
        (card) => [card, card.querySelector("b")].map((part) => getComputedStyle(part).color))"""
    colours: list[str] = []
    end = time.monotonic() + 30
    while not colours:
        person.play_on()
        colours = person.page.evaluate(look)
        assert time.monotonic() < end
    assert colours[0] == colours[1]


def test_a_whole_hand_with_the_mouse_ends_with_the_result(somebody: Comes) -> None:
    person = somebody(DESKTOP)
    person.open_table("qingdao")
    seen = person.play_hand()
    assert person.page.locator("#result .again").is_visible()
    assert seen["log"] > 20
    assert person.problems == []


def test_a_guest_who_takes_a_name_keeps_his_table_and_his_hands(finished: tuple[Person, str]) -> None:
    person, hand = finished
    person.open_table("standard", clock="slow")
    at_table, cards = person.page.url, person.until(dealt, "a dealt hand")["hand"]
    person.go("/accounts/claim/")
    person.page.get_by_label("名字").fill("老张")
    person.page.get_by_label("密码", exact=True).fill("schöner Tag 7")
    person.page.get_by_label("再输一次密码").fill("schöner Tag 7")
    person.page.get_by_role("button", name="就这样定了").click()
    person.go("/")
    person.page.locator(f'a[href="{at_table.removeprefix(person.address)}"]').click()
    seen = person.until(dealt, "the hand he had")
    assert seen["hand"] == cards
    assert "老张" in seen["seats"][0]
    person.go(f"/hands/{hand}/")
    assert person.page.locator(".line.mine").count() == 1
    assert person.problems == []


def moment(page: Page) -> dict[str, str]:
    """What the replay says of the moment it shows."""
    found: dict[str, str] = page.evaluate("() => ({ ...document.getElementById('told').dataset })")
    return found


def at(page: Page, number: int) -> None:
    page.locator(f'#told[data-at="{number}"]').wait_for()


@pytest.mark.slow
def test_a_finished_hand_is_stepped_through_by_touch_and_by_keys(finished: tuple[Person, str]) -> None:
    person, hand = finished
    page = person.page
    person.go(f"/hands/{hand}/")
    page.get_by_role("link", name="回放").click()
    page.locator(".scripted").wait_for(state="attached")
    assert page.locator("#hand .card").count() >= 43
    last, own = int(moment(page)["last"]), moment(page)["seat"]
    for _ in range(12):  # faster than the answers come: none may be lost
        page.locator("#go-on").tap()
    at(page, 12)
    assert page.url.endswith(f"?at=12&seat={own}")
    words = page.locator("#told").text_content()
    assert words is not None
    page.locator("#go-on").tap()
    at(page, 13)
    page.locator("#go-back").tap()
    at(page, 12)
    assert page.locator("#told").text_content() == words
    page.locator("#go-after").tap()
    page.locator('#told:not([data-at="12"])').wait_for()
    assert int(moment(page)["before"]) <= 12 < int(moment(page)["at"])
    page.locator("#go-seat").tap()
    page.locator(f'#told:not([data-seat="{own}"])').wait_for()
    other = moment(page)["seat"]
    assert page.locator("#replay").get_attribute("data-me") == other
    page.locator(f'#board [data-seat="{own}"] .name').tap()
    page.locator(f'#told[data-seat="{own}"]').wait_for()
    page.locator("#go-open").tap()
    page.locator("#board.five .open-hand >> nth=4").wait_for()
    page.locator('.bar [data-panel="log"]').tap()
    line = page.locator("#log li[data-at] >> nth=20")
    wanted = int(line.get_attribute("data-at") or 0)
    line.tap()
    at(page, wanted)
    assert page.locator(f'#log [aria-current][data-at="{wanted}"]').count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    at(page, last)
    assert "这一局结束" in (page.locator("#told").text_content() or "")
    assert page.locator("#go-on").get_attribute("aria-disabled") == "true"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at(page, last - 2)
    page.locator("#go-run").tap()  # plays on by itself, to the end
    at(page, last)
    page.locator("#go-run:not(.runs)").wait_for()
    page.reload()
    assert int(moment(page)["at"]) == last
    assert person.problems == []


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, LYING_PHONE, DESKTOP])
def test_a_replay_fits_every_screen(finished: tuple[Person, str], chromium: Browser, size: Size) -> None:
    person, hand = finished
    looker = Person(chromium, person.address, size)
    for query in ("?at=20", "?at=20&open=1"):
        looker.go(f"/hands/{hand}/replay/{query}")
        looker.page.locator("#go-run:visible").wait_for()
        bad = looker.page.evaluate(
            """() => [...document.querySelectorAll("#steps .btn, #steps input[type=range], .bar a, .bar button, #told")]
                .filter((part) => part.checkVisibility())
                .map((part) => [part.id || part.className, part.getBoundingClientRect()])
                .filter(([, box]) => box.width < 34 || box.height < 20 || box.left < 0 || box.right > innerWidth
                    || box.bottom > innerHeight)
                .map(([name, box]) => name + JSON.stringify(box))"""
        )
        assert bad == []
        assert looker.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert looker.problems == []
    looker.close()


def test_the_fairness_page_confirms_a_deal_and_goes_red_when_a_card_was_changed(finished: tuple[Person, str]) -> None:
    person, hand = finished
    page = person.page
    person.go(f"/hands/{hand}/fair/")
    page.locator("#fair-check[data-checked]").wait_for()
    assert page.locator("#fair-check").get_attribute("data-checked") == "ok"
    # the very first hand after the press: the browser's share was in before the cards were dealt
    assert (page.locator("#verdict-line").text_content() or "").startswith("核对通过：你的随机数在里面")
    assert "五家里有 1 家的浏览器给了随机数" in (page.locator("#checks").text_content() or "")
    assert page.locator("#checks .no").count() == 0

    def another_card(route: Route) -> None:
        deal = json.loads(route.fetch().body())
        one, two = deal["hands"][:2]
        at = next(at for at, card in enumerate(two) if card != one[0])
        one[0], two[at] = two[at], one[0]
        route.fulfill(json=deal)

    def another_seed(route: Route) -> None:
        deal = json.loads(route.fetch().body())
        deal["server_seed"] = deal["server_seed"][::-1]
        route.fulfill(json=deal)

    for change in (another_card, another_seed):
        page.route("**/deal.json", change)
        page.reload()
        page.locator("#fair-check[data-checked]").wait_for()
        assert page.locator("#fair-check").get_attribute("data-checked") == "no"
        assert (page.locator("#verdict-line").text_content() or "").startswith("核对没有通过")
        assert page.locator("#checks .no").count() >= 1
        page.unroute("**/deal.json")
    assert person.problems == []


@pytest.mark.slow
def test_a_hand_without_anybodys_share_is_dealt_by_one_big_button_and_the_check_says_what_it_is_worth(
    somebody: Comes,
) -> None:
    person = somebody(DESKTOP)
    person.page.route("**/contribute*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    person.go("/")
    person.press("#start")
    seen = person.until(lambda seen: seen["kind"] == "room", "the table before the deal")
    assert [button["text"].removesuffix("Enter") for button in seen["buttons"]] == ["开始"]
    person.press("#prompt .main")
    person.until(dealt, "a dealt hand")
    person.go(f"/hands/{person.play_hand()['id']}/fair/")
    page = person.page
    page.locator("#fair-check[data-checked]").wait_for()
    assert page.locator("#fair-check").get_attribute("data-checked") == "ok"
    words = page.locator("#verdict-line").text_content() or ""
    assert "对得上" in words
    assert "没有任何人的浏览器给过随机数" in words


MISSED = """() => [...document.querySelectorAll(".else a, p.more > a, h2 > a, .list-item a")]
    .filter((link) => link.checkVisibility())
    .filter((link) => {
        link.scrollIntoView({ block: "center" });
        const box = link.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
        return ![y - 20, y, y + 20].every((at) => document.elementFromPoint(x, at)?.closest("a") === link);
    })
    .map((link) => link.textContent.trim())"""
"""Links that stand alone and are not hit by a finger somewhat above or below them."""


def test_no_page_is_wider_than_a_narrow_phone_and_its_links_are_hit_by_a_finger(
    finished: tuple[Person, str], somebody: Comes
) -> None:
    _, hand = finished
    person = somebody(SMALL_PHONE)
    person.go("/")
    person.press("#start")
    person.until(dealt, "a dealt hand")
    table = person.page.url.removeprefix(person.address)
    paths = [
        *("/", "/new", "/rules/", "/learn/", "/rules/home/", "/accounts/", "/accounts/claim/", "/accounts/tokens/"),
        *(table, f"/hands/{hand}/", f"/hands/{hand}/fair/"),
    ]
    for path in paths:
        person.go(path)
        assert person.look()["faults"] == [], path
        assert person.page.evaluate(MISSED) == [], path
    person.context.clear_cookies()
    for path in ("/", "/accounts/login/", "/accounts/signup/"):
        person.go(path)
        assert person.look()["faults"] == [], path
        assert person.page.evaluate(MISSED) == [], path
    assert person.problems == []


def test_the_keyboard_alone_starts_a_table_and_plays_a_card(somebody: Comes) -> None:
    person = somebody(DESKTOP)
    person.go("/")
    keys = person.page.keyboard
    for _ in range(12):
        keys.press("Tab")
        if person.page.evaluate("document.activeElement.id") == "start":
            break
    keys.press("Enter")
    cards = len(person.until(dealt, "a dealt hand")["hand"])
    for _ in range(60):
        seen = person.until(lambda seen: seen["kind"] in {"ask", "play"} or seen["result"], "a question")
        prompt = seen["prompt"]
        if seen["kind"] == "ask":
            keys.press("1")
        elif any(button["value"] == "play" for button in seen["buttons"]):
            break
        else:
            keys.press("p")
        seen = person.until(lambda seen, old=prompt: seen["prompt"] != old, "what comes next")
        cards = len(seen["hand"])
    weakest = seen["hint"][0][-1]
    keys.press({"T": "1", "W": "d", "w": "x"}.get(weakest, weakest))
    assert {card[0] for card in person.look()["picked"]} == {weakest}
    keys.press("Escape")
    assert person.look()["picked"] == []
    keys.press("h")
    picked = person.look()["picked"]
    cards = len(person.look()["hand"])
    keys.press("Enter")
    person.until(lambda seen: len(seen["hand"]) == cards - len(picked), "the play")
    assert person.problems == []
