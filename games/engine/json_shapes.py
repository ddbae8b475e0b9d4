"""Small readers for JSON values: each returns the value with its type known, or raises Malformed."""

from collections.abc import Sequence
from typing import Any

from .deck import SEATS
from .errors import Malformed

MAX_NUMBER = 1_000_000


def fields(data: object, *, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """The object's fields, all of them present: a missing optional one is None. Unknown fields are refused."""
    if not isinstance(data, dict):
        raise Malformed("must be an object")
    for key in data:
        if key not in required and key not in optional:
            raise Malformed(f"unknown field {key!r}")
    for key in required:
        if data.get(key) is None:
            raise Malformed(f"{key} is missing")
    return {key: data.get(key) for key in (*required, *optional)}


def integer(value: object, low: int = 0, high: int = MAX_NUMBER) -> int:
    """A whole number in a range; true and 1.0 are none."""
    if type(value) is not int or not low <= value <= high:
        raise Malformed(f"must be a whole number {low} to {high}")
    return value


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise Malformed("must be text")
    return value


def items(value: object) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise Malformed("must be a list")
    return value


def seat_or_none(value: object) -> int | None:
    """A seat 0…4, or None."""
    return None if value is None else integer(value, 0, SEATS - 1)
