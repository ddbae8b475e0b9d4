"""The pages of a finished hand: its result, its replay, the check of its deal.

Of a hand that is still played they show nothing (409); where it is not to be shown there is no such hand.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Player
from games.render import oob
from games.render_replay import address, moment_fragments, story
from games.render_result import decided, result_lines
from games.selectors import moments, replays
from games.selectors.moments import Moment


def _player_id(request: HttpRequest) -> int | None:
    return request.user.pk if isinstance(request.user, Player) else None


def _not_shown(request: HttpRequest, why: replays.NoSuchHand | replays.NotOver) -> HttpResponse:
    """Why there is nothing to be seen yet. Raises Http404 where there is no such hand."""
    if isinstance(why, replays.NoSuchHand):
        raise Http404
    elsewhere = isinstance(why, replays.NotRevealed)
    return render(request, "games/not_over.html", {"elsewhere": elsewhere}, status=409)


@never_cache
@require_safe
def hand(request: HttpRequest, hand_id: str) -> HttpResponse:
    """A finished hand: result and log."""
    player_id = _player_id(request)
    try:
        found = replays.finished_hand(hand_id, player_id)
    except (replays.NoSuchHand, replays.NotOver) as why:
        return _not_shown(request, why)
    lang = get_language() or ""
    lines = result_lines(found.result, found.seat_of(player_id), (False,) * 5, lang) if found.result else []
    log = story(moments.moment_of(hand_id, player_id, 0, None), False, lang, here=False) if found.obs else ""
    return render(
        request,
        "games/hand.html",
        {
            "hand": found,
            "lines": lines,
            "why": decided(found.result) if found.result else "",
            "log": mark_safe(log),
        },
    )


@never_cache
@require_safe
def replay(request: HttpRequest, hand_id: str) -> HttpResponse:
    """The board of a finished hand at one moment: `at` which, from whose `seat`, with `open` all five hands.

    The page's script asks for the next moment and gets the fragments that make it. Without its log there is only the
    hand's own page.
    """
    open_hands = request.GET.get("open") == "1"
    seat = _number(request, "seat")
    try:
        moment = moments.moment_of(
            hand_id, _player_id(request), _number(request, "at") or 0, seat if seat in range(5) else None
        )
    except replays.Pruned:
        return redirect("games:hand", hand_id)
    except (replays.NoSuchHand, replays.NotOver) as why:
        return _not_shown(request, why)
    lang = get_language() or ""
    found = moment_fragments(moment, open_hands, lang)
    if request.headers.get("HX-Request"):
        found["below"] = f'<div id="below" class="hand-place">{found["below"]}</div>'
        return HttpResponse(oob(found))
    return render(
        request,
        "games/replay.html",
        {
            "moment": moment,
            "hand_name": moment.view.rules.name or moment.view.preset,
            "html": {name: mark_safe(html) for name, html in found.items()},
            "story": mark_safe(story(moment, open_hands, lang)),
            "open_hands": open_hands,
            "ways": _ways(moment, open_hands),
        },
    )


def _number(request: HttpRequest, name: str) -> int | None:
    """A small whole number from the address; None for anything else."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else None


def _ways(moment: Moment, open_hands: bool) -> dict[str, str]:
    """Where the buttons lead."""
    at, seat = moment.at, moment.seat
    moved = {"before": moment.before, "back": max(0, at - 1), "on": min(moment.last, at + 1), "after": moment.after}
    return {name: address(moment, to, seat, open_hands) for name, to in moved.items()} | {
        "open": address(moment, at, seat, not open_hands),
        "seat": address(moment, at, (seat + 1) % 5, open_hands),
    }


@never_cache
@require_safe
def fair(request: HttpRequest, hand_id: str) -> HttpResponse:
    """The check of the deal, which the browser makes itself."""
    player_id = _player_id(request)
    try:
        found = replays.finished_hand(hand_id, player_id)
    except (replays.NoSuchHand, replays.NotOver) as why:
        return _not_shown(request, why)
    return render(request, "games/fair.html", {"hand": found, "seat": found.seat_of(player_id)})


@never_cache
@require_safe
def deal(request: HttpRequest, hand_id: str) -> JsonResponse:
    """What the check needs; not before the hand is over."""
    try:
        return JsonResponse(replays.deal_data(hand_id, _player_id(request)))
    except replays.NoSuchHand:
        return JsonResponse({"error": {"code": "not_found", "message": "There is no such hand."}}, status=404)
    except replays.NotOver:
        return JsonResponse({"error": {"code": "not_over", "message": "The hand is still being played."}}, status=409)


urlpatterns = [
    path("hands/<str:hand_id>/", hand, name="hand"),
    path("hands/<str:hand_id>/replay/", replay, name="replay"),
    path("hands/<str:hand_id>/fair/", fair, name="fair"),
    path("hands/<str:hand_id>/deal.json", deal, name="deal"),
]
