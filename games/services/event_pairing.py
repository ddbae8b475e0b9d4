"""The pairing of the next round, from the rows of those before: which format takes what, and how it is written down.

All functions run inside the event's lock. The choice itself is `games.tournament`'s; the same rows, seed and number of
withdrawn pairings give the same tables.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Entrant, Event, Pairing, Round, RowResult
from games.selectors import event_rows
from games.services import event_base
from games.tournament.knockout import pair_knockout, qualified
from games.tournament.rotation import fit_slots, pair_rotation
from games.tournament.standings import Criterion
from games.tournament.swiss import pair_swiss
from games.tournament.values import Pairing as Paired
from games.tournament.values import drawn_order

FEWEST = 2
"""With fewer entrants left there is nothing to compare."""


def pair_next(event: Event, now: datetime) -> Round | None:
    """Write the next round; None when the event is over. The caller saves the event, whose `next_at` says when the
    tables open."""
    number = event.played_rounds.count() + 1
    if number > event.rounds:
        return None
    without_lost_accounts(event, now)
    entrants = {entrant.number: entrant for entrant in event_base.allowed(event, now)}
    if len(entrants) < FEWEST:
        return None
    seed = event.seed if not event.undone else f"{event.seed}-{event.undone}"
    made, slots = _paired(event, number, entrants, seed)
    if made is None:
        return None
    round = Round.objects.create(
        event=event,
        number=number,
        seed=seed,
        cost=str(made.cost),
        repeats=made.repeats,
        again=made.again,
        clubmates=made.clubmates,
        spread=str(made.spread),
        slots=list(slots),
        paired_at=now,
    )
    for table_number, table in enumerate(made.tables, start=1):
        pairing = Pairing.objects.create(round=round, number=table_number)
        RowResult.objects.bulk_create(
            RowResult(
                round=round,
                pairing=pairing,
                seat=seat,
                entrant=None if who is None else entrants[who],
                here=who is not None,
            )
            for seat, who in enumerate(table)
        )
    event.next_at = now + timedelta(seconds=event.notice_seconds)
    return round


def _paired(
    event: Event, number: int, entrants: dict[int, Entrant], seed: str
) -> tuple[Paired | None, tuple[int | None, ...]]:
    past = event_rows.past_of(event)
    if event.format == Event.Format.SWISS:
        table = event_rows.standings_of(event)
        order = [line.entrant for line in table if line.entrant in entrants]
        scores = {line.entrant: line.value(Criterion.SCORE) for line in table}
        clubs = {n: entrant.club_id for n, entrant in entrants.items() if entrant.club_id is not None}
        return pair_swiss(order, scores, past, seed, clubs), ()
    if event.format == Event.Format.KNOCKOUT:
        if not past:
            return pair_knockout(drawn_order(entrants, seed), past, seed), ()
        rounds = event_rows.closed_rounds(event)
        rows = event_rows.rows_of(event, rounds)
        gone = {row.entrant for row in rows if row.entrant is not None and row.entrant not in entrants}
        order = [line.entrant for line in qualified(rows, event.seed, gone, event_rows.rulings_of(event, rounds))]
        return (pair_knockout(order, past, seed), ()) if len(order) >= FEWEST else (None, ())
    before = event.played_rounds.order_by("-number").first()
    slots = fit_slots(before.slots if before else (), drawn_order(entrants, seed))
    return pair_rotation(slots, event.rounds, past, seed), slots


def without_lost_accounts(event: Event, now: datetime) -> int:
    """Whoever was suspended, has closed his account or was sent away from the club is out; how many they were."""
    fine = {entrant.pk for entrant in event_base.allowed(event, now)}
    lost = event.entrants.filter(status=Entrant.Status.ENTERED).exclude(pk__in=fine).select_related("player")
    for entrant in (gone := list(lost)):
        entrant.status, entrant.why = Entrant.Status.WITHDRAWN, Entrant.Why.ACCOUNT
        entrant.save()
        event_base.note(event, None, "out", entrant.player.username, now)
    return len(gone)
