"""Frames of a WebSocket as bytes: the text in one that came whole, and one whose pieces many sockets are sent.

`permessage-deflate` packs a message as DEFLATE blocks. Pieces that were packed each by itself, and end on a whole byte,
may stand in any order one after another in a message: none refers to what came before it. So a piece that five seats
get is packed once, where packing each socket's own stream costs five times as much and touches five packers' memory.
The price are three times the bytes, about 0.9 KB a move and seat.
"""

from __future__ import annotations

import threading
import zlib
from functools import lru_cache

LEVEL = 6
WINDOW_BITS = 13
"""A socket that agreed to less is not sent pieces."""
MEMORY_LEVEL = 5
TEXT, PACKED_TEXT = 0x81, 0xC1
"""How a whole text message begins (RFC 6455, 5.2), as it is or compressed (RFC 7692, 6)."""
SMALL = 4096
TAIL = b"\x00\x00\xff\xff"
"""How every packed piece ends; the last one of a message is left out (RFC 7692, 7.2.1)."""


_packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -WINDOW_BITS, MEMORY_LEVEL)
_lock = threading.Lock()


class Pieces(str):
    """A text to be sent, with the pieces it is made of. Two equal pieces should be one and the same string."""

    pieces: list[str]

    @classmethod
    def of(cls, pieces: list[str]) -> Pieces:
        text = cls("".join(pieces))
        text.pieces = pieces
        return text


@lru_cache(maxsize=512)
def packed(piece: str) -> bytes:
    """The piece as DEFLATE blocks that refer to nothing before it."""
    with _lock:
        # a full flush makes the packer forget what it has seen; a new packer would cost three times as much
        return _packer.compress(piece.encode()) + _packer.flush(zlib.Z_FULL_FLUSH)


def frame_of(text: Pieces) -> bytes:
    """The text as one compressed frame of a server (RFC 6455, 5.2; RFC 7692, 6)."""
    payload = b"".join([packed(piece) for piece in text.pieces])[: -len(TAIL)]
    length = len(payload)
    if length < 126:
        return b"\xc1%c%b" % (length, payload)
    if length < 65536:
        return b"\xc1\x7e%b%b" % (length.to_bytes(2, "big"), payload)
    return b"\xc1\x7f%b%b" % (length.to_bytes(8, "big"), payload)


def text_in(data: bytes) -> bytes | None:
    """The unmasked payload of the text frame that these bytes are; None when they are anything else, for example two
    frames or a part of one."""
    size = len(data)
    if size < 6 or data[0] not in (TEXT, PACKED_TEXT) or size > SMALL:
        return None
    length, at = data[1] - 0x80, 2  # a client's frame is masked
    if length == 126:
        length, at = int.from_bytes(data[2:4], "big"), 4
        if length < 126:
            return None
    if not 0 <= length == size - at - 4 or (at == 2 and length > 125):
        return None
    mask = data[at : at + 4] * (length // 4 + 1)
    hidden = int.from_bytes(data[at + 4 :], "little") ^ int.from_bytes(mask[:length], "little")
    return hidden.to_bytes(length, "little")
