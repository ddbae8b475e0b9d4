"""Sizes, places and colours of the table at the four sizes people have: what must be seen is not covered or cut."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest

from games.engine.observation import Step
from games.render import fragments
from tests.browser.person import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, Size
from tests.browser.still import still
from tests.web.views import finished, openings, seats, states, view_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from games.selectors.table_view_types import TableView

pytestmark = pytest.mark.browser

SIZES = (PHONE, *(pytest.param(size, marks=pytest.mark.slow) for size in (SMALL_PHONE, LYING_PHONE)), DESKTOP)
WHOLE_HAND = tuple(
    [
        "W!",
        "W",
        "W",
        *["w"] * 3,
        "2S",
        "2H",
        *[rank + suit for rank in "AKQJT987654" for suit in "SHC"],
        "3S",
        "3H",
        "3C",
    ]
)


def after_a_solo(place: int) -> TableView:
    """A hand that ended when its first was out: four whole hands are left, one's own place is `place`."""
    view = view_of(finished("standard", 1), 0)
    assert view.result is not None
    places = [place, *(other for other in range(1, 6) if other != place)]
    rows = tuple(
        replace(row, place=places[row.seat], left=() if places[row.seat] == 1 else WHOLE_HAND, points=-12, beans=-1200)
        for row in view.result.rows
    )
    return replace(view, result=replace(view.result, rows=rows), seats=seats(ready=False))


@pytest.mark.parametrize("size", SIZES)
def test_ones_own_line_of_the_result_is_in_sight_whatever_the_others_have_left(chromium: Browser, size: Size) -> None:
    for place in (1, 3, 5):
        page = still(chromium, after_a_solo(place), size)
        hidden = page.evaluate(
            """() => [".who b", ".points", ".beans"].map((part) => document.querySelector(`#result .mine ${part}`))
                .filter((part) => { const box = part.getBoundingClientRect();
                    return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) !== part; })
                .map((part) => part.className + part.textContent)"""
        )
        assert hidden == []
        assert page.evaluate("""() => pointOf("#result .again")""") is not None
        page.context.close()


def with_toll(cards: int) -> TableView:
    """The crown card going round with so many cards of toll beside it (RULES §5.2)."""
    view = view_of(next(openings("standard", 1)), 0)
    assert view.obs is not None
    toll = ("2S", "2S", "2S", "2H", "2H", "2C", "2D", "AS", "KS", "TS")[:cards]
    return replace(view, obs=replace(view.obs, toll=toll))


@pytest.mark.parametrize("size", SIZES)
def test_crown_card_and_toll_lie_within_the_middle_however_long_the_toll(chromium: Browser, size: Size) -> None:
    page = still(chromium, with_toll(0), size)
    for cards in (0, 4, 5, 7, 8, 10):
        pile = fragments(with_toll(cards))["pile"]
        page.evaluate("(html) => { document.getElementById('pile').outerHTML = html; }", pile)
        lying = page.evaluate(
            """() => { const room = document.querySelector("#pile").getBoundingClientRect();
                return [...document.querySelectorAll("#pile .cards .card")].map((card) => {
                    const box = card.getBoundingClientRect();
                    const left = Math.max(0, room.left), right = Math.min(innerWidth, room.right);
                    return box.left >= left - 1 && box.right <= right + 1; }); }"""
        )
        assert lying == [True] * (cards + 1)
    page.context.close()


def in_play(size: int, preset: str = "standard") -> TableView:
    """A moment of play in which all have done something and so many cards lie in the middle."""
    for seed in range(1, 60):
        for state in states(preset, seed):
            view = view_of(state, 0, number=12)
            obs = view.obs
            if obs is not None and obs.top is not None and obs.top.shape.size == size and len(obs.trick) >= 4:
                return view
    raise AssertionError("no such moment")


@pytest.mark.parametrize("size", SIZES)
def test_the_banner_covers_nothing(chromium: Browser, size: Size) -> None:
    page = still(chromium, in_play(5), size)
    page.evaluate(
        """() => { const line = document.getElementById("banner");
            line.textContent = "游客1234 不能再让，当了皇帝"; line.classList.add("show"); }"""
    )
    assert page.evaluate("covered('#banner')") == []
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("cards", [1, 5, 6, 8, 9])
def test_the_cards_in_the_middle_cover_no_seat(chromium: Browser, size: Size, cards: int) -> None:
    page = still(chromium, in_play(cards), size)
    assert [part for part in page.evaluate("covered('#pile .card')") if not part.startswith(("from", "lies"))] == []
    page.context.close()


