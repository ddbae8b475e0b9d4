"""What a person does with an account: come as a guest, sign up, claim the guest's account, set preferences.

Rules that belong to a form (what a name may look like) are checked by the form and the model; the services keep what
must hold whoever calls them: one row a name, a starting grant once, a guest's row kept when it becomes an account.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from accounts.models.player import DEFAULT_PREFERENCES, DIRECTIONS, THEMES
from accounts.services import ledger, names
from accounts.services.tokens import check_token, make_token, revoke_token

__all__ = [
    "GUEST_NAME",
    "AlreadyClaimed",
    "NameTaken",
    "check_token",
    "claim_guest",
    "make_guest",
    "make_token",
    "revoke_token",
    "set_preferences",
    "sign_up",
]

GUEST_NAME = names.GUEST_NAME


class NameTaken(ValueError):
    """Another player has this name, or one that looks like it, or has given it up lately."""


class AlreadyClaimed(ValueError):
    """The account is not a guest's (any more)."""


def sign_up(*, username: str, password: str | None, email: str = "") -> Player:
    """A new account with its starting beans. Without a password only a token opens it. Raises NameTaken."""
    with transaction.atomic():
        if not names.is_free(username, now=timezone.now()):
            raise NameTaken(username)
        try:
            with transaction.atomic():
                player = Player.objects.create_user(username=username, email=email, password=password)
        except IntegrityError as error:
            raise NameTaken(username) from error
        ledger.welcome(player)
    return player


def make_guest() -> Player:
    """A guest under a free name: 游客 and four digits, more when those run out. Starting beans included."""
    for attempt in range(60):
        digits = 4 + attempt // 20
        name = f"{GUEST_NAME}{secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"
        if Player.objects.filter(username=name).exists():
            continue
        try:
            with transaction.atomic():
                guest = Player.objects.create_user(username=name, password=None, is_guest=True)
                ledger.welcome(guest)
        except IntegrityError:
            continue
        return guest
    raise RuntimeError("no free name for a guest was found")


def claim_guest(player: Player, username: str, password: str, email: str = "") -> Player:
    """Turn a guest into an account; the row, and so every hand and every bean, stays. Raises NameTaken, AlreadyClaimed.

    Lock: the player's row, so that two tabs that claim at once give one account and one AlreadyClaimed.
    """
    try:
        with transaction.atomic():
            kept = Player.objects.select_for_update().get(pk=player.pk)
            if not kept.is_guest:
                raise AlreadyClaimed(kept.username)
            if not names.is_free(username, now=timezone.now(), player=kept):
                raise NameTaken(username)
            kept.username = Player.normalize_username(username)
            kept.email = Player.objects.normalize_email(email)
            kept.is_guest = False
            kept.set_password(password)
            kept.save(update_fields=["username", "email", "is_guest", "password"])
    except IntegrityError as error:
        raise NameTaken(username) from error
    return kept


def set_preferences(player: Player, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Change some preferences and return them all. Raises ValueError for an unknown name or value."""
    for name, value in changes.items():
        if name == "theme":
            known = value in THEMES
        elif name == "direction":
            known = value in DIRECTIONS
        else:
            known = name in DEFAULT_PREFERENCES and isinstance(value, bool)
        if not known:
            raise ValueError(f"no such preference: {name}={value!r}")
    with transaction.atomic():
        kept = Player.objects.select_for_update().get(pk=player.pk)
        kept.preferences = {**kept.preferences, **changes}
        kept.save(update_fields=["preferences"])
    player.preferences = kept.preferences
    return {**DEFAULT_PREFERENCES, **kept.preferences}
