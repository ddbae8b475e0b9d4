"""What this process knows it must do next: a heap of (moment, table), fed by commits and emptied by the clock.

It is only a hint. The database says what is due; other processes and a restart find it there.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from datetime import datetime


class Agenda:
    """Thread-safe; one moment a table, the last one put. `on_earlier` is called, in the thread that put it, when the
    next moment of all moves forward."""

    def __init__(self) -> None:
        self._heap: list[tuple[datetime, str]] = []
        self._moments: dict[str, datetime] = {}
        self._lock = threading.Lock()
        self.on_earlier: Callable[[], None] | None = None

    def put(self, due: datetime, table_id: str) -> None:
        with self._lock:
            if self._moments.get(table_id) == due:
                return
            earlier = not self._heap or due < self._heap[0][0]
            self._moments[table_id] = due
            heapq.heappush(self._heap, (due, table_id))
        if earlier and self.on_earlier is not None:
            self.on_earlier()

    def drop(self, table_id: str) -> None:
        """Nothing is due at this table any more."""
        with self._lock:
            self._moments.pop(table_id, None)

    def pop_due(self, now: datetime) -> list[str]:
        """The tables whose moment has come, each once, earliest first."""
        due: list[str] = []
        with self._lock:
            while self._heap and self._heap[0][0] <= now:
                moment, table_id = heapq.heappop(self._heap)
                if self._moments.get(table_id) == moment:
                    del self._moments[table_id]
                    due.append(table_id)
        return due

    def next(self) -> datetime | None:
        with self._lock:
            while self._heap and self._moments.get(self._heap[0][1]) != self._heap[0][0]:
                heapq.heappop(self._heap)
            return self._heap[0][0] if self._heap else None


agenda = Agenda()
