"""The tables' clock: bots, trustees, timeouts, pauses between hands, tables nobody came back to.

`advance_if_due` and `advance_table` do what has become due, checked again under the lock; anyone may call them any
number of times, and losing the race to another process is normal. `run_forever` calls them at the right moments.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from django.utils import timezone

from games import history, live
from games.models import Hand, Table
from games.services import dealing, event_clock, finish, heartbeat, kept, play, publish, waiting, writer
from games.services.agenda import agenda
from games.services.errors import Refused
from games.services.tables import IDLE_MINUTES, changed, locked, seats_of

log = logging.getLogger(__name__)
T = TypeVar("T")

LOOK_EVERY = 2.0
"""Seconds between two looks into the database for what other processes, or a process before this one, left due."""
OTHERS_FIRST = timedelta(seconds=0.5)
"""The process that made a move knows when the next thing is due; others step in when it did not."""
TRY_AGAIN = 30.0
"""Seconds a table that failed is left alone, so that one broken hand does not stop the others."""
CLEAN_EVERY = 60.0
BATCH = 200


def advance_if_due(hand_id: str, now: datetime) -> bool:
    """Do what is due in this hand; whether anything was done."""
    table_id = Hand.objects.filter(pk=hand_id).values_list("table_id", flat=True).first()
    return table_id is not None and advance_table(table_id, now)


def advance_table(table_id: str, now: datetime) -> bool:
    """Do what is due at this table: act for the seats whose moment has come, or deal after the pause.

    Lock: the table's row. Whether anything was done.
    """
    if kept.has(table_id):
        with writer.writing(), kept.move(table_id) as found:
            if found is not None:
                return _play_on(*found, now)
    try:
        with locked(table_id) as table:
            hand = play.active_hand(table)
            if hand is not None:
                return _play_on(table, hand, now)
            due = table.due_at
            if due is None:
                return False
            if due > now:
                agenda.put(due, table_id)
                return False
            return _go_on(table, now)
    except Refused:
        return False


def _play_on(table: Table, hand: Hand, now: datetime) -> bool:
    """What a hand does when its moment has come."""
    if hand.due_at is not None and hand.due_at <= now:
        play.act_where_due(table, hand, history.fold_of(hand), now)
        return True
    if hand.due_at is not None:
        agenda.put(hand.due_at, table.id)
    kept.keep(table, hand)
    return False


def _go_on(table: Table, now: datetime) -> bool:
    """What a table without a hand does when its moment has come: deal, or ask who is still there, or stop waiting."""
    seats = seats_of(table)
    if table.status == Table.Status.BETWEEN:
        unready = table.ready_seconds and waiting.someone_unready(seats)
        if not unready and dealing.may_start(table, seats, now):
            dealing.start_hand(table, seats, now)
            return True
        table.status, table.next_at = Table.Status.WAITING, None
    elif not waiting.expire(table, seats, now):
        return False
    changed(table, now)
    return True


def due_tables(now: datetime) -> list[str]:
    """The tables for which the database says that something is due."""
    hands = Hand.objects.filter(due_at__lte=now).order_by("due_at").values_list("table_id", flat=True)
    pauses = Table.objects.filter(next_at__lte=now).order_by("next_at").values_list("pk", flat=True)
    waits = Table.objects.filter(wait_until__lte=now).order_by("wait_until").values_list("pk", flat=True)
    return list(dict.fromkeys([*hands[:BATCH], *pauses[:BATCH], *waits[:BATCH]]))


def close_idle_tables(now: datetime) -> int:
    """Close tables that have waited long for players and at which nobody is connected; how many."""
    long_ago = now - timedelta(minutes=IDLE_MINUTES)
    # a table of an event waits as long as the event is paused
    waiting = Table.objects.filter(status=Table.Status.WAITING, changed_at__lt=long_ago, pairing=None)
    closed = 0
    for table_id in list(waiting.values_list("pk", flat=True)[:BATCH]):
        if live.connected(table_id):
            continue
        with locked(table_id) as table:
            if table.status == Table.Status.WAITING and table.changed_at < long_ago:
                finish.close(table, Table.Reason.IDLE, now)
                table.save()
                publish.table_changed(table)
                closed += 1
    return closed


class _Clock:
    """One run of the clock in one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.wake = asyncio.Event()
        self.left_alone: dict[str, float] = {}
        self.looked = self.cleaned = -1e9

    async def run(self) -> None:
        agenda.on_earlier = self._earlier
        try:
            while True:
                heartbeat.beat(time.monotonic())
                self.wake.clear()
                await self._turn()
                await self._sleep()
        finally:
            heartbeat.stop()
            agenda.on_earlier = None

    def _earlier(self) -> None:
        self.loop.call_soon_threadsafe(self.wake.set)

    async def _turn(self) -> None:
        now = timezone.now()
        due = agenda.pop_due(now)
        if self.loop.time() - self.looked >= LOOK_EVERY:
            self.looked = self.loop.time()
            nothing: list[str] = []
            due = list(dict.fromkeys([*due, *await self._careful(due_tables, nothing, now - OTHERS_FIRST)]))
            for event_id in await self._careful(event_clock.due_events, nothing, now):
                await self._advance(event_id, event_clock.run_event)
        if due:
            await asyncio.gather(*map(self._advance, due))
        if self.loop.time() - self.cleaned >= CLEAN_EVERY:
            self.cleaned = self.loop.time()
            await self._careful(close_idle_tables, 0, timezone.now())

    async def _advance(self, table_id: str, step: Callable[[str, datetime], bool] = advance_table) -> None:
        until = self.left_alone.get(table_id)
        if until is not None and self.loop.time() < until:
            return
        self.left_alone.pop(table_id, None)
        try:
            if step is advance_table:
                await writer.run_together(step, table_id, timezone.now())
            else:  # several transactions, each a step
                await writer.run(step, table_id, timezone.now())
        except Exception:
            log.exception("%s could not go on; trying again later", table_id)
            self.left_alone[table_id] = self.loop.time() + TRY_AGAIN

    async def _careful(self, look: Callable[[datetime], T], otherwise: T, now: datetime) -> T:
        try:
            return await writer.run(look, now)
        except Exception:
            log.exception("the clock could not look into the database")
            return otherwise

    async def _sleep(self) -> None:
        seconds = LOOK_EVERY - (self.loop.time() - self.looked)
        upcoming = agenda.next()
        if upcoming is not None:
            seconds = min(seconds, (upcoming - timezone.now()).total_seconds())
        if seconds > 0:
            # not wait_for: before Python 3.12 it forgets a cancellation that comes together with the wake-up
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self.wake.wait()


async def run_forever() -> None:
    """Keep all tables going until cancelled. One such task runs in every serving process."""
    ear = asyncio.create_task(live.listen())
    try:
        await _Clock().run()
    finally:
        ear.cancel()


__all__ = ["advance_if_due", "advance_table", "close_idle_tables", "due_tables", "run_forever"]
