"""Relief: beans for whoever has few left, once a day, in days of the site's own time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import Account, Player, Posting
from accounts.services import ledger

FLOOR = 200
"""Whoever has fewer beans than this may ask."""
BEANS = 500
"""What he gets. A fixed number, so that nobody can lose beans to a friend by the million and have them issued again."""


class ReliefRefused(ValueError):
    """`code`: frozen, done (today's was taken), enough (not below the floor)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether relief can be had; `code` says why not."""

    code: str
    floor: int = FLOOR
    beans: int = BEANS

    @property
    def open(self) -> bool:
        return not self.code


def _key(player: Player, day: date) -> str:
    return f"relief:{player.pk}:{day.isoformat()}"


def _why_not(player: Player, account: Account, now: datetime) -> str:
    if account.frozen:
        return "frozen"
    if Posting.objects.filter(key=_key(player, timezone.localdate(now))).exists():
        return "done"
    return "enough" if account.balance >= FLOOR else ""


def standing(player: Player, now: datetime) -> Standing:
    """What a press on the button would come to. Reads only."""
    account = Account.objects.filter(player=player).first() or Account(player=player)
    return Standing(_why_not(player, account, now))


def claim(player: Player, now: datetime) -> Posting:
    """Today's relief. Raises ReliefRefused.

    Lock: the player's account and the issue's, in the order of their ids, so that two presses give one posting.
    """
    with transaction.atomic():
        ids = [ledger.player_account(player).pk, ledger.house_account(ledger.ISSUE).pk]
        rows = {row.pk: row for row in Account.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
        code = _why_not(player, rows[ids[0]], now)
        if code:
            raise ReliefRefused(code)
        return ledger.grant(player, BEANS, _key(player, timezone.localdate(now)), "relief")
