"""What a finished hand came to, for lists and leaderboards; the log can always be folded again to check it
(`manage.py refold`). A void hand has no result; an unscored one has places and roles but no points (RULES §8.7)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games.models.hand import Hand
from games.models.season import Season


class HandResult(models.Model):
    class Unrated(models.TextChoices):
        """Why no rating changed."""

        NONE = "", ""
        UNSCORED = "unscored", _("不计分")
        BOTS = "bots", _("机器人太多")

    hand = models.OneToOneField(Hand, on_delete=models.CASCADE, primary_key=True, related_name="result")
    scored = models.BooleanField(_("计分"))
    emperor = models.PositiveSmallIntegerField(_("皇帝"))
    guard = models.PositiveSmallIntegerField(_("侍卫"), null=True)
    solo = models.CharField(_("独保"), max_length=6, blank=True, default="")
    guard_open = models.BooleanField(_("明保"), default=False)
    multiplier = models.BigIntegerField(_("倍数"))
    outcome = models.CharField(_("皇帝方"), max_length=4)
    rounding = models.BigIntegerField(default=0)
    # pairs [cleared seat, seat that beat it] (RULES §9.4)
    cleared = models.JSONField(default=list)
    ended_at = models.DateTimeField(_("结束"), db_index=True)
    # the place of this hand among all that ended: what ratings and lists go by; null: not counted yet
    order = models.BigIntegerField(_("局次"), unique=True, null=True, editable=False)
    preset = models.CharField(_("规则标识"), max_length=40, blank=True, default="")
    # the club at whose table it was played, and whether that table was listed for everybody
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="results", verbose_name=_("俱乐部")
    )
    public = models.BooleanField(_("公开"), default=False)
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, null=True, blank=True, related_name="results", verbose_name=_("赛季")
    )
    bots = models.PositiveSmallIntegerField(_("机器人数"), default=0)
    unrated = models.CharField(_("不计等级分"), max_length=8, choices=Unrated.choices, blank=True, default=Unrated.NONE)

    class Meta:
        ordering = ["-ended_at"]
        verbose_name = _("结果")
        verbose_name_plural = _("结果")
        constraints = [
            models.CheckConstraint(condition=Q(outcome__in=["win", "draw", "loss"]), name="result_outcome_known"),
            models.CheckConstraint(
                condition=Q(solo="", guard__isnull=False) | Q(solo__in=["open", "hidden"], guard__isnull=True),
                name="result_guard_or_solo",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.outcome}"


class SeatResult(models.Model):
    class Role(models.TextChoices):
        EMPEROR = "emperor", _("皇帝")
        GUARD = "guard", _("侍卫")
        REBEL = "rebel", _("起义军")

    result = models.ForeignKey(HandResult, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("座位"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seat_results"
    )
    bot = models.CharField(_("机器人"), max_length=16, blank=True, default="")
    role = models.CharField(_("身份"), max_length=8, choices=Role.choices)
    place = models.PositiveSmallIntegerField(_("名次"))
    points = models.BigIntegerField(_("得分"))
    beans = models.BigIntegerField(_("游戏豆"))
    multiplier = models.PositiveIntegerField(_("自定倍数"), default=1)
    level = models.CharField(_("机器人水平"), max_length=20, blank=True, default="")
    # the result's, so that one index finds a player's hands newest first
    order = models.BigIntegerField(null=True, editable=False)
    # inner scale (`games.rating`): after the hand, and by how much it changed; null where nothing was rated
    rating = models.FloatField(null=True, editable=False)
    rating_change = models.FloatField(null=True, editable=False)

    class Meta:
        ordering = ["result", "seat"]
        verbose_name = _("座位结果")
        verbose_name_plural = _("座位结果")
        constraints = [
            models.UniqueConstraint(fields=["result", "seat"], name="seat_result_once"),
            models.UniqueConstraint(fields=["result", "place"], name="place_once"),
            models.CheckConstraint(condition=Q(place__gte=1, place__lte=5), name="place_one_to_five"),
            models.CheckConstraint(condition=Q(seat__lte=4), name="seat_result_of_a_seat"),
        ]
        indexes = [
            models.Index(fields=["player", "-id"], condition=Q(player__isnull=False), name="results_of_player"),
            models.Index(fields=["player", "-order"], condition=Q(player__isnull=False), name="history_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.result_id}/{self.seat}"
