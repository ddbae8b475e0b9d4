"""Who may not sit down for now: whoever is suspended, and for a while whoever leaves seats in the middle of hands.

Leaving is the one thing that is answered without a person looking: the first time in a day costs nothing but what RULES
§8.6 takes, each further one a longer wait. A day without leaving wipes it out.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Max, QuerySet

from accounts.models import Player
from games.models import Desertion, Hand, Sanction
from games.services.errors import Refused

DAY = timedelta(days=1)
WAITS = (
    timedelta(0),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    DAY,
)
"""How long somebody waits after leaving for the first, second … time in a day; the last one from then on."""


def record_desertion(*, player: Player, hand: Hand, now: datetime) -> Desertion | None:
    """A seat was left for good, once a hand. None where nobody else was left to mind: only bots and people who had
    left before. Inside the transaction that holds the table's lock.
    """
    if not _somebody_minds(hand, player):
        return None
    known = Desertion.objects.filter(player=player, hand=hand).first()
    if known is not None:
        return known
    times = 1 + Desertion.objects.filter(player=player, at__gt=now - DAY, at__lte=now).count()
    wait = WAITS[min(times, len(WAITS)) - 1]
    return Desertion.objects.create(player=player, hand=hand, at=now, until=now + wait, times=times)


def _somebody_minds(hand: Hand, player: Player) -> bool:
    return any(
        occupant["player"] is not None and occupant["player"] != player.pk and not mark["gone"]
        for occupant, mark in zip(hand.players, hand.trustees, strict=True)
    )


def suspended_until(player: Player | int, now: datetime) -> datetime | None:
    """The end of his longest running suspension; None when there is none. One query."""
    key = player if isinstance(player, int) else player.pk
    return _running(now).filter(player_id=key).aggregate(end=Max("until"))["end"]


def waits_until(player: Player | int, now: datetime) -> datetime | None:
    """The end of the wait for leaving; None when there is none. One query."""
    key = player if isinstance(player, int) else player.pk
    return Desertion.objects.filter(player_id=key, until__gt=now).aggregate(end=Max("until"))["end"]


def may_play_until(player: Player | int, now: datetime) -> datetime | None:
    """Until when he may not sit down, whatever the reason; None when he may. Two queries."""
    ends = [end for end in (suspended_until(player, now), waits_until(player, now)) if end is not None]
    return max(ends, default=None)


def check(player: Player, now: datetime) -> None:
    """Before somebody takes a seat. Raises Refused: suspended, with the end as the field."""
    _refuse(may_play_until(player, now))


def check_suspended(player: Player, now: datetime) -> None:
    """For somebody who sits already, or whose seat is given by an event. Raises Refused: suspended."""
    _refuse(suspended_until(player, now))


def _refuse(until: datetime | None) -> None:
    if until is not None:
        raise Refused("suspended", until.isoformat(timespec="seconds"))


def suspended_among(player_ids: Iterable[int], now: datetime) -> set[int]:
    """Which of these people are suspended. One query."""
    return set(_running(now).filter(player_id__in=list(player_ids)).values_list("player_id", flat=True))


def _running(now: datetime) -> QuerySet[Sanction]:
    return Sanction.objects.filter(kind=Sanction.Kind.SUSPENSION, until__gt=now, lifted_at__isnull=True)
