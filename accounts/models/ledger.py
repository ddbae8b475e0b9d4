"""The beans: accounts, postings and their entries, in whole beans.

A posting says why beans moved; its entries say between which accounts, and sum to 0. Nothing here is ever changed or
deleted: a correction is a new posting. `accounts.services.ledger` is the only writer. The balance of an account is
the sum of its entries, kept beside them in the same transaction.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class LedgerIsAppendOnly(TypeError):
    """Somebody tried to change or delete what has been written into the ledger."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Adds and reads; never updates or deletes."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise LedgerIsAppendOnly("rows of the ledger are never updated")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise LedgerIsAppendOnly("rows of the ledger are never updated")

    def delete(self) -> NoReturn:
        raise LedgerIsAppendOnly("rows of the ledger are never deleted")


class AppendOnly(models.Model):
    objects: ClassVar[models.Manager[Any]] = models.Manager.from_queryset(AppendOnlyQuerySet)()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LedgerIsAppendOnly("rows of the ledger are never updated")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise LedgerIsAppendOnly("rows of the ledger are never deleted")


class Account(models.Model):
    """A place for beans: of one player, or one of the house's own, named by its code."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("玩家"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="bean_account",
    )
    code = models.CharField(_("代号"), max_length=20, unique=True, null=True, blank=True)
    balance = models.BigIntegerField(_("余额（豆）"), default=0, editable=False)
    # keeps its owner from tables with stakes and from relief; `accounts.services.bean_admin` sets it
    frozen = models.BooleanField(_("冻结"), default=False, editable=False)

    class Meta:
        permissions = [("manage_beans", _("冲正、发豆、冻结"))]
        verbose_name = _("游戏豆账户")
        verbose_name_plural = _("游戏豆账户")
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=False, code__isnull=True) | Q(player__isnull=True, code__isnull=False),
                name="account_of_a_player_or_of_the_house",
            )
        ]

    def __str__(self) -> str:
        return str(self.player) if self.player_id else f"[{self.code}]"


class Posting(AppendOnly):
    """One movement of beans. Its key is used once: the same thing is never paid twice."""

    key = models.CharField(_("唯一键"), max_length=120, unique=True)
    reason = models.CharField(_("事由"), max_length=20)
    memo = models.CharField(_("备注"), max_length=200, blank=True)
    hand = models.CharField(_("牌局"), max_length=40, null=True, blank=True, db_index=True)
    created = models.DateTimeField(_("时间"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("豆账")
        verbose_name_plural = _("豆账")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.key


class Entry(AppendOnly):
    """What one posting does to one account; never 0."""

    posting = models.ForeignKey(Posting, verbose_name=_("豆账"), on_delete=models.PROTECT, related_name="entries")
    account = models.ForeignKey(Account, verbose_name=_("账户"), on_delete=models.PROTECT, related_name="entries")
    amount = models.BigIntegerField(_("豆"))

    class Meta:
        verbose_name = _("分录")
        verbose_name_plural = _("分录")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(amount=0), name="entry_moves_something"),
            models.UniqueConstraint(fields=["posting", "account"], name="one_entry_an_account_in_a_posting"),
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.amount:+d}"
