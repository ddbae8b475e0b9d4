"""Who is looking at which table, and how they learn that something changed.

Sockets of this process are told directly. Other processes get a poke, a table's id and a sequence number and never
a card, through the channel layer; with the in-memory layer there are none and nothing is sent. Presence is counted by
player: he is connected while any socket of his, in any process, lives.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

log = logging.getLogger(__name__)

PROCESS = uuid.uuid4().hex
HEARTBEAT_SECONDS = 20
REMOTE_LASTS_SECONDS = 60
PRESENCE_GROUP = "presence"


class Watcher(Protocol):
    """A socket at a table. `poked` shows what is new; `reload` reads the table again, when another process wrote;
    `signed_out` ends it."""

    player_id: int | None
    loop: asyncio.AbstractEventLoop

    async def poked(self) -> None: ...

    async def reload(self) -> None: ...

    async def signed_out(self) -> None: ...


class Registry:
    """The sockets of this process, by table, and what other processes say about theirs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watchers: dict[str, set[Watcher]] = {}
        self._remote: dict[str, tuple[float, dict[str, frozenset[int]]]] = {}
        self._present: dict[str, frozenset[int]] = {}

    def join(self, table_id: str, watcher: Watcher) -> bool:
        """True when this changed who is connected here."""
        with self._lock:
            before = self._local(table_id)
            self._watchers.setdefault(table_id, set()).add(watcher)
            self._present.pop(table_id, None)
            return self._local(table_id) != before

    def leave(self, table_id: str, watcher: Watcher) -> bool:
        with self._lock:
            before = self._local(table_id)
            watchers = self._watchers.get(table_id, set())
            watchers.discard(watcher)
            if not watchers:
                self._watchers.pop(table_id, None)
            self._present.pop(table_id, None)
            return self._local(table_id) != before

    def watchers(self, table_id: str) -> tuple[Watcher, ...]:
        with self._lock:
            return tuple(self._watchers.get(table_id, ()))

    def of_player(self, player_id: int) -> tuple[Watcher, ...]:
        """This player's sockets in this process, at whatever table."""
        with self._lock:
            return tuple(w for watchers in self._watchers.values() for w in watchers if w.player_id == player_id)

    def tables(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._watchers)

    def _local(self, table_id: str) -> frozenset[int]:
        watchers = self._watchers.get(table_id, ())
        return frozenset(w.player_id for w in watchers if w.player_id is not None)

    def local(self) -> dict[str, list[int]]:
        """Who is connected through this process, by table."""
        with self._lock:
            return {table_id: sorted(self._local(table_id)) for table_id in self._watchers}

    def connected(self, table_id: str) -> frozenset[int]:
        """The ids of the players connected to the table, here or elsewhere."""
        present = self._present.get(table_id)
        if present is not None:
            return present
        with self._lock:
            present = self._local(table_id)
            for _, tables in self._remote.values():
                present |= tables.get(table_id, frozenset())
            if table_id in self._watchers:
                self._present[table_id] = present
        return present

    def heard_from(self, process: str, tables: dict[str, frozenset[int]], whole: bool, now: float) -> list[str]:
        """Take another process's word on its sockets; `whole` replaces all it said before. The tables that changed."""
        with self._lock:
            old = self._remote.get(process, (0.0, {}))[1]
            new = {table: players for table, players in (tables if whole else {**old, **tables}).items() if players}
            self._remote[process] = (now, new)
            silent = [p for p, (seen, _) in self._remote.items() if now - seen > REMOTE_LASTS_SECONDS]
            gone = {table for p in silent for table in self._remote.pop(p)[1]}
            changed = {t for t in {*old, *new} if old.get(t) != new.get(t)} | gone
            for table_id in changed:
                self._present.pop(table_id, None)
            return [table_id for table_id in changed if table_id in self._watchers]


registry = Registry()
connected = registry.connected

_woken: set[tuple[int, str]] = set()
_woken_lock = threading.Lock()
_tasks: set[asyncio.Task[None]] = set()


