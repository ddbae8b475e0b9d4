"""An event as it is kept: what was announced, who entered, its rounds with their tables, results, rulings, and a log.

Everything an event is going to do next is read off these rows, so that a server killed between any two steps goes on
where it was. A round's table is an ordinary `Table` that points at its `Pairing`; what became of the five seats lies in
`RowResult`, hand by hand in `BoardResult`. Standings are stored nowhere: they are a function of these rows.
"""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.ids import LENGTH, new_id
from games.models.variant import VariantRevision

NAME_LENGTH = 40
TEXT_LENGTH = 2000
REASON_LENGTH = 200


class Event(models.Model):
    class Format(models.TextChoices):
        ROTATION = "rotation", _("排位轮转")
        SWISS = "swiss", _("瑞士移位")
        KNOCKOUT = "knockout", _("淘汰")
        DUPLICATE = "duplicate", _("复式")

    class Status(models.TextChoices):
        ENTRIES = "entries", _("报名")
        RUNNING = "running", _("进行中")
        FINISHED = "finished", _("结束")
        CANCELLED = "cancelled", _("取消")

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    name = models.CharField(_("名称"), max_length=NAME_LENGTH)
    text = models.TextField(_("通知"), max_length=TEXT_LENGTH, blank=True, default="")
    # a club's event is seen, entered and watched by its members only; null: by everybody
    club = models.ForeignKey(
        "accounts.Club",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("俱乐部"),
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="created_events", verbose_name=_("由谁建立")
    )
    created_at = models.DateTimeField(_("建立时间"))

    format = models.CharField(_("赛制"), max_length=9, choices=Format.choices)
    rounds = models.PositiveSmallIntegerField(_("轮数"), validators=[MinValueValidator(1), MaxValueValidator(50)])
    hands = models.PositiveSmallIntegerField(_("每轮局数"))
    revision = models.ForeignKey(
        VariantRevision, on_delete=models.PROTECT, null=True, blank=True, related_name="events", verbose_name=_("规则")
    )
    preset = models.CharField(_("规则标识"), max_length=40, blank=True)
    rules = models.JSONField(_("规则"), editable=False)
    clock_step = models.PositiveIntegerField(_("答问秒数"))
    clock_play = models.PositiveIntegerField(_("出牌秒数"))
    clock_next = models.PositiveIntegerField(_("局间秒数"))
    level = models.CharField(_("机器人水平"), max_length=20, default="beginner")
    # whole seconds: a round; from the pairing to the cards; waiting for whoever is not there; between two rounds
    round_seconds = models.PositiveIntegerField(_("每轮限时"))
    notice_seconds = models.PositiveIntegerField(_("公布排位到开打"))
    grace_seconds = models.PositiveIntegerField(_("等人"))
    break_seconds = models.PositiveIntegerField(_("轮间休息"))

    opens_at = models.DateTimeField(_("开始报名"))
    starts_at = models.DateTimeField(_("开赛"))
    limit = models.PositiveIntegerField(_("人数上限"), null=True, blank=True)
    check_in = models.PositiveIntegerField(_("签到（开赛前几秒起，0为不签到）"), default=0)
    late_until = models.PositiveSmallIntegerField(_("可以补报到第几轮"), default=0)
    ladder = models.BooleanField(_("计入赛季积分"), default=True)

    # the seed of all lots and pairings: its hash is shown from the first day, itself with the first pairing
    seed = models.CharField(max_length=64, editable=False)
    seed_commit = models.CharField(max_length=64, editable=False)
    # duplicate: the secret all boards are derived from, and a commitment for each board, made with the event
    board_secret = models.CharField(max_length=128, blank=True, default="", editable=False)
    board_commits = models.JSONField(default=list, blank=True, editable=False)

    status = models.CharField(_("状态"), max_length=9, choices=Status.choices, default=Status.ENTRIES)
    paused_at = models.DateTimeField(_("暂停"), null=True, blank=True)
    # the next moment something must happen without anybody's doing
    next_at = models.DateTimeField(_("下一步"), null=True, blank=True)
    undone = models.PositiveSmallIntegerField(_("撤回的排位"), default=0)
    started_at = models.DateTimeField(_("实际开赛"), null=True, blank=True)
    ended_at = models.DateTimeField(_("结束时间"), null=True, blank=True)
    version = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["-starts_at"]
        verbose_name = _("比赛")
        verbose_name_plural = _("比赛")
        constraints = [
            models.CheckConstraint(
                condition=Q(format__in=["rotation", "swiss", "knockout", "duplicate"]), name="event_format_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["entries", "running", "finished", "cancelled"]), name="event_status_known"
            ),
            models.CheckConstraint(condition=Q(rounds__gte=1, hands__gte=1), name="event_has_rounds_and_hands"),
            models.CheckConstraint(condition=Q(starts_at__gte=F("opens_at")), name="event_starts_after_it_opens"),
            models.CheckConstraint(condition=Q(limit__isnull=True) | Q(limit__gte=2), name="event_limit_two_at_least"),
            models.CheckConstraint(
                condition=Q(status__in=["entries", "running"]) | Q(next_at__isnull=True), name="event_over_is_over"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["finished", "cancelled"], ended_at__isnull=False)
                | (~Q(status__in=["finished", "cancelled"]) & Q(ended_at__isnull=True)),
                name="event_end_is_written",
            ),
        ]
        indexes = [models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="event_due")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/events/{self.id}/"

    @property
    def over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)

    @property
    def paused(self) -> bool:
        return self.paused_at is not None


