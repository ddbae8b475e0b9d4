"""How fast this machine is now, so that a limit in seconds means the same on a slower one."""

from __future__ import annotations

import time

REFERENCE_SECONDS = 0.05
"""What `_work` takes where the goals were set: two cores, a random hand of `bench_engine` in nine milliseconds."""


def _work() -> float:
    began, x = time.perf_counter(), 0
    for i in range(1_000_000):
        x += i * i
    return time.perf_counter() - began


def slowness() -> float:
    """How many times as long as there this machine takes at this moment; 1 where it is faster."""
    return max(1.0, min(_work() for _ in range(3)) / REFERENCE_SECONDS)
