"""Noting what an admin did. The note lies in the transaction of the act: neither is there without the other."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Model

from accounts.models import AuditEntry, Player

REASON_LENGTH = 300


def key_of(target: Model | str) -> str:
    """`app.model:key` of a row; a text stays as it is."""
    return target if isinstance(target, str) else f"{target._meta.label_lower}:{target.pk}"


def note(*, by: Player, action: str, target: Model | str, reason: str, now: datetime) -> AuditEntry:
    """Write down one act. `action` is a stable word such as `beans.grant`; the reason is what the admin gave."""
    entry = AuditEntry(
        at=now,
        by=by,
        action=action[:40],
        target=key_of(target)[:80],
        label="" if isinstance(target, str) else str(target)[:80],
        reason=reason.strip()[:REASON_LENGTH],
    )
    entry.save(force_insert=True)
    return entry
