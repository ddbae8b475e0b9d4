"""Who may open and sit at a club's table, and what becomes of seats and tables when the club has changed.

The functions here run inside the services that hold the table's lock; they save and publish nothing but seats.
"""

from __future__ import annotations

from accounts import selectors_clubs
from accounts.models import Club, Player
from games.models import Seat, Table
from games.services.errors import Refused


def check_opening(club: Club, player: Player) -> None:
    """Inside the transaction that opens a table. Lock: the club's row. Raises Refused: not_found, archived."""
    row = Club.objects.select_for_update().filter(pk=club.pk).first()
    if row is None or selectors_clubs.role_in(row, player) is None:
        raise Refused("not_found", "club")
    if row.archived:
        raise Refused("archived")


def check_sitting(table: Table, player: Player) -> None:
    """For a stranger a club's table is not there. Raises Refused: not_found, archived."""
    if table.club_id is None:
        return
    if selectors_clubs.role_in(table.club_id, player) is None:
        raise Refused("not_found")
    if ended(table):
        raise Refused("archived")


def ended(table: Table) -> bool:
    """Whether the table's club has been archived."""
    return table.club_id is not None and Club.objects.filter(pk=table.club_id, archived_at__isnull=False).exists()


def let_go(table: Table, seats: list[Seat]) -> list[Seat]:
    """Free the seats of people who are no members any more, while no hand is on; the seats that were freed.

    The host's place goes to the next person. Saves the seats, not the table.
    """
    # who plays in an event is the event's business
    if table.club_id is None or table.pairing_id is not None:
        return []
    members = selectors_clubs.member_ids(table.club_id)
    gone = [seat for seat in seats if seat.player_id is not None and seat.player_id not in members]
    for seat in gone:
        seat.player, seat.ready, seat.multiplier, seat.swap_with = None, False, 1, None
        seat.save()
        table.contributions.pop(str(seat.number), None)
    rest = [seat.player for seat in seats if seat.player is not None]
    if rest and table.host_id not in {player.pk for player in rest}:
        table.host = rest[0]
    return gone
