"""What a director does while an event runs: start it now, pause, take a pairing back, close a table, rule.

Every act asks whether he directs the event, is written into its log, and can be done twice without harm.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.db import IntegrityError, transaction

from accounts.models import Player
from games import history
from games.models import Entrant, Event, EventRuling, Hand, Pairing, Round, RowResult, Table
from games.services import event_base, event_clock, finish, play, publish, tables
from games.services.errors import Refused
from games.services.writer import writing

Status = Event.Status


def start(*, event_id: str, by: Player, now: datetime) -> None:
    """Begin before the time. Raises Refused: not_found, forbidden, not_now, too_few."""
    with event_base.directed(event_id, by) as event:
        if event.status != Status.ENTRIES:
            raise Refused("not_now")
        if event.club is not None and event.club.archived:
            raise Refused("archived")
        entered = event.entrants.exclude(status=Entrant.Status.WITHDRAWN)
        if event.check_in:
            entered = entered.filter(checked_in=True)
        if entered.count() < 2:
            raise Refused("too_few")
        event_clock.begin(event, now)
        event_base.save(event)
        event_base.note(event, by, "start", "", now)
    event_clock.run_event(event_id, now)


def cancel(*, event_id: str, by: Player, reason: str = "", now: datetime) -> None:
    """Call the event off; tables end after the hand they play. Raises Refused: not_found, forbidden, not_now."""
    with event_base.directed(event_id, by) as event:
        if event.over:
            raise Refused("not_now")
        event_clock.cancel_event(event, now)
        event_base.save(event)
        event_base.note(event, by, "cancel", reason, now)
        round = event_base.open_round(event)
    if round is not None:
        _end_tables(round, now)


def finish_now(*, event_id: str, by: Player, now: datetime) -> None:
    """End the event with the standings after the last closed round. Raises Refused: not_now while a round is on."""
    with event_base.directed(event_id, by) as event:
        if event.status != Status.RUNNING or event_base.open_round(event) is not None:
            raise Refused("not_now")
        event.paused_at = None
        event_clock.finish_event(event, now)
        event_base.save(event)
        event_base.note(event, by, "finish", "", now)


def next_step(*, event_id: str, by: Player, now: datetime) -> None:
    """Do not wait: pair the next round, or open the tables of the paired one, now."""
    with event_base.directed(event_id, by) as event:
        round = event_base.open_round(event)
        if (
            event.status != Status.RUNNING
            or event.paused
            or (round is not None and round.status != Round.Status.PAIRED)
        ):
            raise Refused("not_now")
        event.next_at = now
        event_base.save(event)
        event_base.note(event, by, "next", "", now)
    event_clock.run_event(event_id, now)


def pause(*, event_id: str, by: Player, now: datetime) -> None:
    """No further hand begins; those in progress are played to their end. Doing it twice changes nothing."""
    with event_base.directed(event_id, by) as event:
        if event.over:
            raise Refused("not_now")
        if event.paused:
            return
        event.paused_at = now
        event_base.save(event)
        event_base.note(event, by, "pause", "", now)
        _tell_tables(event)


def _tell_tables(event: Event) -> None:
    """After the commit everybody at a table of the event is shown what has become of it."""
    open_tables = Table.objects.filter(pairing__round__event=event).exclude(status=Table.Status.CLOSED)
    publish.around_changed(list(open_tables.values_list("pk", flat=True)))


def resume(*, event_id: str, by: Player, now: datetime) -> None:
    """Go on; the round's time and the next moment move by the length of the pause."""
    with event_base.directed(event_id, by) as event:
        if event.over or event.paused_at is None:
            return
        if event.club is not None and event.club.archived:
            raise Refused("archived")
        length = now - event.paused_at
        round = event_base.open_round(event)
        if round is not None and round.deadline is not None:
            round.deadline += length
            round.save()
            event.next_at = now  # tables that were held are woken by the clock
        elif event.next_at is not None:
            event.next_at += length
        event.paused_at = None
        event_base.save(event)
        event_base.note(event, by, "resume", "", now)
        _tell_tables(event)
    event_clock.run_event(event_id, now)


