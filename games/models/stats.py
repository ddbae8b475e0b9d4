"""Sums of scored hands, kept while they are played, so that boards and profiles need not add up every hand.

One row says what one player did in one period, at one preset (or at all), on the whole site (or at one club's tables).
They follow from the stored results alone (`manage.py recompute_ratings`).
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

SITE = 0
"""The scope of the whole site; a club's scope is its id."""
ANY_PRESET = ""


class Tally(models.Model):
    """`period` is "all", "w" and the Monday, "m" and the month, or "s" and the season's id. Won and lost are the
    seat's own. The three `solo_` columns are part of the emperor's."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies", db_index=False
    )
    scope = models.PositiveBigIntegerField(default=SITE)
    period = models.CharField(max_length=12)
    preset = models.CharField(max_length=40, blank=True, default=ANY_PRESET)

    hands = models.PositiveIntegerField(_("局数"), default=0)
    wins = models.PositiveIntegerField(_("赢"), default=0)
    draws = models.PositiveIntegerField(_("平"), default=0)
    firsts = models.PositiveIntegerField(_("头客"), default=0)
    points = models.BigIntegerField(_("得分"), default=0)
    beans = models.BigIntegerField(_("游戏豆"), default=0)
    rated = models.PositiveIntegerField(_("计等级分的局数"), default=0)
    emperor_hands = models.PositiveIntegerField(default=0)
    emperor_wins = models.PositiveIntegerField(default=0)
    emperor_points = models.BigIntegerField(default=0)
    guard_hands = models.PositiveIntegerField(default=0)
    guard_wins = models.PositiveIntegerField(default=0)
    guard_points = models.BigIntegerField(default=0)
    rebel_hands = models.PositiveIntegerField(default=0)
    rebel_wins = models.PositiveIntegerField(default=0)
    rebel_points = models.BigIntegerField(default=0)
    solo_hands = models.PositiveIntegerField(default=0)
    solo_wins = models.PositiveIntegerField(default=0)
    solo_points = models.BigIntegerField(default=0)

    # set once, when a season closes: who is on its final boards, and with which rating
    final = models.BooleanField(default=False)
    final_value = models.FloatField(null=True)
    final_variance = models.FloatField(null=True)
    final_rated = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = _("战绩")
        verbose_name_plural = _("战绩")
        constraints = [
            models.UniqueConstraint(fields=["scope", "period", "preset", "player"], name="one_tally_of_a_kind")
        ]
        indexes = [models.Index(fields=["player", "scope", "period"], name="tallies_of_player")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.period} {self.preset}: {self.hands}"
