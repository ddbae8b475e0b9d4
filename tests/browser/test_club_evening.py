"""Five people of one club play an evening by their own rules; afterwards everything that is counted anywhere agrees
with the sheets they saw, and whoever does not belong gets nothing of the club or its table at any address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.browser import evening as ev
from tests.browser.conftest import Comes
from tests.browser.evening import NAMES, ROOM, SLUG, Evening, Line, Ratings, number, sheet
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_staying import state
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WELCOME = 1000
PENALTY = 40 * ROOM
DROPS, LEAVES = "小赵", "阿芳"
DECLARED = (
    *("crown yield", "crown accept", "grab solo", "grab pass", "call call", "reveal open", "reveal hide"),
    *("rebel rebel", "rebel kick", "open kick"),
)


def drop_and_come_back(evening: Evening, line: Line) -> None:
    """His line is dead while he is asked: the others see it; then he finds everything as it was."""
    person = line.person
    before = person.until(lambda seen: not seen["playable"], "his question, with nothing ticked")
    seat = evening.people[NAMES[0]].page.locator(".seat", has_text=DROPS)
    away = seat.locator('[title="掉线"], [aria-label="掉线"]')
    line.cut()
    away.first.wait_for(state="attached")
    person.until(lambda seen: seen["line"], "the word that the line is down")
    line.mend()
    person.until(lambda seen: not seen["line"] and state(seen) == state(before), f"the line again, and {state(before)}")
    person.page.reload()
    person.until(lambda seen: state(seen) == state(before), f"the same after a reload, {state(before)}")
    away.first.wait_for(state="detached")


@pytest.fixture(scope="module")
def evening(chromium: Browser, site: Site) -> Iterator[Evening]:
    """The evening, played to its end."""
    people = {name: Person(chromium, site.url, DESKTOP if name == "老王" else PHONE) for name in NAMES}
    host, *others = people.values()
    line = Line(people[DROPS])
    ev.sign_up(host, NAMES[0])
    invitation, rules = ev.found_club(host)
    for name, person in zip(NAMES[1:], others, strict=True):
        ev.sign_up(person, name, invitation)
        person.page.get_by_role("button", name="加入").click()
        person.page.wait_for_url(f"**/clubs/{SLUG}/")
    played = Evening(dict(people), came=people, rules=rules)
    played.table = ev.open_table(host)
    for person in others:
        person.go(f"/clubs/{SLUG}/")
        person.page.get_by_role("button", name="坐下").click()
        person.until(lambda seen: seen["kind"] == "room", "a seat")
    ev.talk(host, others[0])
    played.everybody('#prompt [form="ready-form"]')
    played.until("grab solo", DROPS, lambda person: drop_and_come_back(played, line))
    played.everybody("#result .again")
    played.until("open kick")
    played.everybody("#result .again")
    played.until("rebel kick", LEAVES, lambda person: played.leave(LEAVES))
    yield played
    for person in people.values():
        person.close()


def test_every_declaration_was_made_and_heard(evening: Evening) -> None:
    assert {said: evening.declared[said] for said in DECLARED if not evening.declared[said]} == {}
    for heard in ("让位，贴", "抢独", " 叫 ", "亮明身份", "造反", "踢"):
        assert heard in evening.log, heard


def test_the_leaver_paid_and_the_table_broke_up(evening: Evening) -> None:
    for person in evening.people.values():
        person.go(evening.table)
        assert person.look()["kind"] == "closed"
        assert "有人离开了" in (person.page.locator("#prompt").text_content() or "")
    left = evening.gone[LEAVES]
    last = evening.shown[-1]
    left.go(f"/hands/{last.hand}/")
    assert sheet(left, last.hand).rows == last.rows
    left.go("/beans/")
    paid = left.page.locator(".bean-line", has_text="中途离开")
    assert [number(text) for text in paid.locator(".amount").all_text_contents()] == [-PENALTY]


def test_ledger_ratings_and_log_hold_together(evening: Evening, site: Site) -> None:
    assert "the ledger balances" in site.manage("check_ledger")
    assert "0 differences" in site.manage("recompute_ratings", "--check")
    assert " 0 differences" in site.manage("refold")


def test_statements_say_what_the_sheets_said(evening: Evening) -> None:
    for name, person in evening.came.items():
        person.go("/beans/")
        lines = person.page.locator(".bean-line:has(a)")
        posted: dict[str, int] = dict.fromkeys((shown.hand for shown in evening.shown), 0)
        for line in lines.all():
            if "中途离开" in (line.text_content() or ""):
                continue
            hand = (line.locator("a").get_attribute("href") or "").split("/")[2]
            posted[hand] += number(line.locator(".amount").text_content() or "")
        assert posted == {shown.hand: shown.of(name).beans for shown in evening.shown}, name
        balance = number(person.page.locator(".beans-balance b").text_content() or "")
        assert balance == WELCOME + evening.sums(name)[1] - (PENALTY if name == LEAVES else 0), name


def test_the_five_histories_say_what_the_sheets_said(evening: Evening) -> None:
    ratings = Ratings()
    changes = {shown.hand: ratings.count(shown) for shown in evening.shown}
    for name, person in evening.came.items():
        person.go("/hands/")
        found = {}
        for line in person.page.locator(".hand-line").all():
            hand = (line.locator("a.btn").last.get_attribute("href") or "").split("/")[2]
            beans, rating = (line.locator(".gain").text_content() or "").split(" · 等级分 ")
            points = number(line.locator(".points").text_content() or "")
            found[hand] = (points, number(beans), number(rating))
            assert ev.RULES in (line.locator(".when").text_content() or "")
        wanted = {
            shown.hand: (shown.of(name).points, shown.of(name).beans, changes[shown.hand][name])
            for shown in evening.shown
        }
        assert found == wanted, name


@pytest.mark.parametrize("where", [f"/clubs/{SLUG}/boards/", "/boards/"])
def test_the_boards_of_club_and_site_add_up_the_sheets(evening: Evening, where: str) -> None:
    person = evening.came[NAMES[0]]
    hands = len(evening.shown)
    sums = {name: evening.sums(name) for name in NAMES}
    for period in ("week", "month", "all"):
        shown = {
            board: board_of(person, f"{where}?board={board}&period={period}") for board in ("beans", "points", "rating")
        }
        assert {name: (count, number(value)) for name, (count, value) in shown["beans"].items()} == {
            name: (hands, beans) for name, (_points, beans) in sums.items()
        }
        assert {name: float(value.replace("−", "-")) for name, (_count, value) in shown["points"].items()} == {
            name: pytest.approx(points / hands, abs=0.0051) for name, (points, _beans) in sums.items()
        }
        assert shown["rating"] == dict.fromkeys(NAMES, (hands, "定级中"))
    for board, role in (("emperor", "皇帝"), ("guard", "侍卫"), ("rebel", "起义军")):
        own = {name: [shown.of(name) for shown in evening.shown if shown.of(name).role == role] for name in NAMES}
        found = board_of(person, f"{where}?board={board}")
        for name, rows in own.items():
            if found.get(name):
                won = sum(row.points > 0 for row in rows)
                assert f"胜 {won}" in found[name][1], (board, name, rows, found)


def board_of(person: Person, path: str) -> dict[str, tuple[int, str]]:
    """Name → hands and the value of a board, as they stand there."""
    person.go(path)
    rows = person.page.locator(".board-table tbody:not(.own) tr").all()
    return {
        (row.locator("th").text_content() or "").strip(): (
            number(row.locator(".count").text_content() or ""),
            (row.locator(".value").text_content() or "").strip(),
        )
        for row in rows
    }


def test_nobody_had_anything_to_complain_of(evening: Evening) -> None:
    # the browser of who was in the tunnel says that it could not connect, and is right
    assert {
        name: found
        for name, person in evening.came.items()
        if (found := [one for one in person.problems if name != DROPS or not one.startswith("console error")])
    } == {}


# --- those who do not belong

PRIVATE = {"table_id", "hand_id", "variant_slug", "announcement_id", "player_id"}


def addresses(evening: Evening) -> tuple[list[str], list[str]]:
    """Every address there is, with what belongs to the club put in: those that are the club's own, and the others."""
    filled = {
        "table_id": evening.table.split("/")[2],
        "hand_id": evening.shown[0].hand,
        "variant_slug": evening.rules,
        "announcement_id": "1",
        "player_id": "1",
        "event_id": evening.table.split("/")[2],
        "token": "not-the-one-that-was-sent",
        "name": NAMES[0],
        "number": "1",
        "sanction_id": "1",
        "token_id": "1",
        "uidb64": "MQ",
    }
    own, others = [], []
    for route in all_routes():
        slug = evening.rules if route.startswith("rules/<") else SLUG
        filled["slug"] = slug
        path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: filled[found[1]], route)
        named = PRIVATE & set(re.findall(r"(\w+)>", route))
        ours = named or slug == evening.rules or path.startswith((f"/clubs/{SLUG}", "/clubs/join/"))
        (own if ours else others).append(path)
    table, hand = filled["table_id"], filled["hand_id"]
    asked = (f"/new?club={SLUG}", f"/events/new?club={SLUG}", f"/boards/?preset={evening.rules}")
    others += [f"/report/?table={table}", f"/report/?hand={hand}", f"/events/?club={SLUG}", *asked]
    return own, others