def _spawn(work: Any) -> None:
    task = asyncio.get_running_loop().create_task(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


_nobodys = contextvars.Context()
"""Where sockets are woken: the one who made the change leaves nothing of his there, such as his language."""


def tell(table_id: str, *, reload: bool = False) -> None:
    """Wake this process's sockets at the table, from any thread. Calls that come before they woke are one."""
    loops = {watcher.loop for watcher in registry.watchers(table_id)}
    for loop in loops:
        key = (id(loop), table_id)
        with _woken_lock:
            if key in _woken and not reload:
                continue
            _woken.add(key)
        try:
            loop.call_soon_threadsafe(_wake, loop, table_id, reload, context=_nobodys)
        except RuntimeError:  # that loop has ended, and its sockets with it
            with _woken_lock:
                _woken.discard(key)


def _wake(loop: asyncio.AbstractEventLoop, table_id: str, reload: bool) -> None:
    with _woken_lock:
        _woken.discard((id(loop), table_id))
    watchers = [watcher for watcher in registry.watchers(table_id) if watcher.loop is loop]
    _spawn(_show(watchers, reload))


async def _show(watchers: list[Watcher], reload: bool) -> None:
    if reload and watchers:
        await watchers[0].reload()
    for watcher in watchers:
        await watcher.poked()


def poke(table_id: str, seq: int) -> None:
    """Something at the table changed and is committed: tell everybody, here and in other processes."""
    tell(table_id)
    _send(f"table.{table_id}", {"type": "poke", "table": table_id, "seq": seq})


def read_anew(table_id: str) -> None:
    """Something changed that is shown at the table and stored elsewhere: everybody reads it again, here and in other
    processes."""
    tell(table_id, reload=True)
    _send(f"table.{table_id}", {"type": "poke", "table": table_id, "seq": 0})


def tell_lobbies(table_id: str) -> None:
    """Tell other processes that a table of the lobby changed."""
    _send(PRESENCE_GROUP, {"type": "lobby", "table": table_id})


on_lobby: list[Callable[[str], None]] = []
"""What wants to know when another process says so."""


def on_signed_out(*, player_id: int, **_signal: Any) -> None:
    """Every session of the player was ended: end his sockets too, here and in other processes."""
    _end_sockets(player_id)
    _send(PRESENCE_GROUP, {"type": "signed_out", "player": player_id})


def _end_sockets(player_id: int) -> None:
    for watcher in registry.of_player(player_id):
        # a loop that has ended took its sockets with it
        with contextlib.suppress(RuntimeError):
            watcher.loop.call_soon_threadsafe(_end_socket, watcher)


def _end_socket(watcher: Watcher) -> None:
    _spawn(watcher.signed_out())


def join(table_id: str, watcher: Watcher) -> None:
    """A socket is there. Call it before the first read: what changes in between is then not missed."""
    first = not registry.watchers(table_id)
    if registry.join(table_id, watcher):
        _presence_changed(table_id)
    if _link is not None and first:
        _spawn(_link.follow(table_id))


def leave(table_id: str, watcher: Watcher) -> None:
    if registry.leave(table_id, watcher):
        _presence_changed(table_id)
    if _link is not None and not registry.watchers(table_id):
        _spawn(_link.unfollow(table_id))


def _presence_changed(table_id: str) -> None:
    tell(table_id)
    players = registry.local().get(table_id, [])
    _send(PRESENCE_GROUP, {"type": "presence", "tables": {table_id: players}, "whole": False})


# --- other processes ----------------------------------------------------------------------------------------------


def _shared_layer() -> Any:
    """The channel layer, if it reaches other processes."""
    layer = get_channel_layer()
    return None if layer is None or isinstance(layer, InMemoryChannelLayer) else layer


def _send(group: str, message: dict[str, Any]) -> None:
    layer = _shared_layer()
    if layer is None:
        return
    message = {**message, "process": PROCESS}
    if _link is not None and _link.loop.is_running():
        asyncio.run_coroutine_threadsafe(_send_quietly(layer, group, message), _link.loop)
        return
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        async_to_sync(_send_quietly)(layer, group, message)
    else:
        task = running.create_task(_send_quietly(layer, group, message))
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)


async def _send_quietly(layer: Any, group: str, message: dict[str, Any]) -> None:
    """A lost poke costs a moment, not a move: what was committed stays."""
    try:
        await layer.group_send(group, message)
    except Exception:
        log.exception("could not tell the other processes about %s", group)


class Link:
    """This process's one ear on the channel layer."""

    def __init__(self, layer: Any, loop: asyncio.AbstractEventLoop) -> None:
        self.layer = layer
        self.loop = loop
        self.channel = ""

    async def follow(self, table_id: str) -> None:
        if self.channel:
            await self.layer.group_add(f"table.{table_id}", self.channel)

    async def unfollow(self, table_id: str) -> None:
        if self.channel:
            await self.layer.group_discard(f"table.{table_id}", self.channel)

    async def listen(self) -> None:
        """Until cancelled; when the layer fails, again from the beginning."""
        while True:
            beat: asyncio.Task[None] | None = None
            try:
                self.channel = await self.layer.new_channel("process")
                await self._join_groups(registry.tables())
                # whatever was said while nobody listened
                for table_id in registry.tables():
                    tell(table_id, reload=True)
                await _send_quietly(self.layer, PRESENCE_GROUP, {"type": "hello", "process": PROCESS})
                beat = self.loop.create_task(self._beat())
                while True:
                    self._heard(await self.layer.receive(self.channel))
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("the channel layer failed; trying again")
                await asyncio.sleep(1)
            finally:
                if beat is not None:
                    beat.cancel()

    async def _join_groups(self, tables: Iterable[str]) -> None:
        await self.layer.group_add(PRESENCE_GROUP, self.channel)
        for table_id in tables:
            await self.follow(table_id)

    async def _beat(self) -> None:
        while True:
            await self._announce()
            await asyncio.sleep(HEARTBEAT_SECONDS)
            # memberships of groups expire in the layer
            await self._join_groups(registry.tables())

    async def _announce(self) -> None:
        message = {"type": "presence", "tables": registry.local(), "whole": True, "process": PROCESS}
        await _send_quietly(self.layer, PRESENCE_GROUP, message)

    def _heard(self, message: dict[str, Any]) -> None:
        if message.get("process") == PROCESS:
            return
        match message["type"]:
            case "poke":
                tell(message["table"], reload=True)
            case "lobby":
                for call in on_lobby:
                    call(message["table"])
            case "signed_out":
                _end_sockets(message["player"])
            case "hello":
                _spawn(self._announce())
            case "presence":
                tables = {table: frozenset(players) for table, players in message["tables"].items()}
                changed = registry.heard_from(message["process"], tables, message["whole"], time.monotonic())
                for table_id in changed:
                    tell(table_id)


_link: Link | None = None


async def listen() -> None:
    """Hear what other processes say until cancelled. Ends at once where the layer reaches no other process."""
    global _link
    layer = _shared_layer()
    if layer is None:
        return
    _link = Link(layer, asyncio.get_running_loop())
    try:
        await _link.listen()
    finally:
        _link = None
