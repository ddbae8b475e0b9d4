"""Who sits with whom: the host sends somebody away, two change places. Never while a hand is on the table.

Every function locks the table's row, and has it published after commit. What cannot be done raises `Refused`.
"""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.models import Seat, Table
from games.services import seats, tables
from games.services.errors import Refused

KEPT_OUT_MOST = 100


def _open(table: Table) -> list[Seat]:
    """The seats of a table on which no hand is. Raises Refused: closed, playing, forbidden (an event has said who sits
    where)."""
    if table.pairing_id is not None:
        raise Refused("forbidden")
    if table.status == Table.Status.CLOSED:
        raise Refused("closed")
    if table.status == Table.Status.PLAYING:
        raise Refused("playing")
    return tables.seats_of(table)


def _numbered(all_seats: list[Seat], number: object) -> Seat:
    if type(number) is not int or not 0 <= number <= 4:
        raise Refused("malformed", "seat")
    return all_seats[number]


def remove(*, table_id: str, player: Player, seat: int | None, now: datetime) -> None:
    """The host frees a seat before the hand. A person sent away does not sit down here again; a bot just goes.

    Raises Refused: not_found, forbidden (not the host), closed, playing, malformed (no such seat, his own), nobody.
    """
    with tables.locked(table_id) as table:
        if table.host_id != player.pk:
            raise Refused("forbidden")
        all_seats = _open(table)
        target = _numbered(all_seats, seat)
        if target.player_id == player.pk:
            raise Refused("malformed", "seat")
        if target.empty:
            raise Refused("nobody", "seat")
        if target.player_id is not None and target.player_id not in table.kept_out:
            table.kept_out = [*table.kept_out, target.player_id][-KEPT_OUT_MOST:]
        seats.vacate(table, target)
        tables.somebody_new(table)
        tables.changed(table, now)


def ask_swap(*, table_id: str, player: Player, seat: int | None, now: datetime) -> None:
    """Ask whoever sits there to change places; a bot does so at once, a person is asked. Asking somebody else takes the
    first question back, asking the own seat takes it back altogether. If the other has asked the same, it is done.

    Raises Refused: not_found, not_seated, closed, playing, malformed, nobody (then one just sits down there).
    """
    with tables.locked(table_id) as table:
        own = tables.own_seat(tables.seats_of(table), player)
        all_seats = _open(table)
        own, other = all_seats[own.number], _numbered(all_seats, seat)
        if other.empty:
            raise Refused("nobody", "seat")
        if other.bot or (other.swap_with == own.number and other is not own):
            _swap(table, own, other, now)
            return
        own.swap_with = None if other is own else other.number
        own.save(update_fields=["swap_with"])
        tables.changed(table, now)


def answer_swap(*, table_id: str, player: Player, seat: int | None, accept: bool, now: datetime) -> None:
    """Answer the question of whoever sits on `seat`.

    Raises Refused: not_found, not_seated, closed, playing, malformed, not_asked (he asks no more).
    """
    with tables.locked(table_id) as table:
        own = tables.own_seat(tables.seats_of(table), player)
        all_seats = _open(table)
        own, other = all_seats[own.number], _numbered(all_seats, seat)
        if other.swap_with != own.number or other is own:
            raise Refused("not_asked")
        if accept:
            _swap(table, own, other, now)
            return
        other.swap_with = None
        other.save(update_fields=["swap_with"])
        tables.changed(table, now)


def _swap(table: Table, one: Seat, other: Seat, now: datetime) -> None:
    """Everything but the number changes places, also what each gave for the next shuffle."""
    fields = ("player", "bot", "level", "ready", "multiplier")
    mine, his = ({name: getattr(seat, name) for name in fields} for seat in (one, other))
    given = {str(seat.number): table.contributions.get(str(seat.number)) for seat in (other, one)}
    for (number, _old), text in zip(given.items(), reversed(given.values()), strict=True):
        table.contributions.pop(number, None)
        if text is not None:
            table.contributions[number] = text
    # nobody may sit twice, not for a moment
    Seat.objects.filter(pk=one.pk).update(player=None, bot="")
    for seat, values in ((other, mine), (one, his)):
        for name, value in values.items():
            setattr(seat, name, value)
        seat.swap_with = None
        seat.save()
    table.seats.filter(swap_with__in=[one.number, other.number]).update(swap_with=None)
    tables.somebody_new(table)
    tables.changed(table, now)
