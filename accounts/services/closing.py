"""Closing an account for good: the person goes, what others played with him stays under the name 已注销.

What the games have to do is theirs: `account_closing` is sent before, and whoever must not let it happen raises
`ClosingRefused` from there; `account_closed` is sent in the transaction of the closing. Doing it twice changes nothing.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import transaction

from accounts.models import Account, ApiToken, Block, Player, ReservedName
from accounts.models.player import NAME_LENGTH
from accounts.services import ledger, names
from accounts.services.clubs import ClubRefused, part_with_all
from accounts.signals import account_closed, account_closing, tell_signed_out


class ClosingRefused(ValueError):
    """`code`: owner (he owns a club others belong to), playing (a hand of his is on), staff."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def close(*, player: Player, now: datetime) -> None:
    """Close the account. Raises ClosingRefused. Lock: the player's row, then clubs, then his beans."""
    if player.is_staff or player.is_superuser:
        raise ClosingRefused("staff")
    account_closing.send(sender=Player, player=player, now=now)
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if row.closed_at is not None:
            return
        try:
            part_with_all(player=row, now=now)
        except ClubRefused as refused:
            raise ClosingRefused("owner") from refused
        _empty_beans(row)
        ApiToken.objects.filter(player=row, revoked=None).update(revoked=now)
        Block.objects.filter(player=row).delete()
        old = row.username
        known = {old, *ReservedName.objects.filter(player=row, until__gt=now).values_list("name", flat=True)}
        # as long as the name tells nothing: the number of the row is known from nowhere else
        row.username = f"{names.CLOSED_NAME}{row.pk}"
        if len(row.username) > NAME_LENGTH:
            row.username = f"{names.CLOSED_NAME}{secrets.token_hex(6)}"
        row.email, row.preferences = "", {}
        row.set_unusable_password()
        row.session_epoch += 1
        row.is_active = False
        row.closed_at = now
        row.shows_profile = row.shows_history = row.shows_online = Player.Shown.NOBODY
        row.save()
        if not row.is_guest:
            names.reserve(row, old, now)
        tell_signed_out(row.pk)
        account_closed.send(sender=Player, player=row, names=known, now=now)


def _empty_beans(player: Player) -> None:
    """What he owns, or owes, goes back to the issue."""
    account, issue = ledger.player_account(player), ledger.house_account(ledger.ISSUE)
    rows = {
        row.pk: row for row in Account.objects.select_for_update().filter(pk__in=[account.pk, issue.pk]).order_by("pk")
    }
    left = rows[account.pk].balance
    if left:
        ledger.post(key=f"close:{player.pk}", reason="close", amounts={account: -left, issue: left})
