"""Fair play: what people report, what moderators say to somebody, what a program finds worth a look, and seats left.

Nothing here punishes by itself but `Desertion`, whose waiting time stands in its row. Whoever is reported or found by a
signal sees nothing of it; a sanction is what he reads and may answer.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.hand import Hand
from games.models.table import Table

PLAYER = settings.AUTH_USER_MODEL
TEXT_LENGTH = 500


class Report(models.Model):
    """Somebody tells the moderators about somebody else, best with the hand in which it happened."""

    class Category(models.TextChoices):
        TALK = "talk", _("骂人、说难听的话")
        COLLUDE = "collude", _("串通、给对家送牌")
        SPOIL = "spoil", _("故意乱打")
        STALL = "stall", _("拖时间、老是离开")
        ACCOUNTS = "accounts", _("一个人用几个账号")
        NAME = "name", _("名字不合适")
        OTHER = "other", _("其他")

    class Status(models.TextChoices):
        OPEN = "open", _("待处理")
        DONE = "done", _("已处理")
        DISMISSED = "none", _("不用处理")

    reporter = models.ForeignKey(PLAYER, models.CASCADE, related_name="reports_made", verbose_name=_("举报人"))
    target = models.ForeignKey(PLAYER, models.CASCADE, related_name="reports_about", verbose_name=_("被举报的人"))
    hand = models.ForeignKey(
        Hand, models.SET_NULL, null=True, blank=True, related_name="reports", verbose_name=_("牌局")
    )
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="reports", verbose_name=_("牌桌")
    )
    # the hand's id, kept when the hand is gone; "" where none was attached
    scene = models.CharField(max_length=40, blank=True, default="", editable=False)
    category = models.CharField(_("什么事"), max_length=8, choices=Category.choices)
    text = models.CharField(_("说明"), max_length=TEXT_LENGTH, blank=True)
    at = models.DateTimeField(_("时间"))
    status = models.CharField(_("状态"), max_length=4, choices=Status.choices, default=Status.OPEN)
    handled_by = models.ForeignKey(
        PLAYER, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("谁处理的")
    )
    handled_at = models.DateTimeField(_("处理时间"), null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("举报")
        verbose_name_plural = _("举报")
        permissions = [("moderate", _("处理举报、警告、停赛"))]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "target", "scene"], condition=Q(status="open"), name="one_open_report"
            ),
            models.CheckConstraint(condition=~Q(reporter=F("target")), name="nobody_reports_himself"),
            models.CheckConstraint(condition=Q(status__in=["open", "done", "none"]), name="report_status_known"),
        ]
        indexes = [models.Index(fields=["status", "-at"], name="report_queue")]

    def __str__(self) -> str:
        return f"{self.get_category_display()} #{self.pk}"


class Sanction(models.Model):
    """What a moderator says to a player: a warning to be read, or a suspension until a moment. Kept for ever."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("警告")
        SUSPENSION = "suspend", _("停赛")

    player = models.ForeignKey(PLAYER, models.CASCADE, related_name="sanctions", verbose_name=_("玩家"))
    kind = models.CharField(_("种类"), max_length=7, choices=Kind.choices)
    # the words the player reads
    reason = models.CharField(_("对他说的话"), max_length=TEXT_LENGTH)
    by = models.ForeignKey(PLAYER, models.SET_NULL, null=True, related_name="+", verbose_name=_("谁给的"))
    at = models.DateTimeField(_("时间"))
    until = models.DateTimeField(_("到什么时候"), null=True, blank=True)
    report = models.ForeignKey(
        Report, models.SET_NULL, null=True, blank=True, related_name="sanctions", verbose_name=_("因为哪次举报")
    )
    seen_at = models.DateTimeField(_("他看到的时间"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("撤销时间"), null=True, blank=True)
    # the player has written and nobody has answered yet
    waiting = models.BooleanField(_("等答复"), default=False)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("警告与停赛")
        verbose_name_plural = _("警告与停赛")
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="warning", until__isnull=True) | Q(kind="suspend", until__isnull=False),
                name="suspension_has_an_end",
            )
        ]
        indexes = [
            models.Index(fields=["player", "until"], condition=Q(kind="suspend"), name="suspended_until"),
            models.Index(fields=["player"], condition=Q(seen_at__isnull=True), name="sanction_unread"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"


class AppealLine(models.Model):
    """One line of the talk about a sanction, by the player or by a moderator."""

    sanction = models.ForeignKey(Sanction, models.CASCADE, related_name="lines", verbose_name=_("警告与停赛"))
    author = models.ForeignKey(PLAYER, models.SET_NULL, null=True, related_name="+", verbose_name=_("谁写的"))
    moderator = models.BooleanField(_("管理员"), default=False)
    text = models.CharField(_("内容"), max_length=TEXT_LENGTH)
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("申诉")
        verbose_name_plural = _("申诉")

    def __str__(self) -> str:
        return self.text[:40]


class Desertion(models.Model):
    """A seat left for good in a hand in which others were playing, and how long its player waits for it."""

    player = models.ForeignKey(PLAYER, models.CASCADE, related_name="desertions", verbose_name=_("玩家"))
    hand = models.ForeignKey(Hand, models.CASCADE, related_name="desertions", verbose_name=_("牌局"))
    at = models.DateTimeField(_("时间"))
    until = models.DateTimeField(_("等到"))
    # how many there were in the day before it, this one counted
    times = models.PositiveSmallIntegerField(_("一天内第几次"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("中途离开")
        verbose_name_plural = _("中途离开")
        constraints = [models.UniqueConstraint(fields=["player", "hand"], name="deserted_once_a_hand")]
        indexes = [models.Index(fields=["player", "-at"], name="deserted_lately")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.hand_id}"


class Signal(models.Model):
    """Two people whose hands look odd in one respect. It is for a person to look at, and proves nothing."""

    class Kind(models.TextChoices):
        MEET = "meet", _("老是碰到一起")
        FLOW = "flow", _("豆总往一边流")
        HELP = "help", _("对家的牌不压")
        DEVICE = "device", _("同一台设备")
        NETWORK = "network", _("同一个网络")

    class Status(models.TextChoices):
        NEW = "new", _("没看过")
        REVIEWED = "seen", _("看过了")

    kind = models.CharField(_("种类"), max_length=8, choices=Kind.choices)
    # where there is a direction, from `player` to `other`; else the smaller id first
    player = models.ForeignKey(PLAYER, models.CASCADE, related_name="signals", verbose_name=_("玩家"))
    other = models.ForeignKey(PLAYER, models.CASCADE, related_name="signals_beside", verbose_name=_("和谁"))
    # how far from ordinary; what it measures depends on the kind
    strength = models.FloatField(_("强度"))
    figures = models.JSONField(_("数字"), default=dict)
    hands = models.JSONField(_("牌局"), default=list)
    days = models.PositiveIntegerField(_("看了多少天"))
    found_at = models.DateTimeField(_("算出的时间"))
    status = models.CharField(_("状态"), max_length=4, choices=Status.choices, default=Status.NEW)
    reviewed_by = models.ForeignKey(
        PLAYER, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("谁看的")
    )
    reviewed_at = models.DateTimeField(_("看的时间"), null=True, blank=True)
    # a signal that has grown by half since it was looked at is new again
    reviewed_strength = models.FloatField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["status", "-strength", "-pk"]
        verbose_name = _("可疑迹象")
        verbose_name_plural = _("可疑迹象")
        constraints = [
            models.UniqueConstraint(fields=["kind", "player", "other"], name="one_signal_a_pair"),
            models.CheckConstraint(condition=~Q(player=F("other")), name="signal_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"


class LoginTrace(models.Model):
    """From which network and with which kind of browser somebody logged in, as keyed hashes: they can be compared with
    one another and turned back into nothing. Kept for `games.services.traces.KEPT` after the last time."""

    player = models.ForeignKey(PLAYER, models.CASCADE, related_name="login_traces", verbose_name=_("玩家"))
    network = models.CharField(max_length=32)
    agent = models.CharField(max_length=32)
    last_at = models.DateTimeField(_("上次"))

    class Meta:
        ordering = ["-last_at"]
        verbose_name = _("登录痕迹")
        verbose_name_plural = _("登录痕迹")
        constraints = [models.UniqueConstraint(fields=["player", "network", "agent"], name="trace_once")]
        indexes = [
            models.Index(fields=["network", "agent"], name="trace_shared"),
            models.Index(fields=["last_at"], name="trace_age"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.last_at:%Y-%m-%d}"
