"""The hands somebody has played, newest first, filtered, a page at a time.

Pages go by the number of the hand (`before`), so that a new hand moves nothing and a late page costs no more than the
first. What others may see of it is asked of `accounts.selectors.may_see_history` by the view; of a club's tables and
of tables that were not listed they see only the hands they could see otherwise, and of duplicate no board that a
table has before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Membership, Player
from games.models import Season, SeatResult, Tally
from games.models.stats import ANY_PRESET, SITE
from games.periods import ALL_TIME, day_of
from games.rating import SHOWN_UNIT
from games.selectors import event_boards, preset_names

PAGE = 30

ROLES = ("emperor", "guard", "rebel", "solo")
RESULTS = ("win", "draw", "loss", "unscored")


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty means all. `period` is week, month, or s and a season's id; `companion` a player's id."""

    preset: str = ""
    role: str = ""
    result: str = ""
    period: str = ""
    companion: int | None = None


@dataclass(frozen=True, slots=True)
class Companion:
    """One of the five of a hand; `player` is None for a bot."""

    player: int | None
    name: str
    role: str
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand in a list, from its player's seat. `change` is the rating's in shown points; None where unrated."""

    id: str
    order: int
    ended_at: datetime
    rules_name: str
    role: str
    solo: str
    place: int
    scored: bool
    result: str
    points: int
    beans: int
    change: int | None
    five: tuple[Companion, ...]
    seat: int
    demo: bool


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """`before` is where the next page begins; None when this is the last."""

    lines: tuple[HandLine, ...]
    before: int | None


def history(
    player: Player, filters: Filters, *, viewer: Player | None, now: datetime, before: int | None = None
) -> HistoryPage:
    """One page of the player's hands as this viewer may see them. Four queries at most."""
    rows = _visible(SeatResult.objects.filter(player=player, order__isnull=False), player, viewer)
    rows = _filtered(rows, filters, now)
    if before is not None:
        rows = rows.filter(order__lt=before)
    rows = rows.select_related("result").annotate(demo=F("result__hand__demo")).order_by("-order")
    found: list[Any] = list(rows[: PAGE + 1])
    shown = found[:PAGE]
    others = _others(shown)
    names = preset_names.of({row.result.preset for row in shown})
    lines = tuple(_line(row, others.get(row.result_id, []), names) for row in shown)
    return HistoryPage(lines, shown[-1].order if len(found) > PAGE else None)


def _visible(rows: QuerySet[SeatResult], player: Player, viewer: Player | None) -> QuerySet[SeatResult]:
    if viewer is not None and viewer.pk == player.pk:
        return rows
    rows = rows.filter(~Exists(event_boards.hidden_results("result_id")))
    if viewer is None:
        return rows.filter(result__public=True)
    sat_there = Exists(SeatResult.objects.filter(player=viewer, order=OuterRef("order")))
    member = Exists(Membership.objects.filter(player=viewer, club_id=OuterRef("result__club_id")))
    return rows.filter(Q(result__public=True) | Q(sat_there) | Q(member))


def _filtered(rows: QuerySet[SeatResult], filters: Filters, now: datetime) -> QuerySet[SeatResult]:
    if filters.preset:
        rows = rows.filter(result__preset=filters.preset)
    if filters.role == "solo":
        rows = rows.filter(role=SeatResult.Role.EMPEROR).exclude(result__solo="")
    elif filters.role:
        rows = rows.filter(role=filters.role)
    if filters.result:
        rows = rows.filter(result__scored=filters.result != "unscored")
        sign = {"win": Q(points__gt=0), "draw": Q(points=0), "loss": Q(points__lt=0)}.get(filters.result)
        rows = rows.filter(sign) if sign is not None else rows
    if filters.companion is not None:
        rows = rows.filter(Exists(SeatResult.objects.filter(player_id=filters.companion, order=OuterRef("order"))))
    return _in_period(rows, filters.period, now)


def _in_period(rows: QuerySet[SeatResult], period: str, now: datetime) -> QuerySet[SeatResult]:
    today = day_of(now)
    if period[:1] == "s" and period[1:].isdecimal() and len(period) < 11:
        return rows.filter(result__season_id=int(period[1:]))
    first = {"week": today - timedelta(days=today.weekday()), "month": today.replace(day=1)}.get(period)
    if first is None:
        return rows
    return rows.filter(result__ended_at__gte=datetime.combine(first, time(), timezone.get_default_timezone()))


def _others(rows: list[SeatResult]) -> dict[str, list[Companion]]:
    """The five of each hand."""
    seats = (
        SeatResult.objects.filter(result_id__in=[row.result_id for row in rows])
        .order_by("result_id", "seat")
        .values_list("result_id", "player_id", "player__username", "bot", "role", "place", "points")
    )
    found: dict[str, list[Companion]] = {}
    for hand, player, name, bot, role, place, points in seats:
        found.setdefault(hand, []).append(Companion(player, name or bot, role, place, points))
    return found


def _line(row: Any, five: list[Companion], names: dict[str, str]) -> HandLine:
    result = row.result
    assert row.order is not None
    outcome = "unscored" if not result.scored else "win" if row.points > 0 else "loss" if row.points < 0 else "draw"
    return HandLine(
        id=result.pk,
        order=row.order,
        ended_at=result.ended_at,
        rules_name=names.get(result.preset, ""),
        role=row.role,
        solo=result.solo,
        place=row.place,
        scored=result.scored,
        result=outcome,
        points=row.points,
        beans=row.beans,
        change=None if row.rating_change is None else round(SHOWN_UNIT * row.rating_change),
        five=tuple(five),
        seat=row.seat,
        demo=row.demo,
    )


def presets_of(player: Player) -> dict[str, str]:
    """The rules the player has played by, for the filter: name by slug. Two queries."""
    slugs = set(
        Tally.objects.filter(player=player, scope=SITE, period=ALL_TIME)
        .exclude(preset=ANY_PRESET)
        .values_list("preset", flat=True)
    )
    names = preset_names.of(slugs)
    return dict(sorted(names.items(), key=lambda item: item[1]))


def seasons() -> list[Season]:
    """All seasons in which a hand can have been played, the newest first."""
    return list(Season.objects.filter(opened_after__isnull=False).order_by("-starts"))
