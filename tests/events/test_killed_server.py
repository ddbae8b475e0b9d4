"""Sixty programs play an event on a real server that is killed again and again, six of them drop out on the way, and
the evening runs to its end by itself: every acknowledged move is there once, and the standings are those anybody gets
from the exported rows."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import WebSocketException

from tests.events.test_whole_events import FORMATS
from tests.site import ROOT, Site

pytestmark = pytest.mark.slow
PEOPLE, DROPPING, ROUNDS = 60, 6, 3
PATIENCE = 400.0
MAKE = """
from datetime import timedelta
from django.utils import timezone
from accounts.services.players import make_token, sign_up
from games.services import events
from tests.events.evening import quick_rules, staff
now = timezone.now()
event = events.create(by=staff(), club=None, name="周五晚上", format="{format}", rounds={rounds}, hands=1,
    rules=quick_rules(now), opens_at=now, starts_at=now + timedelta(seconds=1), now=now,
    times=events.Times(round=3600, notice=1, grace=3, rest=1))
for number in range({people}):
    player = sign_up(username=f"选手{{number}}", password=None)
    events.enter(event_id=event.id, player=player, now=now)
    print("token", player.pk, make_token(player))
"""
CHECK = """
from types import SimpleNamespace
from games.models import Event
from tests.events.test_whole_events import check, meetings
night = SimpleNamespace(row=Event.objects.get)
check(night)
print(max(meetings(night).values()))
"""
FINISHED = "SELECT count(*) FROM games_event WHERE status = 'finished'"
MOVES = "SELECT count(*) FROM games_handaction"
ROUNDS_PAIRED = "SELECT count(*) FROM games_round"
OPEN_TABLES = """
SELECT e.player_id, t.id FROM games_table t JOIN games_rowresult r ON r.pairing_id = t.pairing_id
JOIN games_entrant e ON e.id = r.entrant_id WHERE t.status <> 'closed'
"""
LOGGED = "SELECT hand_id, action_id, text FROM games_handaction WHERE source = 'player'"


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Site]:
    wait = {"BAOHUANG_BOT_SECONDS": "0.01-0.02", "BAOHUANG_REVEAL_SECONDS": "1", "BAOHUANG_NEXT_SECONDS": "1"}
    site = Site(tmp_path, **wait, PYTHONPATH=str(ROOT))
    site.start()
    yield site
    assert site.stop() == 0, site.errors()


def rows(site: Site, question: str, *values: Any) -> list[tuple[Any, ...]]:
    with sqlite3.connect(f"file:{site.folder / 'baohuang.sqlite3'}?mode=ro", uri=True, timeout=30) as found:
        return found.execute(question, values).fetchall()


def count(site: Site, question: str) -> int:
    return int(rows(site, question)[0][0])


@dataclass
class Evening:
    """What everybody in the room sees: who is called to which table, and whether the event is over."""

    site: Site
    tables: dict[int, str] = field(default_factory=dict)
    over: bool = False

    async def watch(self) -> None:
        while not self.over:
            self.tables = {int(player): str(table) for player, table in rows(self.site, OPEN_TABLES)}
            self.over = bool(count(self.site, FINISHED))
            await asyncio.sleep(0.2)  # for another process, which has no clock of the test


@dataclass
class Entered:
    """The program of one entrant: sits down where it is called to, answers what it is asked, and comes back to a server
    that was away, with the very action that it has no answer for."""

    evening: Evening
    player: int
    token: str
    plays: int
    """Rounds after which it is gone."""
    number: int = 0
    unanswered: str = ""
    acknowledged: list[tuple[str, str, str]] = field(default_factory=list)

    async def run(self) -> None:
        seen: set[str] = set()
        while not self.evening.over:
            table = self.evening.tables.get(self.player)
            if table is not None:
                seen.add(table)
                if len(seen) > self.plays:
                    return
                with suppress(OSError, WebSocketException):
                    await self.play(table)
            await asyncio.sleep(0.2)

    async def play(self, table: str) -> None:
        address = self.evening.site.url.replace("http", "ws") + f"/ws/tables/{table}/?format=json"
        async with open_socket(address, additional_headers={"Authorization": f"Bearer {self.token}"}) as socket:
            view = json.loads(await socket.recv())
            if self.unanswered:
                await socket.send(self.unanswered)
            else:
                await self.answer(socket, view)
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "view":
                    view = message
                else:
                    assert message["type"] == "answer", message
                    sent, self.unanswered = json.loads(self.unanswered), ""
                    assert sent["id"] == message["id"]
                    if message["ok"]:
                        hand = sent["id"].partition(".")[0]
                        self.acknowledged.append((hand, sent["id"], sent["action"]))
                if not self.unanswered:
                    await self.answer(socket, view)
                if view["view"] is not None and view["view"]["step"] in ("done", "void"):
                    return

    async def answer(self, socket: ClientConnection, view: dict[str, Any]) -> None:
        if view["prompt"] is None:
            return
        seat = view["seat"]
        action = dearest(view["view"]["legal"][str(seat)], view["view"]["hands"][seat])
        self.number += 1
        name = f"{view['hand']}.{self.player}.{self.number}"
        self.unanswered = json.dumps({"type": "act", "id": name, "prompt": view["prompt"], "action": action})
        await socket.send(self.unanswered)


def dearest(legal: list[str], hand: list[str]) -> str:
    """The first answer to a question; of plays the last in the order of the list, so that a hand is soon over."""
    if not legal[-1].startswith("play "):
        return legal[0]
    rest, cards = list(hand), []
    for letter in legal[-1].removeprefix("play "):
        card = next(card for card in reversed(rest) if card[0] == letter and (len(card) == 2 or letter in "wW"))
        rest.remove(card)
        cards.append(card)
    return "play " + " ".join(cards)


async def kill_again_and_again(site: Site) -> int:
    """After so many more rows of the hands' logs, and whenever a round has begun or ended; how often."""
    rng, kills, end = random.Random(1), 0, time.monotonic() + PATIENCE
    while not count(site, FINISHED):
        moves, paired = count(site, MOVES) + rng.randint(30, 400), count(site, ROUNDS_PAIRED)
        while count(site, MOVES) < moves and count(site, ROUNDS_PAIRED) == paired and not count(site, FINISHED):
            assert time.monotonic() < end, site.errors()
            await asyncio.sleep(0.02)
        await asyncio.to_thread(site.kill)
        kills += 1
        await asyncio.to_thread(site.start)
    return kills


