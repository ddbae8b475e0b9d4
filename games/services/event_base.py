"""What all services of events share: the event's row under lock, who may direct it, its log.

Lock order: table, then event, then ledger. A service that needs both takes the table's first (`event_tables`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import Club, Membership, Player
from accounts.selectors_clubs import role_in
from games.models import DirectorAct, Entrant, Event, Round, RowResult
from games.services import fairplay
from games.services.errors import Refused
from games.services.writer import writing


@contextmanager
def locked_event(event_id: str) -> Iterator[Event]:
    """The event's row under lock, in a transaction. Raises Refused("not_found")."""
    with writing():
        event = Event.objects.select_for_update().filter(pk=event_id).first()
        if event is None:
            raise Refused("not_found")
        yield event


@contextmanager
def directed(event_id: str, by: Player) -> Iterator[Event]:
    """The same for somebody who directs it. Raises Refused: not_found, forbidden."""
    with locked_event(event_id) as event:
        check_directs(event, by)
        yield event


def may_run_events(club: Club | None, player: Player | None) -> bool:
    """Whether the player may set up and direct events: of a club its owner and managers, everywhere the staff."""
    if player is None or not player.is_active:
        return False
    if player.is_staff:
        return True
    return club is not None and role_in(club, player) in (Membership.Role.OWNER, Membership.Role.MANAGER)


def may_direct(event: Event, player: Player | None) -> bool:
    return may_run_events(event.club, player)


def may_see(event: Event, player: Player | None) -> bool:
    """A club's event is there for its members, for the staff, and for whoever plays in it."""
    if event.club_id is None or role_in(event.club_id, player) is not None:
        return True
    return player is not None and (player.is_staff or event.entrants.filter(player=player).exists())


def check_directs(event: Event, by: Player) -> None:
    if not may_direct(event, by):
        raise Refused("forbidden" if may_see(event, by) else "not_found")


def note(event: Event, by: Player | None, act: str, text: str, now: datetime) -> None:
    """A line of the event's log."""
    DirectorAct.objects.create(event=event, by=by, act=act, text=text[:300], at=now)


def open_round(event: Event) -> Round | None:
    """The round that is paired or being played."""
    return event.played_rounds.exclude(status=Round.Status.CLOSED).first()


def allowed(event: Event, now: datetime) -> list[Entrant]:
    """Who may be paired and dealt to, in the order of entry: entered, with an account in order, not suspended, of the
    event's club where it has one."""
    return _in_order(event, event.entrants.all(), now)


def allowed_of(event: Event, rows: list[RowResult], now: datetime) -> set[int]:
    """Which entrants of these rows still may be dealt to, by primary key: the same rule, asked anew before a hand."""
    return {entrant.pk for entrant in _in_order(event, event.entrants.filter(pk__in=[r.entrant_id for r in rows]), now)}


def _in_order(event: Event, entrants: QuerySet[Entrant], now: datetime) -> list[Entrant]:
    entered = entrants.filter(status=Entrant.Status.ENTERED, player__is_active=True)
    if event.club_id is not None:
        entered = entered.filter(player__memberships__club_id=event.club_id)
    found = list(entered.select_related("player").order_by("number"))
    suspended = fairplay.suspended_among([entrant.player_id for entrant in found], now)
    return [entrant for entrant in found if entrant.player_id not in suspended]


def save(event: Event) -> None:
    event.version += 1
    event.save()
