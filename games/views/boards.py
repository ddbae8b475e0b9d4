"""Boards of the site and of a club, and the history of a player's hands. All of it links: works without a script.

A club's boards are its members'; a player's history is shown as far as he lets it be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.selectors import may_see_history
from accounts.views.club_access import Visit, for_members
from games.models.stats import SITE
from games.periods import day_of
from games.rating import PROVISIONAL
from games.selectors import histories, leaderboards, preset_names
from games.selectors.leaderboards import LEAST_HANDS, Board

BOARDS: Mapping[Board, Any] = {
    Board.RATING: lazy("等级分"),
    Board.BEANS: lazy("赢豆"),
    Board.POINTS: lazy("每局得分"),
    Board.EMPEROR: lazy("皇帝胜率"),
    Board.GUARD: lazy("侍卫胜率"),
    Board.REBEL: lazy("起义军胜率"),
}
PERIODS = {"week": lazy("本周"), "month": lazy("本月"), "season": lazy("赛季"), "all": lazy("总榜")}
ROLES = {"emperor": lazy("皇帝"), "guard": lazy("侍卫"), "rebel": lazy("起义军"), "solo": lazy("独保")}
RESULTS = {"win": lazy("赢"), "draw": lazy("平"), "loss": lazy("输"), "unscored": lazy("不计分")}


@dataclass(frozen=True, slots=True)
class Choice:
    """One link of a row of choices, or one option of a field."""

    value: str
    name: str
    chosen: bool
    url: str = ""


def _viewer(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


@never_cache
@require_safe
def site_boards(request: HttpRequest) -> HttpResponse:
    """The boards of the whole site, for everybody."""
    return _boards(request, None)


@require_safe
@for_members()
def club_boards(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The boards of a club's own tables. For whoever is no member there is no such page."""
    return _boards(request, visit)


def _boards(request: HttpRequest, visit: Visit | None) -> HttpResponse:
    club = None if visit is None else visit.club
    scope = SITE if club is None else club.pk
    today = day_of(timezone.now())
    all_seasons = leaderboards.seasons(today)
    asked = request.GET.get("board", "")
    which = Board(asked) if asked in set(Board) else Board.RATING
    name = request.GET.get("period", "all")
    when = leaderboards.period(name, today, all_seasons)
    no_season = name == "season" and when.season is None
    names = preset_names.of_site(None if club is None else club.pk)
    used = leaderboards.used_presets(when, scope)
    preset = request.GET.get("preset", "")
    if preset and preset not in names:
        raise Http404
    viewer = _viewer(request)
    page = leaderboards.board(which, when, scope=scope, preset=preset, viewer=viewer.pk if viewer else None)
    link = _linker(request.path, {"board": which.value, "period": when.name, "preset": preset})
    on = "season" if when.season else when.name
    return render(
        request,
        "boards/board.html" if visit is None else "boards/club_board.html",
        {
            "club": club,
            "visit": visit,
            "here": "boards",
            "page": page,
            "which": which.value,
            "title": BOARDS[which],
            "boards": [Choice(b.value, str(words), b is which, link(board=b.value)) for b, words in BOARDS.items()],
            "periods": [
                Choice(value, str(words), value == on, link(period=value))
                for value, words in PERIODS.items()
                if value != "season" or all_seasons
            ],
            "season": when.season,
            "seasons": [Choice(s.period, s.name, s == when.season, link(period=s.period)) for s in all_seasons],
            "no_season": no_season,
            "over": when.season is not None and when.season.ends < today,
            "presets": [Choice(slug, n, slug == preset) for slug, n in names.items() if slug in used | {preset}],
            "period_name": when.name,
            "least": LEAST_HANDS,
            "provisional": PROVISIONAL,
        },
    )


def _linker(page: str, now: Mapping[str, str]) -> Callable[..., str]:
    """Addresses of this page with one choice changed; what is chosen by default is left out."""

    def link(**changes: str) -> str:
        chosen = {key: value for key, value in {**now, **changes}.items() if value}
        return f"{page}?{urlencode(chosen)}" if chosen else page

    return link


@never_cache
@login_required
@require_safe
def my_hands(request: HttpRequest) -> HttpResponse:
    """One's own hands."""
    assert isinstance(request.user, Player)
    return _history(request, request.user)


@never_cache
@require_safe
def player_hands(request: HttpRequest, name: str) -> HttpResponse:
    """The hands of somebody, as far as he lets this viewer see them."""
    player = Player.objects.filter(username__iexact=name).first()
    if player is None:
        raise Http404
    if not may_see_history(_viewer(request), player):
        return render(request, "boards/private.html", {"player": player}, status=403)
    return _history(request, player)


def _history(request: HttpRequest, player: Player) -> HttpResponse:
    viewer = _viewer(request)
    mine = viewer is not None and viewer.pk == player.pk
    seasons = histories.seasons()
    # rules of clubs are named to their player only
    presets = histories.presets_of(player) if mine else preset_names.of_site()
    periods = {"week": _("本周"), "month": _("本月"), **{season.period: season.name for season in seasons}}
    chosen = {
        "preset": _one_of(request, "preset", presets),
        "role": _one_of(request, "role", ROLES),
        "result": _one_of(request, "result", RESULTS),
        "period": _one_of(request, "period", periods),
        "with": request.GET.get("with", "").strip()[:40],
    }
    companion = _player_named(chosen["with"])
    unknown = bool(chosen["with"]) and companion is None
    before = request.GET.get("before", "")
    page = histories.HistoryPage((), None)
    if not unknown:
        filters = histories.Filters(
            preset=chosen["preset"],
            role=chosen["role"],
            result=chosen["result"],
            period=chosen["period"],
            companion=companion.pk if companion else None,
        )
        page = histories.history(
            player,
            filters,
            viewer=viewer,
            now=timezone.now(),
            before=int(before) if before.isdecimal() and len(before) < 19 else None,
        )
    link = _linker(request.path, chosen)
    return render(
        request,
        "boards/hands.html",
        {
            "player": player,
            "mine": mine,
            "page": page,
            "chosen": chosen,
            "filtered": any(chosen.values()),
            "unknown": unknown,
            "deeper": bool(before),
            "first_page": link(),
            "next_page": link(before=str(page.before)) if page.before else "",
            "fields": [
                ("preset", _("规则"), _choices(presets, chosen["preset"])),
                ("role", _("身份"), _choices(ROLES, chosen["role"])),
                ("result", _("结果"), _choices(RESULTS, chosen["result"])),
                ("period", _("时间"), _choices(periods, chosen["period"])),
            ],
        },
    )


def _one_of(request: HttpRequest, field: str, known: Mapping[str, Any]) -> str:
    value = request.GET.get(field, "")
    return value if value in known else ""


def _choices(known: Mapping[str, Any], chosen: str) -> list[Choice]:
    return [Choice(value, str(name), value == chosen) for value, name in known.items()]


def _player_named(name: str) -> Player | None:
    return Player.objects.filter(username__iexact=name).first() if name else None


urlpatterns = [
    path("boards/", site_boards, name="boards"),
    path("clubs/<slug:slug>/boards/", club_boards, name="club_boards"),
    path("hands/", my_hands, name="my_hands"),
    path("players/<str:name>/hands/", player_hands, name="player_hands"),
]
