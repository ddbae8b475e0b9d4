"""The page of a player, as far as he lets this viewer see it, and what the viewer decides about him."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Player
from accounts.selectors import clubs_in_common, may_see_history, may_see_online, may_see_profile
from accounts.services import blocks
from games.selectors import presence, statistics

RELATIONS: dict[str, Callable[[Player, Player], None]] = {
    "block": blocks.block,
    "unblock": blocks.unblock,
    "mute": blocks.mute,
    "unmute": blocks.unmute,
}


def _named(name: str) -> Player:
    """The player of this name; closed accounts have no page."""
    player = Player.objects.filter(username__iexact=name, is_active=True).first()
    if player is None:
        raise Http404
    return player


@never_cache
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """`GET /players/NAME/`."""
    player = _named(name)
    viewer = request.user if isinstance(request.user, Player) else None
    mine = viewer is not None and viewer.pk == player.pk
    shown = may_see_profile(viewer, player)
    history = shown and may_see_history(viewer, player)
    online = shown and may_see_online(viewer, player) and presence.is_here(player)
    context = {
        "player": player,
        "mine": mine,
        "shown": shown,
        "history": history,
        "online": online,
        "clubs": list(clubs_in_common(viewer, player)) if shown and viewer is not None and not mine else [],
        "statistics": statistics.of_player(player.pk, viewer.pk if viewer else None) if history else None,
        "said": blocks.said(viewer, player) if viewer is not None and not mine else set(),
        "decides": viewer is not None and not mine,
    }
    return render(request, "accounts/player.html", context, status=200 if shown else 403)


@never_cache
@require_POST
@login_required
def relation(request: HttpRequest, name: str) -> HttpResponse:
    """`POST /players/NAME/relation` with `do`: block, unblock, mute, unmute."""
    assert isinstance(request.user, Player)
    player = Player.objects.filter(username__iexact=name).first()
    decide = RELATIONS.get(request.POST.get("do", ""))
    if player is None or decide is None:
        raise Http404
    try:
        decide(request.user, player)
    except blocks.BlockRefused as refused:
        words = _("不能拉黑自己。") if refused.code == "self" else _("名单满了，先去掉几个。")
        messages.error(request, words)
    if request.POST.get("back") == "list" or not player.is_active:
        return redirect("accounts:blocks")
    return redirect("games:player", player.username)


urlpatterns = [
    path("players/<str:name>/", profile, name="player"),
    path("players/<str:name>/relation", relation, name="player_relation"),
]