@pytest.mark.parametrize("format", FORMATS)
def test_sixty_play_to_the_end_with_every_move_kept_however_often_the_server_is_killed(
    quick: Site, format: str
) -> None:
    made = quick.manage("shell", "-c", MAKE.format(format=format, rounds=ROUNDS, people=PEOPLE))
    dropping = random.Random(2).sample(range(PEOPLE), DROPPING)
    evening, programs = Evening(quick), []
    for number, line in enumerate(line.split() for line in made.splitlines() if line.startswith("token ")):
        plays = dropping.index(number) % ROUNDS if number in dropping else ROUNDS
        programs.append(Entered(evening, int(line[1]), line[2], plays))
    assert len(programs) == PEOPLE

    async def all_of_it() -> int:
        kills, *_ = await asyncio.gather(
            kill_again_and_again(quick), evening.watch(), *(program.run() for program in programs)
        )
        return int(kills)

    kills = asyncio.run(all_of_it())
    most = int(quick.manage("shell", "-c", CHECK).split()[-1])
    assert kills > 6
    if format != "knockout":
        assert most == 1
    logged = Counter((hand, name, *sorted(action.split())) for hand, name, action in rows(quick, LOGGED))
    acknowledged = [move for program in programs for move in program.acknowledged]
    print(f"{format}: {kills} kills, {len(acknowledged)} moves acknowledged of {sum(logged.values())}")
    assert len(acknowledged) > sum(logged.values()) / 2 > 500
    assert {logged[hand, name, *sorted(action.split())] for hand, name, action in acknowledged} == {1}
    assert "0 differences" in quick.manage("refold")
    quick.manage("check_ledger")
