"""Who is called to a table of an event, wherever on the site he is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import Player
from games.models import Entrant, Event, Round, RowResult, Table


@dataclass(frozen=True, slots=True)
class Call:
    """Where somebody is expected now, on whatever page he is."""

    event: str
    name: str
    round: int
    number: int  # of the table in the event
    table: str  # its id, once one can sit down there
    paused: bool
    kept: bool  # a hand is on in which a bot plays for him
    at: (
        datetime | None
    )  # when the tables open; then, until the first cards, when a bot takes the place of who is not there

    @property
    def open(self) -> bool:
        return bool(self.table) and not self.paused


SOON = timedelta(hours=12)
"""A page that is opened so long before an event asks already whether its reader is called."""


def summons(player: object, now: datetime, here: str = "") -> tuple[bool, Call | None]:
    """Whether this user may be called to a table of an event that is on or soon will be, and the table at which he is
    to sit, unless he is `here` at it. Two queries at most, one for who plays in no such event."""
    if not isinstance(player, Player):
        return False, None
    soon = Q(event__status=Event.Status.ENTRIES, event__starts_at__lte=now + SOON)
    on = Entrant.objects.filter(soon | Q(event__status=Event.Status.RUNNING), player=player)
    if not on.exclude(status=Entrant.Status.WITHDRAWN).exists():
        return False, None
    call = _call_of(player)
    return True, None if call is not None and call.table and call.table == here else call


def _call_of(player: Player) -> Call | None:
    rows = RowResult.objects.filter(
        entrant__player=player,
        entrant__status=Entrant.Status.ENTERED,
        pairing__closed_at=None,
        round__event__status=Event.Status.RUNNING,
    ).exclude(round__status=Round.Status.CLOSED)
    # whoever does not belong to the event's club any more is not dealt to
    rows = rows.filter(Q(round__event__club=None) | Q(round__event__club__memberships__player=player))
    row = rows.select_related("round__event", "pairing__table").order_by("round__event__started_at").first()
    if row is None:
        return None
    event = row.round.event
    table = getattr(row.pairing, "table", None) if row.round.status == Round.Status.PLAYING else None
    at = event.next_at if table is None else table.next_at if table.number == 0 else None
    return Call(
        event=event.pk,
        name=event.name,
        round=row.round.number,
        number=row.pairing.number,
        table="" if table is None else table.pk,
        paused=event.paused,
        kept=table is not None and table.status == Table.Status.PLAYING and not row.here,
        at=at,
    )
