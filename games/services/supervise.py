"""What an admin may do to a table. A hand in progress is never touched: its clock brings every hand to an end."""

from __future__ import annotations

from datetime import datetime

from games.models import Table
from games.services import finish, play, publish, tables
from games.services.errors import Refused


def close_table(*, table_id: str, now: datetime) -> None:
    """Break the table up; everybody at it is told. A closed table stays as it is.

    Locks the table's row. Raises Refused: `not_found`, `playing` while a hand is on it.
    """
    with tables.locked(table_id) as table:
        if table.status == Table.Status.CLOSED:
            return
        if play.active_hand(table) is not None:
            raise Refused("playing")
        finish.close(table, Table.Reason.ADMIN, now)
        table.save()
        publish.table_changed(table)
