"""A director who has never seen the page runs an evening for 23 entrants: set up, entries, two rounds, final standings.

He has the browser; the players play by a program of their own, a process beside the server, as from 23 devices.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.browser.conftest import Comes, somebody
from tests.browser.person import DESKTOP, Person
from tests.site import ROOT, Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]
__all__ = ["somebody"]

NAMES = [f"牌友{number:02d}" for number in range(1, 24)]

PEOPLE = f"""
from accounts.services.players import sign_up
director = sign_up(username="裁判", password="baohuang-2026")
director.is_staff = True
director.save()
for name in {NAMES!r}:
    sign_up(username=name, password=None)
"""

PLAYERS = """
import random, time
from django.utils import timezone
from accounts.models import Player
from games import history
from games.bots import choose
from games.engine.observe import observe
from games.models import Event, Hand, Table
from games.services import tables
from games.services.errors import Refused
from games.services.play import prompt_of, submit

people = Player.objects.in_bulk()
rng, n = random.Random(3), 0
while not Event.objects.filter(status="finished").exists():
    did = False
    for table in Table.objects.filter(pairing__isnull=False).exclude(status="closed"):
        if table.status != "playing":
            for seat in table.seats.filter(player__isnull=False, ready=False):
                tables.sit(table_id=table.pk, player=people[seat.player_id], now=timezone.now())
            continue
        hand = Hand.objects.get(table=table, number=table.number)
        fold = history.fold_of(hand)
        for seat in fold.state.to_act:
            player = hand.players[seat]["player"]
            if player is None or hand.trustees[seat]["on"] or (hand.pending and hand.pending["seat"] == seat):
                continue
            n += 1
            action = str(choose("beginner", observe(fold.state, seat), rng))
            prompt = prompt_of(hand.number, fold.state.asked_at)
            submit(table_id=table.pk, player=people[player], prompt=prompt, action_id=f"a{n}", action=action,
                   now=timezone.now())
            did = True
            break
    if not did:
        time.sleep(0.1)
"""


@pytest.fixture
def players(site: Site) -> Iterator[subprocess.Popen[bytes]]:
    """The 23 play as soon as they are called to a table."""
    site.manage("shell", "-c", PEOPLE)
    command = [sys.executable, "manage.py", "shell", "-c", PLAYERS]
    with (site.folder / "players.out").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=site.environment, stdout=log, stderr=log)
        yield process
        process.kill()
        process.wait()


def state(director: Person, wanted: str, patience: float) -> str:
    """The director reads his page again and again until it says so."""
    end = time.monotonic() + patience
    while wanted not in (text := director.page.inner_text("#state")):
        assert time.monotonic() < end, f"{wanted} did not come; the page says {text}"
        director.page.wait_for_timeout(1000)
        director.page.reload()
    return text


def press(director: Person, words: str) -> None:
    director.page.get_by_role("button", name=words, exact=True).first.click()


def test_a_director_runs_an_evening_for_23_entrants(
    site: Site, somebody: Comes, players: subprocess.Popen[bytes]
) -> None:
    director = somebody(DESKTOP)
    page = director.page
    director.go("/accounts/login/?next=/events/")
    page.fill("[name=username]", "裁判")
    page.fill("[name=password]", "baohuang-2026")
    page.press("[name=password]", "Enter")
    page.get_by_role("link", name="办一场比赛").click()
    page.fill("[name=name]", "周五晚上的保皇")
    page.fill("[name=rounds]", "2")
    page.select_option("[name=hands]", "1")
    page.fill("[name=break_minutes]", "60")
    press(director, "建好，开始报名")
    assert "报名中：0 人" in page.inner_text("#state")

    page.fill("[name=names]", "，".join(NAMES))
    press(director, "报名")
    assert "报名中：23 人" in page.inner_text("#state")
    event = page.url.split("/events/")[1].split("/")[0]

    press(director, "马上开赛")
    assert "第1轮，还有 5 桌" in page.inner_text("#state")
    press(director, "撤回排位")
    press(director, "继续")
    press(director, "不等了，马上下一步")
    for number in (1, 2):
        assert page.locator(".event-table").count() == 5
        assert page.locator(".event-seats li").filter(has_text="机器人").count() == 2
        if number == 1:
            state(director, "等下一轮", 300)
            press(director, "不等了，马上下一步")
            assert "第2轮" in page.inner_text("#state")
            press(director, "不等了，马上下一步")
    state(director, "结束", 300)

    director.go(f"/events/{event}/standings/")
    assert page.locator(".event-standings tbody tr").count() == 23
    assert page.locator(".event-why li").count() == 23
    assert "最终名次" in page.inner_text("main")
    director.go(f"/events/{event}/screen/")
    assert page.locator(".event-wall-list li").count() == 23
    director.go(f"/events/{event}/rounds/1/")
    page.locator("summary").first.click()
    page.locator(".event-boards a").first.click()
    assert "第1局" in page.inner_text("h1")
    assert director.problems == []
