"""How often one address may do something that makes rows, such as signing up.

Counts live in the cache: in this process without Redis, shared by all processes with it. A window begins with its
first attempt and lasts its whole length.
"""

from __future__ import annotations

from django.core.cache import cache

HOUR = 3600


def allow(what: str, address: str, *, limit: int, seconds: int = HOUR) -> bool:
    """Count one attempt and say whether it is still within the limit."""
    key = f"limit:{what}:{address}"
    if cache.add(key, 1, seconds):
        return limit >= 1
    try:
        return cache.incr(key) <= limit
    except ValueError:  # the window ended between the two calls
        cache.set(key, 1, seconds)
        return limit >= 1
