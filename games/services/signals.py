"""Finding signals and keeping them: figures for a moderator, from which nothing follows by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import Player
from accounts.services import audit
from games.models import Hand, Signal
from games.selectors import signals
from games.selectors.signals import Candidate
from games.services import helping, reports, traces
from games.services.writer import writing

AGAIN = 1.5
"""A signal that was looked at is new again when it has grown so many times."""
LOGS = 2000
"""So many logs are read at most, the newest."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one run came to."""

    counts: dict[str, int]
    logs: int


def find(*, days: int, now: datetime, logs: int = LOGS) -> Found:
    """Look over so many days and keep what was found. Signals nobody has looked at that no longer hold go; those that
    were looked at stay, with their new figures, and are new again only when they have grown much."""
    since = now - timedelta(days=days)
    seen = signals.company(since)
    who = helping.suspects(seen)
    table, read = helping.tallies(_logs(since, who, logs), who) if who else ({}, 0)
    found = [
        *signals.meeting(seen),
        *signals.flowing(seen),
        *helping.helping(table),
        *signals.sharing(seen, since),
    ]
    with writing():
        traces.forget(now)
        kept = {_keep(candidate, days, now) for candidate in found}
        Signal.objects.filter(status=Signal.Status.NEW).exclude(pk__in=kept).delete()
    counts = dict.fromkeys(Signal.Kind.values, 0)
    for candidate in found:
        counts[candidate.kind] += 1
    return Found(counts, read)


def _logs(since: datetime, who: Iterable[int], most: int) -> Iterator[Hand]:
    """Finished hands with a log in which at least two of these people sat, newest first."""
    wanted = set(who)
    hands = Hand.objects.filter(
        status__in=[Hand.Status.DONE, Hand.Status.UNSCORED], demo=False, pruned=False, ended_at__gte=since
    )
    left = most
    for hand in hands.order_by("-ended_at").iterator(chunk_size=50):
        if left == 0:
            return
        if len(wanted & {occupant["player"] for occupant in hand.players}) >= 2:
            left -= 1
            yield hand


def _keep(candidate: Candidate, days: int, now: datetime) -> int:
    values = {
        "strength": candidate.strength,
        "figures": dict(candidate.figures),
        "hands": candidate.hands,
        "days": days,
        "found_at": now,
    }
    row, made = Signal.objects.get_or_create(
        kind=candidate.kind, player_id=candidate.player, other_id=candidate.other, defaults=values
    )
    if made:
        return row.pk
    for name, value in values.items():
        setattr(row, name, value)
    if row.reviewed_strength is not None and candidate.strength >= AGAIN * row.reviewed_strength:
        row.status, row.reviewed_strength = Signal.Status.NEW, None
    row.save()
    return row.pk


def review(*, rows: Iterable[Signal], by: Player, now: datetime) -> int:
    """A moderator has looked at these; how many were new. Nobody decides about himself. Raises Refused: forbidden."""
    reports.check_moderator(by)
    keys = [row.pk for row in rows]
    with writing():
        fresh = list(
            Signal.objects.select_for_update(of=("self",))
            .filter(pk__in=keys, status=Signal.Status.NEW)
            .exclude(player=by)
            .exclude(other=by)
            .order_by("pk")
        )
        for row in fresh:
            row.status, row.reviewed_by, row.reviewed_at = Signal.Status.REVIEWED, by, now
            row.reviewed_strength = row.strength
            row.save(update_fields=["status", "reviewed_by", "reviewed_at", "reviewed_strength"])
            audit.note(by=by, action="signal.review", target=row, reason=str(row.figures), now=now)
    return len(fresh)
