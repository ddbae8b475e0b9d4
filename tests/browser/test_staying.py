"""What must not be lost: ticked cards, a second tab, a reload, a dead line, a clock that ran out, a killed server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Comes
from tests.browser.person import DESKTOP, PATIENCE, Glance, Person
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

pytestmark = pytest.mark.browser
STATE = ("id", "kind", "prompt", "deadline", "question", "buttons", "hand", "pile", "seats", "log", "commit")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Quick bots; a table opened with one press has a clock of three seconds, one opened by the form what it says."""
    clock = {"BAOHUANG_STEP_SECONDS": "3", "BAOHUANG_PLAY_SECONDS": "3", "BAOHUANG_REVEAL_SECONDS": "1"}
    served = Site(tmp_path_factory.mktemp("staying"), BAOHUANG_BOT_SECONDS="0.01-0.02", **clock)
    served.start()
    yield served
    assert served.stop() == 0, served.errors()


WRITTEN = "() => [...document.querySelectorAll('#log li')].map((one) => one.textContent)"
FETCH_ALL = """() => htmx.ajax("GET", document.getElementById("table").dataset.url + "fragments",
    { target: "#notice", swap: "none" })"""


def state(seen: Glance) -> Glance:
    return {name: seen[name] for name in STATE}


def asked(seen: Glance) -> bool:
    return seen["kind"] in {"ask", "play"}


def play_until_asked(person: Person, moves: int) -> Glance:
    """Answer so many times, then wait for the next question of the play."""
    while True:
        seen = person.until(
            lambda seen: (asked(seen) and (seen["prompt"] != person.answered or person.waited_long)) or seen["result"],
            "a question",
        )
        assert not seen["result"], "the hand was over too soon"
        if person.moves >= moves and seen["kind"] == "play" and seen["prompt"] != person.answered:
            return seen
        person.play_on()


NOT_OPEN = """() => {
    const fault = () => { throw new Error("sent to a socket that is not open"); };
    htmx.trigger(document.getElementById("table"), "htmx:wsOpen", {
        event: { target: { readyState: 0, send: fault } },
        socketWrapper: { sendImmediately: fault, send: fault, reconnect() {} } });
}"""


def test_while_the_line_is_being_made_anew_a_move_goes_by_post(somebody: Comes) -> None:
    """Two sockets may be on their way at once; the last one that was opened need not be the one that is used."""
    person = somebody()
    person.open_table("lianzhong-simple", clock="slow")
    prompt = play_until_asked(person, 1)["prompt"]
    sent: list[str] = []
    person.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    person.page.evaluate(NOT_OPEN)
    person.play_on()
    person.until(lambda seen: seen["prompt"] != prompt or seen["result"], "what comes after the move")
    assert any(url.endswith("/act") for url in sent), sent
    assert person.problems == []


EVERYTHING_ANEW = """() => new Promise((done) => {
  document.getElementById("prompt").lies = true;
  document.getElementById("table").addEventListener("htmx:wsAfterMessage", () => setTimeout(done, 50), { once: true });
  const url = document.getElementById("table").dataset.url + "fragments";
  htmx.ajax("GET", url, { target: "#notice", swap: "none" });
})"""
"""By HTTP, and after that by the socket."""


def test_a_question_that_is_sent_again_stays_under_the_finger(somebody: Comes) -> None:
    """A press that falls between the old and the new of two equal buttons would be lost."""
    person = somebody()
    person.open_table("lianzhong-simple", clock="slow")
    seen = play_until_asked(person, 1)
    person.page.evaluate(EVERYTHING_ANEW)
    assert person.page.evaluate('document.getElementById("prompt").lies') is True
    # but what was greyed out by a press that did not count can be pressed again
    person.page.evaluate('document.querySelector("#prompt .btn").setAttribute("aria-disabled", "true")')
    person.page.evaluate(EVERYTHING_ANEW)
    assert person.page.locator("#prompt .btn[aria-disabled]").count() == 0
    assert person.look()["prompt"] == seen["prompt"]
    assert person.problems == []


def test_ticked_cards_stay_ticked_when_the_hand_is_drawn_anew(somebody: Comes) -> None:
    """Whoever grabs the emperorship gets the crown card: his hand is replaced, his ticks are not."""
    person = somebody()
    for _ in range(10):
        person.open_table("lianzhong-classic", clock="slow")
        seen = person.until(asked, "a question")
        if seen["step"] == "crown":  # he holds the crown card himself
            crown = seen["prompt"]
            person.press("#prompt button:last-child")
            seen = person.until(lambda new, old=crown: asked(new) and new["prompt"] != old, "the next question")
        if seen["step"] != "grab":
            continue  # somebody has declared himself alone already
        person.press("#hand .stack:not(:has(~ .stack)) .card:last-child")
        ticked = person.look()["picked"]
        assert ticked
        grab = seen["prompt"]
        person.press('#prompt button[value="solo"]')
        seen = person.until(lambda new, old=grab: new["prompt"] != old and "抢独" not in new["question"], "the play")
        if "W!" in seen["hand"]:
            break  # else one of the others has taken it
    assert "W!" in seen["hand"]
    assert person.until(lambda new: new["kind"] == "play", "the lead")["picked"] == ticked
    assert person.problems == []


def test_two_tabs_of_one_player_show_the_same_and_either_plays(somebody: Comes) -> None:
    one = somebody()
    one.open_table("standard", clock="slow")
    two = one.tab()
    for number in range(3):
        seen = play_until_asked(one, 2 + 2 * number)
        two.until(lambda new, old=seen: state(new) == state(old), "the same in the other tab")
        two.answered = ""
        two.play_on()
        gone = two.until(lambda new, old=seen: new["prompt"] != old["prompt"], "what comes next")
        one.until(lambda new, old=seen: new["prompt"] != old["prompt"], "what comes next")
        if gone["result"]:
            break
        one.answered = seen["prompt"]
    assert one.problems == two.problems == []


