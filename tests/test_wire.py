"""A socket's bytes: in whatever pieces a message comes it is heard once; what is packed apart arrives as it was."""

from __future__ import annotations

import json
import socket
import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.sync.client import connect as open_socket

from baohuang_site.frames import TAIL, WINDOW_BITS, Pieces, frame_of, text_in
from tests.site import Site
from tests.test_serve import opened_by

Seat = tuple[dict[str, str], str]
MASK = b"\x11\x22\xf3\x44"


def framed(payload: bytes, first: int = 0x81, mask: bytes | None = MASK, long: bool = False) -> bytes:
    """A client's frame; `long`: with its length in two bytes, needed or not."""
    size, masked = len(payload), 0x80 if mask else 0
    head = bytes([first, masked | (126 if long or size > 125 else size)])
    if long or size > 125:
        head += size.to_bytes(2, "big")
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def inflated(payload: bytes, reader: zlib._Decompress) -> str:
    return reader.decompress(payload + TAIL).decode()


def payload_of(frame: bytes) -> bytes:
    assert frame[0] == 0xC1
    at = {126: 4, 127: 10}.get(frame[1], 2)
    size = frame[1] if at == 2 else int.from_bytes(frame[2:at], "big")
    assert len(frame) == at + size
    return frame[at:]


@given(st.lists(st.lists(st.text(max_size=300), min_size=1, max_size=4), min_size=1, max_size=6))
def test_pieces_in_any_order_are_read_as_what_they_are_made_of(messages: list[list[str]]) -> None:
    reader = zlib.decompressobj(-WINDOW_BITS)
    for pieces in messages:
        text = Pieces.of(pieces)
        assert text == "".join(pieces)
        assert inflated(payload_of(frame_of(text)), reader) == text


@pytest.mark.parametrize("size", [0, 10, 125, 200, 70_000])
def test_a_frame_of_any_length_says_how_long_it_is(size: int) -> None:
    text = Pieces.of([str(number) for number in range(size)])
    assert inflated(payload_of(frame_of(text)), zlib.decompressobj(-WINDOW_BITS)) == text


@given(st.binary(max_size=300), st.binary(min_size=4, max_size=4), st.booleans())
def test_one_whole_text_frame_is_unmasked_and_nothing_else_is_taken_for_one(
    payload: bytes, mask: bytes, packed: bool
) -> None:
    frame = framed(payload, 0xC1 if packed else 0x81, mask)
    assert text_in(frame) == payload
    assert text_in(frame + b"\x81") is None
    assert text_in(frame[:-1]) is None
    assert text_in(framed(payload, 0x82, mask)) is None
    assert text_in(framed(payload, 0x01, mask)) is None
    assert text_in(framed(payload, 0x81, None)) is None
    if len(payload) < 126:
        assert text_in(framed(payload, 0x81, mask, long=True)) is None


class Raw:
    """A program's socket, byte by byte."""

    def __init__(self, site: Site, seat: Seat, offer: str = "") -> None:
        netloc = urlsplit(site.url)
        head, table = seat
        self.wire = socket.create_connection((netloc.hostname, netloc.port), timeout=10)
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [
            f"GET /ws/tables/{table}/?format=json HTTP/1.1",
            f"Host: {netloc.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            *([f"Sec-WebSocket-Extensions: {offer}"] if offer else []),
            *(f"{name}: {value}" for name, value in head.items()),
        ]
        self.wire.sendall("\r\n".join([*lines, "", ""]).encode())
        self.read = self.wire.makefile("rb")
        self.head = b"".join(iter(self.read.readline, b"\r\n")).decode("latin-1")
        self.reader = zlib.decompressobj(-15)

    def next(self) -> tuple[int, bytes]:
        """First byte and payload of the next frame."""
        first, size = self.read.read(2)
        if size > 125:
            size = int.from_bytes(self.read.read(2 if size == 126 else 8), "big")
        return first, self.read.read(size)

    def pong(self) -> object:
        """The number in the next pong, or "ended"; views are passed over."""
        while True:
            try:
                first, payload = self.next()
            except (ConnectionResetError, ValueError):
                return "ended"
            if first & 0x0F == 8:
                return "ended"
            if first & 0x0F != 1:
                continue
            text = inflated(payload, self.reader) if first & 0x40 else payload.decode()
            message = json.loads(text)
            if message["type"] == "pong":
                return message["t"]

    def close(self) -> None:
        self.read.close()
        self.wire.close()


def ping(number: int, fill: str = "") -> bytes:
    return json.dumps({"type": "ping", "t": number, "fill": fill}).encode()


@pytest.fixture(scope="module")
def seat(site: Site) -> Seat:
    """Who he is, in the head of a request, and his table."""
    return opened_by(site, "wired")


