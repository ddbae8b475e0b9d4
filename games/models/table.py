"""A table and its five seats: who sits where, by which rules, and what the next deal is waiting for.

A table never holds cards; those are in `Hand`. Its `next_seed` is the server's half of the shuffle of the next hand,
made before anybody contributes to it, so that its hash can be shown first (RULES §4.2).
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.ids import LENGTH, new_id
from games.models.variant import VariantRevision


class Table(models.Model):
    class Status(models.TextChoices):
        WAITING = "waiting", _("等人")
        PLAYING = "playing", _("进行中")
        BETWEEN = "between", _("局间")
        CLOSED = "closed", _("已散")

    class Reason(models.TextChoices):
        """Why a table was closed."""

        NONE = "", ""
        TRUSTEE = "trustee", _("有人托管")
        LEFT = "left", _("有人离开")
        LIMIT = "limit", _("局数已满")
        EMPTY = "empty", _("没有人了")
        IDLE = "idle", _("长时间无人")
        ADMIN = "admin", _("管理员散桌")
        CLUB = "club", _("俱乐部停用")
        ROUND = "round", _("本轮结束")
        HUNG = "hung", _("裁判散桌")

    class Watching(models.TextChoices):
        """What those who do not sit there see of a hand while it is played."""

        LIVE = "live", _("随打随看")
        TRICK = "trick", _("晚一圈")
        AFTER = "after", _("打完再看")
        NONE = "none", _("不让旁观")

    class Wait(models.TextChoices):
        """What happens at `wait_until` to a table that waits."""

        NOTHING = "", ""
        READY = "ready", _("等准备")
        FILL = "fill", _("等机器人补位")

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_tables", verbose_name=_("桌主")
    )
    revision = models.ForeignKey(
        VariantRevision,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("规则版本"),
    )
    preset = models.CharField(_("规则标识"), max_length=40, blank=True)
    rules = models.JSONField(_("规则"))
    overrides = models.JSONField(_("改动"), default=dict, blank=True)

    clock_step = models.PositiveIntegerField(_("答问秒数"))
    clock_play = models.PositiveIntegerField(_("出牌秒数"))
    clock_next = models.PositiveIntegerField(_("局间秒数"))
    clock_reveal = models.PositiveIntegerField(_("亮侍卫秒数"))
    room = models.PositiveIntegerField(_("房间倍数"), default=1)
    # whoever sits down needs at least so many beans
    entry = models.PositiveIntegerField(_("入座最少豆"), default=0)
    public = models.BooleanField(_("公开"), default=False)
    # a club's table is seen, watched and joined by its members only; null: by whoever has the link
    club = models.ForeignKey(
        "accounts.Club",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("俱乐部"),
    )
    # a table of an event: its seats are the pairing's, nobody else's
    pairing = models.OneToOneField(
        "games.Pairing",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="table",
        verbose_name=_("比赛桌"),
    )
    level = models.CharField(_("机器人水平"), max_length=20, default="beginner")
    hands_limit = models.PositiveIntegerField(_("局数"), null=True, blank=True)
    watching = models.CharField(_("旁观"), max_length=5, choices=Watching.choices, default=Watching.LIVE)
    # a bot plays on for whoever leaves or stays away, and the table goes on afterwards; else RULES §8.7
    substitutes = models.BooleanField(_("离开的由机器人顶替"), default=False)
    # how long a full table waits for everybody's ready before it frees the seats of the others; 0: for ever
    ready_seconds = models.PositiveIntegerField(_("准备限时秒数"), default=0)
    # opened by quick match: free seats are filled with bots after so long, null: never
    quick = models.BooleanField(_("快速匹配"), default=False)
    fill_seconds = models.PositiveIntegerField(_("补机器人秒数"), null=True, blank=True)
    # ids of people the host has sent away
    kept_out = models.JSONField(default=list, blank=True, editable=False)
    # where the same five go on after the last hand
    rematch = models.OneToOneField(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="rematch_of",
        verbose_name=_("再来一场"),
    )

    status = models.CharField(_("状态"), max_length=8, choices=Status.choices, default=Status.WAITING)
    closed_because = models.CharField(_("散桌原因"), max_length=8, choices=Reason.choices, blank=True, default="")
    number = models.PositiveIntegerField(_("局号"), default=0)
    next_at = models.DateTimeField(_("下一局最迟"), null=True, blank=True)
    wait_until = models.DateTimeField(_("等到"), null=True, blank=True)
    wait_for = models.CharField(_("等什么"), max_length=5, choices=Wait.choices, blank=True, default="")
    next_first = models.PositiveSmallIntegerField(_("下一局先发"), default=0)
    next_seed = models.CharField(max_length=128, editable=False)
    next_commit = models.CharField(_("下一局承诺"), max_length=64)
    contributions = models.JSONField(default=dict, blank=True, editable=False)
    # the hand before and who sat at it, for tribute (RULES §9.1); null: nothing is owed
    previous = models.JSONField(null=True, blank=True, editable=False)
    previous_seats = models.JSONField(null=True, blank=True, editable=False)

    # grows with every change of this row or its seats: the newest of two pictures of a table is the one to show
    version = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("开桌时间"))
    changed_at = models.DateTimeField(_("最近变动"))

    class Meta:
        ordering = ["-created_at"]
        verbose_name = _("牌桌")
        verbose_name_plural = _("牌桌")
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "playing", "between", "closed"]), name="table_status_known"
            ),
            models.CheckConstraint(condition=Q(next_first__lte=4), name="table_next_first_is_a_seat"),
            models.CheckConstraint(
                condition=Q(status="between", next_at__isnull=False) | (~Q(status="between") & Q(next_at__isnull=True)),
                name="table_pause_has_an_end",
            ),
            models.CheckConstraint(condition=Q(club__isnull=True) | Q(public=False), name="club_table_not_public"),
            models.CheckConstraint(
                condition=Q(watching__in=["live", "trick", "after", "none"]), name="table_watching_known"
            ),
            models.CheckConstraint(
                condition=Q(wait_until__isnull=True, wait_for="")
                | Q(wait_until__isnull=False, wait_for__in=["ready", "fill"], status="waiting"),
                name="table_waits_for_something",
            ),
        ]
        indexes = [
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="table_pause_over"),
            models.Index(fields=["wait_until"], condition=Q(wait_until__isnull=False), name="table_wait_over"),
            models.Index(fields=["changed_at"], condition=Q(status="waiting"), name="table_waiting_since"),
            models.Index(fields=["-created_at"], condition=Q(public=True) & ~Q(status="closed"), name="table_open"),
        ]

    def __str__(self) -> str:
        return f"{self.preset or '—'} {self.id}"

    @property
    def due_at(self) -> datetime | None:
        """When something must happen here while no hand is on."""
        return self.next_at or self.wait_until


class Seat(models.Model):
    """One of the five places of a table: free, taken by a person, or by a bot."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("座位"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="seats"
    )
    bot = models.CharField(_("机器人"), max_length=16, blank=True, default="")
    level = models.CharField(_("水平"), max_length=20, blank=True, default="")
    ready = models.BooleanField(_("准备"), default=False)
    multiplier = models.PositiveIntegerField(_("自定倍数"), default=1, validators=[MinValueValidator(1)])
    # the seat this one has asked to change places with
    swap_with = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["table", "number"]
        verbose_name = _("座位")
        verbose_name_plural = _("座位")
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number_once"),
            models.UniqueConstraint(
                fields=["table", "player"], condition=Q(player__isnull=False), name="one_seat_a_player"
            ),
            models.CheckConstraint(condition=Q(number__lte=4), name="five_seats"),
            models.CheckConstraint(condition=Q(player__isnull=True) | Q(bot=""), name="person_or_bot"),
            models.CheckConstraint(condition=Q(multiplier__gte=1), name="seat_multiplier_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}"

    @property
    def empty(self) -> bool:
        return self.player_id is None and not self.bot

    @property
    def key(self) -> str:
        """Who sits here, as text; equal keys in equal seats are 'the same five' (RULES §9.1)."""
        if self.player_id is not None:
            return f"p{self.player_id}"
        return f"b{self.bot}" if self.bot else ""
