"""Links between admin pages of the games, and to those of the people."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.models import Player


def change_link(model: str, key: object, text: object, app: str = "games") -> SafeString:
    """A link to the admin's page of a row. An unquoted "_3F" in an id would be read as a question mark there."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{app}_{model}_change", args=(quote(str(key)),)), text)


def list_link(model: str, filters: Mapping[str, object], text: object, app: str = "games") -> SafeString:
    """A link to the admin's list of these rows."""
    address = reverse(f"admin:{app}_{model}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(filters), text)


def player_link(player: Player | None, text: object = "") -> SafeString:
    return mark_safe("—") if player is None else change_link("player", player.pk, text or player.username, "accounts")
