"""Which tables there are to go to: the public ones that can be joined or watched, and those a player sits at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from accounts.models import Player
from games.engine.presets import PRESETS
from games.engine.rules import RuleSet
from games.history import rules_of
from games.models import Hand, Table

SHOWN = 50
OF_ONE_HOST = 3
LOOKED_AT = 1000


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in a list."""

    id: str
    preset: str
    rules_name: str
    host: str
    status: str  # "waiting", "playing", "between"
    people: int
    bots: int
    free: int
    room: int
    number: int
    created_at: datetime


def public_tables() -> list[TableLine]:
    """The public tables of the list, the newest first."""
    return lines(Table.objects.filter(pk__in=_shown()))


def _shown() -> list[str]:
    """Public tables that are not closed, the newest first; only a few of one host, or one could fill the list."""
    rows = Table.objects.filter(public=True).exclude(status=Table.Status.CLOSED).order_by("-created_at")
    of_host: Counter[int] = Counter()
    shown: list[str] = []
    for table_id, host_id in rows.values_list("pk", "host_id")[:LOOKED_AT]:
        of_host[host_id] += 1
        if of_host[host_id] <= OF_ONE_HOST:
            shown.append(table_id)
    return shown[:SHOWN]


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """A table in the lobby: what everybody may know before he sits down there."""

    id: str
    rules: RuleSet
    name: str
    host: str
    status: str
    number: int
    room: int
    entry: int
    clock: int
    quick: bool
    watching: str
    seats: tuple[tuple[str, bool], ...]  # name and whether a bot; "" for a free one

    @property
    def free(self) -> int:
        return sum(not name for name, _bot in self.seats)

    @property
    def open(self) -> int:
        """How many may sit down now: free seats, between hands also a bot's."""
        return self.free if self.status == "playing" else sum(bot or not name for name, bot in self.seats)


def rows() -> list[LobbyRow]:
    """The public tables as the lobby shows them, the newest first. Three queries."""
    return _rows(Table.objects.filter(pk__in=_shown()).order_by("-created_at"))


def rows_of(table_ids: Iterable[str]) -> dict[str, LobbyRow]:
    """Those of these tables that the lobby shows. Three queries, however many."""
    found = Table.objects.filter(pk__in=set(table_ids) & set(_shown()))
    return {row.id: row for row in _rows(found)}


def club_rows(player: Player) -> list[LobbyRow]:
    """The open tables of the clubs the player belongs to, the newest first. Two queries."""
    found = Table.objects.filter(club__memberships__player=player).exclude(status=Table.Status.CLOSED)
    return _rows(found.order_by("-created_at")[:SHOWN])


def _rows(tables: QuerySet[Table]) -> list[LobbyRow]:
    found = list(tables.select_related("host").prefetch_related("seats__player"))
    return [
        LobbyRow(
            id=table.id,
            rules=rules_of(table.rules),
            name=table.rules.get("name") or PRESETS.get(table.preset, {}).get("name", ""),
            host=table.host.username,
            status=table.status,
            number=table.number,
            room=table.room,
            entry=table.entry,
            clock=table.clock_play,
            quick=table.quick,
            watching=table.watching,
            seats=tuple(
                (seat.bot or (seat.player.username if seat.player else ""), bool(seat.bot))
                for seat in sorted(table.seats.all(), key=lambda seat: seat.number)
            ),
        )
        for table in found
    ]


def tables_of(player: Player) -> list[TableLine]:
    """The tables at which the player sits now, the newest first; not those whose hand he has left for good."""
    mine = Table.objects.filter(seats__player=player).exclude(status=Table.Status.CLOSED)
    hands = Hand.objects.filter(table__in=mine, status=Hand.Status.ACTIVE)
    left = [
        table_id
        for table_id, players, trustees in hands.values_list("table_id", "players", "trustees")
        if any(seat["player"] == player.pk and mark["gone"] for seat, mark in zip(players, trustees, strict=True))
    ]
    return lines(mine.exclude(pk__in=left))


def last_opened(player: Player) -> Table | None:
    """The table the player opened last, for what he chose there."""
    return Table.objects.filter(host=player).order_by("-created_at").first()


def lines(tables: QuerySet[Table]) -> list[TableLine]:
    """These tables as lines of a list, the newest first. Two queries."""
    ids = tables.order_by("-created_at").values_list("pk", flat=True)[:SHOWN]
    rows = (
        Table.objects.filter(pk__in=list(ids))
        .select_related("host")
        .annotate(
            people=Count("seats", filter=Q(seats__player__isnull=False)),
            bots=Count("seats", filter=~Q(seats__bot="")),
        )
        .order_by("-created_at")
    )
    return [
        TableLine(
            id=table.id,
            preset=table.preset,
            rules_name=table.rules.get("name") or PRESETS.get(table.preset, {}).get("name", ""),
            host=table.host.username,
            status=table.status,
            people=table.people,
            bots=table.bots,
            free=5 - table.people - table.bots,
            room=table.room,
            number=table.number,
            created_at=table.created_at,
        )
        for table in rows
    ]
