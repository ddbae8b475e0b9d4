"""What the pages of fair play show a player: himself, and the people he may name in a report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Player
from games.models import AppealLine, Hand, Sanction, Table
from games.services import fairplay, sanctions

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A warning or suspension with the talk about it. `running`: it keeps him from playing now."""

    sanction: Sanction
    running: bool
    talk: tuple[AppealLine, ...]
    full: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """Until when he may not play, whatever the reason; None when he may."""

    suspended: datetime | None
    waits: datetime | None
    lines: tuple[Line, ...]


def standing(player: Player, now: datetime) -> Standing:
    """Four queries."""
    rows = list(player.sanctions.prefetch_related("lines")[:SHOWN])
    return Standing(
        fairplay.suspended_until(player, now),
        fairplay.waits_until(player, now),
        tuple(_line(row, now) for row in rows),
    )


def _line(row: Sanction, now: datetime) -> Line:
    talk = tuple(row.lines.all())
    newest = talk[-sanctions.LINES_MOST :]
    full = len(newest) == sanctions.LINES_MOST and not any(line.moderator for line in newest)
    running = row.until is not None and row.until > now and row.lifted_at is None
    return Line(row, running, talk, full)


def has_sanction(player: Player, sanction_id: int) -> bool:
    return Sanction.objects.filter(pk=sanction_id, player=player).exists()


def people_at(table: Table, player: Player) -> dict[int, str]:
    """The others who sit at the table, and those of its newest hand; everybody there sees both."""
    found = {
        seat.player.pk: seat.player.username
        for seat in table.seats.select_related("player").order_by("number")
        if seat.player is not None
    }
    hand = _newest(table)
    if hand is not None:
        found |= {seat["player"]: seat["name"] for seat in hand.players if seat["player"] is not None}
    return _still_here(found, player)


def people_of(hand: Hand, player: Player) -> dict[int, str]:
    """The other people of a hand, by the names they had in it."""
    return _still_here({seat["player"]: seat["name"] for seat in hand.players if seat["player"] is not None}, player)


def _still_here(found: dict[int, str], player: Player) -> dict[int, str]:
    found.pop(player.pk, None)
    active = set(Player.objects.filter(pk__in=found, is_active=True).values_list("pk", flat=True))
    return {key: name for key, name in found.items() if key in active}


def newest_hand(table: Table, target: Player) -> Hand | None:
    """The newest hand of the table, if this player sat in it."""
    hand = _newest(table)
    played = hand is not None and any(seat["player"] == target.pk for seat in hand.players)
    return hand if played else None


def _newest(table: Table) -> Hand | None:
    return table.hands.only("id", "table_id", "players").order_by("-number").first()
