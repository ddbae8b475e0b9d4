"""What people do at an open table apart from playing: sit, be ready, add bots, leave, hand over to the trustee.

Every function locks the table's row first, changes it and its seats in one transaction, and has the table published
after commit. `now` is passed in. What cannot be done raises `Refused` with a stable word.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from accounts.models import Player
from accounts.services import ledger
from games import history
from games.bots import LEVELS
from games.engine.deck import CLIENT_BYTES
from games.engine.settlement import LEAVING_POINTS
from games.models import Hand, Seat, Table
from games.services import (
    club_seats,
    deadlines,
    dealing,
    event_tables,
    fairplay,
    finish,
    play,
    publish,
    stakes,
    table_setup,
    waiting,
)
from games.services import seats as chairs
from games.services.errors import Refused
from games.services.writer import writing

IDLE_MINUTES = 60
"""A table that waits this long, with nobody connected, is closed."""


@contextmanager
def locked(table_id: str) -> Iterator[Table]:
    """The table's row under lock, in a transaction. Raises Refused("not_found")."""
    with writing():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        if table is None:
            raise Refused("not_found")
        yield table


def seats_of(table: Table) -> list[Seat]:
    return list(table.seats.select_related("player").order_by("number"))


def own_seat(seats: list[Seat], player: Player) -> Seat:
    """The seat the player holds. Raises Refused("not_seated")."""
    for seat in seats:
        if seat.player_id == player.pk:
            return seat
    raise Refused("not_seated")


def changed(table: Table, now: datetime) -> None:
    """Save and publish a table whose seats changed while no hand was on it, and deal if that was what it waited for."""
    seats = seats_of(table)
    if dealing.may_start(table, seats, now):
        dealing.start_hand(table, seats, now)
        return
    waiting.arrange(table, seats, now)
    dealing.touch(table, now)
    table.save()
    publish.table_changed(table)


def sit(
    *,
    table_id: str,
    player: Player,
    seat: int | None = None,
    multiplier: int = 1,
    replace: bool = False,
    now: datetime,
) -> int:
    """Take a seat, the lowest free one if none is named; the number of the seat. Whoever sits already keeps his seat.

    With `replace` also a bot's seat, while no hand is on: the one named, or the highest when none is free.
    Raises Refused: not_found (a club's table for strangers too), malformed, archived, closed, taken, full, playing,
    removed (the host has sent him away), too_few_beans, frozen, suspended (until the field's time), not_here (at an
    event's table).
    """
    if seat is not None:
        table_setup.check_whole("seat", seat, 0, 4)
    table_setup.check_whole("multiplier", multiplier, 1, table_setup.MULTIPLIER_MOST)
    with locked(table_id) as table:
        if table.pairing_id is not None:
            fairplay.check_suspended(player, now)
            number = event_tables.come(table, player, now)
            if table.status != Table.Status.PLAYING:
                changed(table, now)
            return number
        seats = seats_of(table)
        own = next((s for s in seats if s.player_id == player.pk), None)
        if own is not None and seat in (None, own.number):
            return own.number
        club_seats.check_sitting(table, player)
        if table.status == Table.Status.CLOSED:
            raise Refused("closed")
        if player.pk in table.kept_out:
            raise Refused("removed")
        free = _seat_to_take(table, seats, seat, replace)
        if own is None:
            fairplay.check(player, now)
            stakes.check_sitting(table, player)
        else:  # a move to another free seat
            multiplier = own.multiplier
            chairs.vacate(table, own)
        if free.bot:
            chairs.vacate(table, free)
        free.player, free.multiplier, free.ready = player, multiplier, False
        free.save()
        somebody_new(table)
        changed(table, now)
        return free.number


def _seat_to_take(table: Table, seats: list[Seat], number: int | None, replace: bool) -> Seat:
    """Raises Refused: taken, full, playing."""
    wanted = seats[number] if number is not None else next((seat for seat in seats if seat.empty), None)
    if wanted is None and replace:
        wanted = next((seat for seat in reversed(seats) if seat.bot), None)
    if wanted is None:
        raise Refused("full")
    if wanted.bot and replace and table.status == Table.Status.PLAYING:
        raise Refused("playing")
    if not wanted.empty and not (wanted.bot and replace):
        raise Refused("taken", "seat")
    return wanted


def somebody_new(table: Table) -> None:
    """After a change of seats the next hand waits for everybody's ready again."""
    if table.status == Table.Status.BETWEEN:
        table.status, table.next_at = Table.Status.WAITING, None
    waiting.again(table)


def ready(*, table_id: str, player: Player, now: datetime) -> None:
    """Be ready for the next hand, and start it when everybody is. No effect while a hand is on.

    Raises Refused: not_found, closed, not_seated, frozen, suspended, not_here (at an event).
    """
    with locked(table_id) as table:
        seats = seats_of(table)
        seat = own_seat(seats, player)
        if table.status == Table.Status.CLOSED:
            raise Refused("closed")
        if table.status == Table.Status.PLAYING or seat.ready:
            return
        fairplay.check_suspended(player, now)
        if table.pairing_id is not None:
            event_tables.come(table, player, now)
            changed(table, now)
            return
        stakes.check_frozen(table, player)
        seat.ready = True
        seat.save(update_fields=["ready"])
        changed(table, now)