def undo_pairing(*, event_id: str, by: Player, now: datetime) -> None:
    """Take the last pairing back while no card of it has been dealt; the event is paused until it is resumed, and then
    paired anew. Lock: the round's tables, then the event. Raises Refused: not_found, forbidden, not_now."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise Refused("not_found")
    event_base.check_directs(event, by)
    round = event_base.open_round(event)
    if round is None:
        raise Refused("not_now")
    with writing():
        open_tables = list(Table.objects.select_for_update().filter(pairing__round=round).order_by("pk"))
        event = Event.objects.select_for_update().get(pk=event_id)
        round = Round.objects.filter(pk=round.pk).exclude(status=Round.Status.CLOSED).first()
        if round is None or Hand.objects.filter(table__pairing__round=round).exists():
            raise Refused("not_now")
        for table in open_tables:
            table.pairing = None
            finish.close(table, Table.Reason.ADMIN, now)
            table.save()
            publish.table_changed(table)
        number = round.number
        round.delete()
        event.undone += 1
        event.paused_at, event.next_at = event.paused_at or now, now
        event_base.save(event)
        event_base.note(event, by, "undo", str(number), now)


def end_round(*, event_id: str, by: Player, now: datetime) -> None:
    """The time of the round is up now: tables end after the hand they play."""
    with event_base.directed(event_id, by) as event:
        round = event_base.open_round(event)
        if round is None or round.deadline is None:
            raise Refused("not_now")
        round.deadline = min(round.deadline, now)
        round.save()
        event.next_at = now
        event_base.save(event)
        event_base.note(event, by, "end_round", str(round.number), now)
    event_clock.run_event(event_id, now)


def close_table(*, event_id: str, by: Player, number: int, now: datetime) -> None:
    """Close a table that hangs: between two hands at once; with a hand on, trustees play it to its end. Asked a second
    time while that hand still hangs, the hand is given up without a result.

    Raises Refused: not_found, forbidden, not_now.
    """
    with event_base.directed(event_id, by) as event:
        round = event_base.open_round(event)
        pairing = None if round is None else round.pairings.filter(number=number).select_related("table").first()
        table = None if pairing is None else getattr(pairing, "table", None)
        if table is None or pairing is None or pairing.closed_at is not None:
            raise Refused("not_now")
        event_base.note(event, by, "close_table", str(number), now)
    with tables.locked(table.pk) as table:
        hand = play.active_hand(table)
        if hand is not None and all(hand.trustees[s]["on"] for s in range(5) if hand.players[s]["player"] is not None):
            give_up(table, hand, now)
        else:
            # after this hand the table ends
            table.hands_limit = max(1, Pairing.objects.get(pk=pairing.pk).hands + 1)
            table.save(update_fields=["hands_limit"])
    event_clock.end_table(table.pk, now, hurry=True, reason=Table.Reason.HUNG)
    event_clock.run_event(event_id, now)


def give_up(table: Table, hand: Hand, now: datetime) -> None:
    """End a hand without a result at a locked table; it counts as void."""
    hand.status, hand.ended_at, hand.due_at, hand.pending = Hand.Status.VOID, now, None, None
    hand.version += 1
    hand.save(update_fields=["status", "ended_at", "due_at", "pending", "version"])
    finish.close(table, Table.Reason.HUNG, now)
    table.save()
    publish.table_changed(table, hand)
    history.forget_all()


def stand_in(*, event_id: str, by: Player, player: Player, now: datetime) -> None:
    """From the next hand on a bot sits for him in this round; what it makes stays his. He may come back."""
    with event_base.directed(event_id, by) as event:
        round = event_base.open_round(event)
        rows = RowResult.objects.filter(round=round, entrant__player=player, pairing__closed_at=None)
        if round is None or not rows.update(here=False):
            raise Refused("not_now")
        event_base.note(event, by, "stand_in", player.username, now)


def rule(
    *,
    event_id: str,
    by: Player,
    player: Player,
    reason: str,
    round: int | None = None,
    penalty: Decimal = Decimal(0),
    score: Decimal | None = None,
    net: int | None = None,
    now: datetime,
) -> EventRuling:
    """A penalty, or an adjusted score of a round, with its reason.

    In duplicate only penalties of the whole event; in a knockout net points and penalties of a stage. Raises Refused:
    not_found, forbidden, not_entered, not_now, malformed with the field (a round that is adjusted already, too).
    """
    reason = " ".join(reason.split())[:200]
    if not reason:
        raise Refused("malformed", "reason")
    with event_base.directed(event_id, by) as event:
        entrant = event.entrants.filter(player=player).first()
        if entrant is None:
            raise Refused("not_entered")
        if event.status not in (Status.RUNNING, Status.FINISHED):
            raise Refused("not_now")
        _check_ruling(event, round, penalty, score, net)
        try:
            with transaction.atomic():
                made = EventRuling.objects.create(
                    event=event, entrant=entrant, round=round, penalty=penalty, score=score, net=net,
                    reason=reason, by=by, at=now,
                )  # fmt: skip
        except IntegrityError:
            raise Refused("malformed", "round") from None
        event_base.save(event)
        event_base.note(event, by, "rule", f"{player.username} {reason}", now)
        return made


def _check_ruling(event: Event, round: int | None, penalty: Decimal, score: Decimal | None, net: int | None) -> None:
    if penalty < 0 or (not penalty and score is None and net is None):
        raise Refused("malformed", "penalty")
    if round is not None and not event.played_rounds.filter(number=round).exists():
        raise Refused("malformed", "round")
    if round is None and (score is not None or net is not None):
        raise Refused("malformed", "round")
    if event.format == Event.Format.DUPLICATE and (score is not None or net is not None):
        raise Refused("malformed", "score")
    if event.format == Event.Format.KNOCKOUT and (score is not None or round is None):
        raise Refused("malformed", "score" if score is not None else "round")


def revoke(*, event_id: str, by: Player, ruling_id: int, now: datetime) -> None:
    """Take a ruling back; it stays in the list, struck out."""
    with event_base.directed(event_id, by) as event:
        ruling = event.rulings.filter(pk=ruling_id, revoked_at=None).first()
        if ruling is None:
            raise Refused("not_now")
        ruling.revoked_at = now
        ruling.save(update_fields=["revoked_at"])
        event_base.save(event)
        event_base.note(event, by, "revoke", ruling.reason, now)


def _end_tables(round: Round, now: datetime) -> None:
    still = Table.objects.filter(pairing__round=round).exclude(status=Table.Status.CLOSED)
    for table_id in list(still.values_list("pk", flat=True)):
        event_clock.end_table(table_id, now, hurry=False)


__all__ = [
    "cancel", "close_table", "end_round", "finish_now", "next_step", "pause", "resume", "revoke", "rule", "stand_in",
    "start", "undo_pairing",
]  # fmt: skip
