"""Checking stored hands against themselves: the deal against its seed, the log against the rules, the result against
both. Reads only."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from games import history
from games.engine.actions import parse_action
from games.engine.deck import commitment, deal
from games.engine.errors import EngineError
from games.engine.observation import Step
from games.history import Fold, Logged
from games.models import Hand, HandResult, Table
from games.services.finish import settlement_of


def differences_at_rest(hand: Hand) -> list[str]:
    """The differences of a hand that may be played meanwhile: what does not fit is read again while nobody can move."""
    found = list(differences_of(hand))
    if found:
        with transaction.atomic():
            Table.objects.select_for_update().get(pk=hand.table_id)
            hand.refresh_from_db()
            found = list(differences_of(hand))
    return found


def differences_of(hand: Hand) -> Iterator[str]:
    """What does not fit in this hand, a line each; nothing for a sound one. Folds from the rows, never from a cache."""
    seed = bytes.fromhex(hand.server_seed)
    if commitment(seed) != hand.commit:
        yield "the seed does not give the commitment"
    if deal(history.rules_of(hand.rules), seed, hand.clients, hand.first) != history.deal_of(hand):
        yield "seed and contributions do not give the deal"
    if hand.pruned:  # its log was taken away; what is left was looked at
        if hand.actions.exists():
            yield "marked as pruned, but there is a log"
        return
    try:
        fold = _fold(hand)
    except EngineError as error:
        yield f"the log does not replay: {error}"
        return
    if fold.seq != hand.seq:
        yield f"{hand.seq} actions counted, {fold.seq} in the log"
    yield from _end(hand, fold)


def _fold(hand: Hand) -> Fold:
    fold = history.begin_fold(hand)
    for number, row in enumerate(hand.actions.order_by("seq"), start=1):
        if row.seq != number:
            raise EngineError(f"action {number} is missing")
        fold = fold.then(parse_action(row.text), Logged(row.seat, row.text, row.source, row.action_id))
    return fold


def _end(hand: Hand, fold: Fold) -> Iterator[str]:
    state = fold.state
    if hand.status == Hand.Status.VOID and hand.table.closed_because == Table.Reason.HUNG and not state.over:
        return  # given up by the director of an event
    expected = {Step.DONE: ("done", "unscored"), Step.VOID: ("void",)}.get(state.step, ("active",))
    if hand.status not in expected:
        yield f"status {hand.status}, but the log ends in {state.step}"
        return
    row = HandResult.objects.prefetch_related("seats").filter(pk=hand.id).first()
    if state.result is None:
        if row is not None:
            yield "a result, but the log comes to none"
        return
    if row is None:
        yield "no result stored"
        return
    result, sums = state.result, settlement_of(hand, state.result)
    seats = sorted(row.seats.all(), key=lambda seat: seat.seat)
    scored = hand.status == Hand.Status.DONE
    zeros = (0,) * 5
    for name, stored, folded in (
        ("scored", row.scored, scored),
        ("emperor", row.emperor, result.emperor),
        ("guard", row.guard, result.guard),
        ("solo", row.solo, result.solo or ""),
        ("guard_open", row.guard_open, result.guard_open),
        ("multiplier", row.multiplier, result.multiplier),
        ("outcome", row.outcome, result.outcome),
        ("cleared", row.cleared, [list(pair) for pair in result.cleared]),
        ("rounding", row.rounding, sums.rounding if scored else 0),
        ("places", tuple(seat.place for seat in seats), tuple(result.places)),
        ("roles", tuple(seat.role for seat in seats), tuple(result.role(seat).value for seat in range(5))),
        ("points", tuple(seat.points for seat in seats), tuple(sums.points) if scored else zeros),
        ("beans", tuple(seat.beans for seat in seats), tuple(sums.beans) if scored else zeros),
    ):
        if stored != folded:
            yield f"{name}: stored {stored}, folded {folded}"
