"""From counts to figures: what a move cost over a stretch of time, and how one stretch compares with the next."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.bench.server import BenchServer
    from games.bench.sockets import Traffic
    from games.bench.tables import Counts

SEATS = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """All counters at one moment."""

    at: float
    cpu: float
    client_cpu: float
    memory: float
    moves: int
    hands: int
    timed: int
    frames: int
    text: int
    wire: int

    @classmethod
    def take(cls, server: BenchServer, counts: Counts, traffic: Traffic) -> Moment:
        return cls(
            at=time.perf_counter(),
            cpu=server.cpu_seconds(),
            client_cpu=time.process_time(),
            memory=server.memory_mb(),
            moves=counts.moves,
            hands=counts.hands,
            timed=len(counts.latencies),
            frames=traffic.frames,
            text=traffic.text,
            wire=traffic.wire,
        )


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened between two moments. Times in ms, memory in MB."""

    seconds: float
    moves: int
    hands: int
    cpu_ms: float
    p50: float
    p99: float
    worst: float
    frames: float
    text: float
    wire: float
    memory_before: float
    memory_after: float
    busy: float
    client_busy: float

    @property
    def rate(self) -> float:
        return self.moves / self.seconds


def between(first: Moment, last: Moment, latencies: Sequence[float]) -> Stretch:
    """The figures of this stretch; `latencies` are all that were measured, in order."""
    times = sorted(latencies[first.timed : last.timed])
    moves = max(1, last.moves - first.moves)
    seconds = last.at - first.at
    return Stretch(
        seconds=seconds,
        moves=last.moves - first.moves,
        hands=last.hands - first.hands,
        cpu_ms=(last.cpu - first.cpu) * 1e3 / moves,
        p50=percentile(times, 0.5) * 1e3,
        p99=percentile(times, 0.99) * 1e3,
        worst=(times[-1] if times else 0.0) * 1e3,
        frames=(last.frames - first.frames) / moves / SEATS,
        text=(last.text - first.text) / moves / SEATS,
        wire=(last.wire - first.wire) / moves / SEATS,
        memory_before=first.memory,
        memory_after=last.memory,
        busy=(last.cpu - first.cpu) / seconds,
        client_busy=(last.client_cpu - first.client_cpu) / seconds,
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the sorted values that at least this share of them does not exceed; 0 for none."""
    if not values:
        return 0.0
    return values[max(0, math.ceil(len(values) * share) - 1)]
