"""Tokens by which a program acts for a player. The text leaves this module once, when it is made."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import ApiToken, Player

PREFIX = "bh_"
# a program may ask many times a second; when it was last seen matters to the minute
SEEN_EVERY = timedelta(minutes=1)


def digest(text: str) -> str:
    """What is stored of a token. The text is 256 random bits: a plain hash cannot be guessed back."""
    return hashlib.sha256(text.encode()).hexdigest()


def make_token(player: Player, label: str = "") -> str:
    """A new token's text, to be shown once."""
    text = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(player=player, label=label[:40], digest=digest(text))
    return text


def check_token(text: str, now: datetime | None = None) -> Player | None:
    """Whose token this is; None when it is unknown, revoked, or its player is not active."""
    token = (
        ApiToken.objects.select_related("player")
        .filter(digest=digest(text), revoked=None, player__is_active=True)
        .first()
    )
    if token is None:
        return None
    now = now or timezone.now()
    if token.last_used is None or now - token.last_used >= SEEN_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)
    return token.player


def revoke_token(player: Player, token_id: int) -> bool:
    """End one of the player's own tokens; False when there is no such live token of his."""
    live = ApiToken.objects.filter(pk=token_id, player=player, revoked=None)
    return live.update(revoked=timezone.now()) == 1
