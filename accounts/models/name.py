"""Names that nobody sits under now and that are still kept from others for a time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ReservedName(models.Model):
    """A name given up. Until the date only who had it may take it again; nobody may when the account is closed."""

    key = models.CharField(max_length=80, unique=True, editable=False)
    name = models.CharField(_("名字"), max_length=16)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("玩家"), on_delete=models.CASCADE, related_name="old_names"
    )
    until = models.DateTimeField(_("保留到"))

    class Meta:
        ordering = ["-until", "-pk"]
        verbose_name = _("保留的名字")
        verbose_name_plural = _("保留的名字")

    def __str__(self) -> str:
        return self.name
