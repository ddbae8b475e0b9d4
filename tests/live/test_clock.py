"""The running clock: it plays bots and trustees by itself, starts the next hand, and survives what fails."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.models import Hand
from games.services import heartbeat, pacing, play, table_setup, tables, writer
from games.services.agenda import agenda
from tests.games.play_helpers import Club, club
from tests.live.wires import Wire, connect

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def no_waiting(settings: Any) -> None:
    settings.BOT_SECONDS = (0, 0)
    settings.REVEAL_SECONDS = 0


@asynccontextmanager
async def running_clock() -> AsyncIterator[None]:
    task = asyncio.create_task(pacing.run_forever())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def make(ready: bool = True) -> Club:
    game = club(people=1, ready=False, now=timezone.now())
    if ready:
        game.ready()
    return game


def trustee_on(game: Club) -> None:
    tables.set_trustee(table_id=game.id, player=game.people[0], on=True, now=timezone.now())


async def wait_for(wire: Wire, holds: Any) -> dict[str, Any]:
    """The next view of a JSON socket for which the condition holds."""
    while True:
        event = await asyncio.wait_for(wire.communicator.output_queue.get(), 20)
        message: dict[str, Any] = json.loads(event["text"])
        if message["type"] == "view" and holds(message):
            return message


async def test_the_clock_plays_a_hand_of_bots_and_a_trustee_to_its_end() -> None:
    game = await sync_to_async(make)(ready=False)
    async with running_clock():
        wire = await connect(game.id, game.people[0], json=True)
        await sync_to_async(game.ready)()
        await sync_to_async(trustee_on)(game)
        await wait_for(wire, lambda m: m["view"] and m["view"]["step"] == "done")
        await wire.close()
    hand = await sync_to_async(game.hand)()
    assert hand.status == Hand.Status.UNSCORED
    assert (await sync_to_async(game.row)()).closed_because == "trustee"


async def test_the_clock_ends_also_when_it_is_stopped_at_the_moment_at_which_it_is_woken() -> None:
    task = asyncio.create_task(pacing.run_forever())
    await asyncio.wait_for(asleep(), 20)
    assert agenda.on_earlier is not None
    agenda.on_earlier()
    await asyncio.sleep(0)  # the wake-up is on its way
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=5)
    if not done:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert done, "it went on as if nobody had stopped it"


async def asleep() -> None:
    """Until the clock has looked at everything once and waits."""
    await writer.run(int)
    while heartbeat.alive(time.monotonic()) is None:
        await asyncio.sleep(0)
    for _ in range(3):
        await writer.run(int)
    await asyncio.sleep(0)


async def test_what_another_process_left_due_is_found_in_the_database() -> None:
    game = await sync_to_async(make)()
    await sync_to_async(trustee_on)(game)
    agenda.__init__()  # type: ignore[misc]
    wire = await connect(game.id, json=True)
    async with running_clock():
        await wait_for(wire, lambda m: m["view"] and m["view"]["step"] == "done")
    await wire.close()


async def test_a_table_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = await sync_to_async(make)()
    await sync_to_async(trustee_on)(broken)
    real = play.act_where_due
    failures = []

    def failing(table: Any, *rest: Any) -> Any:
        if table.id == broken.id:
            failures.append(table.id)
            raise RuntimeError("broken table")
        return real(table, *rest)

    monkeypatch.setattr(play, "act_where_due", failing)
    async with running_clock():
        healthy = await sync_to_async(second)(broken)
        wire = await connect(healthy.id, json=True)
        await wait_for(wire, lambda m: m["view"] and m["view"]["step"] == "done")
        await wire.close()
    assert failures == [broken.id]
    assert (await sync_to_async(broken.hand)()).status == Hand.Status.ACTIVE


def second(first: Club) -> Club:
    """Another table of the same person, under trustee as well."""
    table = table_setup.open_table(player=first.people[0], rules="standard", bots=4, now=timezone.now())
    game = Club(table, first.people, timezone.now())
    game.ready()
    trustee_on(game)
    return game
