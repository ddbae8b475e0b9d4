"""Who looks at the lobby, and how they learn that a table in it changed.

Changes that come close together are one: the ids are collected, read once, drawn once a language, and what came of it
is sent to all. The work for a change does not grow with those who look, but for the sending itself.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Protocol

from games import live

log = logging.getLogger(__name__)

PAUSE = 0.15
"""Seconds in which changes are collected."""


class LobbyWatcher(Protocol):
    """A socket at the lobby. `draw` says what to send, by language, so that these tables are shown; of all watchers
    only one is asked. `tell` sends it."""

    loop: asyncio.AbstractEventLoop

    async def draw(self, table_ids: frozenset[str]) -> dict[str, str]: ...

    async def tell(self, news: dict[str, str]) -> None: ...


_lock = threading.Lock()
_watchers: set[LobbyWatcher] = set()
_changed: dict[asyncio.AbstractEventLoop, set[str]] = {}
_tasks: set[asyncio.Task[None]] = set()


def join(watcher: LobbyWatcher) -> None:
    with _lock:
        _watchers.add(watcher)


def leave(watcher: LobbyWatcher) -> None:
    with _lock:
        _watchers.discard(watcher)


def watched() -> bool:
    """Whether anybody looks, in this process."""
    return bool(_watchers)


def changed(table_id: str, *, here_only: bool = False) -> None:
    """A public table changed and that is committed. From any thread."""
    if not here_only:
        live.tell_lobbies(table_id)
    with _lock:
        loops = {watcher.loop for watcher in _watchers}
        fresh = []
        for loop in loops:
            waiting = _changed.get(loop)
            if waiting is None:
                _changed[loop] = {table_id}
                fresh.append(loop)
            else:
                waiting.add(table_id)
    for loop in fresh:
        try:
            loop.call_soon_threadsafe(_begin, loop)
        except RuntimeError:  # that loop has ended, and its sockets with it
            with _lock:
                _changed.pop(loop, None)


def _begin(loop: asyncio.AbstractEventLoop) -> None:
    task = loop.create_task(_show(loop))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _show(loop: asyncio.AbstractEventLoop) -> None:
    await asyncio.sleep(PAUSE)
    with _lock:
        table_ids = frozenset(_changed.pop(loop, ()))
        watchers = [watcher for watcher in _watchers if watcher.loop is loop]
    if not watchers:
        return
    try:
        news = await watchers[0].draw(table_ids)
    except Exception:
        log.exception("the lobby could not be read")
        return
    for watcher in watchers:
        await watcher.tell(news)
