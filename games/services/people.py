"""What becomes of somebody's tables and hands when he closes his account: he leaves, and his name goes from the hands
and from what directors wrote down of his events.

Roles, cards and points of the hands stay, for they are the others' too; who sat there is told no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q

from accounts.models import Player
from accounts.name_keys import key_of
from accounts.services.closing import ClosingRefused
from accounts.services.names import CLOSED_NAME
from games.models import DirectorAct, Entrant, Event, Hand, LoginTrace, Seat, SeatResult, Table
from games.services import events, tables
from games.services.errors import Refused

CHUNK = 500
OPEN = (Event.Status.ENTRIES, Event.Status.RUNNING)


def on_account_closing(*, player: Player, now: datetime, **_signal: Any) -> None:
    """Leave every table. Raises ClosingRefused("playing") while a hand of his is on."""
    ids = list(
        Seat.objects.filter(player=player).exclude(table__status=Table.Status.CLOSED).values_list("table_id", flat=True)
    )
    for hand in Hand.objects.filter(table_id__in=ids, status=Hand.Status.ACTIVE).only("players"):
        if any(seat["player"] == player.pk for seat in hand.players):
            raise ClosingRefused("playing")
    for table_id in ids:
        try:
            tables.leave(table_id=table_id, player=player, now=now)
        except Refused as refused:
            if refused.code not in ("not_seated", "not_found"):
                raise ClosingRefused("playing") from refused


def on_account_closed(*, player: Player, names: set[str], **_signal: Any) -> None:
    """Take his name out of the hands he played and the events he entered, and him out of the events that are not over;
    forget his log-ins. Part of the transaction of the closing."""
    LoginTrace.objects.filter(player=player).delete()
    played = list(SeatResult.objects.filter(player=player).values_list("result_id", flat=True))
    for first in range(0, len(played), CHUNK):
        _forget(Hand.objects.filter(pk__in=played[first : first + CHUNK]).only("players"), player)
    # hands without a result are in no index of his; there are few of them
    seated = Q()
    for seat in range(5):
        seated |= Q(**{f"players__{seat}__player": player.pk})
    _forget(Hand.objects.filter(seated, status=Hand.Status.VOID).only("players"), player)

    for entry in Entrant.objects.filter(player=player, event__status__in=OPEN).exclude(status=Entrant.Status.WITHDRAWN):
        events.lose(event_id=entry.event_id, player=player)
    keys = {key_of(name) for name in names}
    for act in DirectorAct.objects.filter(event__entrants__player=player, act__in=DirectorAct.NAMED):
        who, space, rest = act.text.partition(" ")
        if key_of(who) in keys:
            act.text = f"{CLOSED_NAME}{space}{rest}"
            act.save(update_fields=["text"])


def _forget(hands: Iterable[Hand], player: Player) -> None:
    changed = []
    for hand in hands:
        for seat in hand.players:
            if seat["player"] == player.pk:
                seat["name"] = CLOSED_NAME
        changed.append(hand)
    Hand.objects.bulk_update(changed, ["players"], batch_size=CHUNK)
