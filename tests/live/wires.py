"""Sockets of a test through the real ASGI application, and the moment at which everything has settled."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.models import Player
from accounts.services.players import make_token
from baohuang_site.asgi import application
from games import live
from games.services import writer


class Wire:
    """One socket: everything it was ever sent, in order."""

    def __init__(self, communicator: Any, is_json: bool) -> None:
        self.communicator = communicator
        self.is_json = is_json
        self.frames: list[str] = []
        self.seen = 0

    async def send(self, **fields: Any) -> None:
        await self.communicator.send_to(text_data=json.dumps(fields))

    def drain(self) -> None:
        queue = self.communicator.output_queue
        while not queue.empty():
            event = queue.get_nowait()
            if event["type"] == "websocket.send":
                self.frames.append(event["text"])
            else:
                self.frames.append(json.dumps({"type": event["type"], "code": event.get("code")}))

    def new(self) -> list[str]:
        """The frames since the last call."""
        self.drain()
        frames, self.seen = self.frames[self.seen :], len(self.frames)
        return frames

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(frame) for frame in self.new()]

    def last_view(self) -> dict[str, Any]:
        """The newest view of a JSON socket."""
        self.drain()
        views = [message for message in map(json.loads, self.frames) if message["type"] == "view"]
        found: dict[str, Any] = views[-1]
        return found

    async def close(self) -> None:
        await self.communicator.disconnect()


async def settled() -> None:
    """Wait until the writer has nothing to do and everybody who was poked has been shown."""
    for _ in range(3):
        await writer.run(int)
        for _ in range(200):
            await asyncio.sleep(0)
            if not live._woken and not live._tasks:
                break


def session_of(player: Player) -> bytes:
    """The cookie of a browser in which this player is logged in."""
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}".encode()


async def connect(
    table_id: str,
    player: Player | None = None,
    *,
    json: bool = False,
    expect: bool = True,
    cookie: bytes = b"",
) -> Wire:
    """Open a socket at a table as this player, by a token of his; without one as a browser, a stranger's or, with a
    session's cookie, somebody's."""
    headers = [(b"host", b"testserver")]
    if cookie:
        headers += [(b"origin", b"http://testserver"), (b"cookie", cookie)]
    elif player is not None:
        token = await sync_to_async(make_token)(player)
        headers.append((b"authorization", f"Bearer {token}".encode()))
    else:
        headers.append((b"origin", b"http://testserver"))
    path = f"/ws/tables/{table_id}/" + ("?format=json" if json else "")
    communicator = WebsocketCommunicator(application, path, headers)
    communicator.scope["headers"] = headers
    connected, _ = await communicator.connect(timeout=10)
    assert connected is expect
    wire = Wire(communicator, json)
    if expect:
        await settled()
    return wire
