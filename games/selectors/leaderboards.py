"""Boards: who is where among the site's or a club's players, in a period, at a preset.

A board is read from the sums that are kept while hands end (`Tally`), so its cost depends on the players, not on the
hands. Whoever has too few hands stands below the ranked ones without a rank. Guests are on no board.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from django.db.models import BooleanField, Case, ExpressionWrapper, F, FloatField, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Sqrt

from games.models import Season, Tally
from games.models.stats import ANY_PRESET, SITE
from games.periods import ALL_TIME, month_key, week_key
from games.rating import PROVISIONAL, Standing

SHOWN = 100
LEAST_HANDS = 20
"""Hands it takes to be ranked by an average or a share."""
Z = 1.96


class Board(StrEnum):
    """What a board goes by."""

    BEANS = "beans"
    POINTS = "points"
    EMPEROR = "emperor"
    GUARD = "guard"
    REBEL = "rebel"
    RATING = "rating"


@dataclass(frozen=True, slots=True)
class Row:
    """One player on a board. `rank` is None below the ranked ones; which of the numbers count depends on the board."""

    rank: int | None
    player: int
    name: str
    hands: int
    value: float
    wins: int = 0
    standing: Standing | None = None
    mine: bool = False

    @property
    def share(self) -> float:
        """Hands won, in per cent."""
        return 100 * self.wins / self.hands if self.hands else 0.0

    @property
    def sure_share(self) -> float:
        """What a board of wins by role goes by, in per cent."""
        return 100 * self.value


@dataclass(frozen=True, slots=True)
class Page:
    """The first of a board, and the viewer's own row when he is not among them."""

    board: Board
    rows: tuple[Row, ...]
    own: Row | None
    final: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """A choice of the period: its name in addresses and its key among the sums."""

    name: str
    key: str
    season: Season | None = None


def period(name: str, today: date, seasons: list[Season]) -> Period:
    """The period of this name: week, month, season (the one that is on, else the last), s and an id, or all time."""
    if name == "week":
        return Period(name, week_key(today))
    if name == "month":
        return Period(name, month_key(today))
    found = None
    if name == "season":
        begun = [season for season in seasons if season.starts <= today]
        found = begun[0] if begun else None
    elif name[:1] == "s" and name[1:].isdecimal():
        found = next((season for season in seasons if season.period == name), None)
    if found is not None:
        return Period(found.period, found.period, found)
    return Period("all", ALL_TIME)


def seasons(today: date) -> list[Season]:
    """All seasons that have begun, the newest first. One query."""
    return list(Season.objects.filter(starts__lte=today).order_by("-starts"))


def board(
    which: Board, when: Period, *, scope: int = SITE, preset: str = ANY_PRESET, viewer: int | None = None
) -> Page:
    """A board's page. One query, two more when the viewer is not among the first."""
    final = when.season is not None and when.season.final
    rows = _scored(which, _tallies(when, scope, preset, final), final)
    columns = ["ranked", "score", "player_id", "player__username", "counted", "won"]
    if which is Board.RATING:
        columns += ["held", "uncertain", "of_all"]
    first = list(rows.order_by("-ranked", "-sorted_by", "player_id").values_list(*columns)[:SHOWN])
    shown = _rows(first, viewer)
    own = None
    if viewer is not None and not any(row.mine for row in shown):
        own = _own(rows, columns, viewer)
    return Page(which, tuple(shown), own, final)


def used_presets(when: Period, scope: int) -> set[str]:
    """The presets at which anything was played. One query."""
    rows = Tally.objects.filter(scope=scope, period=when.key).exclude(preset=ANY_PRESET)
    return set(rows.order_by().values_list("preset", flat=True).distinct())


def _tallies(when: Period, scope: int, preset: str, final: bool) -> QuerySet[Tally]:
    rows = Tally.objects.filter(scope=scope, period=when.key, preset=preset)
    return rows.filter(final=True) if final else rows.filter(player__is_guest=False, player__is_active=True)


def _scored(which: Board, rows: QuerySet[Tally], final: bool) -> QuerySet[Any]:
    """With what the board needs: `score` and `ranked`, and `sorted_by`, the hands where no score is shown yet."""
    counted, won = "hands", "wins"
    ranked = Q(hands__gte=1)
    score: Combinable
    if which is Board.BEANS:
        score = F("beans")
    elif which is Board.POINTS:
        score, ranked = F("points") * 1.0 / F("hands"), Q(hands__gte=LEAST_HANDS)
    elif which is Board.RATING:
        return _rated(rows, final)
    else:
        counted, won = f"{which}_hands", f"{which}_wins"
        rows, ranked = rows.filter(**{f"{counted}__gte": 1}), Q(**{f"{counted}__gte": LEAST_HANDS})
        score = _wilson(F(won), F(counted))
    return _annotated(rows, score, ranked, F(counted), F(won))


def _rated(rows: QuerySet[Tally], final: bool) -> QuerySet[Any]:
    names = ("final_value", "final_variance", "final_rated")
    if not final:
        names = ("player__rating__value", "player__rating__variance", "player__rating__hands")
    rows = rows.filter(rated__gte=1).annotate(held=F(names[0]), uncertain=F(names[1]), of_all=F(names[2]))
    return _annotated(rows, F("held"), Q(of_all__gte=PROVISIONAL), F("rated"), F("wins"), F("of_all"))


def _annotated(
    rows: QuerySet[Any],
    score: Combinable,
    ranked: Q,
    counted: Combinable,
    won: Combinable,
    nearly: Combinable | None = None,
) -> QuerySet[Any]:
    number = FloatField()
    return rows.annotate(
        score=ExpressionWrapper(score, output_field=number),
        ranked=Case(When(ranked, then=Value(True)), default=Value(False), output_field=BooleanField()),
        sorted_by=Case(When(ranked, then=score), default=nearly or counted, output_field=number),
        counted=counted,
        won=won,
    )


def _wilson(wins: F, hands: F) -> Combinable:
    """`games.rating.wilson_lower` for the database."""
    share, square = wins * 1.0 / hands, Z * Z
    spread = Z * Sqrt((share * (1.0 - share) + square / (4.0 * hands)) / hands)
    return (share + square / (2.0 * hands) - spread) / (1.0 + square / hands)


def _rows(found: list[tuple[Any, ...]], viewer: int | None) -> list[Row]:
    rows: list[Row] = []
    rank, before = 0, None
    for place, values in enumerate(found, start=1):
        ranked, score = values[:2]
        if ranked and score != before:
            rank, before = place, score
        rows.append(_row(values, rank if ranked else None, viewer))
    return rows


def _row(values: tuple[Any, ...], rank: int | None, viewer: int | None) -> Row:
    _ranked, score, player, name, counted, won, *rated = values
    standing = Standing(rated[0], rated[2], rated[2], rated[1]) if rated and rated[0] is not None else None
    return Row(rank, player, name, counted, score or 0.0, won, standing, player == viewer)


def _own(rows: QuerySet[Any], columns: list[str], viewer: int) -> Row | None:
    values = rows.filter(player_id=viewer).values_list(*columns).first()
    if values is None:
        return None
    rank = rows.filter(ranked=True, score__gt=values[1]).count() + 1 if values[0] else None
    return _row(values, rank, viewer)
