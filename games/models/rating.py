"""Ratings as they stand: one row a player, one offset a preset. Both follow from the stored results alone
(`manage.py recompute_ratings`); `games.services.ratings` is their only writer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.rating import Standing


class Rating(models.Model):
    """The inner scale; people see 1500 + 200 · `value` (`games.rating`)."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="rating"
    )
    value = models.FloatField(default=0.0)
    hands = models.PositiveIntegerField(_("计等级分的局数"), default=0)
    experience = models.PositiveIntegerField(default=0)
    variance = models.FloatField(default=1.0)

    class Meta:
        verbose_name = _("等级分")
        verbose_name_plural = _("等级分")

    def __str__(self) -> str:
        return f"{self.player_id}: {self.standing.shown}"

    @property
    def standing(self) -> Standing:
        return Standing(self.value, self.hands, self.experience, self.variance)


class RatingOffset(models.Model):
    """What a preset gives the emperor's side by itself; hands against one have their own."""

    preset = models.CharField(_("规则标识"), max_length=40)
    solo = models.BooleanField(_("独保"))
    value = models.FloatField(default=0.0)

    class Meta:
        verbose_name = _("规则的偏向")
        verbose_name_plural = _("规则的偏向")
        constraints = [models.UniqueConstraint(fields=["preset", "solo"], name="one_offset_a_preset")]

    def __str__(self) -> str:
        return f"{self.preset} {self.value:+.3f}"
