"""What admins did by their powers: who, when, to what, and why. Written once, never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.ledger import AppendOnly


class AuditEntry(AppendOnly):
    at = models.DateTimeField(_("时间"), db_index=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("谁"), on_delete=models.PROTECT, related_name="audit_entries"
    )
    # a stable word such as `beans.grant`, and what it was done to as `app.model:key` with its name then
    action = models.CharField(_("做了什么"), max_length=40, db_index=True)
    target = models.CharField(_("对象"), max_length=80, db_index=True)
    label = models.CharField(_("对象的名字"), max_length=80, blank=True, default="")
    reason = models.CharField(_("为什么"), max_length=300)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("管理记录")
        verbose_name_plural = _("管理记录")

    def __str__(self) -> str:
        return f"{self.action} {self.label or self.target}"
