"""What happens after a commit, and only then: the caches learn the new state, the clock its next moment, and everybody
at the table is told to look."""

from __future__ import annotations

from django.db import transaction

from games import history, live, live_lobby, snapshots
from games.history import Fold
from games.models import Hand, Table
from games.services.agenda import agenda


def move_made(table: Table, hand: Hand, fold: Fold) -> None:
    """Show a change of the hand that left the table and its seats alone."""
    history.remember(fold)
    if not snapshots.watched(table.id):
        _after_commit(table, None, hand)
        return
    old = snapshots.newest(table.id)
    if old is not None and old.table.version == table.version and old.hand is not None and old.hand.id == hand.id:
        _after_commit(table, snapshots.after_move(old, hand, fold), hand)
    else:
        # a move has read only a part of the row
        _after_commit(table, snapshots.take(Table.objects.get(pk=table.pk)), hand)


def table_changed(table: Table, hand: Hand | None = None) -> None:
    """Show a change of the table, its seats, or which hand is on it."""
    _after_commit(table, snapshots.take(table) if snapshots.watched(table.id) else None, hand, shown=table.public)


def around_changed(table_ids: list[str]) -> None:
    """Show a change of what is shown at these tables but stored elsewhere: whoever looks reads them anew."""

    def tell() -> None:
        for table_id in table_ids:
            live.read_anew(table_id)

    transaction.on_commit(tell)


def _after_commit(table: Table, snapshot: snapshots.Snapshot | None, hand: Hand | None, *, shown: bool = False) -> None:
    due = table.due_at if hand is None or hand.due_at is None else hand.due_at
    table_id, seq = table.id, 0 if hand is None else hand.seq

    def tell() -> None:
        if snapshot is not None:
            snapshots.offer(snapshot)
        if due is not None:
            agenda.put(due, table_id)
        else:
            agenda.drop(table_id)
        live.poke(table_id, seq)
        if shown:
            live_lobby.changed(table_id)

    transaction.on_commit(tell)
