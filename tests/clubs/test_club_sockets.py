"""The sockets of a club's table: open to members, shut for strangers, ended for whoever has to go."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from accounts.services import clubs
from games.services import table_setup
from tests.clubs.people import NOW, cast
from tests.live.conftest import fresh_process as fresh_process
from tests.live.wires import connect, settled

pytestmark = pytest.mark.django_db(transaction=True)


async def test_strangers_get_no_socket_and_who_is_banned_loses_it_at_once() -> None:
    club = await sync_to_async(cast)()
    table = await sync_to_async(table_setup.open_table)(player=club["owner"], rules="weihai", club=club.club, now=NOW)
    for role in ("stranger", "banned", "guest"):
        await connect(table.id, club[role], json=True, expect=False)
    await connect(table.id, None, expect=False)
    watching = await connect(table.id, club["member"], json=True)
    page = await connect(table.id, club["other"])
    assert watching.last_view()["seat"] is None
    page.new()
    watching.new()
    await sync_to_async(clubs.ban)(club=club.club, by=club["owner"], player=club["member"], now=NOW)
    await settled()
    assert watching.messages() == [{"type": "websocket.close", "code": 4404}]
    await sync_to_async(clubs.leave)(club=club.club, player=club["other"])
    await settled()
    assert page.new()[-1] == '{"type": "websocket.close", "code": 4404}'
