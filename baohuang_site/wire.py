"""One socket's bytes on their way out: daphne's protocol with what a table's many small frames need of it.

A frame is written to the operating system at once, when nothing is waiting before it, instead of in the loop's next
turn with two changes to what the loop listens for; and nothing is formatted for a debug log that nobody reads.
"""

from __future__ import annotations

from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.tcp import Connection

LINGER_SECONDS = 10
"""So long a connection that is being closed may take to hand over what is still on its way."""


class TableProtocol(WebSocketProtocol):
    """A socket of a page or a program."""

    def dataReceived(self, data: bytes) -> None:
        self._dataReceived(data)

    def serverSend(self, content: Any, binary: bool = False) -> None:
        """To a socket that is being closed nothing is said any more: its application has not heard of that yet."""
        if self.state in (self.STATE_CONNECTING, self.STATE_OPEN):
            super().serverSend(content, binary)

    def _closeConnection(self, abort: bool = False) -> None:
        """A reader who has stopped reading would hold the connection, and what is queued for it, for as long as he
        likes."""
        super()._closeConnection(abort)
        if not abort and self.transport is not None:
            reactor.callLater(LINGER_SECONDS, _end, self.transport)  # type: ignore[arg-type]

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Write as much as the operating system takes; the rest goes the usual way, when it takes more."""
        if sync or chopsize or self.send_queue or not is_idle(self.transport):
            super().sendData(data, sync, chopsize)
            return
        sent = self.transport.writeSomeData(data)
        if not isinstance(sent, int):  # the connection is lost, which the usual way finds out and tells
            sent = 0
        if sent < len(data):
            self.transport.write(data[sent:])
        self.trafficStats.outgoingOctetsWireLevel += len(data)


def _end(transport: Any) -> None:
    if getattr(transport, "connected", False):
        transport.abortConnection()


def is_idle(transport: Any) -> bool:
    """Whether this is a plain connection that is up and has written all it was given."""
    return (
        isinstance(transport, Connection)
        and bool(transport.connected)
        and not (transport.TLS or transport.disconnecting or transport._writeDisconnected)
        and not transport._tempDataLen
        and len(transport.dataBuffer) == transport.offset
    )
