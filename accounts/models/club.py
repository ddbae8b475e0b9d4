"""Clubs: who belongs to one, who asked to, who may not, and what its managers have to say.

A club has exactly one owner; the owner's membership and `Club.owner` say the same and are only changed together, by
`accounts.services.clubs`. What a club plays is not known here: `default_variant` is a name the games understand.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

SLUG_LENGTH = 30
NAME_LENGTH = 20
DESCRIPTION_LENGTH = 1000
ANNOUNCEMENT_LENGTH = 2000
REASON_LENGTH = 200


class Club(models.Model):
    class Join(models.TextChoices):
        """How somebody becomes a member."""

        LINK = "link", _("有邀请链接就能加入")
        REQUEST = "request", _("申请，管理员同意后加入")
        CLOSED = "closed", _("暂不收人")

    slug = models.SlugField(_("网址代号"), max_length=SLUG_LENGTH, unique=True)
    name = models.CharField(_("名称"), max_length=NAME_LENGTH)
    description = models.TextField(_("介绍"), max_length=DESCRIPTION_LENGTH, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("会长"), on_delete=models.PROTECT, related_name="owned_clubs"
    )
    default_variant = models.CharField(_("常用规则"), max_length=40, blank=True, default="")
    join = models.CharField(_("加入方式"), max_length=8, choices=Join.choices, default=Join.LINK)
    # whoever knows it gets in, so no list and no text form shows it
    invite = models.CharField(max_length=24, unique=True, editable=False)
    created_at = models.DateTimeField(_("建立时间"))
    archived_at = models.DateTimeField(_("停用时间"), null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("俱乐部")
        verbose_name_plural = _("俱乐部")
        constraints = [
            models.UniqueConstraint(Lower("name"), condition=Q(archived_at__isnull=True), name="live_club_name_once"),
            models.CheckConstraint(condition=Q(join__in=["link", "request", "closed"]), name="club_join_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/clubs/{self.slug}/"

    @property
    def archived(self) -> bool:
        return self.archived_at is not None


class Membership(models.Model):
    class Role(models.TextChoices):
        OWNER = "owner", _("会长")
        MANAGER = "manager", _("管理员")
        MEMBER = "member", _("会员")

    club = models.ForeignKey(Club, verbose_name=_("俱乐部"), on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("玩家"), on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(_("职务"), max_length=8, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(_("加入时间"))
    # when he last opened a page of the club or sat down at one of its tables, to some minutes
    last_active = models.DateTimeField(_("上次来"))

    class Meta:
        ordering = ["club", "joined_at", "pk"]
        verbose_name = _("会员")
        verbose_name_plural = _("会员")
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="member_of_a_club_once"),
            models.UniqueConstraint(fields=["club"], condition=Q(role="owner"), name="one_owner_a_club"),
            models.CheckConstraint(condition=Q(role__in=["owner", "manager", "member"]), name="club_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.club}"


class JoinRequest(models.Model):
    """Somebody waits to be let in; the row goes when a manager has answered."""

    club = models.ForeignKey(Club, verbose_name=_("俱乐部"), on_delete=models.CASCADE, related_name="requests")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("玩家"), on_delete=models.CASCADE, related_name="club_requests"
    )
    text = models.CharField(_("留言"), max_length=REASON_LENGTH, blank=True)
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("入会申请")
        verbose_name_plural = _("入会申请")
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="one_request_a_club")]

    def __str__(self) -> str:
        return f"{self.player} → {self.club}"


class ClubBan(models.Model):
    club = models.ForeignKey(Club, verbose_name=_("俱乐部"), on_delete=models.CASCADE, related_name="bans")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("玩家"), on_delete=models.CASCADE, related_name="club_bans"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("由谁"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    reason = models.CharField(_("原因"), max_length=REASON_LENGTH, blank=True)
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("禁入")
        verbose_name_plural = _("禁入")
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="one_ban_a_club")]

    def __str__(self) -> str:
        return f"{self.club} ✕ {self.player}"


class Announcement(models.Model):
    """A notice to the members, in plain text."""

    club = models.ForeignKey(Club, verbose_name=_("俱乐部"), on_delete=models.CASCADE, related_name="announcements")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("作者"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    text = models.TextField(_("内容"), max_length=ANNOUNCEMENT_LENGTH)
    at = models.DateTimeField(_("时间"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("公告")
        verbose_name_plural = _("公告")

    def __str__(self) -> str:
        return self.text[:40]
