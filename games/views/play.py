"""The forms of a table's page over plain HTTP, for when the socket is down or there are no scripts.

Each does what the same form does over the socket. An htmx request is answered with the fragments of the table, any
other is sent back to the page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.entry import TooManyFromHere, enter_as_guest
from accounts.models import Player
from games import forms, render
from games.engine.settlement import LEAVING_POINTS
from games.render_words import reason
from games.selectors import access, seat_views
from games.services import tables
from games.services.errors import Refused
from games.services.rematch import again

MANY_VALUES = ("card",)
COMPANY = ("remove", "swap", "swap-yes", "swap-no", "chat", "mute")


def _fields(request: HttpRequest) -> dict[str, Any]:
    """The posted form as the socket would send it: a text a field, lists where several may be ticked."""
    return {name: request.POST.getlist(name) if name in MANY_VALUES else request.POST[name] for name in request.POST}


def _player(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def _answer(request: HttpRequest, table_id: str, code: str) -> HttpResponse:
    """Fragments for htmx, the page for a browser; with the sentence why, when it was refused."""
    view = seat_views.table_view(table_id, _player(request), timezone.now())
    if view is None:
        raise Http404
    if request.headers.get("HX-Request"):
        notice = render.notice(code, view) if code else ""
        return HttpResponse(notice + render.oob(render.fragments(view)))
    if code:
        messages.error(request, reason(code, view.rules.play.hold_back))
    return redirect(view.url)


def _form(do: str) -> Callable[[HttpRequest, str], HttpResponse]:
    @never_cache
    @require_POST
    def view(request: HttpRequest, table_id: str) -> HttpResponse:
        player = _player(request)
        if player is None:
            return _answer(request, table_id, "not_seated")
        return _answer(request, table_id, forms.perform(table_id, player, do, _fields(request), timezone.now()))

    view.__doc__ = f"`POST /t/ID/{do}`."
    return view


act, ready, trustee, bots, contribute, stake = map(_form, ("act", "ready", "trustee", "bots", "contribute", "stake"))


@never_cache
@require_POST
def sit(request: HttpRequest, table_id: str) -> HttpResponse:
    """`POST /t/ID/sit`: whoever has the link may sit; somebody without an account becomes a guest first."""
    player = _player(request)
    if not access.may_see_table(table_id, player):
        raise Http404
    if player is None:
        try:
            player = enter_as_guest(request)
        except TooManyFromHere:
            return _answer(request, table_id, "too_many")
    return _answer(request, table_id, forms.perform(table_id, player, "sit", _fields(request), timezone.now()))


@never_cache
@require_POST
def leave(request: HttpRequest, table_id: str) -> HttpResponse:
    """`POST /t/ID/leave`: and back to the first page."""
    player = _player(request)
    if player is None:
        return _answer(request, table_id, "not_seated")
    try:
        for_good = tables.leave(table_id=table_id, player=player, now=timezone.now())
    except Refused as refused:
        return _answer(request, table_id, refused.code)
    if request.headers.get("HX-Request"):
        return _answer(request, table_id, "")
    if for_good:
        messages.info(request, _("你离开了。这一局由系统替你打完，扣%d分。") % LEAVING_POINTS)
    return redirect("/")


@never_cache
@require_POST
def rematch(request: HttpRequest, table_id: str) -> HttpResponse:
    """`POST /t/ID/rematch`: on to the table where the same five go on."""
    player = _player(request)
    if player is None:
        return _answer(request, table_id, "not_seated")
    try:
        new_id = again(table_id=table_id, player=player, now=timezone.now())
    except Refused as refused:
        return _answer(request, table_id, refused.code)
    return redirect("games:table", table_id=new_id)


@never_cache
@require_GET
def fragments(request: HttpRequest, table_id: str) -> HttpResponse:
    """`GET /t/ID/fragments`: everything, for a page whose socket is down."""
    view = seat_views.table_view(table_id, _player(request), timezone.now())
    if view is None:
        raise Http404
    return HttpResponse(render.oob(render.fragments(view)))


urlpatterns = [
    path("t/<str:table_id>/act", act, name="act"),
    path("t/<str:table_id>/ready", ready, name="ready"),
    path("t/<str:table_id>/trustee", trustee, name="trustee"),
    path("t/<str:table_id>/bots", bots, name="bots"),
    path("t/<str:table_id>/contribute", contribute, name="contribute"),
    path("t/<str:table_id>/stake", stake, name="stake"),
    *(path(f"t/<str:table_id>/{do}", _form(do), name=do.replace("-", "_")) for do in COMPANY),
    path("t/<str:table_id>/rematch", rematch, name="rematch"),
    path("t/<str:table_id>/sit", sit, name="sit"),
    path("t/<str:table_id>/leave", leave, name="leave"),
    path("t/<str:table_id>/fragments", fragments, name="fragments"),
]
