"""One socket's bytes on their way in and out: daphne's protocol with what a table's many small frames need of it.

A frame is written to the operating system at once, when nothing is waiting before it, instead of in the loop's next
turn with two changes to what the loop listens for. A small message that came in one piece, as nearly all do, is read
at once; everything else is read the usual way. Nothing is formatted for a debug log that nobody reads.
"""

from __future__ import annotations

from typing import Any

from autobahn.exception import PayloadCorruptError, PayloadExceededError
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.tcp import Connection

from baohuang_site.frames import PACKED_TEXT, WINDOW_BITS, Pieces, frame_of, text_in

LINGER_SECONDS = 10
"""So long a connection that is being closed may take to hand over what is still on its way."""


class TableProtocol(WebSocketProtocol):
    """A socket of a page or a program."""

    _apart = False
    """Whether something was sent that did not go through this socket's own packer."""

    def dataReceived(self, data: bytes) -> None:
        if self.state != self.STATE_OPEN or self.data or self.current_frame is not None or self.inside_message:
            self._dataReceived(data)
            return
        payload = text_in(data)
        if payload is None or (data[0] == PACKED_TEXT and self._perMessageCompress is None):
            self._dataReceived(data)
            return
        if data[0] == PACKED_TEXT:
            payload = self._unpacked(payload)
            if payload is None:
                return
        self._heard(payload)

    def _unpacked(self, payload: bytes) -> bytes | None:
        """The message of a compressed frame; None when the connection was failed because of it."""
        packer = self._perMessageCompress
        try:
            packer.start_decompress_message()
            payload = packer.decompress_message_data(payload, max_output_len=self.maxMessagePayloadSize)
            packer.end_decompress_message()
        except PayloadExceededError:
            self.wasMaxMessagePayloadSizeExceeded = True
            self._max_message_size_exceeded(self.maxMessagePayloadSize, self.maxMessagePayloadSize, "message too large")
            return None
        except PayloadCorruptError as fault:
            self._invalid_payload(str(fault))
            return None
        return payload

    def _heard(self, payload: bytes) -> None:
        """A whole text message came."""
        try:
            payload.decode("utf-8")
        except UnicodeDecodeError:
            self._invalid_payload("text that is not UTF-8")
            return
        if self.autoPingTimeoutCall and self.autoPingRestartOnAnyTraffic:
            self._cancelAutoPingTimeoutCall()
        self.onMessage(payload, False)

    def serverSend(self, content: Any, binary: bool = False) -> None:
        """To a socket that is being closed nothing is said any more: its application has not heard of that yet.

        Pieces are packed apart from this socket's own stream, which the reader's memory then no longer fits.
        """
        packer = self._perMessageCompress
        if packer is not None and self.state == self.STATE_OPEN:
            if type(content) is Pieces and packer.server_max_window_bits >= WINDOW_BITS:
                self._apart = True
                self.sendData(frame_of(content))
                return
            if self._apart:
                packer._compressor = None
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
