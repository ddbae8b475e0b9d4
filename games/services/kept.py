"""The rows of table and hand that a move needs, kept from the move before (SQLite only).

To read them anew is half of what a move costs the database. They are kept by the thread that wrote them, with its
connection, and only as long as that connection knows of no change but the moves made here: `PRAGMA data_version` tells
of commits of every other connection in any process, `total_changes` counts what this one changed itself. After
anything else, whatever it was, all rows are read again. So nobody else who writes needs to know of this module.

A move takes the rows of its table out, and puts them back by `keep` when it is written; one that ends otherwise, by a
refusal, an exception or the end of the hand, leaves nothing behind.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from games.models import Hand, Table

MOST = 4096


class _Here(threading.local):
    """What this thread keeps. `stamp` holds as long as nothing else was written; `own` counts the rows that moves
    changed; `began` is the table of the move that is on, and the count of changed rows before it."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[Table, Hand]] = {}
        self.stamp: tuple[Any, int, int] | None = None
        self.own = 0
        self.began: tuple[str, int] | None = None


_here = _Here()


def has(table_id: str) -> bool:
    """Whether rows of this table are kept, for what that is worth outside a transaction."""
    return table_id in _here.rows


@contextmanager
def move(table_id: str) -> Iterator[tuple[Table, Hand] | None]:
    """Around a move, the first thing inside `writing()`. Gives the table, of which only what a move needs was read, and
    the hand that is played at it; None when they must be read."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite":
        yield None
        return
    driver = database.connection
    changes: int = driver.total_changes
    stamp = (driver, driver.execute("PRAGMA data_version").fetchone()[0], changes - _here.own)
    if stamp != _here.stamp:
        _here.rows.clear()
        _here.stamp = stamp
    _here.began = (table_id, changes)
    try:
        yield _here.rows.pop(table_id, None)
    finally:
        _here.began = None


def keep(table: Table, hand: Hand) -> None:
    """The move that is on is written: all that changed since it began are these two rows and the log. Where no move has
    begun this does nothing."""
    began, _here.began = _here.began, None
    if began is None or began[0] != table.id:
        return
    here = _here
    here.own += connections[DEFAULT_DB_ALIAS].connection.total_changes - began[1]

    def put() -> None:
        if len(here.rows) >= MOST:
            here.rows.clear()
        here.rows[table.id] = table, hand

    transaction.on_commit(put)
