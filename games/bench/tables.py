"""Tables at which five clients each play: opened and seated over the HTTP API, then driven at a steady rate.

A move is over when the last of the five seats has its new view: for JSON the view with a higher `seq`, for html the
frame that follows. Answers nobody may see before all have answered are played but their time is not counted.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import time
from dataclasses import dataclass, field
from functools import partial

from games.bench import reading
from games.bench.reading import Seen
from games.bench.server import BenchError
from games.bench.sockets import Traffic, Wire, open_wire

SEATS = range(5)
LOST_AFTER = 20.0
"""Seconds without the frames of a move, or without anybody being asked, after which that counts as an error."""
CLOCK = {"step": 600, "play": 600, "next": 1}


class Api:
    """The HTTP side of the public protocol, over one connection that is kept."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=60)

    def post(self, path: str, token: str, **fields: object) -> dict[str, object]:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.connection.request("POST", path, json.dumps(fields), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status >= 300:
            raise BenchError(f"POST {path}: {answer.status} {body[:300]!r}")
        data: dict[str, object] = json.loads(body)
        return data

    def open_table(self, tokens: list[str], rules: str) -> str:
        """A table with these five in its seats, ready to be dealt to; its id. The last one makes it start."""
        table = str(self.post("/api/tables", tokens[0], rules=rules, clock=CLOCK)["table"])
        for token in tokens[1:]:
            self.post(f"/api/tables/{table}/sit", token)
        return table

    def deal(self, table: str, tokens: list[str]) -> None:
        for token in tokens:
            self.post(f"/api/tables/{table}/ready", token)


@dataclass(slots=True)
class Counts:
    """What all tables together have done; `latencies` in seconds."""

    moves: int = 0
    hands: int = 0
    refused: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    late: int = 0


class BenchTable:
    """Five sockets at one table, and what each of them has seen."""

    def __init__(self, table: str, is_json: bool, counts: Counts, traffic: Traffic, rng: random.Random) -> None:
        self.table = table
        self.is_json = is_json
        self.counts = counts
        self.traffic = traffic
        self.rng = rng
        self.seen = [Seen() for _ in SEATS]
        self.wires: list[Wire] = []
        self.waiting: set[int] = set()
        self.sent_at = self.shown_at = 0.0
        self.hand_id: str | None = None
        self.seq = -1
        self.sent = ""
        self.number = 0
        self.changed = asyncio.Event()
        self.over = False
        self.closing = False

    async def connect(self, address: str, tokens: list[str]) -> None:
        path = f"/ws/tables/{self.table}/" + ("?format=json" if self.is_json else "")
        hear = self._hear_json if self.is_json else self._hear_html
        for seat, token in enumerate(tokens):
            self.wires.append(await open_wire(address, path, token, self.traffic, partial(hear, seat), self._lost))

    def close(self) -> None:
        self.closing = True
        for wire in self.wires:
            wire.dropConnection(abort=True)

    def _lost(self, why: str) -> None:
        if not self.closing:
            self.counts.errors.append(f"a socket of table {self.table} was closed: {why}")

    # --- what comes in ------------------------------------------------------------------------------------------

    def _hear_html(self, seat: int, payload: bytes) -> None:
        now = time.perf_counter()
        code = reading.read_html(payload.decode(), self.seen[seat])
        if code:
            self._refused(seat, code)
        self._shown(seat, now)

    def _hear_json(self, seat: int, payload: bytes) -> None:
        now = time.perf_counter()
        message = json.loads(payload)
        if message["type"] == "view":
            reading.read_json(message, self.seen[seat])
            if self.seen[seat].hand_id != self.hand_id or self.seen[seat].seq > self.seq:
                self._shown(seat, now)
        elif not message["ok"]:
            self._refused(seat, message["code"])

    def _refused(self, seat: int, code: str) -> None:
        self.counts.refused.append(f"{self.sent} of seat {seat} at table {self.table}: {code}")
        self.waiting.clear()
        self.changed.set()

    def _shown(self, seat: int, now: float) -> None:
        self.waiting.discard(seat)
        self.shown_at = now
        if not self.over and self.seen[seat].over:
            self.over = True
            self.counts.hands += 1
        self.changed.set()

    # --- playing ------------------------------------------------------------------------------------------------

    async def play(self, rate: float, until: float) -> None:
        """Move `rate` times a second until then; a rate of 0 means: as soon as everybody has seen the move before."""
        await asyncio.sleep(self.rng.random() / (rate or 10))
        await self._someone_asked(until)
        due = time.perf_counter()
        while (now := time.perf_counter()) < until:
            if rate:
                due += 1 / rate
                if due < now:  # the move before took longer than the rhythm
                    self.counts.late += 1
                    due = now
                await asyncio.sleep(due - now)
            if not any(seen.asked for seen in self.seen):
                if not await self._someone_asked(until):
                    continue
                due = time.perf_counter()
            await self._move()

    async def _someone_asked(self, until: float) -> bool:
        give_up = time.perf_counter() + LOST_AFTER
        while not any(seen.asked for seen in self.seen):
            left = min(until, give_up) - time.perf_counter()
            if left <= 0:
                if time.perf_counter() >= give_up:
                    self.counts.errors.append(f"nobody was asked at table {self.table} for {LOST_AFTER:.0f} s")
                return False
            await self._change(left)
        return True

    async def _move(self) -> None:
        seat = self.rng.choice([seat for seat in SEATS if self.seen[seat].asked])
        seen = self.seen[seat]
        asked = seen.asked
        assert asked is not None
        action = reading.choose(seen, self.rng)
        self.number += 1
        form = reading.act_json if self.is_json else reading.act_html
        text = form(asked, action, f"b{self.number}").encode()
        # of an answer that is kept to its seat, only that seat is shown anything
        alone = asked.step == "reveal" or (asked.unseen and not self.is_json)
        self.over, self.sent, seen.asked = False, action, None
        self.hand_id, self.seq = seen.hand_id, seen.seq - 1 if alone else seen.seq
        self.waiting = {seat} if alone else set(SEATS)
        refused = len(self.counts.refused)
        self.sent_at = time.perf_counter()
        self.wires[seat].sendMessage(text)
        give_up = self.sent_at + LOST_AFTER
        while self.waiting:
            left = give_up - time.perf_counter()
            if left <= 0:
                self.counts.errors.append(f"{action.split()[0]} at table {self.table} was not shown to {self.waiting}")
                self.waiting.clear()
                return
            await self._change(left)
        if len(self.counts.refused) == refused:
            self.counts.moves += 1
            if not alone:
                self.counts.latencies.append(self.shown_at - self.sent_at)

    async def _change(self, seconds: float) -> None:
        self.changed.clear()
        try:
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            return
