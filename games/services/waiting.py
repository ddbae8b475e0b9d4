"""What a table that waits is waiting for, and until when: for bots to fill it, or for everybody's ready.

Both moments stand in the table's row, so that they outlive a restart; the tables' clock asks `expire` when they come.
Whoever is not ready in time loses his seat before the hand, not in it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Seat, Table
from games.services import finish, seats

Wait = Table.Wait


def arrange(table: Table, all_seats: list[Seat], now: datetime) -> None:
    """Set what the locked table waits for, after its seats changed. A moment that is set already stays.

    A free seat ends a ready check; the fifth occupant ends the waiting for bots. The caller saves the table.
    """
    if table.status != Table.Status.WAITING:
        nothing(table)
        return
    wanted, seconds = Wait.NOTHING, 0
    if not any(seat.empty for seat in all_seats):
        if table.ready_seconds:
            wanted, seconds = Wait.READY, table.ready_seconds
    elif table.wait_for == Wait.FILL:
        return
    elif table.quick and table.fill_seconds is not None:
        wanted, seconds = Wait.FILL, table.fill_seconds
    if table.wait_for == wanted:
        return
    table.wait_for = wanted
    table.wait_until = now + timedelta(seconds=seconds) if wanted else None


def nothing(table: Table) -> None:
    """The table waits for nothing with an end. The caller saves it."""
    table.wait_for, table.wait_until = Wait.NOTHING, None


def again(table: Table) -> None:
    """Somebody new is there: a ready check that runs begins anew. `arrange` must follow."""
    if table.wait_for == Wait.READY:
        nothing(table)


def expire(table: Table, all_seats: list[Seat], now: datetime) -> bool:
    """Do what the locked table has waited for, if the moment has come: bots take the free seats, or whoever is not
    ready loses his. Whether anything was done; the table is then to be saved and published.
    """
    if table.wait_until is None or table.wait_until > now:
        return False
    what = table.wait_for
    nothing(table)
    if what == Wait.FILL:
        for seat in all_seats:
            if seat.empty:
                seats.put_bot(table, all_seats, seat)
        return True
    for seat in seats.people(all_seats):
        if not seat.ready:
            seats.vacate(table, seat)
    if seats.people(all_seats):
        seats.pass_on_host(table, all_seats)
    else:
        finish.close(table, Table.Reason.EMPTY, now)
    return True


def someone_unready(all_seats: list[Seat]) -> bool:
    return any(not seat.ready for seat in seats.people(all_seats))