def set_multiplier(*, table_id: str, player: Player, multiplier: int, now: datetime) -> None:
    """Choose the multiplier of one's own seat for the hands to come (RULES §8.5). Everybody else has to be ready
    anew, for their beans are at stake too; saying the same again changes nothing.

    Raises Refused: malformed, not_found, closed, not_seated, playing, same_for_all (at an event).
    """
    table_setup.check_whole("multiplier", multiplier, 1, table_setup.MULTIPLIER_MOST)
    with locked(table_id) as table:
        seats = seats_of(table)
        own = own_seat(seats, player)
        if table.status == Table.Status.CLOSED:
            raise Refused("closed")
        if table.status == Table.Status.PLAYING:
            raise Refused("playing")
        if table.pairing_id is not None:
            raise Refused("same_for_all")
        if own.multiplier == multiplier:
            return
        own.multiplier, own.ready = multiplier, False
        own.save(update_fields=["multiplier", "ready"])
        table.seats.filter(player__isnull=False).update(ready=False)
        somebody_new(table)
        changed(table, now)


def set_bots(*, table_id: str, player: Player, add: int, level: str | None = None, now: datetime) -> None:
    """The host seats `add` bots on free seats, or with a negative number sends as many away, highest seats first.

    Raises Refused: not_found, closed, playing, forbidden (not the host), full, malformed, bad_level.
    """
    table_setup.check_whole("add", add, -4, 4)
    with locked(table_id) as table:
        level = table.level if level is None else level
        if level not in LEVELS:
            raise Refused("bad_level", "level")
        seats = seats_of(table)
        if table.host_id != player.pk or table.pairing_id is not None:
            raise Refused("forbidden")
        if table.status == Table.Status.CLOSED:
            raise Refused("closed")
        if table.status == Table.Status.PLAYING:
            raise Refused("playing")
        if add < 0:
            for seat in [s for s in reversed(seats) if s.bot][:-add]:
                chairs.vacate(table, seat)
        else:
            free = [s for s in seats if s.empty]
            if len(free) < add:
                raise Refused("full")
            for seat in free[:add]:
                chairs.put_bot(table, seats, seat, level)
        if add:
            somebody_new(table)
            changed(table, now)


def contribute(*, table_id: str, player: Player, text: str, commit: str | None = None) -> None:
    """A seat's own part of the next deal's shuffle: up to 64 UTF-8 bytes without U+0000 (RULES §4.2).

    The last one before the deal counts. With `commit`, the hash its sender has seen, it is taken for that deal only.
    Raises Refused: malformed, not_found, closed, not_seated, stale_prompt (that deal is over).
    """
    try:
        fits = isinstance(text, str) and len(text.encode()) <= CLIENT_BYTES and "\x00" not in text
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise Refused("malformed", "text")
    with locked(table_id) as table:
        seat = own_seat(seats_of(table), player)
        if table.status == Table.Status.CLOSED:
            raise Refused("closed")
        if table.pairing_id is not None and event_tables.has_boards(table):
            raise Refused("forbidden")
        if commit is not None and commit != table.next_commit:
            raise Refused("stale_prompt")
        table.contributions[str(seat.number)] = text
        table.save(update_fields=["contributions"])


def set_trustee(*, table_id: str, player: Player, on: bool, now: datetime) -> None:
    """Hand one's seat over to the trustee, or take it back (RULES §8.7). Saying it twice changes nothing.

    Raises Refused: not_found, not_seated, no_hand, locked (the fourth trusteeship of this hand).
    """
    with locked(table_id) as table:
        hand = play.active_hand(table)
        if hand is None:
            own_seat(seats_of(table), player)
            raise Refused("no_hand")
        seat = play.seat_of(hand, player.pk)
        if seat is None:
            raise Refused("not_seated")
        if deadlines.under_trustee(hand, seat) == on:
            return
        if on:
            play.begin_trusteeship(hand, seat)
        elif deadlines.can_take_back(hand, seat):
            hand.trustees[seat]["on"] = False
        else:
            raise Refused("locked")
        position_changed(table, hand)


def position_changed(table: Table, hand: Hand) -> None:
    """Write and show a hand whose people changed, not its play: what is due for whom may be another thing now."""
    fold = history.fold_of(hand)
    play.save_position(table, hand, fold)
    publish.move_made(table, hand, fold)


def leave(*, table_id: str, player: Player, now: datetime) -> bool:
    """Go away; whether that was in the middle of a hand, and so for good. Between hands the seat becomes free; during
    a hand it costs 40 points' worth of beans, the trustee plays the seat on, and the table breaks up afterwards
    (RULES §8.6, §8.7). At a table with `substitutes` a bot plays the seat on, keeps it, and the table goes on.

    Raises Refused: not_found, not_seated.
    """
    with locked(table_id) as table:
        if table.status == Table.Status.CLOSED:
            return False
        hand = play.active_hand(table)
        if hand is not None:
            return _leave_hand(table, hand, player, now)
        if table.pairing_id is not None:
            event_tables.go(table, player, now)
            changed(table, now)
            return False
        seats = seats_of(table)
        own = own_seat(seats, player)
        chairs.vacate(table, own)
        rest = [seat for seat in seats if seat.player_id is not None]
        if not rest:
            finish.close(table, Table.Reason.EMPTY, now)
            table.save()
            publish.table_changed(table)
            return False
        chairs.pass_on_host(table, seats)
        somebody_new(table)
        changed(table, now)
        return False


def _leave_hand(table: Table, hand: Hand, player: Player, now: datetime) -> bool:
    seat = play.seat_of(hand, player.pk)
    if seat is None:
        raise Refused("not_seated")
    play.begin_trusteeship(hand, seat)
    if table.pairing_id is not None:  # of an event nobody leaves for good: a bot sits for him until he is back
        position_changed(table, hand)
        return False
    fairplay.record_desertion(player=player, hand=hand, now=now)
    hand.trustees[seat]["gone"] = True
    if table.substitutes:
        hand.trustees[seat]["bot"] = table.level
    ledger.penalty(hand_id=hand.id, player=player, points=LEAVING_POINTS, room=table.room)
    position_changed(table, hand)
    return True
