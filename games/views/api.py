"""Tables and hands for programs (PROTOCOL "Playing by program"): JSON in, JSON out, the services the pages use.

Authorisation is a bearer token or the session (then with Django's CSRF rules). Every error is
`{"error": {"code", "message"}}` with a fitting status.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path, re_path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from accounts import selectors_clubs
from accounts.entry import TooManyFromHere
from accounts.models import Club, Player
from games.opening import check_opening
from games.selectors import replays, seat_views
from games.selectors.table_view_types import TableView
from games.services import chat, company, rematch, table_setup, tables
from games.services.errors import Refused
from games.views.api_base import answered, body_of, error, given, only, player_of, player_or_none

SETTINGS = ("watching", "substitutes", "ready_seconds")
"""What else a table of people may be opened with."""


def _club(player: Player, slug: str | None) -> Club | None:
    """The club of this slug, for a member of it. Raises Refused("not_found") with the field."""
    if slug is None:
        return None
    member = selectors_clubs.membership(slug, player)
    if member is None:
        raise Refused("not_found", "club")
    return member.club


@only("POST")
@answered
def open_table(request: HttpRequest) -> JsonResponse:
    """`POST /api/tables`."""
    player = player_of(request)
    names = (
        "rules",
        "overrides",
        "clock",
        "room",
        "public",
        "bots",
        "level",
        "hands",
        "multiplier",
        "entry",
        "club",
        *SETTINGS,
    )
    body = body_of(request, *names)
    if body.get("rules") is None:
        raise Refused("malformed", "rules")
    try:
        check_opening(request, player, program=True)
    except TooManyFromHere:
        raise Refused("too_many_tables") from None
    table = table_setup.open_table(
        player=player,
        rules=given(body, "rules", (str, dict)),
        overrides=given(body, "overrides", dict),
        clock=given(body, "clock", dict),
        room=given(body, "room", int, 1),
        public=given(body, "public", bool, False),
        bots=given(body, "bots", int, 0),
        level=given(body, "level", str, "beginner"),
        hands=given(body, "hands", int),
        multiplier=given(body, "multiplier", int, 1),
        entry=given(body, "entry", int, 0),
        club=_club(player, given(body, "club", str)),
        watching=given(body, "watching", str, "live"),
        substitutes=given(body, "substitutes", bool, False),
        ready_seconds=given(body, "ready_seconds", int, 0),
        now=timezone.now(),
    )
    return JsonResponse({"table": table.id, "url": f"/t/{table.id}/", "seat": 0}, status=201)


@only("GET")
@answered
def show_table(request: HttpRequest, table_id: str) -> JsonResponse:
    """`GET /api/tables/ID`: what everybody may know, whoever asks."""
    view = seat_views.table_view(table_id, player_or_none(request), timezone.now())
    if view is None:
        raise Refused("not_found")
    return JsonResponse(table_json(view, replays.finished_ids(table_id)))


def table_json(view: TableView, finished: list[str]) -> dict[str, Any]:
    return {
        "table": view.table,
        "url": view.url,
        "status": view.phase,
        "closed_because": view.closed_because or None,
        "preset": view.preset,
        "rules": view.rules.to_json(),
        "clock": {"step": view.clock_step, "play": view.clock_play, "next": view.clock_next},
        "room": view.room,
        "public": view.public,
        "hands": view.hands_limit,
        "watching": view.watching,
        "spectators": view.spectators,
        "rematch": view.rematch or None,
        "number": view.number,
        "hand": view.hand,
        "finished": finished,
        "commit": view.commit,
        "next_commit": view.next_commit,
        "seats": [
            {
                "seat": seat.number,
                "name": seat.name,
                "empty": seat.empty,
                "bot": seat.bot,
                "ready": seat.ready,
                "connected": seat.connected,
                "trustee": seat.trustee,
                "host": seat.host,
                "multiplier": seat.multiplier,
            }
            for seat in view.seats
        ],
    }


@only("POST")
@answered
def sit(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/sit`."""
    player = player_of(request)
    body = body_of(request, "seat", "multiplier", "replace")
    seat = tables.sit(
        table_id=table_id,
        player=player,
        seat=given(body, "seat", int),
        multiplier=given(body, "multiplier", int, 1),
        replace=given(body, "replace", bool, False),
        now=timezone.now(),
    )
    return JsonResponse({"seat": seat})


