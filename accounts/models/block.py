"""Whom somebody does not want to meet, and whom he does not want to hear.

Each row is one person's own decision about another; the other never learns of it. A block is the stronger word: never
matched with, never heard.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Block(models.Model):
    class Kind(models.TextChoices):
        BLOCK = "block", _("拉黑")
        MUTE = "mute", _("不听他说话")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("玩家"), on_delete=models.CASCADE, related_name="blocks"
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("对谁"), on_delete=models.CASCADE, related_name="blocked_by"
    )
    kind = models.CharField(_("种类"), max_length=5, choices=Kind.choices)
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("拉黑与静音")
        verbose_name_plural = _("拉黑与静音")
        constraints = [
            models.UniqueConstraint(fields=["player", "other", "kind"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(player=F("other")), name="nobody_blocks_himself"),
            models.CheckConstraint(condition=Q(kind__in=["block", "mute"]), name="block_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} ✕ {self.other_id}"