@pytest.fixture
def raw(site: Site, seat: Seat) -> Iterator[Raw]:
    with closing(Raw(site, seat)) as made:
        yield made


def test_a_socket_is_compressed_within_a_small_window(site: Site, seat: Seat) -> None:
    with closing(Raw(site, seat, "permessage-deflate; client_max_window_bits")) as raw:
        assert raw.head.startswith("HTTP/1.1 101")
        assert "permessage-deflate" in raw.head
        assert "client_max_window_bits=13" in raw.head


def test_a_message_is_heard_once_however_it_comes(raw: Raw) -> None:
    raw.wire.sendall(framed(ping(1)))
    assert raw.pong() == 1
    raw.wire.sendall(framed(ping(2)) + framed(ping(3)))
    assert [raw.pong(), raw.pong()] == [2, 3]
    raw.wire.sendall(framed(ping(4, "x" * 300)))
    assert raw.pong() == 4
    whole = framed(ping(5))
    for begin, end in pairwise((0, 1, 2, 5, 9, len(whole))):
        raw.wire.sendall(whole[begin:end])
    assert raw.pong() == 5
    half = ping(6)
    raw.wire.sendall(framed(half[:7], 0x01))
    raw.wire.sendall(framed(half[7:], 0x80))
    assert raw.pong() == 6
    half = ping(7)
    raw.wire.sendall(framed(half[:7], 0x01) + framed(b"", 0x89))  # a control frame may come between
    raw.wire.sendall(framed(half[7:], 0x80))
    assert raw.pong() == 7
    raw.wire.sendall(framed(ping(8)))
    assert raw.pong() == 8


@pytest.mark.parametrize(
    "frame",
    [
        framed(b"\xff\xfe"),
        framed(ping(1), mask=None),
        framed(ping(1), 0xC1),  # compressed, which was not agreed
        framed(ping(1), 0xA1),
        framed(b"x", 0x80),  # goes on with nothing
        framed(ping(1), long=True),
    ],
)
def test_a_broken_frame_ends_the_connection(raw: Raw, frame: bytes) -> None:
    raw.wire.sendall(framed(ping(0)))
    assert raw.pong() == 0
    raw.wire.sendall(frame)
    assert raw.pong() == "ended"


def test_compressed_messages_are_read_and_broken_ones_end_the_connection(site: Site, seat: Seat) -> None:
    packer = zlib.compressobj(6, zlib.DEFLATED, -13)

    def packed(payload: bytes) -> bytes:
        return (packer.compress(payload) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]

    with closing(Raw(site, seat, "permessage-deflate; client_max_window_bits")) as raw:
        for number in range(5):  # each refers to those before it
            raw.wire.sendall(framed(packed(ping(number)), 0xC1))
            assert raw.pong() == number
        raw.wire.sendall(framed(ping(5)))
        assert raw.pong() == 5
        half = packed(ping(6))
        raw.wire.sendall(framed(half[:5], 0x41))
        raw.wire.sendall(framed(half[5:], 0x80))
        assert raw.pong() == 6
        raw.wire.sendall(framed(packed(ping(7)), 0xC1))
        assert raw.pong() == 7
        raw.wire.sendall(framed(b"\xff\xff\xff\xff", 0xC1))
        assert raw.pong() == "ended"
    with closing(Raw(site, seat, "permessage-deflate")) as raw:
        bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
        raw.wire.sendall(framed((bomb.compress(bytes(3_000_000)) + bomb.flush(zlib.Z_SYNC_FLUSH))[:-4], 0xC1))
        assert raw.pong() == "ended"


def test_every_kind_of_reader_is_shown_the_same_page(site: Site, seat: Seat) -> None:
    """Without compression, with it, with a small window, and one whose packed and plain messages come mixed."""
    head, table = seat
    told = []
    for packing in (
        None,
        [ClientPerMessageDeflateFactory()],
        [ClientPerMessageDeflateFactory(server_max_window_bits=9)],
        [ClientPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)],
    ):
        url = f"{site.url.replace('http', 'ws')}/ws/tables/{table}/"
        with open_socket(url, additional_headers=head, extensions=packing, compression=None) as reader:
            heard = [reader.recv(10)]
            for message in (
                {"do": "refresh"},
                {"do": "select", "card": ["3S"]},
                {"do": "nonsense"},
                {"do": "select", "card": []},
                {"do": "refresh"},
            ):
                reader.send(json.dumps(message))
                heard.append(reader.recv(10))
        told.append(heard)
    assert all(heard == told[0] for heard in told)
    assert all(isinstance(text, str) and "<" in text for text in told[0])
