"""Telling the moderators about somebody, and closing what was told.

Saying the same twice while it is open changes nothing. Whoever is reported learns nothing, whoever reports learns that
it arrived and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from accounts.models import Player
from accounts.services import audit
from games.models import Hand, Report, Table
from games.models.fairplay import TEXT_LENGTH
from games.services.errors import Refused
from games.services.writer import writing

PERMISSION = "games.moderate"
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MOST = {HOUR: 6, DAY: 20}
"""How many reports one person may make in so long."""


def check_moderator(by: Player) -> None:
    """Raises Refused: forbidden."""
    if not (by.is_active and by.is_staff and by.has_perm(PERMISSION)):
        raise Refused("forbidden")


def report(
    *,
    reporter: Player,
    target: Player,
    category: str,
    text: str = "",
    hand: Hand | None = None,
    table: Table | None = None,
    now: datetime,
) -> Report:
    """Keep the report, or return the open one of this reporter about this target and hand.

    That the reporter may see hand and table is for the caller to know. Raises Refused: malformed (himself, no such
    category, a text too long, somebody who did not play the hand), too_fast.
    """
    text = text.strip()
    if reporter.pk == target.pk:
        raise Refused("malformed", "target")
    if category not in Report.Category.values:
        raise Refused("malformed", "category")
    if len(text) > TEXT_LENGTH or "\x00" in text:
        raise Refused("malformed", "text")
    if hand is not None and target.pk not in {occupant["player"] for occupant in hand.players}:
        raise Refused("malformed", "target")
    scene = hand.pk if hand is not None else ""
    with writing():
        Player.objects.select_for_update().get(pk=reporter.pk)
        own = Report.objects.filter(reporter=reporter)
        known = own.filter(target=target, scene=scene, status=Report.Status.OPEN).first()
        if known is not None:
            return known
        for span, most in MOST.items():
            if own.filter(at__gt=now - span).count() >= most:
                raise Refused("too_fast")
        return Report.objects.create(
            reporter=reporter,
            target=target,
            hand=hand,
            table_id=hand.table_id if hand is not None else table.pk if table is not None else None,
            scene=scene,
            category=category,
            text=text,
            at=now,
        )


def close(*, reports: Iterable[Report], by: Player, acted: bool, reason: str, now: datetime) -> int:
    """Close open reports: something was done, or nothing is to be done; how many. Closed ones stay as they are, and
    nobody decides about a report on himself. Each is noted. Raises Refused: forbidden."""
    check_moderator(by)
    status = Report.Status.DONE if acted else Report.Status.DISMISSED
    keys = [one.pk for one in reports]
    with writing():
        rows = list(
            Report.objects.select_for_update(of=("self",))
            .filter(pk__in=keys, status=Report.Status.OPEN)
            .exclude(target=by)
            .order_by("pk")
        )
        for row in rows:
            row.status, row.handled_by, row.handled_at = status, by, now
            row.save(update_fields=["status", "handled_by", "handled_at"])
            action = "report.done" if acted else "report.dismiss"
            audit.note(by=by, action=action, target=row, reason=reason, now=now)
    return len(rows)
