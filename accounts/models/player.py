"""A person at the tables, with an account or as a guest.

The user name is what the others see at the table. A guest has no usable password and is known by the session alone;
claiming the account keeps the row, and with it everything that was played.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.name_keys import KEY_LENGTH, key_of

NAME_LENGTH = 16

THEMES = {"auto": _("跟随系统"), "light": _("浅色"), "dark": _("深色")}
DIRECTIONS = {"counterclockwise": _("逆时针"), "clockwise": _("顺时针")}
DEFAULT_PREFERENCES: dict[str, Any] = {"theme": "auto", "four_color": False, "direction": "counterclockwise"}


class PlayerManager(UserManager["Player"]):
    """Names are looked up as the database keeps them unique: whether in capitals or not."""

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(username__iexact=self.model.normalize_username(username or ""))


class Player(AbstractUser):
    class Shown(models.TextChoices):
        """Whom something about a player is shown to."""

        EVERYONE = "everyone", _("所有人")
        CLUB = "club", _("同俱乐部的人")
        NOBODY = "nobody", _("只有自己")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    username = models.CharField(
        _("名字"),
        max_length=NAME_LENGTH,
        unique=True,
        validators=[UnicodeUsernameValidator(message=_("名字只能用文字、数字和 @ . + - _，中间不留空格。"))],
        error_messages={"unique": _("这个名字已经有人用了。")},
    )
    is_guest = models.BooleanField(_("游客"), default=False)
    preferences = models.JSONField(_("偏好"), default=dict, blank=True)
    # what the name looks like (`accounts.name_keys`); null for rows that were made in bulk
    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, null=True, editable=False)
    name_changed_at = models.DateTimeField(_("上次改名"), null=True, blank=True, editable=False)
    shows_profile = models.CharField(_("主页"), max_length=8, choices=Shown.choices, default=Shown.EVERYONE)
    shows_history = models.CharField(_("牌局"), max_length=8, choices=Shown.choices, default=Shown.EVERYONE)
    shows_online = models.CharField(_("在线"), max_length=8, choices=Shown.choices, default=Shown.EVERYONE)
    # part of every session's signature: one more ends them all
    session_epoch = models.PositiveIntegerField(default=0, editable=False)
    closed_at = models.DateTimeField(_("注销时间"), null=True, blank=True, editable=False)

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _("玩家")
        verbose_name_plural = _("玩家")
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="player_name_once_whatever_its_case",
                violation_error_message=_("这个名字已经有人用了。"),
            )
        ]

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """The key goes with the name, whoever writes it."""
        fields = kwargs.get("update_fields")
        if fields is None or "username" in fields:
            self.name_key = key_of(self.username)
            if fields is not None:
                kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        signed = super()._get_session_auth_hash(secret=secret)  # type: ignore[misc]
        if not self.session_epoch:
            return str(signed)
        salt = "accounts.Player.session_epoch"
        return salted_hmac(salt, f"{signed}:{self.session_epoch}", secret=secret, algorithm="sha256").hexdigest()

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    def preference(self, name: str) -> Any:
        """One preference, or its default; KeyError for a name that is none."""
        return self.preferences.get(name, DEFAULT_PREFERENCES[name])
