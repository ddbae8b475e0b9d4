"""What must hold of a rendered table whatever the hand: purity, secrecy, buttons for exactly what is asked."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from games import render, render_hand, render_log, render_pile, render_prompt, render_result, render_seats
from games.engine.cards import CANONICAL
from games.engine.legal import answers, plays
from games.engine.observation import Step
from games.engine.observe import observe
from games.engine.presets import preset_ids
from games.render_cards import hand_card
from games.render_prompt import hint_order
from games.selectors.table_view_types import CARRIED
from tests.engine.hands import rearranged
from tests.web.views import NAMES, finished, openings, seats, states, view_of

SEEDS = (1, 2)
VIEWERS = (0, 1, 2, 3, 4, None)
SWAPPED = re.compile(r'(?=<\w+ hx-swap-oob="true")')


def forget() -> None:
    for module in (render, render_hand, render_log, render_pile, render_prompt, render_result, render_seats):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def hand_of(preset: str, seed: int) -> list:
    return list(states(preset, seed))


@pytest.mark.parametrize("preset", preset_ids())
def test_every_fragment_of_every_state_has_its_id_and_is_the_same_when_made_anew(preset: str) -> None:
    some = hand_of(preset, 1)[::7]
    first = [render.fragments(view_of(state, viewer)) for state in some for viewer in (0, None)]
    forget()
    again = [render.fragments(view_of(state, viewer)) for state in some for viewer in (0, None)]
    assert first == again
    for found in first:
        for key, html in found.items():
            assert re.match(rf'<\w+ id="{key}"', html), html[:80]
            assert html.count(f'id="{key}"') == 1


@pytest.mark.parametrize("preset", preset_ids())
def test_nothing_that_a_viewer_cannot_know_changes_his_html(preset: str) -> None:
    rng = random.Random(f"hidden {preset}")
    compared = 0
    for seed in SEEDS:
        for state in hand_of(preset, seed)[::5]:
            for viewer in VIEWERS:
                other = rearranged(state, viewer, rng)
                if other is None:
                    continue
                compared += 1
                assert render.fragments(view_of(state, viewer)) == render.fragments(view_of(other, viewer))
    assert compared > 50


@pytest.mark.parametrize("preset", preset_ids())
def test_a_spectator_gets_no_hand_and_no_seat_gets_cards_of_another(preset: str) -> None:
    for state in hand_of(preset, 3)[::6]:
        watching = "".join(render.fragments(view_of(state, None)).values())
        assert "data-card=" not in watching
        assert 'name="card"' not in watching
        for viewer in range(5):
            html = "".join(render.fragments(view_of(state, viewer)).values())
            assert tuple(re.findall(r'data-card="([^"]+)"', html)) == _shown_order(state.hands[viewer], html)


def _shown_order(hand: tuple, html: str) -> tuple:
    """The hand in the order of its stacks: canonical, the special card first."""
    special = re.search(r'data-card="([^"]+)" data-special', html)
    if special is None:
        return tuple(hand)
    rest = list(hand)
    rest.remove(special[1])
    return (special[1], *rest)


@pytest.mark.parametrize("preset", preset_ids())
def test_the_buttons_are_exactly_the_legal_answers_at_every_step(preset: str) -> None:
    steps = set()
    for state in (*openings(preset, 40), *hand_of(preset, 1), *hand_of(preset, 2)):
        for seat in state.to_act:
            view = view_of(state, seat)
            assert view.obs is not None
            steps.add(view.obs.step)
            html = render_prompt.prompt_fragment(view, "zh-hans")
            offered = set(re.findall(r'name="action" value="([^"]+)"', html))
            shapes = [str(shape) for shape in plays(view.obs)]
            wanted = {str(action) for action in answers(view.obs)} | ({"play"} if shapes else set())
            assert offered == wanted
            assert "%" not in unescape(re.sub(r"<[^>]+>", "", html))
            if view.obs.step is Step.PLAY:
                assert re.search(r'data-legal="([^"]*)"', html)[1].split() == shapes  # type: ignore[index]
                hints = re.search(r'data-hint="([^"]*)"', html)[1].split()  # type: ignore[index]
                assert set(hints) <= set(shapes)
                assert bool(hints) == bool(shapes)
    assert Step.CROWN in steps
    assert Step.PLAY in steps


@pytest.mark.parametrize("preset", preset_ids())
def test_a_seat_that_is_not_asked_has_nothing_to_press_but_knows_what_is_waited_for(preset: str) -> None:
    for state in hand_of(preset, 4)[::5]:
        for viewer in VIEWERS:
            view = view_of(state, viewer)
            assert view.obs is not None
            if view.obs.asked:
                continue
            html = render.fragments(view)["prompt"]
            assert "<button" not in html
            assert re.search(r'class="question">[^<]+<', html)


@pytest.mark.parametrize("preset", [p for p in preset_ids() if p != "tribute"])
def test_in_the_reveal_step_everybody_but_the_guard_reads_the_same(preset: str) -> None:
    seen = 0
    for state in openings(preset, 100):
        if state.step is Step.REVEAL:
            seen += 1
            asked = state.to_act[0]
            others = [render.fragments(view_of(state, viewer)) for viewer in VIEWERS if viewer != asked]
            assert {found["pile"] for found in others} == {others[0]["pile"]}
            assert {re.sub(r'<p class="note">.*?</p>', "", found["prompt"]) for found in others} == {
                re.sub(r'<p class="note">.*?</p>', "", others[0]["prompt"])
            }
            assert "等侍卫决定" in others[0]["prompt"]
            for found in others:
                assert not any("asked" in found[f"seat-{seat}"] for seat in range(5))
    assert seen


def with_stack(hand: str, stack: str) -> str:
    """The hand with one of its stacks replaced."""
    parts = re.split(r'(?=<\w+ id="(?:held|stack-\w+)")', hand.removesuffix("</div>"))
    name = re.search(r' id="([^"]+)"', stack)[0]  # type: ignore[index]
    assert sum(name in part for part in parts) == 1
    return "".join([stack if name in part else part for part in parts]) + "</div>"


@pytest.mark.parametrize("preset", ["lianzhong-simple", "qingdao", "home"])
def test_updates_one_after_the_other_show_what_a_fresh_page_shows(preset: str) -> None:
    for viewer in (2, None):
        sent = render.Sent()
        log, lines, shown, cells, turns, stacks = "", 0, {}, 0, 0, 0
        for state in hand_of(preset, 5):
            view = view_of(state, viewer)
            news = render.news(view, sent, "zh-hans")
            text = "".join(news)
            assert text.count("hx-swap-oob") == len(re.findall(r"<\w+ [^>]*hx-swap-oob", text))
            whole = re.search(r'<ol hx-swap-oob="true" id="log"[^>]*>(.*?)</ol>', text)
            more = re.search(
                r'<ol id="log" data-from="(\d+)" data-lines="(\d+)" hx-swap-oob="beforeend">(.*?)</ol>', text
            )
            if more:
                assert int(more[1]) == lines
            log = whole[1] if whole else log + (more[3] if more else "")
            fresh = render.fragments(view)
            lines = int(re.search(r'data-lines="(\d+)"', fresh["log"])[1])  # type: ignore[index]
            assert more is None or int(more[2]) == lines
            assert log == re.search(r">(.*)</ol>", fresh["log"])[1]  # type: ignore[index]
            for cell, level in re.findall(r'<li hx-swap-oob="true"( id="n-(\d+)".*?</li>)', text):
                shown["counter"] = re.sub(rf'<li id="n-{level}".*?</li>', f"<li{cell}", shown["counter"])
                cells += 1
            for part in [part for piece in news for part in re.split(SWAPPED, piece)]:
                if now := re.match(r'<span hx-swap-oob="true"( id="now-(\d)".*</span>)$', part):
                    whole_seat = shown[f"seat-{now[2]}"]
                    at, end = whole_seat.index(f'<span id="now-{now[2]}"'), whole_seat.rindex("</section>")
                    shown[f"seat-{now[2]}"] = f"{whole_seat[:at]}<span{now[1]}{whole_seat[end:]}"
                    turns += 1
                if put := re.match(r'<(\w+) hx-swap-oob="true"( id="(?:held|stack-\w+)".*</\1>)$', part):
                    shown["hand"] = with_stack(shown["hand"], f"<{put[1]}{put[2]}")
                    stacks += 1
            for key, html in fresh.items():
                if render.swap(html) in text:
                    shown[key] = html
                if key not in ("log", "banner"):
                    assert shown[key] == html
            assert render.news(view, sent, "zh-hans") == []
        assert min(cells, turns) > 10
        assert stacks > 10 or viewer is None


def test_a_pass_sends_little() -> None:
    """What changes for a seat that neither passed nor is asked next: two seats, a line of the log, who is asked."""
    sent = render.Sent()
    sizes = []
    for state in hand_of("lianzhong-simple", 6):
        view = view_of(state, 1)
        assert view.obs is not None
        text = "".join(render.news(view, sent, "zh-hans"))
        said = view.obs.log[-1].kind if view.obs.log else ""
        if said == "pass" and not view.obs.asked:
            sizes.append(len(text))
    assert sizes
    assert sorted(sizes)[len(sizes) // 2] < 3000


def test_a_play_sends_its_owner_the_stacks_it_came_from_and_nobody_else_a_card_of_a_hand() -> None:
    sent = {viewer: render.Sent() for viewer in VIEWERS}
    hands, plays_seen = None, 0
    for state in hand_of("lianzhong-simple", 6):
        texts = {viewer: "".join(render.news(view_of(state, viewer), sent[viewer], "zh-hans")) for viewer in VIEWERS}
        if hands is not None and state.step is Step.PLAY and state.hands != hands:
            (owner,) = [seat for seat in range(5) if state.hands[seat] != hands[seat]]
            plays_seen += 1
            for viewer, text in texts.items():
                assert 'id="hand"' not in text
                assert ("data-card=" in text or 'id="stack-' in text) == (viewer == owner)
                assert ('id="held"' in text) == (viewer == owner)
        hands = state.hands
    assert plays_seen > 20


def test_names_are_shown_and_never_run() -> None:
    names = ("<script>x</script>", "a\"onload='y", "&amp;", "李娜", "</p><img src=x>")
    for state in [None, *hand_of("lianzhong-simple", 7)[::4]]:
        for viewer in (1, None):
            view = view_of(state, viewer, seats=seats(names))
            if view.result is not None:
                rows = tuple(replace(row, name=names[row.seat]) for row in view.result.rows)
                view = replace(view, result=replace(view.result, rows=rows))
            html = "".join(render.fragments(view).values())
            assert "<script" not in html
            assert "<img" not in html
            assert not re.search(r"<[^>]*\sonload=", html)


def test_no_fragment_has_inline_style_or_script() -> None:
    for preset in preset_ids():
        for state in hand_of(preset, 8)[::9]:
            for html in render.fragments(view_of(state, 0)).values():
                assert " style=" not in html
                assert "<script" not in html
                assert not re.search(r"\son\w+=", html)


def test_a_refusal_is_one_plain_sentence_for_every_code() -> None:
    codes = (
        "not_asked",
        "stale_prompt",
        "too_late",
        "illegal",
        "held_back",
        "wrong_count",
        "malformed",
        "never heard of",
    )
    for code in codes:
        html = render.notice(code, view_of(None, 0))
        assert re.search(r">[^<]+。<", html), code
        assert "%" not in html


def test_the_verdict_says_what_would_be_played_and_whether_it_may_be() -> None:
    found = {"good": 0, "bad": 0}
    for state in hand_of("lianzhong-simple", 9):
        if state.step is not Step.PLAY:
            continue
        view = view_of(state, state.to_act[0])
        assert view.obs is not None
        card = view.obs.hand[-1]
        html = render.verdict(view, [card])
        good = any(shape.size == 1 and str(shape) == card[0] for shape in plays(view.obs))
        assert ("verdict good" in html) == good
        found["good" if good else "bad"] += 1
    assert all(found.values())
    assert "verdict idle" in render.verdict(view_of(None, 0), ["7S"])


def test_marks_tell_who_is_away_under_trustee_or_ready() -> None:
    state = hand_of("lianzhong-simple", 1)[0]
    away = render.fragments(view_of(state, 0, seats=seats(connected=False, trustee=True)))["seat-1"]
    assert "#i-plug" in away
    assert "#i-gear" in away
    bots = render.fragments(view_of(state, 0, seats=seats(bot=True)))["seat-1"]
    assert "#i-robot" in bots
    assert "#i-plug" not in bots
    waiting = render.fragments(view_of(None, 0))["seat-1"]
    assert "#i-check" in waiting


def test_whoever_is_under_trustee_sees_one_big_button() -> None:
    state = hand_of("lianzhong-simple", 1)[-1]
    html = render.fragments(view_of(state, 0, trustee=True, can_take_back=True))["prompt"]
    assert re.findall(r'<button[^>]*name="(\w+)" value="(\w+)"', html) == [("on", "0")]
    assert "取消托管" in html
    assert "<button" not in render.fragments(view_of(state, 0, trustee=True))["prompt"]


@pytest.mark.parametrize("preset", preset_ids())
def test_what_the_seats_are_doing_is_the_same_for_everybody_and_says_nothing_of_roles(preset: str) -> None:
    for state in [*openings(preset, 3), *hand_of(preset, 1)]:
        told = {render_seats.seats_now(view_of(state, viewer), "zh-hans") for viewer in VIEWERS}
        assert len(told) == 1, state.step
        assert not re.search(r"role-|皇帝|起义军", "".join(*told))


def test_what_is_carried_from_move_to_move_is_what_would_be_made_anew() -> None:
    carried: dict = {}
    for state in hand_of("home", 3):
        for viewer in (1, 3, None):
            fresh = view_of(state, viewer)
            view = view_of(state, viewer).sharing({CARRIED: carried})
            assert render_seats.seat_fragments(view, "zh-hans") == render_seats.seat_fragments(fresh, "zh-hans")
    assert len(carried) < 60


def test_the_clock_runs_at_whoever_is_asked() -> None:
    state = next(s for s in hand_of("lianzhong-simple", 1) if s.step is Step.PLAY)
    view = view_of(state, 0)
    assert view.deadline is not None
    for seat in range(5):
        html = render.fragments(view)[f"seat-{seat}"]
        assert ("data-deadline" in html) == (seat in state.to_act)
    later = replace(view, deadline=view.deadline + timedelta(seconds=1))
    assert str(int(later.deadline.timestamp() * 1000)) in render.fragments(later)[f"seat-{state.to_act[0]}"]  # type: ignore[union-attr]


def test_the_result_turns_over_roles_and_cards_and_says_what_decided_it() -> None:
    for preset in preset_ids():
        state = finished(preset, 1)
        for viewer in (0, None):
            html = render.fragments(view_of(state, viewer))["result"]
            result = observe(state, None).result
            assert result is not None
            assert all(name in html for name in NAMES)
            assert html.count('class="line ') == 5
            assert ('form="ready-form"' not in html) or viewer is not None
            assert re.search(r'class="why">[^<]+。<', html)


def test_hints_begin_with_whole_ranks_and_keep_jokers_for_the_end() -> None:
    for state in hand_of("lianzhong-simple", 2):
        if state.step is not Step.PLAY:
            continue
        view = view_of(state, state.to_act[0])
        assert view.obs is not None
        shapes = hint_order(plays(view.obs), view.obs)
        jokers = [shape.big + shape.small for shape in shapes]
        assert jokers == sorted(jokers) or view.obs.top is not None
        if view.obs.top is None and shapes and shapes[0].count:
            held = sum(card[0] == shapes[0].rank for card in view.obs.hand)
            assert shapes[0].count == held


def test_cards_are_read_aloud_by_name() -> None:
    words = {card: re.search(r'aria-label="([^"]+)"', hand_card(card, "", True, "zh-hans"))[1] for card in CANONICAL}  # type: ignore[index]
    assert words["7H"] == "红桃7"
    assert words["TS"] == "黑桃10"
    assert words["W!"] == "皇牌大王"
    assert words["w"] == "小王"
    assert len(set(words.values())) == len(words)


@pytest.mark.parametrize("preset", ["lianzhong-simple", "standard"])
def test_the_middle_calls_the_viewer_you_and_everybody_else_by_his_name(preset: str) -> None:
    told: set[Step] = set()
    for state in [*openings(preset, 3), *hand_of(preset, 1)]:
        public = observe(state, None)
        seat = public.crown_at if public.crown_at is not None else public.top.seat if public.top else None
        if seat is None and state.step in (Step.PLAY, Step.CALL):
            seat = state.to_act[0]
        if seat is None:
            continue
        told.add(state.step)
        first = view_of(state, seat)
        for viewer in (seat, None, 0, 1, 2, 3, 4):
            pile = render.fragments(view_of(state, viewer).sharing(first.shared))["pile"]
            assert ("你" in pile) == (viewer == seat)
            assert (NAMES[seat] in pile) == (viewer != seat)
    assert {Step.CROWN, Step.PLAY} <= told
