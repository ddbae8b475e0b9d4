"""Who may see what of a player: he decides for his profile, his hands and whether he is online."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from accounts.models import Player

FIELDS = ("shows_profile", "shows_history", "shows_online")


def choose(*, player: Player, choices: Mapping[str, str]) -> Player:
    """Set some of `FIELDS` to everyone, club or nobody. Raises ValueError for another field or word."""
    for field, word in choices.items():
        if field not in FIELDS or word not in Player.Shown.values:
            raise ValueError(f"no such choice: {field}={word!r}")
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        for field, word in choices.items():
            setattr(row, field, word)
            setattr(player, field, word)
        row.save(update_fields=list(choices))
    return row
