"""A club's open tables, for its members, and how much its members play."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, QuerySet
from django.utils import timezone

from accounts.models import Club, Player
from games.models import SeatResult, Table
from games.selectors.lobby import TableLine, lines


def open_tables(club: Club) -> list[TableLine]:
    """The club's tables that are not closed, the newest first. Two queries."""
    return lines(_open().filter(club=club))


def tables_for(player: Player) -> list[TableLine]:
    """The open tables of all clubs the player belongs to, the newest first. Two queries."""
    return lines(_open().filter(club__memberships__player=player))


def _open() -> QuerySet[Table]:
    return Table.objects.exclude(status=Table.Status.CLOSED)


def month_began(now: datetime) -> datetime:
    """The first moment of this month, by the site's time zone."""
    return timezone.localtime(now).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def hands_this_month(club: Club, player_ids: list[int], now: datetime) -> dict[int, int]:
    """How many hands each of these played at the club's tables this month, by player; who played none is left out."""
    rows = (
        SeatResult.objects.filter(
            player_id__in=player_ids, result__hand__table__club=club, result__ended_at__gte=month_began(now)
        )
        .order_by()
        .values_list("player_id")
        .annotate(hands=Count("pk"))
    )
    return {player_id: hands for player_id, hands in rows if player_id is not None}
