"""Once more with the same five, after a table's hands are over.

The first who asks opens the new table; the others are seated there with him, and the ready check of that table frees
the seats of those who do not come.
"""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.models import Seat, Table
from games.services import club_seats, dealing, fairplay, publish, stakes, tables, waiting
from games.services import seats as chairs
from games.services.errors import Refused

READY_SECONDS = 60


def again(*, table_id: str, player: Player, now: datetime) -> str:
    """The id of the table where the same five go on; whoever asks is ready there.

    Lock: the old table's row, then the new one's. Raises Refused: not_found, not_seated, not_over (the table is still
    played at), closed (it broke up for another reason than its last hand), archived, too_few_beans, frozen,
    suspended.
    """
    with tables.locked(table_id) as table:
        old = tables.seats_of(table)
        own = tables.own_seat(old, player)
        if table.status != Table.Status.CLOSED:
            raise Refused("not_over")
        if table.closed_because != Table.Reason.LIMIT:
            raise Refused("closed")
        if table.rematch_id is None:
            fresh = _like(table, player, old, now)
            table.rematch = fresh
            dealing.touch(table, now)
            table.save(update_fields=["rematch", "version", "changed_at"])
            publish.table_changed(table)
        new_id = str(table.rematch_id)
        # whoever comes late may have lost his seat meanwhile
        tables.sit(table_id=new_id, player=player, now=now, multiplier=own.multiplier)
        tables.ready(table_id=new_id, player=player, now=now)
    return new_id


def _like(table: Table, player: Player, old: list[Seat], now: datetime) -> Table:
    """A table as this one was, with the same five in the same seats, but for those who may not sit there now."""
    if table.club is not None:
        club_seats.check_opening(table.club, player)
    stakes.check_sitting(table, player)
    fairplay.check(player, now)
    fresh = Table(host=player, created_at=now, changed_at=now)
    for name in (
        *("revision_id", "preset", "rules", "overrides", "clock_step", "clock_play", "clock_next", "clock_reveal"),
        *("room", "entry", "public", "club_id", "level", "hands_limit", "watching", "substitutes", "kept_out"),
    ):
        setattr(fresh, name, getattr(table, name))
    fresh.ready_seconds = table.ready_seconds or READY_SECONDS
    dealing.prepare_next_seed(fresh)
    fresh.save(force_insert=True)
    seats = [Seat(table=fresh, number=seat.number) for seat in old]
    for seat, before in zip(seats, old, strict=True):
        if before.bot:
            seat.bot, seat.level, seat.ready = before.bot, before.level, True
        elif before.player is not None and (before.player == player or _may_sit(fresh, before.player, now)):
            seat.player, seat.multiplier = before.player, before.multiplier
    Seat.objects.bulk_create(seats)
    chairs.pass_on_host(fresh, seats)
    waiting.arrange(fresh, seats, now)
    fresh.save(update_fields=["wait_for", "wait_until", "host"])
    publish.table_changed(fresh)
    return fresh


def _may_sit(table: Table, player: Player, now: datetime) -> bool:
    try:
        club_seats.check_sitting(table, player)
        stakes.check_sitting(table, player)
        fairplay.check(player, now)
    except Refused:
        return False
    return True
