"""Who may open which page of an event: one decorator by which every page and every form of an event is fetched.

For whoever may not see it there is no such event; whoever is not logged in is sent to log in, since he may be a member;
what a service refuses becomes a message on the page one comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from accounts.models import Player
from games import event_words
from games.models import Event
from games.services import event_base
from games.services.errors import Refused


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody at an event."""

    event: Event
    player: Player | None
    directs: bool


def for_event(
    *, login: bool = False, direct: bool = False, back: str = ""
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """The view gets a `Visit` instead of the id. `login`: only for who is logged in; `direct`: only for directors;
    `back`: the page to go back to after a form was refused."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @never_cache
        @wraps(view)
        def wrapper(request: HttpRequest, event_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
            player = request.user if isinstance(request.user, Player) else None
            event = Event.objects.select_related("club").filter(pk=event_id).first()
            if event is None:
                raise Http404
            if player is None and (login or direct or event.club_id is not None):
                return redirect_to_login(request.get_full_path())
            directs = event_base.may_direct(event, player)
            if not directs and not event_base.may_see(event, player):
                raise Http404
            visit = Visit(event, player, directs)
            if direct and not visit.directs:
                context = {"visit": visit, "event": event, "words": event_words.refusal("forbidden")}
                return render(request, "events/refused.html", context, status=403)
            try:
                return view(request, visit, *args, **kwargs)
            except Refused as refused:
                messages.error(request, event_words.refusal(refused.code, refused.field))
                return redirect(back or "games:event", event.id)

        return wrapper

    return decorate
