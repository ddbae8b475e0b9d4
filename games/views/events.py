"""The pages of events for those who play and watch: list, announcement, rounds, standings, big screen, exports."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts import selectors_clubs
from accounts.models import Club, Player
from games import event_words
from games.engine.errors import BadRules
from games.event_form import EventForm
from games.models import Entrant, Event, Round, Season, Seat
from games.rule_words_errors import explain
from games.selectors import event_calls, event_export
from games.selectors import events as reading
from games.selectors.events import RoundView
from games.services import event_base, events, tables
from games.services.errors import Refused
from games.views.event_access import Visit, for_event

TOP = 10


def _player(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def _club(request: HttpRequest) -> Club | None:
    """The club named in the address, for its members and the staff."""
    slug = request.GET.get("club", "")
    if not slug:
        return None
    club = get_object_or_404(Club, slug=slug)
    player = _player(request)
    if player is None or not (player.is_staff or selectors_clubs.role_in(club, player)):
        raise Http404
    return club


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What is on, what is coming, what has been."""
    club, player = _club(request), _player(request)
    managed = [
        line for line in (selectors_clubs.clubs_of(player) if player else []) if line.role in ("owner", "manager")
    ]
    context = {
        "lists": reading.listed(player, club),
        "club": club,
        "staff": player is not None and player.is_staff,
        "managed": [line for line in managed if club is None or line.pk == club.pk],
    }
    return render(request, "events/index.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Set up an event, of a club or of the whole site."""
    club, player, now = _club(request), _player(request), timezone.now()
    if player is None or not event_base.may_run_events(club, player):
        return render(request, "events/refused.html", {"words": event_words.refusal("forbidden")}, status=403)
    form = EventForm(request.POST or None, club=club, now=now)
    if request.method == "POST" and form.is_valid():
        try:
            event = events.create(by=player, club=club, now=now, **form.arguments())
        except BadRules as error:
            form.add_error("rules", explain(error))
        except Refused as refused:
            name = refused.field if refused.field in form.fields else None
            form.add_error(name, event_words.refusal(refused.code, refused.field))
        else:
            messages.success(request, _("比赛建好了，现在可以报名。"))
            return redirect("games:event_direct", event.id)
    return render(request, "events/new.html", {"form": form, "club": club}, status=422 if form.errors else 200)


def _common(visit: Visit, here: str) -> dict[str, Any]:
    return {"visit": visit, "event": visit.event, "here": here}


def _mine(visit: Visit, shown: RoundView | None = None) -> dict[str, Any]:
    """What the player himself may do now."""
    now = timezone.now()
    event = visit.event
    entrant = reading.entrant_of(event, visit.player)
    own = reading.own_table(event, visit.player, shown)
    club = event.club_id if own is not None else None
    barred = club is not None and selectors_clubs.role_in(club, visit.player) is None
    entered = entrant is not None and entrant.status != Entrant.Status.WITHDRAWN
    return {
        "entrant": entrant,
        "entered": entered,
        "own": None if barred else own,
        "barred": barred,
        "moment": _moment(event, shown.row if shown is not None else last_round(event)),
        "can_enter": not entered and not event.over and events.entries_open(event, now),
        "can_check_in": entered and entrant is not None and not entrant.checked_in and events.check_in_open(event, now),
        "not_yet": event.status == Event.Status.ENTRIES and now < event.opens_at,
        "check_in_at": event.starts_at - timedelta(seconds=event.check_in),
    }


def _moment(event: Event, round: Round | None) -> str:
    """Changes whenever the event's page has more to say than what becomes of the viewer; `round` is the last one."""
    return event.status if round is None else f"{event.status}-{round.number}-{round.status}"


def last_round(event: Event) -> Round | None:
    return event.played_rounds.order_by("-number").first()


@require_safe
@for_event()
def page(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The announcement; before the start the entries, then the round that is on and the head of the standings."""
    event = visit.event
    round = last_round(event)
    view = reading.round_view(event, round, visit.player) if round else None
    heads, lines = reading.standing_lines(event, visit.player) if round else ([], [])
    context = {
        **_common(visit, "page"),
        **_mine(visit, view),
        "entries": reading.entries_of(event) if round is None else [],
        "people": len(lines) if round else event.entrants.filter(status=Entrant.Status.ENTERED).count(),
        "round": view,
        "heads": heads,
        "lines": lines[:TOP],
        "own_line": next((line for line in lines if line.mine), None)
        if event.status == Event.Status.FINISHED
        else None,
        "rules_name": event.rules.get("name") or event.preset,
    }
    return render(request, "events/page.html", context)


@require_safe
@for_event()
def mine(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The player's own notice alone; the page asks for it every few seconds, and is made anew as a whole when the event
    has moved on since it was made."""
    context = {**_common(visit, "page"), **_mine(visit)}
    if request.GET.get("seen", context["moment"]) != context["moment"]:
        return HttpResponseClientRefresh()
    return render(request, "events/_mine.html", context)


@require_POST
@for_event(login=True)
def enter(request: HttpRequest, visit: Visit) -> HttpResponse:
    assert visit.player is not None
    entrant = events.enter(event_id=visit.event.id, player=visit.player, now=timezone.now())
    waits = entrant.status == Entrant.Status.WAITING
    messages.success(request, _("人满了，你在候补名单上。") if waits else _("已经报名。"))
    return redirect("games:event", visit.event.id)


@require_POST
@for_event(login=True)
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponse:
    assert visit.player is not None
    events.withdraw(event_id=visit.event.id, player=visit.player, now=timezone.now())
    messages.success(request, _("已经退出。"))
    return redirect("games:event", visit.event.id)


@require_POST
@for_event(login=True)
def check_in(request: HttpRequest, visit: Visit) -> HttpResponse:
    assert visit.player is not None
    events.check_in(event_id=visit.event.id, player=visit.player, now=timezone.now())
    messages.success(request, _("已经签到。"))
    return redirect("games:event", visit.event.id)


@never_cache
@require_safe
def call(request: HttpRequest) -> HttpResponse:
    """The line above every page that says where the player is expected; asked for again while an event of his is on."""
    here = request.GET.get("here", "")
    waits, found = event_calls.summons(request.user, timezone.now(), here)
    return render(request, "events/_call.html", {"waits": waits, "call": found, "here": here})


@require_POST
@for_event(login=True)
def sit(request: HttpRequest, visit: Visit) -> HttpResponse:
    """One press: there, and at the table."""
    own = reading.own_table(visit.event, visit.player)
    if own is None or not own[1].table:
        raise Refused("not_now")
    assert visit.player is not None
    tables.sit(table_id=own[1].table, player=visit.player, now=timezone.now())
    if not Seat.objects.filter(table_id=own[1].table, player=visit.player).exists():
        messages.info(request, _("这一局机器人正在替你打；下一局轮到你，没有下一局就等下一轮。"))
        return redirect("games:event", visit.event.id)
    return redirect("games:table", own[1].table)


@require_safe
@for_event()
def round_page(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """The pairing with its seed and cost, every table, every hand with its replay."""
    round = get_object_or_404(Round, event=visit.event, number=number)
    context = {
        **_common(visit, "rounds"),
        "round": reading.round_view(visit.event, round, visit.player, boards=True),
        "numbers": list(visit.event.played_rounds.order_by("number").values_list("number", flat=True)),
    }
    return render(request, "events/round.html", context)


@require_safe
@for_event()
def standings(request: HttpRequest, visit: Visit) -> HttpResponse:
    """After every round, with the reason for every place."""
    asked = request.GET.get("after", "")
    upto = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else None
    heads, lines = reading.standing_lines(visit.event, visit.player, upto)
    closed = visit.event.played_rounds.filter(status=Round.Status.CLOSED).order_by("number")
    numbers = list(closed.values_list("number", flat=True))
    context = {**_common(visit, "standings"), "heads": heads, "lines": lines, "numbers": numbers, "upto": upto}
    return render(request, "events/standings.html", context)


@require_safe
@for_event()
def player_page(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """“为什么我第几”: the rounds behind one standing, round by round, and both neighbours."""
    heads, lines = reading.standing_lines(visit.event, visit.player)
    line = next((line for line in lines if line.number == number), None)
    if line is None:
        raise Http404
    context = {
        **_common(visit, "standings"),
        "line": line,
        "values": list(zip(heads, line.values, strict=True)),
        "rounds": reading.rounds_of(visit.event, number, visit.player),
    }
    return render(request, "events/player.html", context)


@require_safe
@for_event()
def crosstable(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Who met whom how often."""
    context = {**_common(visit, "crosstable"), "rows": reading.crosstable(visit.event)}
    return render(request, "events/crosstable.html", context)


@require_safe
@for_event()
def screen(request: HttpRequest, visit: Visit) -> HttpResponse:
    """For the wall of the club room: who sits where, or how it stands. Reads itself again."""
    round = last_round(visit.event)
    heads, lines = reading.standing_lines(visit.event, None)
    context = {
        **_common(visit, "screen"),
        "round": reading.round_view(visit.event, round, None) if round else None,
        "heads": heads[:2],
        "lines": lines,
        "entries": reading.entries_of(visit.event) if round is None else [],
    }
    return render(request, "events/screen.html", context)


@require_safe
@for_event()
def export_json(request: HttpRequest, visit: Visit) -> HttpResponse:
    response = JsonResponse(event_export.data(visit.event), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="event-{visit.event.id}.json"'
    return response


@require_safe
@for_event()
def export_csv(request: HttpRequest, visit: Visit) -> HttpResponse:
    response = HttpResponse(event_export.table(visit.event), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="event-{visit.event.id}.csv"'
    return response


@never_cache
@require_safe
def ladder(request: HttpRequest) -> HttpResponse:
    """The season's points over all events of the site, or of a club."""
    club = _club(request)
    asked = request.GET.get("season", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else None
    season = reading.season_of(timezone.now(), number)
    context = {
        "club": club,
        "season": season,
        "seasons": Season.objects.all(),
        "lines": reading.ladder(season, club) if season else [],
    }
    return render(request, "events/ladder.html", context)


urlpatterns = [
    path("events/", index, name="events"),
    path("events/new", new, name="event_new"),
    path("events/ladder/", ladder, name="event_ladder"),
    path("events/call", call, name="event_call"),
    path("events/<str:event_id>/", page, name="event"),
    path("events/<str:event_id>/mine", mine, name="event_mine"),
    path("events/<str:event_id>/enter", enter, name="event_enter"),
    path("events/<str:event_id>/withdraw", withdraw, name="event_withdraw"),
    path("events/<str:event_id>/checkin", check_in, name="event_check_in"),
    path("events/<str:event_id>/sit", sit, name="event_sit"),
    path("events/<str:event_id>/rounds/<int:number>/", round_page, name="event_round"),
    path("events/<str:event_id>/standings/", standings, name="event_standings"),
    path("events/<str:event_id>/players/<int:number>/", player_page, name="event_player"),
    path("events/<str:event_id>/crosstable/", crosstable, name="event_crosstable"),
    path("events/<str:event_id>/screen/", screen, name="event_screen"),
    path("events/<str:event_id>/export.json", export_json, name="event_json"),
    path("events/<str:event_id>/export.csv", export_csv, name="event_csv"),
]
