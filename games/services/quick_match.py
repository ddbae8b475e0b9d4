"""Quick match: sit down at the public table that fits best, or open one and wait there.

A table fits by its rules and its clock, has a place, and nobody at it has blocked the player or been blocked by him. Of
those the one with most people is taken. Bots fill what is free when the player's patience ends; the moment stands in
the table's row and is kept by the tables' clock (`waiting`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Q

from accounts.models import Player
from accounts.services import blocks
from games.models import Table
from games.services import table_setup, tables
from games.services.errors import Refused
from games.services.writer import writing

PATIENCE = (30, 60, 120, None)
"""Seconds until bots fill the table; None: never."""
READY_SECONDS = 30
DEFAULT_RULES = "lianzhong-simple"
CANDIDATES = 40
ONE_AT_A_TIME = 0x62616F68
"""The key of PostgreSQL's lock under which matches are made; SQLite has one writer anyway."""


def join(
    *,
    player: Player,
    rules: str | None = None,
    clock: Mapping[str, int] | None = None,
    patience: int | None = 60,
    now: datetime,
) -> str:
    """The id of the table where the player sits now. `rules` is a variant's slug, None for any; `clock` as for a new
    table. Whoever waits already at a table of quick match stays there.

    Lock: one match at a time, then the table's row. Raises BadRules, Refused: malformed, and what sitting down refuses
    to this player everywhere (too_few_beans, frozen, suspended).
    """
    if patience not in PATIENCE:
        raise Refused("malformed", "patience")
    with writing():
        _one_at_a_time()
        waits = _waits_at(player)
        if waits is not None:
            return waits
        for table_id in _fitting(player, rules, clock, patience):
            try:
                tables.sit(table_id=table_id, player=player, replace=True, now=now)
            except Refused:  # entry, or somebody has just taken the last place
                continue
            _wait_for_bots(table_id, patience, now)
            return table_id
        table = table_setup.open_table(
            player=player,
            rules=rules or DEFAULT_RULES,
            clock=clock,
            public=True,
            watching=Table.Watching.TRICK,
            substitutes=True,
            ready_seconds=READY_SECONDS,
            quick=True,
            fill_seconds=patience,
            now=now,
        )
        return table.id


def _one_at_a_time() -> None:
    """Two who come at once find each other instead of opening a table each."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])


def _waits_at(player: Player) -> str | None:
    waiting = Table.objects.filter(quick=True, status=Table.Status.WAITING, seats__player=player)
    return waiting.order_by("-created_at").values_list("pk", flat=True).first()


def waits_at(player: Player) -> str | None:
    """The table of quick match at which the player waits for others, if any."""
    return _waits_at(player)


def _fitting(player: Player, rules: str | None, clock: Mapping[str, int] | None, patience: int | None) -> list[str]:
    """Public tables with a place that suit the player, the best first."""
    wanted = table_setup.clock_of(clock)
    found = Table.objects.filter(
        public=True,
        club=None,
        pairing=None,
        status__in=[Table.Status.WAITING, Table.Status.BETWEEN],
        clock_step=wanted.step,
        clock_play=wanted.play,
        overrides={},
    )
    if rules is not None:
        found = found.filter(preset=rules)
    # whoever waits for people only is not given bots by somebody else's patience, nor the other way round
    only_people = Q(quick=True, fill_seconds=None)
    found = found.filter(only_people | Q(quick=False, wait_for="")) if patience is None else found.exclude(only_people)
    found = (
        found.annotate(people=Count("seats", filter=Q(seats__player__isnull=False)))
        .filter(people__gte=1, people__lte=4)
        .order_by("-people", "created_at")
    )
    rows = list(found.values_list("pk", "kept_out")[:CANDIDATES])
    strangers = blocks.blocked_with(player)
    seated: dict[str, set[int]] = {}
    for table_id, player_id in Table.objects.filter(
        pk__in=[table_id for table_id, _out in rows], seats__player__isnull=False
    ).values_list("pk", "seats__player_id"):
        seated.setdefault(table_id, set()).add(player_id)
    return [
        table_id
        for table_id, kept_out in rows
        if player.pk not in kept_out and not seated.get(table_id, set()) & strangers
    ]


def _wait_for_bots(table_id: str, patience: int | None, now: datetime) -> None:
    """The shortest patience at the table counts."""
    if patience is None:
        return
    with tables.locked(table_id) as table:
        if table.status != Table.Status.WAITING or table.wait_for == Table.Wait.READY:
            return
        if not any(seat.empty for seat in tables.seats_of(table)):
            return
        until = now + timedelta(seconds=patience)
        if table.wait_until is None or until < table.wait_until:
            table.wait_for, table.wait_until = Table.Wait.FILL, until
            tables.changed(table, now)
