"""Taking away what is kept for a time only: the moves of old hands, old chat, sessions that are over.

Results, points, beans and the deal with its seed stay for ever, so boards, ratings and the check of the deal go on
being right. The log of the last hand of a table stays too, for the table's page shows it. Each step is one small
transaction: ended in the middle, what is done is done and the rest is found the next time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db.models import Count, Exists, F, OuterRef, QuerySet

from accounts.models import ReservedName
from games.models import ChatMessage, Hand, HandAction, Report
from games.services.writer import writing

BATCH = 200


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much went, or would go: hands and their actions, chat lines, sessions, names that are free again."""

    hands: int
    actions: int
    chat: int
    sessions: int
    names: int


def old_hands(before: datetime) -> QuerySet[Hand]:
    """Finished hands that ended before this moment and still have their log, but for the last one of each table and
    those about which a report is open."""
    open_reports = Report.objects.filter(hand=OuterRef("pk"), status=Report.Status.OPEN)
    over = Hand.objects.filter(ended_at__lt=before, pruned=False, demo=False).exclude(status=Hand.Status.ACTIVE)
    return over.exclude(number=F("table__number")).exclude(Exists(open_reports))


def prune(*, moves_days: int, chat_days: int, now: datetime, dry: bool = False) -> Pruned:
    """Take away what is older than so many days; 0 days: keep it for ever. `dry` only counts."""
    hands = actions = chat = 0
    if moves_days:
        hands, actions = _moves(now - timedelta(days=moves_days), dry)
    if chat_days:
        chat = _rows(ChatMessage.objects.filter(at__lt=now - timedelta(days=chat_days)), dry)
    sessions = _rows(Session.objects.filter(expire_date__lt=now), dry)
    return Pruned(hands, actions, chat, sessions, _rows(ReservedName.objects.filter(until__lt=now), dry))


def _moves(before: datetime, dry: bool) -> tuple[int, int]:
    if dry:
        counted = old_hands(before).aggregate(hands=Count("pk", distinct=True), actions=Count("actions"))
        return counted["hands"], counted["actions"]
    hands = actions = 0
    while ids := list(old_hands(before).values_list("pk", flat=True)[:BATCH]):
        with writing():
            gone, _kinds = HandAction.objects.filter(hand_id__in=ids).delete()
            Hand.objects.filter(pk__in=ids).update(pruned=True)
        hands, actions = hands + len(ids), actions + gone
    return hands, actions


def _rows(rows: QuerySet[ChatMessage] | QuerySet[Session] | QuerySet[ReservedName], dry: bool) -> int:
    if dry:
        return rows.count()
    with writing():
        return rows.delete()[0]
