"""An event on a real server that is killed again and again: nobody of the entrants comes, bots sit in for them, and
the evening runs to its end by itself."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import ROOT, Site

pytestmark = pytest.mark.slow
PATIENCE = 240.0
MAKE = """
from django.utils import timezone
from accounts.services.players import sign_up
from games.services import events
from tests.events.evening import quick_rules, staff
now = timezone.now()
event = events.create(by=staff(), club=None, name="周五晚上", format="{format}", rounds=2, hands=2,
    rules=quick_rules(now), opens_at=now, starts_at=now, now=now,
    times=events.Times(round=3600, notice=1, grace=1, rest=1))
for number in range(7):
    events.enter(event_id=event.id, player=sign_up(username=f"选手{{number}}", password=None), now=now)
"""
CHECK = """
from types import SimpleNamespace
from games.models import Event
from tests.events.test_whole_events import check
check(SimpleNamespace(row=Event.objects.get))
print("whole")
"""


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Site]:
    wait = {"BAOHUANG_BOT_SECONDS": "0.01-0.02", "BAOHUANG_REVEAL_SECONDS": "1", "BAOHUANG_NEXT_SECONDS": "1"}
    site = Site(tmp_path, **wait, PYTHONPATH=str(ROOT))
    site.start()
    yield site
    assert site.stop() == 0, site.errors()


def count(site: Site, question: str) -> int:
    with sqlite3.connect(f"file:{site.folder / 'baohuang.sqlite3'}?mode=ro", uri=True, timeout=30) as found:
        return int(found.execute(question).fetchone()[0])


@pytest.mark.parametrize("format", ["swiss", "duplicate"])
def test_an_event_goes_on_to_its_end_however_often_the_server_is_killed(quick: Site, format: str) -> None:
    quick.manage("shell", "-c", MAKE.format(format=format))
    rng, kills, end = random.Random(1), 0, time.monotonic() + PATIENCE
    while not count(quick, "SELECT count(*) FROM games_event WHERE status = 'finished'"):
        # killed after so many more rows of the hands' logs, or when a round begins or ends
        moves = count(quick, "SELECT count(*) FROM games_handaction") + rng.randint(1, 160)
        rounds = "SELECT count(*) FROM games_round"
        before = count(quick, rounds)
        while count(quick, "SELECT count(*) FROM games_handaction") < moves and count(quick, rounds) == before:
            assert time.monotonic() < end, quick.errors()
            if count(quick, "SELECT count(*) FROM games_event WHERE status = 'finished'"):
                break
            time.sleep(0.01)  # for another process, which has no clock of the test
        quick.kill()
        kills += 1
        quick.start()
    assert kills > 3
    assert quick.manage("shell", "-c", CHECK).split()[-1] == "whole"
    quick.manage("check_ledger")
