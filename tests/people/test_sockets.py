"""Whoever logs out everywhere is out of the tables' sockets too, and nobody else is."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.services import sessions
from tests.games.play_helpers import Club, club
from tests.live.wires import connect, session_of, settled

pytestmark = [pytest.mark.django_db(transaction=True)]


async def test_logging_out_everywhere_ends_the_sockets_of_browser_and_program() -> None:
    game: Club = await sync_to_async(club)(people=2, seed=1, now=timezone.now())
    ann, bob = game.people[0], game.people[1]
    cookie = await sync_to_async(session_of)(ann)
    wires = [
        await connect(game.id, cookie=cookie),
        await connect(game.id, ann, json=True),
        await connect(game.id, bob, json=True),
    ]
    for wire in wires:
        wire.new()
    await sync_to_async(sessions.end_all)(player=ann, now=timezone.now())
    await settled()
    ends = [[frame for frame in wire.new() if "websocket.close" in frame] for wire in wires]
    assert [len(found) for found in ends] == [1, 1, 0]
    assert "4401" in ends[0][0]
    # the browser comes back with a session that is worth nothing: as anybody who has the link
    back = await connect(game.id, cookie=cookie)
    (frame,) = back.new()
    assert 'data-seated="1"' not in frame
    await wires[2].close()
    await back.close()
