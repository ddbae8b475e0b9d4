"""A moderator's word is read before anything else: pages where somebody arrives lead to it until he has read it.

Only these pages look for one, so that nobody is torn out of a hand and no other page costs a query more.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin

from accounts.models import Player
from games.services import sanctions

WHERE = frozenset(("/", "/new", "/accounts/", "/beans/", "/boards/", "/clubs/", "/hands/"))


class UnreadNotice(MiddlewareMixin):
    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if request.method != "GET" or request.path not in WHERE or request.headers.get("HX-Request"):
            return None
        player = request.user
        if not isinstance(player, Player) or sanctions.unread(player) is None:
            return None
        return redirect(f"/fair/notice/?{urlencode({'next': request.get_full_path()})}")
