"""The pages people open: home, a new table, the table. Finished hands have `hands.py`.

Each fetches one value and renders it. What belongs to a seat is never stored by a cache.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import selectors_clubs
from accounts.entry import TooManyFromHere, enter_as_guest
from accounts.models import Club, Player
from accounts.services import ledger
from accounts.views.session import stopped, too_many
from games import render as fragments_of
from games.engine.cards import parse_card
from games.engine.errors import BadRules
from games.models import Table
from games.new_table import NewTableForm, choices_of_variants
from games.opening import check_opening
from games.render_cards import table_card
from games.render_chat import phrases
from games.render_words import reason
from games.selectors import access, lobby, seat_views
from games.services import table_setup
from games.services.errors import Refused, told

DEFAULT_RULES = "lianzhong-simple"


def _player(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """One press to a hand, one to a table for friends, and what is going on."""
    player = _player(request)
    mine = lobby.tables_of(player) if player else []
    return render(
        request,
        "games/home.html",
        {
            "mine": mine,
            "open_tables": [line for line in lobby.public_tables() if line.id not in {own.id for own in mine}],
            "beans": ledger.balance(player) if player else None,
            "usual": _usual_name(player),
            "clubs": selectors_clubs.clubs_of(player) if player else [],
            "fan": mark_safe("".join(_fan())),
        },
    )


def _fan() -> list[str]:
    lang = get_language() or ""
    return [table_card(parse_card(token), True, lang) for token in ("2S", "W", "W!", "w!", "AH")]


def _usual(player: Player | None) -> tuple[str, Mapping[str, Any], Mapping[str, int] | None]:
    """Rules, changes and clock of the table the player opened last, else the default."""
    offered = {slug for slug, _rules in choices_of_variants()}
    last = lobby.last_opened(player) if player else None
    if last is not None and last.preset in offered:
        return last.preset, last.overrides, {"step": last.clock_step, "play": last.clock_play, "next": last.clock_next}
    return (DEFAULT_RULES if DEFAULT_RULES in offered or not offered else sorted(offered)[0]), {}, None


def _usual_name(player: Player | None) -> str:
    rules = dict(choices_of_variants()).get(_usual(player)[0])
    return rules.name if rules else ""


@never_cache
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """马上开局: the rules played last, four bots, and the page that begins at once.

    Whoever is not logged in becomes a guest."""
    player = _player(request)
    if player is None:
        try:
            player = enter_as_guest(request)
        except TooManyFromHere:
            return too_many(request)
    try:
        check_opening(request, player)
    except TooManyFromHere:
        return _too_many_tables(request)
    rules, overrides, clock = _usual(player)
    now = timezone.now()
    try:
        table = table_setup.open_table(player=player, rules=rules, overrides=overrides, clock=clock, bots=4, now=now)
    except (BadRules, Refused):  # the variant changed since, and what was laid over it no longer fits
        try:
            table = table_setup.open_table(player=player, rules=DEFAULT_RULES, bots=4, now=now)
        except Refused as refused:
            messages.error(request, reason(told(refused)))
            return redirect("/")
    return _to_begin(table)


def _too_many_tables(request: HttpRequest) -> HttpResponse:
    return stopped(request, _("这一小时里开的桌太多了，请过一会儿再开；已经开的桌可以接着打。"))


def _to_begin(table: Table) -> HttpResponse:
    """To a table of one person and four bots. Its page is told to send the browser's share in the shuffle and to be
    ready at once; the commitment is on it before that (RULES §4.2). Without scripts it shows one button."""
    return redirect(reverse("games:table", args=[table.pk]) + "#begin")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Choose rules, options, clock and company; then the table, with a link for the friends or for one's club."""
    player = _player(request)
    club = _club(request, player)
    places = selectors_clubs.clubs_of(player) if player else []
    if request.method != "POST":
        form = NewTableForm(club=club)
        offered = {slug for slug, _rules in form.variants}
        wanted = (request.GET.get("rules", ""), club.default_variant if club else "", _usual(player)[0])
        form.initial = {
            "rules": next((slug for slug in wanted if slug in offered), ""),
            "bots": "0",
            "room": "1",
            "entry": "0",
            "watching": "trick",
            "ready_seconds": "0",
            "public": request.GET.get("public") == "1" and club is None,
        }
        return render(request, "games/new.html", {"form": form, "places": places})
    form = NewTableForm(request.POST, club=club)
    if form.is_valid():
        try:
            player = player or enter_as_guest(request)
        except TooManyFromHere:
            return too_many(request)
        try:
            check_opening(request, player)
            table = _open(form, player)
        except TooManyFromHere:
            return _too_many_tables(request)
        except BadRules as error:
            form.refused(error)
        except Refused as refused:
            form.add_error(None, _why_not_opened(told(refused)))
        else:
            return _to_begin(table) if form.cleaned_data["bots"] == 4 else redirect("games:table", table_id=table.pk)
    return render(request, "games/new.html", {"form": form, "places": places}, status=422)


def _why_not_opened(code: str) -> str:
    if code == "archived":
        return _("这个俱乐部停用了，不能开桌。")
    if code.startswith("suspended") or code in ("too_few_beans", "frozen"):
        return reason(code)
    return _("这样的桌开不了，请把倍数改小一些。")


def _club(request: HttpRequest, player: Player | None) -> Club | None:
    """The club named in the address, for a member of it; for everybody else there is no such page."""
    slug = request.GET.get("club", "")
    if not slug:
        return None
    member = selectors_clubs.membership(slug, player) if player else None
    if member is None:
        raise Http404
    return member.club


def _open(form: NewTableForm, player: Player) -> Table:
    data = form.cleaned_data
    return table_setup.open_table(
        player=player,
        rules=data["rules"],
        overrides=form.overrides,
        clock=form.clock,
        room=data["room"] or 1,
        entry=data["entry"] or 0,
        public=data["public"],
        bots=data["bots"] or 0,
        hands=data["hands"],
        club=form.club,
        watching=data["watching"] or "trick",
        substitutes=data["substitutes"],
        ready_seconds=data["ready_seconds"] or 0,
        now=timezone.now(),
    )


@never_cache
@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The table as this browser's player, or a stranger, may see it."""
    now = timezone.now()
    view = seat_views.table_view(table_id, _player(request), now)
    if view is None and _player(request) is None and access.is_club_table(table_id):
        # a member who has not logged in on this device
        return redirect_to_login(request.get_full_path())
    if view is None:
        raise Http404
    html = {name: mark_safe(text) for name, text in fragments_of.fragments(view).items()}
    html["seats"] = mark_safe("".join(html[name] for name in fragments_of.SEAT_IDS))
    return render(
        request,
        "games/table.html",
        {
            "view": view,
            "html": html,
            "now_ms": int(now.timestamp() * 1000),
            "phrases": phrases(),
            "chatting": view.viewer is not None or view.watching != "none",
        },
    )


urlpatterns = [
    path("", home, name="home"),
    path("start", start, name="start"),
    path("new", new, name="new"),
    path("t/<str:table_id>/", table, name="table"),
]