def test_a_reload_in_the_middle_of_a_hand_comes_back_to_the_exact_state(somebody: Comes) -> None:
    person = somebody(DESKTOP)
    person.open_table("special", clock="slow")
    seen = play_until_asked(person, 3)
    person.page.reload()
    person.until(lambda new: state(new) == state(seen), "the same question in the same state")
    assert person.problems == []


def test_a_log_that_came_another_way_first_has_every_line_once(somebody: Comes) -> None:
    """An answer by HTTP may bring lines that the socket brings again, or leave out some that it has brought."""
    person = somebody()
    lines: list[WebSocketRoute] = []
    held: list[str | bytes] = []
    hold = False

    def line(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda frame: held.append(frame) if hold else socket.send(frame))
        socket.on_message(lambda frame: None if hold and "refresh" in str(frame) else server.send(frame))
        lines.append(socket)

    person.page.route_web_socket("**/ws/**", line)
    person.open_table("standard", clock="slow")
    play_until_asked(person, 1)
    hold = True
    person.play_on()
    while not any('class="prompt asked play"' in str(frame) for frame in held):
        person.page.wait_for_timeout(10)
    person.page.evaluate(FETCH_ALL)
    whole = person.page.evaluate(WRITTEN)
    said = '<ol id="chat" hx-swap-oob="beforeend"><li data-line="7">一</li></ol>'
    for frame in (*held, said, said, '<p id="notice" hx-swap-oob="true">到此</p>'):
        lines[-1].send(frame)
    person.page.wait_for_function("() => document.getElementById('notice').textContent === '到此'")
    assert person.page.evaluate(WRITTEN) == whole
    assert person.page.locator("#chat [data-line]").count() == 1
    hold = False
    person.page.evaluate(FETCH_ALL)  # and after it the page asks its socket for everything
    seen = play_until_asked(person, person.moves + 1)
    fresh = person.tab()
    fresh.until(lambda new: new["prompt"] == seen["prompt"], "the same in another tab")
    assert person.page.evaluate(WRITTEN) == fresh.page.evaluate(WRITTEN)


@pytest.mark.slow
def test_without_a_socket_the_page_says_so_and_plays_by_post_until_it_is_back(somebody: Comes) -> None:
    person = somebody()
    lines: list[WebSocketRoute] = []
    cut = False

    def line(socket: WebSocketRoute) -> None:
        if cut:
            socket.close(code=1011)
            return
        socket.connect_to_server()
        lines.append(socket)

    person.page.route_web_socket("**/ws/**", line)
    person.open_table("standard", clock="slow")
    seen = play_until_asked(person, 2)
    cut = True
    lines[-1].close(code=1011)
    person.until(lambda seen: seen["line"], "the word that the line is down")
    for _ in range(2):
        answered = seen["prompt"]
        with person.page.expect_request("**/act") as sent:
            person.play_on()
        assert sent.value.method == "POST"
        seen = person.until(lambda new, old=answered: new["prompt"] != old, "the answer to a POST")
        if seen["result"]:
            break
        seen = person.until(lambda new: asked(new) or new["result"], "the next question, fetched without a socket")
    count = len(lines)
    cut = False
    person.until(lambda seen: not seen["line"], "the line again")
    assert len(lines) > count
    if not seen["result"]:
        answered = seen["prompt"]
        person.play_on()
        person.until(lambda new: new["prompt"] != answered, "an answer over the socket")
    assert person.problems == []


def test_when_the_clock_runs_out_the_system_plays_and_one_press_takes_back(somebody: Comes) -> None:
    person = somebody()
    person.go("/")
    person.press("#start")
    person.until(lambda seen: seen["kind"] == "trustee", "the trustee")
    assert "托管" in person.look()["seats"][0]
    person.press("#prompt .btn.main")
    seen = person.until(lambda seen: seen["kind"] != "trustee", "the own hand again")
    assert "托管" not in seen["seats"][0]
    assert person.problems == []


@pytest.mark.slow
def test_a_killed_server_comes_back_with_everything_that_was_acknowledged(somebody: Comes, site: Site) -> None:
    person = somebody()
    person.open_table("standard", clock="slow")
    seen = play_until_asked(person, 3)
    site.kill()
    person.until(lambda new: new["line"], "the word that the line is down")
    site.start()
    # for a moment the player is still marked as gone, until his socket has been noticed
    person.until(lambda new: not new["line"] and state(new) == state(seen), "the exact state again")

    # one more answer that the page has seen acknowledged, and the server is gone at once
    answered = seen["prompt"]
    person.play_on()
    seen = person.until(lambda new: new["prompt"] != answered, "the answer")
    site.kill()
    site.start()
    person.until(lambda new: (asked(new) and new["prompt"] != answered) or new["result"], "the next question")
    again = person.until(lambda new: not new["line"], "the line again")
    assert again["id"] == seen["id"]
    assert again["hand"] == seen["hand"]
    assert again["log"] >= seen["log"]
    person.press('.bar [data-panel="menu"]')
    person.press('.menu [form="trustee-form"]')
    person.until(lambda new: new["result"], "the end, played by the trustee", 4 * PATIENCE)
    assert "0 differences" in site.manage("refold")
    site.manage("check_ledger")
    # a browser says in its console that it could not connect, and is right
    assert [problem for problem in person.problems if not problem.startswith("console error")] == []