class Entrant(models.Model):
    class Status(models.TextChoices):
        ENTERED = "entered", _("已报名")
        WAITING = "waiting", _("候补")
        WITHDRAWN = "withdrawn", _("已退出")

    class Why(models.TextChoices):
        """Why somebody is out."""

        NONE = "", ""
        SELF = "self", _("自己退出")
        DIRECTOR = "director", _("裁判退出")
        CHECK_IN = "check_in", _("没有签到")
        MISSED = "missed", _("连续两轮没来")
        ACCOUNT = "account", _("账号停用")
        FULL = "full", _("没有轮到候补")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entrants", verbose_name=_("比赛"))
    # the number by which pairings, lots and exports know him; in the order of entries
    number = models.PositiveIntegerField(_("号码"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries", verbose_name=_("玩家")
    )
    # whom he is kept apart from in the first rounds of a Swiss event
    club = models.ForeignKey("accounts.Club", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    status = models.CharField(_("状态"), max_length=9, choices=Status.choices, default=Status.ENTERED)
    why = models.CharField(_("退出原因"), max_length=8, choices=Why.choices, blank=True, default="")
    checked_in = models.BooleanField(_("签到"), default=False)
    at = models.DateTimeField(_("报名时间"))

    class Meta:
        ordering = ["event", "number"]
        verbose_name = _("选手")
        verbose_name_plural = _("选手")
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entrant_number_once"),
            models.UniqueConstraint(fields=["event", "player"], name="entrant_of_an_event_once"),
            models.CheckConstraint(
                condition=Q(status__in=["entered", "waiting", "withdrawn"]), name="entrant_status_known"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="entrant_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.player}"


class Round(models.Model):
    class Status(models.TextChoices):
        PAIRED = "paired", _("已排位")
        PLAYING = "playing", _("进行中")
        CLOSED = "closed", _("结束")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="played_rounds", verbose_name=_("比赛"))
    number = models.PositiveSmallIntegerField(_("轮次"))
    status = models.CharField(_("状态"), max_length=7, choices=Status.choices, default=Status.PAIRED)
    # what decided the pairing and what it cost, as `games.tournament.values.Pairing` has it; fractions as text
    seed = models.CharField(_("种子"), max_length=80)
    cost = models.CharField(_("代价"), max_length=40)
    repeats = models.PositiveIntegerField(_("重逢"), default=0)
    again = models.PositiveIntegerField(_("连续重逢"), default=0)
    clubmates = models.PositiveIntegerField(_("同俱乐部"), default=0)
    spread = models.CharField(_("分差"), max_length=40)
    # rotation: who holds which slot of the plan
    slots = models.JSONField(default=list, blank=True, editable=False)
    paired_at = models.DateTimeField(_("排位时间"))
    began_at = models.DateTimeField(_("开打"), null=True, blank=True)
    deadline = models.DateTimeField(_("最迟"), null=True, blank=True)
    closed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    class Meta:
        ordering = ["event", "number"]
        verbose_name = _("轮次")
        verbose_name_plural = _("轮次")
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["event"], condition=~Q(status="closed"), name="one_open_round_an_event"),
            models.CheckConstraint(condition=Q(status__in=["paired", "playing", "closed"]), name="round_status_known"),
            models.CheckConstraint(
                condition=Q(status="paired", deadline__isnull=True) | (~Q(status="paired") & Q(deadline__isnull=False)),
                name="round_played_has_a_deadline",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} R{self.number}"


class Pairing(models.Model):
    """One table of a round; `Table.pairing` points here once it is open. Closed when its results stand."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings", verbose_name=_("轮次"))
    number = models.PositiveSmallIntegerField(_("桌号"))
    hands = models.PositiveSmallIntegerField(_("打完的局数"), default=0)
    closed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    class Meta:
        ordering = ["round", "number"]
        verbose_name = _("比赛桌")
        verbose_name_plural = _("比赛桌")
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="pairing_number_once")]

    def __str__(self) -> str:
        return f"{self.round} T{self.number}"


class RowResult(models.Model):
    """One seat of one table of a round, whose it is, and what it came to. `seat` is the one of the first five hands."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="rows")
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="rows")
    seat = models.PositiveSmallIntegerField(_("座位"))
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, null=True, blank=True, related_name="rows")
    # whether the next hand is dealt to him (before the first one: his seat is kept); a bot sits for who is not there
    here = models.BooleanField(_("在座"), default=False)
    net = models.BigIntegerField(_("净得分"), default=0)
    # actions of his seat: by himself, and by bots, trustees and timeouts for him
    own = models.PositiveIntegerField(_("自己打的"), default=0)
    served = models.PositiveIntegerField(_("代打的"), default=0)

    class Meta:
        ordering = ["pairing", "seat"]
        verbose_name = _("每轮结果")
        verbose_name_plural = _("每轮结果")
        constraints = [
            models.UniqueConstraint(fields=["pairing", "seat"], name="row_seat_once"),
            models.UniqueConstraint(
                fields=["round", "entrant"], condition=Q(entrant__isnull=False), name="one_row_a_round"
            ),
            models.CheckConstraint(condition=Q(seat__lte=4), name="row_of_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}/{self.seat}"

    @property
    def missed(self) -> bool:
        """Whether the entrant played nothing of the round himself and was not there when it ended."""
        return self.entrant_id is not None and self.own == 0 and not self.here


class BoardResult(models.Model):
    """One seat in one hand of an event. `board` counts the hands of the round from 1, void ones only in duplicate."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="boards")
    hand = models.ForeignKey("games.Hand", on_delete=models.PROTECT, related_name="board_results")
    board = models.PositiveSmallIntegerField(_("副"))
    # the seat of this hand; the entrant whose row it is, whoever played
    seat = models.PositiveSmallIntegerField(_("座位"))
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, null=True, blank=True, related_name="boards")
    points = models.BigIntegerField(_("得分"), null=True)
    own = models.PositiveIntegerField(_("自己打的"), default=0)
    served = models.PositiveIntegerField(_("代打的"), default=0)

    class Meta:
        ordering = ["pairing", "board", "seat"]
        verbose_name = _("每副结果")
        verbose_name_plural = _("每副结果")
        constraints = [
            models.UniqueConstraint(fields=["pairing", "board", "seat"], name="board_seat_once"),
            models.UniqueConstraint(fields=["hand", "seat"], name="board_hand_seat_once"),
            models.CheckConstraint(condition=Q(seat__lte=4, board__gte=1), name="board_of_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}#{self.board}/{self.seat}"


class EventRuling(models.Model):
    """A penalty or an adjusted score, with its reason (`games.tournament.rows.Ruling`). Taken back, it stays to be
    read."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="rulings", verbose_name=_("比赛"))
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="rulings", verbose_name=_("选手"))
    round = models.PositiveSmallIntegerField(_("轮次"), null=True, blank=True)
    penalty = models.DecimalField(_("扣分"), max_digits=8, decimal_places=2, default=0)
    score = models.DecimalField(_("场分改为"), max_digits=8, decimal_places=2, null=True, blank=True)
    net = models.BigIntegerField(_("净得分改为"), null=True, blank=True)
    reason = models.CharField(_("原因"), max_length=REASON_LENGTH)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(_("时间"))
    revoked_at = models.DateTimeField(_("撤销"), null=True, blank=True)

    class Meta:
        ordering = ["event", "pk"]
        verbose_name = _("判罚")
        verbose_name_plural = _("判罚")
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
            models.CheckConstraint(condition=Q(penalty__gte=0), name="ruling_takes_points_off"),
            models.CheckConstraint(
                condition=Q(round__isnull=False) | Q(score__isnull=True, net__isnull=True),
                name="ruling_adjusts_a_round",
            ),
            models.UniqueConstraint(
                fields=["entrant", "round"],
                condition=Q(revoked_at__isnull=True) & (Q(score__isnull=False) | Q(net__isnull=False)),
                name="a_round_is_adjusted_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.reason}"


class DirectorAct(models.Model):
    """What a director did, or the clock by itself (`by` null): a line of the event's log."""

    NAMED = ("enter", "withdraw", "out", "stand_in", "rule")
    """The acts whose text begins with the name of whom they are about; names hold no spaces."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="acts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    act = models.CharField(_("做了什么"), max_length=20)
    text = models.CharField(_("说明"), max_length=300, blank=True, default="")
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("裁判记录")
        verbose_name_plural = _("裁判记录")

    def __str__(self) -> str:
        return f"{self.event_id} {self.act}"
