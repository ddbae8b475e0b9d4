"""The accounts app: people and their beans. It has never heard of cards."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("玩家与游戏豆")
    default_auto_field = "django.db.models.BigAutoField"
