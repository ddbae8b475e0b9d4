"""What the server does for connections on which nothing happens: each is asked in its turn, what ended is put away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest


class Line:
    """The network's end of a connection."""

    def __init__(self) -> None:
        self.asked = 0

    def check_timeouts(self) -> None:
        self.asked += 1


class Reactor:
    """Twisted's clock, which stands still."""

    def __init__(self) -> None:
        self.later: list[tuple[float, Any]] = []

    def callLater(self, seconds: float, call: Any, *args: Any) -> None:
        self.later.append((seconds, call))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    import daphne.server

    from baohuang_site import server as module

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def nothing() -> None:
        pass

    clock = Reactor()
    monkeypatch.setattr(module, "reactor", clock)
    monkeypatch.setattr(daphne.server, "reactor", clock)
    made = module.TableServer(application, endpoints=["none"], background=nothing, on_ready=lambda: None)
    made.clock, made.connections = clock, {}
    return made


def test_every_connection_is_asked_in_its_turn_and_no_more_often(server: Any) -> None:
    from baohuang_site.server import LOOK_TURNS

    lines = [Line() for _ in range(23)]
    for line in lines:
        server.protocol_connected(line)
    for _ in range(LOOK_TURNS):
        server.timeout_checker()
    assert {line.asked for line in lines} == {1}
    assert {seconds for seconds, _call in server.clock.later} == {2}


def test_what_ended_is_put_away_within_a_second_and_what_lives_is_left_alone(server: Any) -> None:
    async def day() -> None:
        gone, done, stays = Line(), Line(), Line()
        queues = {}
        for line in (gone, done, stays):
            server.protocol_connected(line)
            queues[line] = server.create_application(line, {"type": "websocket"})
        server.application_checker()
        assert len(server.connections) == 3

        for line in (gone, done):
            queues[line].put_nowait({"type": "websocket.disconnect"})
        server.protocol_disconnected(gone)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        server.application_checker()
        assert set(server.connections) == {done, stays}
        assert "application_instance" not in server.connections[done]
        assert "application_instance" in server.connections[stays]

        server.protocol_disconnected(done)
        server.application_checker()
        assert set(server.connections) == {stays}
        assert all(seconds == 1 for seconds, _call in server.clock.later)
        server.connections[stays]["application_instance"].cancel()

    asyncio.run(day())


def test_nobody_is_looked_over_while_nothing_ends(server: Any) -> None:
    from baohuang_site.server import REAP_TURNS

    class Counting(dict[Any, Any]):
        looked = 0

        def items(self) -> Any:
            self.looked += 1
            return super().items()

    server.connections = Counting()
    for _ in range(3 * REAP_TURNS):
        server.application_checker()
    assert server.connections.looked == 3
