"""One player's socket: autobahn's client with compression, counting what comes in before and after unpacking."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autobahn.asyncio.websocket import WebSocketClientFactory, WebSocketClientProtocol
from autobahn.websocket.compress import (
    PerMessageDeflateOffer,
    PerMessageDeflateResponse,
    PerMessageDeflateResponseAccept,
)

# it warns of every connection that is dropped on purpose
logging.getLogger("autobahn").setLevel(logging.ERROR)


@dataclass(slots=True)
class Traffic:
    """Bytes and frames received by all sockets that share this count."""

    frames: int = 0
    text: int = 0
    wire: int = 0


class Wire(WebSocketClientProtocol):
    """Gives each whole text to `heard` and tells when the connection is gone."""

    traffic: Traffic
    heard: Callable[[bytes], None]
    lost: Callable[[str], None]
    opened: asyncio.Future[None]

    def data_received(self, data: bytes) -> None:
        self.traffic.wire += len(data)
        super().data_received(data)

    def onOpen(self) -> None:
        if not self.opened.done():
            self.opened.set_result(None)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        self.traffic.frames += 1
        self.traffic.text += len(payload)
        self.heard(payload)

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"{code} {reason}"))
        self.lost(f"{code} {reason}")


def _accept(response: Any) -> PerMessageDeflateResponseAccept | None:
    return PerMessageDeflateResponseAccept(response) if isinstance(response, PerMessageDeflateResponse) else None


async def open_wire(
    address: str, path: str, token: str, traffic: Traffic, heard: Callable[[bytes], None], lost: Callable[[str], None]
) -> Wire:
    """Open a socket as the owner of the token. Raises ConnectionError or TimeoutError."""
    factory = WebSocketClientFactory(f"ws://{address}{path}", headers={"Authorization": f"Bearer {token}"})
    factory.setProtocolOptions(
        perMessageCompressionOffers=[PerMessageDeflateOffer()],
        perMessageCompressionAccept=_accept,
        tcpNoDelay=True,
        openHandshakeTimeout=30,
    )
    factory.protocol = Wire
    loop = asyncio.get_running_loop()

    def build() -> Wire:
        wire: Wire = factory()
        wire.traffic, wire.heard, wire.lost, wire.opened = traffic, heard, lost, loop.create_future()
        return wire

    host, _, port = address.partition(":")
    _transport, wire = await loop.create_connection(build, host, int(port))
    await asyncio.wait_for(wire.opened, 30)
    return wire
