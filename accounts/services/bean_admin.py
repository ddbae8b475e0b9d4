"""What an admin may do to beans: take a posting back, give or take some, freeze an account. Nothing else changes one.

Each act needs the permission `accounts.manage_beans` and a reason, and is noted in the same transaction; done twice it
changes nothing more and is noted once.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Account, Player, Posting
from accounts.services import audit, ledger

PERMISSION = "accounts.manage_beans"
MOST = 1_000_000_000
"""Beans one grant may move, up or down."""


class BeanRefused(ValueError):
    """`code`: forbidden, reason (none given), amount, reversal (a reversal is not taken back), house."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _check(by: Player, reason: str) -> None:
    if not (by.is_active and by.is_staff and by.has_perm(PERMISSION)):
        raise BeanRefused("forbidden")
    if not reason.strip():
        raise BeanRefused("reason")


def reverse(*, posting: Posting, by: Player, reason: str, now: datetime) -> Posting:
    """Take a posting back by its opposite, once. Raises BeanRefused: forbidden, reason, reversal."""
    _check(by, reason)
    if posting.reason == "reverse":
        raise BeanRefused("reversal")
    with transaction.atomic():
        ids = posting.entries.values_list("account_id", flat=True)
        list(Account.objects.select_for_update().filter(pk__in=list(ids)).order_by("pk"))
        first = Posting.objects.filter(key=f"reverse:{posting.pk}").first()
        if first is not None:
            return first
        done = ledger.reverse(posting, memo=reason.strip()[:200])
        audit.note(by=by, action="beans.reverse", target=posting, reason=reason, now=now)
    return done


def grant(*, player: Player, amount: int, key: str, by: Player, reason: str, now: datetime) -> Posting:
    """Give beans out of the issue, or with a negative amount take them back into it; once for each `key`.

    Raises BeanRefused: forbidden, reason, amount.
    """
    _check(by, reason)
    if type(amount) is not int or amount == 0 or abs(amount) > MOST:
        raise BeanRefused("amount")
    with transaction.atomic():
        account, issue = ledger.player_account(player), ledger.house_account(ledger.ISSUE)
        list(Account.objects.select_for_update().filter(pk__in=[account.pk, issue.pk]).order_by("pk"))
        first = Posting.objects.filter(key=f"admin:{key}").first()
        if first is not None:
            return first
        done = ledger.post(
            key=f"admin:{key}",
            reason="admin",
            amounts={issue: -amount, account: amount},
            memo=reason.strip()[:200],
        )
        audit.note(by=by, action="beans.grant", target=account, reason=f"{amount:+d} {reason.strip()}", now=now)
    return done


def freeze(*, account: Account, on: bool, by: Player, reason: str, now: datetime) -> Account:
    """Keep the account's owner from tables with stakes and from relief, or let him again.

    Raises BeanRefused: forbidden, reason, house (accounts of the house play nowhere).
    """
    _check(by, reason)
    if account.player_id is None:
        raise BeanRefused("house")
    with transaction.atomic():
        row = Account.objects.select_for_update().get(pk=account.pk)
        if row.frozen != on:
            row.frozen = on
            row.save(update_fields=["frozen"])
            audit.note(by=by, action="beans.freeze" if on else "beans.unfreeze", target=row, reason=reason, now=now)
    return row
