"""A token lets a program act for a player. The text is shown once; only its SHA-256 is kept."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiToken(models.Model):
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("玩家"), on_delete=models.CASCADE, related_name="tokens"
    )
    label = models.CharField(_("用途"), max_length=40, blank=True)
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    created = models.DateTimeField(_("创建时间"), auto_now_add=True)
    last_used = models.DateTimeField(_("上次使用"), null=True, blank=True)
    revoked = models.DateTimeField(_("作废时间"), null=True, blank=True)

    class Meta:
        verbose_name = _("程序令牌")
        verbose_name_plural = _("程序令牌")
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return f"{self.player} · {self.label or self.pk}"
