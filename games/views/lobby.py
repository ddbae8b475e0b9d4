"""The lobby, quick match, and the invitation to a table: ways to come to a table with other people.

The lobby shows public tables to everybody and, to members, those of their clubs. Everything here works without a socket
and without scripts.
"""

from __future__ import annotations

from contextlib import suppress

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.entry import TooManyFromHere, enter_as_guest
from accounts.models import Player
from accounts.qr import qr_svg
from accounts.views.session import too_many
from games import render_lobby
from games.engine.errors import BadRules
from games.new_table import CLOCKS, choices_of_variants
from games.render_words import reason
from games.selectors import lobby, seat_views
from games.services import quick_match, tables
from games.services.errors import Refused, told
from games.views.api_base import answered, body_of, given, only, player_of

PATIENCE = (("30", _("30秒")), ("60", _("1分钟")), ("120", _("2分钟")), ("never", _("一直等人")))


def _player(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """`GET /lobby/`: the list as it is now; the socket keeps it so."""
    context = {"rows": mark_safe(render_lobby.rows(lobby.rows())), "club_rows": _club_rows(request)}
    return render(request, "lobby/lobby.html", context)


def _club_rows(request: HttpRequest) -> str:
    player = _player(request)
    return mark_safe("".join(map(render_lobby.row, lobby.club_rows(player) if player else [])))


@never_cache
@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """`GET /lobby/clubs`: the tables of one's clubs, asked for by the lobby now and then. The socket has the public
    tables only, for what it sends is the same for everybody."""
    return render(request, "lobby/_clubs.html", {"club_rows": _club_rows(request)})


class MatchForm(forms.Form):
    """What somebody wants to be matched for; every choice has a default."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        variants = [(slug, rules.name or slug) for slug, rules in choices_of_variants()]
        self.fields["rules"] = forms.ChoiceField(label=_("规则"), choices=[("", _("都行")), *variants], required=False)
        self.fields["clock"] = forms.ChoiceField(
            label=_("每手时间"), choices=[(name, words) for name, (words, _clock) in CLOCKS.items()], required=False
        )
        self.fields["patience"] = forms.ChoiceField(label=_("多久没人就让机器人补上"), choices=PATIENCE)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest) -> HttpResponse:
    """`/match/`: what to play and how long to wait; then the table, where the others come."""
    player = _player(request)
    waits = quick_match.waits_at(player) if player else None
    form = MatchForm(request.POST if request.method == "POST" else None, initial={"patience": "60"})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        patience = None if data["patience"] == "never" else int(data["patience"])
        try:
            table_id = quick_match.join(
                player=player or enter_as_guest(request),
                rules=data["rules"] or None,
                clock=CLOCKS[data["clock"]][1],
                patience=patience,
                now=timezone.now(),
            )
        except TooManyFromHere:
            return too_many(request)
        except BadRules:
            form.add_error("rules", _("这种规则现在不能开桌，请换一种。"))
        except Refused as refused:
            form.add_error(None, reason(told(refused)))
        else:
            return redirect("games:table", table_id=table_id)
    return render(request, "lobby/match.html", {"form": form, "waits": waits}, status=422 if form.errors else 200)


@never_cache
@require_POST
def cancel(request: HttpRequest) -> HttpResponse:
    """`POST /match/cancel`: wait no longer. Somebody who waits nowhere is shown the page again."""
    player = _player(request)
    waits = quick_match.waits_at(player) if player else None
    if player is not None and waits is not None:
        with suppress(Refused):  # gone meanwhile
            tables.leave(table_id=waits, player=player, now=timezone.now())
    return redirect("games:match")


@never_cache
@require_safe
def invite(request: HttpRequest, table_id: str) -> HttpResponse:
    """`GET /t/ID/invite/`: the link to send and the picture of it; for the drawer only the middle of the page."""
    view = seat_views.table_view(table_id, _player(request), timezone.now())
    if view is None:
        raise Http404
    link = request.build_absolute_uri(view.url)
    template = "lobby/_invite.html" if request.headers.get("HX-Request") else "lobby/invite.html"
    return render(request, template, {"view": view, "link": link, "qr": qr_svg(link)})


@only("POST")
@answered
def api_match(request: HttpRequest) -> JsonResponse:
    """`POST /api/match`: `rules` (null: any), `clock`, `patience` (30, 60, 120 s until bots fill; null: never)."""
    player = player_of(request)
    body = body_of(request, "rules", "clock", "patience")
    table_id = quick_match.join(
        player=player,
        rules=given(body, "rules", str),
        clock=given(body, "clock", dict),
        patience=given(body, "patience", int),
        now=timezone.now(),
    )
    return JsonResponse({"table": table_id, "url": f"/t/{table_id}/"})


urlpatterns = [
    path("lobby/", show, name="lobby"),
    path("lobby/clubs", clubs, name="lobby_clubs"),
    path("match/", match, name="match"),
    path("match/cancel", cancel, name="match_cancel"),
    path("t/<str:table_id>/invite/", invite, name="table_invite"),
    path("api/match", api_match, name="api_match"),
]
