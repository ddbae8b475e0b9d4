"""The director's page: the state of the evening, big buttons for what can be done now, and the forms behind them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import selectors_clubs
from accounts.models import Player
from games import event_words
from games.event_form import EditForm, RulingForm, edit_initial
from games.models import Event, Hand, Round
from games.selectors import events as reading
from games.services import event_direction as acts
from games.services import events
from games.services.errors import Refused
from games.views.event_access import Visit, for_event
from games.views.events import last_round

LOG = 30


@require_safe
@for_event(direct=True)
def direct(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What is on, and what the director may do about it."""
    event = visit.event
    round = last_round(event)
    dealt = round is not None and Hand.objects.filter(table__pairing__round=round).exists()
    going = round is not None and round.status != Round.Status.CLOSED
    entries = reading.entries_of(event)
    members = None if event.club_id is None else selectors_clubs.member_ids(event.club_id)
    context = {
        "visit": visit,
        "event": event,
        "here": "direct",
        "round": reading.round_view(event, round, visit.player) if round is not None and going else None,
        "last": round,
        "entries": entries,
        "outside": set() if members is None else {e.pk for e in entries if e.player_id not in members},
        "entered": sum(entrant.status == "entered" for entrant in entries),
        "checked": sum(entrant.checked_in for entrant in entries),
        "can_undo": going and not dealt,
        "playing": going and round is not None and round.status == Round.Status.PLAYING,
        "ruling_form": RulingForm(),
        "rulings": event.rulings.select_related("entrant__player", "by"),
        "log": [
            (line.at, line.by.username if line.by else _("比赛自己"), event_words.act(line.act), line.text)
            for line in event.acts.select_related("by")[:LOG]
        ],
    }
    return render(request, "events/direct.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_event(direct=True, back="games:event_edit")
def edit(request: HttpRequest, visit: Visit) -> HttpResponse:
    form = EditForm(request.POST or None, initial=edit_initial(visit.event))
    if request.method == "POST" and form.is_valid():
        assert visit.player is not None
        events.edit(event_id=visit.event.id, by=visit.player, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("已经保存。"))
        return redirect("games:event_direct", visit.event.id)
    context = {"visit": visit, "event": visit.event, "here": "direct", "form": form}
    return render(request, "events/edit.html", context, status=422 if form.errors else 200)


def _somebody(request: HttpRequest, event: Event) -> Player:
    """The entrant whose number was sent."""
    number = request.POST.get("number", "")
    if not (number.isascii() and number.isdigit() and len(number) < 6):
        raise Refused("not_entered")
    entrant = event.entrants.select_related("player").filter(number=int(number)).first()
    if entrant is None:
        raise Refused("not_entered")
    return entrant.player


def _plain(service: Callable[..., Any]) -> Callable[[HttpRequest, dict[str, Any], Event], Any]:
    return lambda request, who, event: service(**who)


def _for_somebody(service: Callable[..., Any]) -> Callable[[HttpRequest, dict[str, Any], Event], Any]:
    return lambda request, who, event: service(player=_somebody(request, event), **who)


def _enter(request: HttpRequest, who: dict[str, Any], event: Event) -> None:
    names = request.POST.get("names", "").replace("，", " ").replace(",", " ").split()
    unknown = []
    for name in names[:500]:
        player = Player.objects.filter(username__iexact=name, is_active=True).first()
        try:
            if player is None:
                raise Refused("not_found")
            events.enter(player=player, **who)
        except Refused as refused:
            if refused.code not in ("not_found", "forbidden"):
                raise
            unknown.append(name)
    if unknown:
        messages.error(request, _("没有报上名（没有这个人，或者不是会员）：%(names)s") % {"names": "、".join(unknown)})


def _close_table(request: HttpRequest, who: dict[str, Any], event: Event) -> None:
    number = request.POST.get("table", "")
    if not (number.isascii() and number.isdigit() and len(number) < 6):
        raise Refused("not_now")
    acts.close_table(number=int(number), **who)


def _rule(request: HttpRequest, who: dict[str, Any], event: Event) -> None:
    form = RulingForm(request.POST)
    if not form.is_valid():
        raise Refused("malformed", next(iter(form.errors)))
    data = form.cleaned_data
    acts.rule(
        player=_somebody(request, event),
        reason=data["reason"],
        round=data["round"],
        penalty=data["penalty"] or Decimal(0),
        score=data["score"],
        net=data["net"],
        **who,
    )


def _revoke(request: HttpRequest, who: dict[str, Any], event: Event) -> None:
    number = request.POST.get("ruling", "")
    acts.revoke(ruling_id=int(number) if number.isascii() and number.isdigit() and len(number) < 15 else 0, **who)


ACTS: dict[str, Callable[[HttpRequest, dict[str, Any], Event], Any]] = {
    "start": _plain(acts.start),
    "next": _plain(acts.next_step),
    "pause": _plain(acts.pause),
    "resume": _plain(acts.resume),
    "undo": _plain(acts.undo_pairing),
    "end_round": _plain(acts.end_round),
    "finish": _plain(acts.finish_now),
    "cancel": _plain(acts.cancel),
    "enter": _enter,
    "withdraw": _for_somebody(events.withdraw),
    "check_in": _for_somebody(events.check_in),
    "stand_in": _for_somebody(acts.stand_in),
    "close_table": _close_table,
    "rule": _rule,
    "revoke": _revoke,
}


@require_POST
@for_event(direct=True, back="games:event_direct")
def act(request: HttpRequest, visit: Visit, name: str) -> HttpResponse:
    """One act of the director."""
    if name not in ACTS:
        raise Http404
    who = {"event_id": visit.event.id, "by": visit.player, "now": timezone.now()}
    ACTS[name](request, who, visit.event)
    messages.success(request, _("好了：%(act)s。") % {"act": event_words.act(name)})
    return redirect("games:event_direct", visit.event.id)


urlpatterns = [
    path("events/<str:event_id>/direct/", direct, name="event_direct"),
    path("events/<str:event_id>/edit", edit, name="event_edit"),
    path("events/<str:event_id>/direct/<str:name>", act, name="event_act"),
]
