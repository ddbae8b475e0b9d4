"""One writer at a time in this process.

Several SQLite writers starve one another for seconds, so every service writes inside `writing()`, which on SQLite
also holds a lock of this process. Sockets and the tables' clock hand their database work to one thread of its own
(`run`), which keeps its connection open; HTTP views call the services directly and wait their turn at the lock.

A commit on SQLite waits for the disk. What has piled up meanwhile is therefore committed together (`run_together`).
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from django.db import close_old_connections, connection, connections, transaction

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

TOGETHER = 32
"""So many calls at most are committed together."""

END_SECONDS = 5
"""So long a process that ends waits for what the writer was given: another may hold the database for much longer."""

_lock = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that no other writer of this process disturbs. Take it before any row lock."""
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    with _lock, transaction.atomic(savepoint=not _here.together):
        yield


class _Here(threading.local):
    """Whether this thread is in the middle of a common transaction."""

    together = False


_here = _Here()


def _safely(call: Callable[[], T]) -> T:
    """Run it; afterwards drop the connection if it was broken, so that the next call gets a new one."""
    try:
        return call()
    except BaseException:
        close_old_connections()
        raise


class _Thread:
    """The writer's thread: what it is given it does in that order. An executor of one thread takes some 15 µs more for
    each call, half as much again, and when the process ends it waits for as long as a call takes."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, call: Callable[[], None]) -> None:
        """Have this done, from any thread."""
        if self._thread is None:
            self._start()
        self._calls.put(call)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._serve, name="writer", daemon=True)
                thread.start()
                atexit.register(self._end)
                self._thread = thread

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except BaseException:
                log.exception("the writer's thread goes on")

    def _end(self) -> None:
        """The process ends. What was asked for is done before, if there is time; else nobody was told that it was."""
        self._calls.put(None)
        if self._thread is not None:
            self._thread.join(END_SECONDS)
            if self._thread.is_alive():
                log.warning("the process ends before the writer could do what it was given")


_thread = _Thread()


@dataclass(slots=True)
class _Waiting:
    call: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]

    def do(self) -> None:
        """In the writer's thread."""
        try:
            self.tell(_safely(self.call), None)
        except BaseException as fault:
            self.tell(None, fault)

    def tell(self, result: Any, fault: BaseException | None) -> None:
        """From the writer's thread: wake whoever waits, unless he has gone."""
        with contextlib.suppress(RuntimeError):  # that loop has ended
            self.loop.call_soon_threadsafe(self._tell, result, fault)

    def _tell(self, result: Any, fault: BaseException | None) -> None:
        if self.answer.done():
            return
        if fault is None:
            self.answer.set_result(result)
        else:
            self.answer.set_exception(fault)


async def run(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do database work in the writer's thread and wait for it, from any event loop."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    _thread.put(_Waiting(partial(call, *args, **kwargs), loop, answer).do)
    return await answer


_waiting: deque[_Waiting] = deque()


async def run_together(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `run`, for a service that does all its work in one `writing()` and shows nothing before the commit.

    1. Calls that wait for the writer at the same time are done one after another in one transaction.
    2. They are answered, and what they changed is shown, after its commit.
    3. When one of them fails or is refused by an exception, all are undone and each is done again by itself.
    """
    if connection.vendor != "sqlite":
        return await run(call, *args, **kwargs)
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    _waiting.append(_Waiting(partial(call, *args, **kwargs), loop, answer))
    _thread.put(_work_off)
    return await answer


def _work_off() -> None:
    """In the writer's thread: everything that waits. It is called once for each, so it may find nothing left."""
    batch = [_waiting.popleft() for _ in range(min(len(_waiting), TOGETHER))]
    results = _together([one.call for one in batch]) if len(batch) > 1 else None
    for at, one in enumerate(batch):
        if results is None:
            one.do()
        else:
            one.tell(results[at], None)


def _together(calls: list[Callable[[], Any]]) -> list[Any] | None:
    """What these calls return, done in one transaction; None when it was undone."""
    committed: list[bool] = []
    results: list[Any] = []
    try:
        with writing():
            transaction.on_commit(lambda: committed.append(True))
            _here.together = True
            try:
                for call in calls:
                    results.append(call())
                    if connection.needs_rollback:
                        break
            finally:
                _here.together = False
    except Exception:
        if committed:
            log.exception("after a common commit")
        else:
            close_old_connections()
    return results if committed else None


def close() -> None:
    """Close the writer's database connection; the thread stays and opens a new one when needed."""
    closed = threading.Event()

    def close_all() -> None:
        try:
            connections.close_all()
        finally:
            closed.set()

    _thread.put(close_all)
    closed.wait()
