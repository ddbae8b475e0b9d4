"""What is said at a table, by those who sit there and by those who look on.

Who may read a line depends on the hand during which it was written (`games.selectors.chat`); nothing is deleted here.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.table import Table


class ChatMessage(models.Model):
    """One line of plain text. `seat` is null for a spectator's; `hand` is the number of the hand that was being played,
    0 when none was."""

    LENGTH = 100

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chat", verbose_name=_("牌桌"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_lines", verbose_name=_("谁说的")
    )
    seat = models.PositiveSmallIntegerField(_("座位"), null=True, blank=True)
    hand = models.PositiveIntegerField(_("局号"), default=0)
    text = models.CharField(_("内容"), max_length=LENGTH)
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["pk"]
        verbose_name = _("聊天")
        verbose_name_plural = _("聊天")
        constraints = [
            models.CheckConstraint(condition=Q(seat__isnull=True) | Q(seat__lte=4), name="chat_from_a_seat"),
        ]
        indexes = [models.Index(fields=["table", "author", "-at"], name="chat_said_lately")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.at:%Y-%m-%d %H:%M}"