@only("POST")
@answered
def ready(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/ready`."""
    player = player_of(request)
    body_of(request)
    tables.ready(table_id=table_id, player=player, now=timezone.now())
    return JsonResponse({})


@only("POST")
@answered
def leave(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/leave`."""
    player = player_of(request)
    body_of(request)
    tables.leave(table_id=table_id, player=player, now=timezone.now())
    return JsonResponse({})


@only("POST")
@answered
def trustee(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/trustee`."""
    player = player_of(request)
    on = given(body_of(request, "on"), "on", bool)
    if on is None:
        raise Refused("malformed", "on")
    tables.set_trustee(table_id=table_id, player=player, on=on, now=timezone.now())
    return JsonResponse({})


@only("POST")
@answered
def bots(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/bots`."""
    player = player_of(request)
    body = body_of(request, "add", "level")
    add, level = given(body, "add", int), given(body, "level", str)
    if add is None:
        raise Refused("malformed", "add")
    tables.set_bots(table_id=table_id, player=player, add=add, level=level, now=timezone.now())
    return JsonResponse({})


@only("POST")
@answered
def contribute(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/contribute`: the seat's own text for the next shuffle (RULES §4.2)."""
    player = player_of(request)
    text = given(body_of(request, "text"), "text", str)
    if text is None:
        raise Refused("malformed", "text")
    tables.contribute(table_id=table_id, player=player, text=text)
    return JsonResponse({})


@only("POST")
@answered
def remove(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/remove`: the host frees a seat before the hand."""
    player = player_of(request)
    seat = given(body_of(request, "seat"), "seat", int)
    company.remove(table_id=table_id, player=player, seat=seat, now=timezone.now())
    return JsonResponse({})


@only("POST")
@answered
def swap(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/swap`: ask to change places with `seat`; with `accept`, answer his question."""
    player = player_of(request)
    body = body_of(request, "seat", "accept")
    seat, accept = given(body, "seat", int), given(body, "accept", bool)
    if accept is None:
        company.ask_swap(table_id=table_id, player=player, seat=seat, now=timezone.now())
    else:
        company.answer_swap(table_id=table_id, player=player, seat=seat, accept=accept, now=timezone.now())
    return JsonResponse({})


@only("POST")
@answered
def say(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/chat/say`: one line of `text` to those who may hear it."""
    player = player_of(request)
    chat.say(table_id=table_id, player=player, text=given(body_of(request, "text"), "text", str), now=timezone.now())
    return JsonResponse({})


@only("GET")
@answered
def said(request: HttpRequest, table_id: str) -> JsonResponse:
    """`GET /api/tables/ID/chat`: the newest lines this viewer may read."""
    view = seat_views.table_view(table_id, player_or_none(request), timezone.now())
    if view is None:
        raise Refused("not_found")
    lines = [{"id": line.id, "name": line.name, "by": line.by, "text": line.text} for line in view.chat]
    return JsonResponse({"lines": lines})


@only("POST")
@answered
def once_more(request: HttpRequest, table_id: str) -> JsonResponse:
    """`POST /api/tables/ID/rematch`: the same five, after the last hand."""
    player = player_of(request)
    body_of(request)
    new_id = rematch.again(table_id=table_id, player=player, now=timezone.now())
    return JsonResponse({"table": new_id, "url": f"/t/{new_id}/"})


@only("GET")
@answered
def record(request: HttpRequest, hand_id: str) -> JsonResponse:
    """`GET /api/hands/ID/record`: 409 while the hand is played."""
    try:
        player = player_or_none(request)
        return JsonResponse(replays.record_of(hand_id, player.pk if player else None))
    except replays.NoSuchHand:
        raise Refused("not_found") from None
    except replays.NotOver:
        raise Refused("not_over") from None


@csrf_exempt
def no_such_address(request: HttpRequest) -> JsonResponse:
    """Any other address under `/api/`, whatever the method."""
    return error("not_found")


urlpatterns = [
    path("api/tables", open_table, name="api_tables"),
    path("api/tables/<str:table_id>", show_table, name="api_table"),
    path("api/tables/<str:table_id>/sit", sit, name="api_sit"),
    path("api/tables/<str:table_id>/ready", ready, name="api_ready"),
    path("api/tables/<str:table_id>/leave", leave, name="api_leave"),
    path("api/tables/<str:table_id>/trustee", trustee, name="api_trustee"),
    path("api/tables/<str:table_id>/bots", bots, name="api_bots"),
    path("api/tables/<str:table_id>/contribute", contribute, name="api_contribute"),
    path("api/tables/<str:table_id>/remove", remove, name="api_remove"),
    path("api/tables/<str:table_id>/swap", swap, name="api_swap"),
    path("api/tables/<str:table_id>/chat/say", say, name="api_say"),
    path("api/tables/<str:table_id>/chat", said, name="api_chat"),
    path("api/tables/<str:table_id>/rematch", once_more, name="api_rematch"),
    path("api/hands/<str:hand_id>/record", record, name="record"),
    re_path(r"^api(?:/.*)?$", no_such_address),
]
