"""Several serving processes on one database: what another one says through the channel layer (only with Redis)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.utils import timezone

from games import live
from games.models import Hand, Table
from tests.games.play_helpers import Club, club
from tests.live.wires import Wire, connect, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not settings.REDIS_URL, reason="one process without Redis"),
]


@asynccontextmanager
async def listening() -> AsyncIterator[Any]:
    """This process's ear, and the ear of another one: what the group hears."""
    layer = get_channel_layer()
    task = asyncio.create_task(live.listen())
    other = await layer.new_channel("process")
    await layer.group_add(live.PRESENCE_GROUP, other)
    await hear(layer, other, "hello")
    yield layer, other
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def hear(layer: Any, channel: str, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = await asyncio.wait_for(layer.receive(channel), 10)
        if message["type"] == kind:
            return message


def make() -> Club:
    game = club(people=2, ready=False, now=timezone.now())
    game.ready()
    return game


def behind_the_back(game: Club) -> None:
    """What another process committed: nobody here was told."""
    Hand.objects.filter(table_id=game.id).update(
        trustees=[{"on": seat == 1, "count": seat, "gone": False} for seat in range(5)], version=7
    )
    Table.objects.filter(pk=game.id).update(version=99)


async def until(wire: Wire, holds: Any) -> None:
    for _ in range(500):
        await settled()
        if holds(wire.last_view()):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it was never shown")


async def test_a_poke_from_another_process_makes_this_one_read_again() -> None:
    game = await sync_to_async(make)()
    async with listening() as (layer, _):
        wire = await connect(game.id, game.people[0], json=True)
        await sync_to_async(behind_the_back)(game)
        await asyncio.sleep(0)
        for _ in range(50):
            await layer.group_send(
                f"table.{game.id}", {"type": "poke", "table": game.id, "seq": 0, "process": "another"}
            )
            await asyncio.sleep(0.02)
            await settled()
            if wire.last_view()["seats"][1]["trustee"]:
                break
        assert wire.last_view()["seats"][1]["trustee"]
        await wire.close()


async def test_who_is_connected_elsewhere_counts_as_connected_here() -> None:
    game = await sync_to_async(make)()
    async with listening() as (layer, other):
        wire = await connect(game.id, game.people[0], json=True)
        said = await hear(layer, other, "presence")
        while said["tables"].get(game.id) != [game.people[0].pk]:
            said = await hear(layer, other, "presence")
        assert not wire.last_view()["seats"][1]["connected"]
        word = {"type": "presence", "process": "another", "whole": True}
        await layer.group_send(live.PRESENCE_GROUP, {**word, "tables": {game.id: [game.people[1].pk]}})
        await until(wire, lambda view: view["seats"][1]["connected"])
        await layer.group_send(live.PRESENCE_GROUP, {**word, "tables": {}})
        await until(wire, lambda view: not view["seats"][1]["connected"])
        await wire.close()


async def test_a_move_here_is_a_poke_without_cards_for_the_others() -> None:
    game = await sync_to_async(make)()
    async with listening() as (layer, other):
        await layer.group_add(f"table.{game.id}", other)
        await sync_to_async(game.tick)()
        message = await hear(layer, other, "poke")
        assert set(message) == {"type", "table", "seq", "process"}
        assert message["table"] == game.id