def stacked() -> TableView:
    """A hand with stacks of one to eleven cards."""
    view = in_play(1)
    assert view.obs is not None
    hand = (
        "W! "
        + "W " * 3
        + "w " * 5
        + "2S " * 11
        + "AS " * 9
        + "KH " * 8
        + "TS " * 7
        + "9C " * 6
        + "8D " * 5
        + "7S " * 4
        + "6H 6D"
    )
    return replace(view, obs=replace(view.obs, hand=tuple(hand.split())))


@pytest.mark.parametrize("size", SIZES)
def test_every_rank_that_can_be_seen_in_the_hand_can_be_read(chromium: Browser, size: Size) -> None:
    page = still(chromium, stacked(), size)
    stacks = page.evaluate("ranksIn('#hand .stack')")
    assert [len(ranks) for ranks in stacks] == [4, 2, 2, 2, 2, 2, 2, 2, 4, 2]
    assert [stack for stack in stacks if not all(readable for _, readable in stack)] == []
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "cards", ["w TS TS TS TH TH TC TD", "W W w TS TS TS TH TH TC TD TD TD", "TS TS TH TH", "TS TH TC TD TD"]
)
def test_every_rank_that_can_be_seen_beside_a_seat_can_be_read(chromium: Browser, size: Size, cards: str) -> None:
    view = in_play(1)
    assert view.obs is not None
    played = tuple(cards.split())
    trick = tuple(
        replace(turn, play=replace(turn.play, cards=played)) if turn.play is not None else turn
        for turn in view.obs.trick
    )
    page = still(chromium, replace(view, obs=replace(view.obs, trick=trick)), size)
    shown = [ranks for ranks in page.evaluate("ranksIn('.seat .minis')") if ranks]
    assert shown
    for ranks in shown:
        assert ranks[-1] == ["10", True]
        assert [rank for rank, readable in ranks if not readable] == []
    page.context.close()


CONTRAST = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (colour) => rgb(colour).slice(0, 3).map((v) => v / 255)
    .map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  return [...document.querySelectorAll(".seat .said")].map((said) => {
    const style = getComputedStyle(said);
    const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
    return rgb(style.backgroundColor).length === 3 ? (a + .05) / (b + .05) : 0;
  });
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_pass_stands_out_from_its_ground(chromium: Browser, theme: Literal["light", "dark"]) -> None:
    page = still(chromium, in_play(5), PHONE, theme)
    found = page.evaluate(CONTRAST)
    assert found
    assert min(found) >= 4.5
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_calling_a_card_for_an_open_solo_fits_its_button(chromium: Browser, size: Size) -> None:
    views = [view_of(state, state.to_act[0]) for state in openings("special", 60) if state.step is Step.CALL]
    asked = [view for view in views if "明独" in fragments(view)["prompt"]]
    assert asked
    page = still(chromium, asked[0], size)
    for view in asked:
        page.evaluate("(html) => { document.getElementById('prompt').outerHTML = html; }", fragments(view)["prompt"])
        assert [fault for fault in page.evaluate("look().faults") if not fault.endswith("(name)")] == []
    page.context.close()


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE])
@pytest.mark.parametrize("preset", ["standard", "qingdao", "home"])
def test_questions_fit_a_phone_and_roles_and_prices_can_be_read(chromium: Browser, size: Size, preset: str) -> None:
    asked = {}
    for state in openings(preset, 6):
        asked.setdefault(state.step, view_of(state, state.to_act[0]))
    smallest = 13 if size == PHONE else 12
    for view in asked.values():
        page = still(chromium, view, size)
        # a name of sixteen characters has its ellipsis
        assert [fault for fault in page.evaluate("look().faults") if not fault.endswith("(name)")] == []
        sizes = page.evaluate(
            """() => [...document.querySelectorAll(".seat .role, .prompt .price")]
                .map((part) => parseFloat(getComputedStyle(part).fontSize))"""
        )
        assert min(sizes, default=smallest) >= smallest
        page.context.close()
