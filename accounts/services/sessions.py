"""Ending every session and token of an account at once, and changing its password and e-mail."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import ApiToken, Player
from accounts.signals import tell_signed_out


def end_all(*, player: Player, now: datetime) -> None:
    """Log the player out of every browser and revoke all his tokens. Doing it again ends what began since."""
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(session_epoch=F("session_epoch") + 1)
        ApiToken.objects.filter(player=player, revoked=None).update(revoked=now)
        tell_signed_out(player.pk)
    player.refresh_from_db(fields=["session_epoch"])


def change_email(*, player: Player, email: str) -> None:
    """The address for a forgotten password; empty takes it away."""
    player.email = Player.objects.normalize_email(email)
    player.save(update_fields=["email"])
