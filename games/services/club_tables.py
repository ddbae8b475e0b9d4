"""What happens at a club's open tables when its members change or it is archived.

Called after the commit of that change (`accounts.signals.club_changed`). A hand in progress is never touched: when it
is over, `finish` asks the same questions.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from games.models import Table
from games.services import club_seats, dealing, finish, play, publish, tables, waiting
from games.services.errors import Refused


def on_club_changed(sender: Any, club_id: int, **_more: Any) -> None:
    """The receiver of the signal."""
    bring_up_to_date(club_id=club_id, now=timezone.now())


def bring_up_to_date(*, club_id: int, now: datetime) -> None:
    """Free the seats of those who left, close the tables of an archived club, and show everybody what he may see now.

    Lock: one table after the other. Any number of calls come to the same.
    """
    still_open = Table.objects.filter(club_id=club_id).exclude(status=Table.Status.CLOSED)
    for table_id in list(still_open.order_by("pk").values_list("pk", flat=True)):
        try:
            _bring_up_to_date(table_id, now)
        except Refused:  # the table is gone meanwhile
            continue


def _bring_up_to_date(table_id: str, now: datetime) -> None:
    with tables.locked(table_id) as table:
        if table.status == Table.Status.CLOSED:
            return
        hand = play.active_hand(table)
        if hand is None:
            seats = tables.seats_of(table)
            gone = club_seats.let_go(table, seats)
            if club_seats.ended(table):
                finish.close(table, Table.Reason.CLUB, now)
            elif gone and all(seat.player_id is None for seat in seats):
                finish.close(table, Table.Reason.EMPTY, now)
            elif gone:
                table.status, table.next_at = Table.Status.WAITING, None
                waiting.arrange(table, seats, now)
        # also with a hand on: whoever watched and is no member any more must not see it go on
        dealing.touch(table, now)
        table.save()
        publish.table_changed(table, hand)