def all_routes() -> Iterator[str]:
    """Every address of the site as a pattern, but those of the admin, which let nobody in but its staff."""

    def below(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[str]:
        for one in patterns:
            route = before + str(one.pattern)
            if isinstance(one, URLResolver):
                if one.namespace != "admin":
                    yield from below(one.url_patterns, route)
            elif "\\" not in route and "^" not in route:
                yield route

    yield from below(get_resolver().url_patterns, "")


SOCKET = """(path) => new Promise((done) => {
    const heard = [], socket = new WebSocket(location.origin.replace("http", "ws") + path);
    socket.onmessage = (message) => heard.push(message.data);
    socket.onclose = (closed) => done([closed.code, heard.join()]);
    setTimeout(() => { socket.onclose = null; socket.close(); done(["open", heard.join()]); }, 1500);
})"""


@pytest.mark.parametrize("who", ["小偷", ""], ids=["a stranger", "nobody"])
def test_whoever_does_not_belong_gets_nothing(evening: Evening, somebody: Comes, who: str) -> None:
    host = evening.came[NAMES[0]]
    evening.table = ev.open_table(host)
    ev.talk(host, host)
    before = state(host.look())
    other = somebody()
    if who:
        ev.sign_up(other, who)
    other.go("/accounts/login/" if not who else "/accounts/name/")
    token = next(one["value"] for one in other.context.cookies() if one["name"] == "csrftoken")
    table, hands = evening.table.split("/")[2], [shown.hand for shown in evening.shown]
    secrets = (ev.CLUB, ev.RULES, ev.ABOUT, ev.NOTICE, ev.SAID, SLUG, table, evening.rules, *hands)

    def ask(method: str, path: str, **more: Any) -> tuple[int, str, str]:
        headers = {"X-CSRFToken": token, "Referer": other.address + "/"}
        answer = other.context.request.fetch(
            other.address + path, method=method, headers=headers, max_redirects=0, **more
        )
        return answer.status, answer.headers.get("location", ""), answer.text()

    own, others = addresses(evening)
    assert len(own) > 50, own
    faults = []
    fields = {"seat": "1", "add": "1", "text": "x", "action": "pass", "multiplier": "2", "name": "x", "join": "link"}
    tries = [(method, path) for path in own for method in ("GET", "POST")]
    tries += [("HX", f"{evening.table}{deed}") for deed in ("sit", "act", "chat", "fragments", "invite/")]
    for method, path in tries:
        if path.startswith("/api/"):
            more: dict[str, Any] = {"data": {"on": True, "text": "x", "seat": 1}} if method == "POST" else {}
        else:
            more = {"form": fields} if method == "POST" else {}
        status, to, body = ask("GET" if method == "HX" else method, path, **more)
        nothing = status in (401, 404, 405) or (status == 302 and to.startswith("/accounts/login/?next="))
        if not nothing or any(word in body for word in secrets):
            faults.append((method, path, status, to, [word for word in secrets if word in body]))
    for path in others:
        status, to, body = ask("GET", path)
        if status >= 500 or any(word in body for word in secrets):
            faults.append(("GET", path, status, to, [word for word in secrets if word in body]))
    rules = {"rules": evening.rules}
    for path, wish in (("/api/tables", {**rules, "club": SLUG}), ("/api/tables", rules), ("/api/match", rules)):
        status, to, body = ask("POST", path, data=wish)
        if status not in (400, 401, 404, 422) or ev.RULES in body or ev.CLUB in body:
            faults.append(("POST", path, status, to, [body[:200]]))
    assert faults == []
    code, heard = other.page.evaluate(SOCKET, f"/ws/tables/{table}/")
    assert (code, heard) == (1006, "")
    code, heard = other.page.evaluate(SOCKET, "/ws/lobby/")
    assert code == "open"
    assert not any(word in heard for word in secrets)
    assert state(host.look()) == before
    host.press('.bar [data-panel="menu"]')
    host.page.get_by_text("离开这一桌").click()
    host.page.get_by_role("button", name="确定离开").click()
