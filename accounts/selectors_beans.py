"""Reading beans: somebody's statement, newest posting first, with the balance after each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from accounts.models import Account, Entry, Player

PAGE = 30


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One posting as it touched the account; `after` is the balance it left behind, in beans."""

    at: datetime
    reason: str
    memo: str
    hand: str
    amount: int
    after: int


@dataclass(frozen=True, slots=True)
class Statement:
    """`before` is where the next page begins; None when this is the last."""

    balance: int
    frozen: bool
    lines: tuple[StatementLine, ...]
    before: int | None


def statement(player: Player, before: int | None = None) -> Statement:
    """A page of everything that ever moved on the player's account. Three queries."""
    account = Account.objects.filter(player=player).first()
    if account is None:
        return Statement(0, False, (), None)
    rows = Entry.objects.filter(account=account).select_related("posting").order_by("-pk")
    after = account.balance
    if before is not None:
        rows = rows.filter(pk__lt=before)
        newer = Entry.objects.filter(account=account, pk__gte=before).aggregate(sum=Sum("amount"))
        after -= newer["sum"] or 0
    found = list(rows[: PAGE + 1])
    lines = []
    for entry in found[:PAGE]:
        posting = entry.posting
        lines.append(
            StatementLine(posting.created, posting.reason, posting.memo, posting.hand or "", entry.amount, after)
        )
        after -= entry.amount
    return Statement(account.balance, account.frozen, tuple(lines), found[PAGE - 1].pk if len(found) > PAGE else None)
