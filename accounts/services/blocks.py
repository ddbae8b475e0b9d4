"""Blocking and muting: who is never matched with whom, and who does not hear whom.

A block keeps two people from being put at one table by the house, whoever of them made it, and silences the other for
the one who made it. A mute only silences. Saying either twice, or taking back what was never said, changes nothing;
the other one is never told.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from accounts.models import Block, Player

MOST = 500
"""Blocks and mutes one person may keep."""


class BlockRefused(ValueError):
    """`code`: self (nobody blocks himself), too_many."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def block(player: Player, other: Player, *, now: datetime | None = None) -> None:
    """Never meet `other` by matching and never hear him. Raises BlockRefused: self, too_many."""
    _add(player, other, Block.Kind.BLOCK, now)


def unblock(player: Player, other: Player) -> None:
    """Take a block back; a mute of one's own stays."""
    Block.objects.filter(player=player, other=other, kind=Block.Kind.BLOCK).delete()


def mute(player: Player, other: Player, *, now: datetime | None = None) -> None:
    """Do not hear `other` any more. Raises BlockRefused: self, too_many."""
    _add(player, other, Block.Kind.MUTE, now)


def unmute(player: Player, other: Player) -> None:
    """Hear him again, unless he is blocked."""
    Block.objects.filter(player=player, other=other, kind=Block.Kind.MUTE).delete()


def _add(player: Player, other: Player, kind: str, now: datetime | None) -> None:
    if player.pk == other.pk:
        raise BlockRefused("self")
    own = Block.objects.filter(player=player)
    if own.filter(other=other, kind=kind).exists():
        return
    if own.count() >= MOST:
        raise BlockRefused("too_many")
    Block.objects.get_or_create(player=player, other=other, kind=kind, defaults={"at": now or timezone.now()})


def blocked_pairs(player_ids: Iterable[int]) -> set[frozenset[int]]:
    """The pairs among these people of whom one has blocked the other: they are never matched. One query."""
    ids = set(player_ids)
    if len(ids) < 2:
        return set()
    rows = Block.objects.filter(player_id__in=ids, other_id__in=ids, kind=Block.Kind.BLOCK)
    return {frozenset(pair) for pair in rows.values_list("player_id", "other_id")}


def blocked_with(player: Player | int) -> set[int]:
    """Everybody the house never matches this player with, whoever of the two made the block. One query."""
    own = player if isinstance(player, int) else player.pk
    rows = Block.objects.filter(Q(player_id=own) | Q(other_id=own), kind=Block.Kind.BLOCK)
    return {one for pair in rows.values_list("player_id", "other_id") for one in pair} - {own}


def mutes(player: Player | int) -> set[int]:
    """The ids of everybody this player does not hear: muted or blocked by himself. One query."""
    own = player if isinstance(player, int) else player.pk
    return set(Block.objects.filter(player_id=own).values_list("other_id", flat=True))


def hears(listener: Player | int, speaker: Player | int) -> bool:
    """Whether what `speaker` says reaches `listener`."""
    other = speaker if isinstance(speaker, int) else speaker.pk
    return other not in mutes(listener)


def deaf_pairs(speaker_ids: Iterable[int]) -> frozenset[tuple[int, int]]:
    """(listener, speaker) for everybody who does not hear one of these speakers. One query."""
    ids = set(speaker_ids)
    if not ids:
        return frozenset()
    return frozenset(Block.objects.filter(other_id__in=ids).values_list("player_id", "other_id"))


def said(player: Player, other: Player) -> set[str]:
    """What the player has decided about the other: any of "block", "mute". One query."""
    return set(Block.objects.filter(player=player, other=other).values_list("kind", flat=True))


def of(player: Player) -> list[Block]:
    """The player's own list, newest first, with the people in it. One query."""
    return list(Block.objects.filter(player=player).select_related("other"))
