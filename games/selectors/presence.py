"""Whether somebody is at a table right now, with a socket of his open."""

from __future__ import annotations

from accounts.models import Player
from games import live
from games.models import Seat, Table


def is_here(player: Player) -> bool:
    """Whether a table he sits at is open in one of his browsers. One query."""
    seats = Seat.objects.filter(player=player).exclude(table__status=Table.Status.CLOSED)
    return any(player.pk in live.connected(table) for table in seats.values_list("table_id", flat=True))
