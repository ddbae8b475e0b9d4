"""The end of a hand: points, beans, what the table does next. All of it in the transaction of the last action.

A void hand is dealt again at once; a hand in which every person sat under trustee is not scored; after a hand with
any person under trustee the table breaks up (RULES §4.4, §8.5, §8.7).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import Player
from accounts.services import ledger
from games import history
from games.engine.observation import Result, Step
from games.engine.settlement import Settlement, settle
from games.history import Fold
from games.models import Hand, HandResult, Seat, SeatResult, Table
from games.services import club_seats, deadlines, dealing, event_tables, fairplay, publish, ratings, seats


def finish_hand(table: Table, hand: Hand, fold: Fold, now: datetime) -> None:
    """Close the hand whose fold is over, at a locked table, and say what comes next. Publishes the table.

    Lock: at a table of an event the event's row; the ledger takes the account rows, after the table's.
    """
    if table.pairing_id is not None:
        event_tables.place_of(table, lock=True)
    hand.seq = fold.seq
    hand.version += 1
    hand.due_at = None
    hand.ended_at = now
    hand.pending = None
    void = fold.state.step is Step.VOID
    if void:
        hand.status = Hand.Status.VOID
    else:
        hand.status = Hand.Status.UNSCORED if _nobody_played(hand) else Hand.Status.DONE
    hand.save()
    if not void:
        _write_result(table, hand, fold, now)
    _next_for_the_table(table, hand, fold, now, void=void)


def _people(hand: Hand) -> list[int]:
    return [seat for seat in range(5) if not deadlines.is_bot(hand, seat)]


def _nobody_played(hand: Hand) -> bool:
    """Whether every person at the table is under trustee; bots are no trustees."""
    people = _people(hand)
    return bool(people) and all(deadlines.under_trustee(hand, seat) for seat in people)


def settlement_of(hand: Hand, result: Result) -> Settlement:
    """Points and beans of a finished hand with its room and custom multipliers (RULES §8.5)."""
    return settle(
        history.rules_of(hand.rules),
        emperor=result.emperor,
        guard=result.guard,
        solo=result.solo,
        guard_open=result.guard_open,
        places=result.places,
        multiplier=result.multiplier,
        room=hand.room,
        custom=tuple(occupant["multiplier"] for occupant in hand.players),
    )


def _write_result(table: Table, hand: Hand, fold: Fold, now: datetime) -> None:
    result = fold.state.result
    assert result is not None
    scored = hand.status == Hand.Status.DONE
    sums = settlement_of(hand, result)
    row = HandResult(
        hand=hand,
        scored=scored,
        emperor=result.emperor,
        guard=result.guard,
        solo=result.solo or "",
        guard_open=result.guard_open,
        multiplier=result.multiplier,
        outcome=result.outcome,
        rounding=sums.rounding if scored else 0,
        cleared=[list(pair) for pair in result.cleared],
        ended_at=now,
        preset=table.preset or hand.rules.get("id", ""),
        club_id=table.club_id,
        public=table.public,
    )
    rows = [
        SeatResult(
            result=row,
            seat=seat,
            player_id=occupant["player"],
            bot=occupant["bot"],
            role=result.role(seat).value,
            place=result.places[seat],
            points=sums.points[seat] if scored else 0,
            beans=sums.beans[seat] if scored else 0,
            multiplier=occupant["multiplier"],
            level=occupant["level"],
        )
        for seat, occupant in enumerate(hand.players)
    ]
    if scored:
        people = _people(hand)
        players = Player.objects.in_bulk([hand.players[seat]["player"] for seat in people])
        beans = {players[hand.players[seat]["player"]]: sums.beans[seat] for seat in people}
        ledger.settle_hand(hand_id=hand.id, beans=beans, rounding=sums.rounding)
        _owe_tribute(table, hand, fold)
        _choose_first(table, hand, result)
    # its lock is the last one taken
    ratings.rate_hand(row, rows)
    row.save(force_insert=True)
    SeatResult.objects.bulk_create(rows)


def _owe_tribute(table: Table, hand: Hand, fold: Fold) -> None:
    """Keep the hand for the tribute of the next one; a draw owes nothing (RULES §9.1)."""
    assert fold.state.result is not None
    previous = history.previous_of(fold.state.result)
    if previous is None:
        table.previous = table.previous_seats = None
        return
    table.previous = history.previous_json(previous)
    table.previous_seats = [
        f"b{occupant['bot']}" if occupant["player"] is None else f"p{occupant['player']}" for occupant in hand.players
    ]


def _choose_first(table: Table, hand: Hand, result: Result) -> None:
    """Who gets the first card of the next deal (RULES §3 `deck.deal_from`)."""
    by_emperor = history.rules_of(hand.rules).deck.deal_from == "emperor"
    table.next_first = result.emperor if by_emperor else result.places.index(1)


def _next_for_the_table(table: Table, hand: Hand, fold: Fold, now: datetime, *, void: bool) -> None:
    if table.pairing_id is not None:
        _next_of_event(table, hand, fold, now, void=void)
        return
    away = [seat for seat in _people(hand) if deadlines.under_trustee(hand, seat)]
    if away and not (table.substitutes and _substitute(table, hand, away)):
        gone = any(mark["gone"] for mark in hand.trustees)
        close(table, Table.Reason.LEFT if gone else Table.Reason.TRUSTEE, now)
    elif void and fold.seq > 0:
        # at once, from the same first seat; what was contributed meanwhile is for this deal
        dealing.start_hand(table, _seats(table), now)
        return
    elif void:
        _pause(table, now + dealing.NEXT_AFTER_HOPELESS_DEAL, now)
    elif table.hands_limit is not None and _hands_played(table) >= table.hands_limit:
        close(table, Table.Reason.LIMIT, now)
    elif club_seats.ended(table):
        close(table, Table.Reason.CLUB, now)
    else:
        _pause(table, now + timedelta(seconds=table.clock_next), now)
        _without_strangers(table, now)
    table.save()
    publish.table_changed(table, hand)


def _next_of_event(table: Table, hand: Hand, fold: Fold, now: datetime, *, void: bool) -> None:
    """At a table of an event: it goes on as long as the event says, whoever sits there."""
    match event_tables.after_hand(table, hand, fold, now, void=void):
        case event_tables.Next.REDEAL:
            dealing.start_hand(table, _seats(table), now)
            return
        case event_tables.Next.PAUSE if void and fold.seq == 0:
            _pause(table, now + dealing.NEXT_AFTER_HOPELESS_DEAL, now)
        case event_tables.Next.PAUSE:
            _pause(table, now + timedelta(seconds=table.clock_next), now)
    table.save()
    publish.table_changed(table, hand)


def _substitute(table: Table, hand: Hand, away: list[int]) -> bool:
    """Bots take the seats of those who left or were under trustee at the end, so that the others can go on; False,
    and nothing done, when there are no others."""
    all_seats = _seats(table)
    if not {seat.number for seat in seats.people(all_seats)} - set(away):
        return False
    for number in away:
        level = hand.trustees[number].get("bot", "")
        seats.vacate(table, all_seats[number])
        seats.put_bot(table, all_seats, all_seats[number], level)
    seats.pass_on_host(table, all_seats)
    return True


def _without_strangers(table: Table, now: datetime) -> None:
    """Whoever was sent away from the club or suspended during the hand has played it to its end, and goes now."""
    all_seats = _seats(table)
    gone = club_seats.let_go(table, all_seats)
    out = fairplay.suspended_among([seat.player_id for seat in all_seats if seat.player_id is not None], now)
    for seat in all_seats:
        if seat.player_id in out:
            seats.vacate(table, seat)
            gone.append(seat)
    if not gone:
        return
    seats.pass_on_host(table, all_seats)
    if all(seat.player_id is None for seat in all_seats):
        close(table, Table.Reason.EMPTY, now)
    else:
        table.status, table.next_at = Table.Status.WAITING, None


def _pause(table: Table, until: datetime, now: datetime) -> None:
    table.status = Table.Status.BETWEEN
    table.next_at = until
    dealing.touch(table, now)


def _seats(table: Table) -> list[Seat]:
    return list(table.seats.select_related("player").order_by("number"))


def _hands_played(table: Table) -> int:
    return table.hands.exclude(status__in=[Hand.Status.VOID, Hand.Status.ACTIVE]).count()


def close(table: Table, reason: Table.Reason, now: datetime) -> None:
    """The table breaks up. The caller saves and publishes it. The event of the table, if any, is told."""
    if table.pairing_id is not None:
        event_tables.closed(table, now)
    table.status = Table.Status.CLOSED
    table.closed_because = reason
    table.next_at = table.wait_until = None
    table.wait_for = Table.Wait.NOTHING
    dealing.touch(table, now)
