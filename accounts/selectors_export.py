"""Everything the site holds about one person, for himself. Nothing in it is somebody else's secret: others appear only
as the names he saw himself, and neither passwords nor tokens nor what others said or decided about him are in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from accounts.models import Announcement, AuditEntry, Block, Entry, JoinRequest, Membership, Player
from accounts.signals import export_asked

FORMAT = 1


def everything(player: Player, now: datetime) -> dict[str, Any]:
    """One value for JSON; the parts of the games come by `export_asked`."""
    parts: dict[str, Any] = {"format": FORMAT, "made_at": now, "account": _account(player)}
    parts["old_names"] = list(player.old_names.values("name", "until"))
    parts["tokens"] = list(player.tokens.values("label", "created", "last_used", "revoked"))
    parts["clubs"] = list(
        Membership.objects.filter(player=player).values("club__name", "club__slug", "role", "joined_at", "last_active")
    )
    parts["club_requests"] = list(JoinRequest.objects.filter(player=player).values("club__name", "text", "at"))
    parts["announcements"] = list(Announcement.objects.filter(author=player).values("club__name", "text", "at"))
    parts["blocks"] = list(Block.objects.filter(player=player).values("kind", "other__username", "at"))
    parts["beans"] = _beans(player)
    parts["admin_acts"] = list(AuditEntry.objects.filter(by=player).values("at", "action", "label", "reason"))
    for _receiver, more in export_asked.send(sender=Player, player=player):
        parts.update(more if isinstance(more, dict) else {})
    return parts


def _account(player: Player) -> dict[str, Any]:
    return {
        "name": player.username,
        "email": player.email,
        "guest": player.is_guest,
        "joined": player.date_joined,
        "last_login": player.last_login,
        "name_changed_at": player.name_changed_at,
        "preferences": player.preferences,
        "privacy": {
            "profile": player.shows_profile,
            "history": player.shows_history,
            "online": player.shows_online,
        },
    }


def _beans(player: Player) -> dict[str, Any]:
    account = getattr(player, "bean_account", None)
    if account is None:
        return {"balance": 0, "frozen": False, "postings": []}
    rows = Entry.objects.filter(account=account).order_by("pk")
    return {
        "balance": account.balance,
        "frozen": account.frozen,
        "postings": [
            {"at": at, "reason": reason, "memo": memo, "hand": hand, "amount": amount}
            for at, reason, memo, hand, amount in rows.values_list(
                "posting__created", "posting__reason", "posting__memo", "posting__hand", "amount"
            )
        ],
    }
