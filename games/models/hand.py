"""A hand as it is kept: its own copy of the rules, its deal, and the log of the actions taken (RULES §4–7).

The state of play is nowhere in here; `games.history` folds it from these rows. What nobody may see during play (deal,
seed, a reveal answer not yet applied) is in columns that no text form, admin list or log line shows.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.ids import LENGTH, new_id
from games.models.table import Table


class Hand(models.Model):
    class Status(models.TextChoices):
        ACTIVE = "active", _("进行中")
        DONE = "done", _("结束")
        VOID = "void", _("流局")
        UNSCORED = "unscored", _("不计分")

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands", verbose_name=_("牌桌"))
    number = models.PositiveIntegerField(_("局号"))
    rules = models.JSONField(_("规则"))
    room = models.PositiveIntegerField(_("房间倍数"), default=1)
    # five objects {"player": id or null, "name": shown name, "bot": bot's name, "level": …, "multiplier": ≥ 1}
    players = models.JSONField(_("座次"))
    first = models.PositiveSmallIntegerField(_("先发"))
    redeal = models.BooleanField(_("流局重发"), default=False)
    # made by `seed_demo`: a result without cards or a log, that no check can fold again
    demo = models.BooleanField(_("示例数据"), default=False, editable=False)
    # its log was taken away (`manage.py prune`); deal, seed and result are still here
    pruned = models.BooleanField(_("记录已清理"), default=False, editable=False)

    # --- kept from everybody until the hand is over
    deal = models.JSONField(editable=False)
    server_seed = models.CharField(max_length=128, editable=False)
    clients = models.JSONField(editable=False)
    commit = models.CharField(_("承诺"), max_length=64)
    previous = models.JSONField(null=True, editable=False)
    # the answer in the reveal step, taken and acknowledged, waiting for the end of the fixed time (RULES §5.6)
    pending = models.JSONField(null=True, editable=False)

    # --- where the hand stands
    status = models.CharField(_("状态"), max_length=8, choices=Status.choices, default=Status.ACTIVE)
    seq = models.PositiveIntegerField(_("步数"), default=0)
    # grows with every change of this row
    version = models.PositiveBigIntegerField(default=0, editable=False)
    # the moment the open question was asked, and the number of actions there were then
    asked_at = models.DateTimeField()
    asked_seq = models.PositiveIntegerField(default=0)
    # the next moment something must happen: a deadline, a bot's thinking time, the end of the reveal step
    due_at = models.DateTimeField(null=True)
    # five objects {"on": bool, "count": times it began, "gone": left for good}
    trustees = models.JSONField(editable=False)
    started_at = models.DateTimeField(_("开始"))
    ended_at = models.DateTimeField(_("结束"), null=True)

    class Meta:
        ordering = ["-started_at"]
        verbose_name = _("牌局")
        verbose_name_plural = _("牌局")
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="hand_number_once"),
            models.UniqueConstraint(fields=["table"], condition=Q(status="active"), name="one_active_hand_a_table"),
            models.CheckConstraint(
                condition=Q(status__in=["active", "done", "void", "unscored"]), name="hand_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status="active", due_at__isnull=False, ended_at__isnull=True)
                | (~Q(status="active") & Q(due_at__isnull=True, ended_at__isnull=False, pending__isnull=True)),
                name="hand_active_means_due",
            ),
            models.CheckConstraint(condition=Q(first__lte=4), name="hand_first_is_a_seat"),
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="hand_due")]

    def __str__(self) -> str:
        return f"{self.table_id} #{self.number}"

    @property
    def over(self) -> bool:
        return self.status != self.Status.ACTIVE


class HandAction(models.Model):
    """One decision of a hand. `seq` counts from 1; consequences (turns, tricks, places) are derived, never logged."""

    class Source(models.TextChoices):
        PLAYER = "player", _("玩家")
        BOT = "bot", _("机器人")
        TIMEOUT = "timeout", _("超时")
        TRUSTEE = "trustee", _("托管")

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="actions")
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=400)
    source = models.CharField(max_length=8, choices=Source.choices)
    action_id = models.CharField(max_length=64, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ["hand", "seq"]
        verbose_name = _("动作")
        verbose_name_plural = _("动作")
        constraints = [
            models.UniqueConstraint(fields=["hand", "seq"], name="action_seq_once"),
            models.UniqueConstraint(
                fields=["hand", "seat", "action_id"], condition=~Q(action_id=""), name="action_id_once"
            ),
            models.CheckConstraint(condition=Q(seat__lte=4), name="action_by_a_seat"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="action_seq_from_one"),
            models.CheckConstraint(
                condition=Q(source__in=["player", "bot", "timeout", "trustee"]), name="action_source_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id}:{self.seq}"
