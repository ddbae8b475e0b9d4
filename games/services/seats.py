"""What may happen to a seat while no hand is on its table: it is freed, filled with a bot; the host's place passed on.

The functions here run inside the services that hold the table's lock; they save seats, never the table.
"""

from __future__ import annotations

from games.bots import NAMES
from games.models import Seat, Table


def vacate(table: Table, seat: Seat) -> None:
    """Nobody sits here any more; what he gave for the next shuffle goes with him."""
    seat.player, seat.bot, seat.level, seat.ready, seat.multiplier, seat.swap_with = None, "", "", False, 1, None
    seat.save()
    table.contributions.pop(str(seat.number), None)
    # whoever wanted to change places with him did not mean the next one
    Seat.objects.filter(table_id=seat.table_id, swap_with=seat.number).update(swap_with=None)


def put_bot(table: Table, seats: list[Seat], seat: Seat, level: str = "") -> None:
    """A bot of this level, by default the table's, takes a free seat, under a name no other bot of the table has."""
    taken = {other.bot for other in seats}
    seat.bot = next(name for name in NAMES if name not in taken)
    seat.level, seat.ready = level or table.level, True
    seat.save()


def people(seats: list[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.player_id is not None]


def pass_on_host(table: Table, seats: list[Seat]) -> None:
    """Whoever sits lowest becomes host when the host sits here no more."""
    rest = [seat.player for seat in seats if seat.player is not None]
    if rest and table.host_id not in {player.pk for player in rest}:
        table.host = rest[0]
