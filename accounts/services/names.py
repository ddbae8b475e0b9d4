"""Changing one's name, within limits: once in a while, never to a name that could be taken for another's."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import Player, ReservedName
from accounts.name_keys import key_of

CHANGE_EVERY = timedelta(days=30)
RESERVED_FOR = timedelta(days=90)
"""So long a name that was given up stays away from others."""
GUEST_NAME = "游客"
CLOSED_NAME = "已注销"
NOT_FOR_PEOPLE = (GUEST_NAME, CLOSED_NAME)


class NameRefused(ValueError):
    """`code`: guest (he takes a name with an account), too_soon, same, invalid, signs_only, mixed (letters of two
    scripts that look alike), house (only the house gives such names), taken."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_free(name: str, *, now: datetime, player: Player | None = None) -> bool:
    """Whether nobody but `player` has this name, one that looks like it, or has given it up lately."""
    key = key_of(name)
    own = player.pk if player is not None else 0
    if Player.objects.filter(name_key=key).exclude(pk=own).exists():
        return False
    return not ReservedName.objects.filter(key=key, until__gt=now).exclude(player_id=own).exists()


def is_the_houses(name: str) -> bool:
    """Whether the name begins as names do that only the house gives."""
    return key_of(name).startswith(tuple(key_of(start) for start in NOT_FOR_PEOPLE))


ALIKE = ("LATIN", "CYRILLIC", "GREEK")
"""Scripts whose letters pass for each other's, by the beginnings of their letters' names."""


def why_misleading(name: str) -> str:
    """`signs_only` for a name without a letter or figure, `mixed` for one with letters of two scripts that look alike;
    "" when nothing is wrong with it."""
    plain = unicodedata.normalize("NFKC", name)
    if not any(sign.isalnum() for sign in plain):
        return "signs_only"
    scripts = {unicodedata.name(sign, "").partition(" ")[0] for sign in plain}
    return "mixed" if len(scripts.intersection(ALIKE)) > 1 else ""


def may_change_at(player: Player) -> datetime | None:
    """From when on the player may take another name; None: at any time."""
    return None if player.name_changed_at is None else player.name_changed_at + CHANGE_EVERY


def change(*, player: Player, name: str, now: datetime) -> Player:
    """Take another name; the old one is kept from others for a time. Raises NameRefused.

    Only capitals changed is a change too. Lock: the player's row.
    """
    name = Player.normalize_username(name.strip())
    try:
        Player._meta.get_field("username").clean(name, None)
    except ValidationError as error:
        raise NameRefused("invalid") from error
    if why := why_misleading(name):
        raise NameRefused(why)
    if is_the_houses(name):
        raise NameRefused("house")
    try:
        with transaction.atomic():
            row = Player.objects.select_for_update().get(pk=player.pk)
            if row.is_guest:
                raise NameRefused("guest")
            if name == row.username:
                raise NameRefused("same")
            due = may_change_at(row)
            if due is not None and now < due:
                raise NameRefused("too_soon")
            if not is_free(name, now=now, player=row):
                raise NameRefused("taken")
            old = row.username
            row.username, row.name_changed_at = name, now
            row.save(update_fields=["username", "name_changed_at"])
            reserve(row, old, now)
    except IntegrityError as error:
        raise NameRefused("taken") from error
    player.username, player.name_changed_at = row.username, row.name_changed_at
    return row


def reserve(player: Player, name: str, now: datetime) -> None:
    """Keep a name that was given up from others for a time; a name taken back is reserved no longer."""
    ReservedName.objects.filter(key=key_of(player.username)).delete()
    if key_of(name) != key_of(player.username):
        ReservedName.objects.update_or_create(
            key=key_of(name), defaults={"name": name, "player": player, "until": now + RESERVED_FOR}
        )
