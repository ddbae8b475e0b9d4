"""The start of a hand: seed and contributions become a deal, the table's five become the hand's players.

The server's seed of the next hand is made long before it is dealt, when the table opens or the hand before begins, so
that its hash stands on everybody's screen before any contribution can arrive (RULES §4.2).
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from games import history
from games.engine.deck import SEED_BYTES, commitment, deal
from games.models import Hand, Seat, Table
from games.services import deadlines, event_tables, finish, publish

SEATS = 5
NEXT_AFTER_HOPELESS_DEAL = timedelta(seconds=1)


def prepare_next_seed(table: Table) -> None:
    """A fresh secret for the next deal, its commitment, and no contributions yet. The caller saves the table."""
    seed = secrets.token_bytes(SEED_BYTES)
    table.next_seed = seed.hex()
    table.next_commit = commitment(seed)
    table.contributions = {}


def may_start(table: Table, seats: list[Seat], now: datetime) -> bool:
    """All five seats taken, and everybody ready or the pause between two hands over."""
    if table.status not in (Table.Status.WAITING, Table.Status.BETWEEN) or any(seat.empty for seat in seats):
        return False
    if table.pairing_id is not None and event_tables.holds(table, now):
        return False
    all_ready = all(seat.ready for seat in seats if seat.player_id is not None)
    return all_ready or (table.next_at is not None and table.next_at <= now)


def start_hand(table: Table, seats: list[Seat], now: datetime) -> Hand:
    """Deal the next hand at a locked table with five taken seats, and publish it.

    A deal in which nobody can become emperor is void at once (RULES §5.2); the next one follows a second later.
    """
    if table.pairing_id is not None:
        seats = event_tables.before_hand(table, seats, now)
    rules = history.rules_of(table.rules)
    clients = [table.contributions.get(str(seat.number), "") for seat in seats]
    cards = deal(rules, bytes.fromhex(table.next_seed), clients, table.next_first)
    same_five = table.previous is not None and table.previous_seats == [seat.key for seat in seats]
    hand = Hand(
        table=table,
        number=table.number + 1,
        rules=table.rules,
        room=table.room,
        players=[
            {
                "player": seat.player_id,
                "name": seat.bot if seat.player is None else seat.player.username,
                "bot": seat.bot,
                "level": seat.level,
                "multiplier": seat.multiplier,
            }
            for seat in seats
        ],
        first=table.next_first,
        redeal=table.hands.filter(number=table.number, status=Hand.Status.VOID).exists(),
        deal=history.deal_to_json(cards),
        server_seed=table.next_seed,
        clients=clients,
        commit=table.next_commit,
        previous=table.previous if same_five else None,
        asked_at=now,
        trustees=[{"on": False, "count": 0, "gone": False} for _ in seats],
        started_at=now,
    )
    fold = history.begin_fold(hand)
    hand.asked_seq = fold.state.asked_at

    prepare_next_seed(table)
    if table.pairing_id is not None:
        event_tables.promise_next(table)
    table.number = hand.number
    table.status = Table.Status.PLAYING
    table.next_at = table.wait_until = None
    table.wait_for = Table.Wait.NOTHING
    if not same_five:
        table.previous = table.previous_seats = None
    Seat.objects.filter(table_id=table.id).update(ready=False, swap_with=None)
    touch(table, now)
    hand.due_at = now
    if not fold.state.over:
        hand.due_at = min(deadlines.acts_at(table, hand, fold.state.step, seat) for seat in fold.state.to_act)
    table.save()
    hand.save(force_insert=True)
    history.remember(fold)
    if fold.state.over:
        finish.finish_hand(table, hand, fold, now)
    else:
        publish.table_changed(table, hand)
    return hand


def touch(table: Table, now: datetime) -> None:
    """Note that the table changed. The caller saves it."""
    table.version += 1
    table.changed_at = now
