"""Letting somebody in: logging a player into this browser, as a guest or with an account.

Used by the account pages and by the one-press start of a game. Whether an address makes too many rows is decided here,
before the first row is written.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import Player
from accounts.services import limits, players

BACKEND = "django.contrib.auth.backends.ModelBackend"


class TooManyFromHere(Exception):
    """This address has made as many guests or accounts in an hour as the site allows."""


def enter(request: HttpRequest, player: Player) -> None:
    """Log the player into this browser; the session gets a new key."""
    login(request, player, backend=BACKEND)


def enter_as_guest(request: HttpRequest) -> Player:
    """Make a guest and log him in. Raises TooManyFromHere."""
    count("guest", request, settings.GUESTS_PER_HOUR)
    guest = players.make_guest()
    enter(request, guest)
    return guest


def count(what: str, request: HttpRequest, limit: int) -> None:
    """Count one more from the address of this request in this hour. Raises TooManyFromHere."""
    address = request.META.get("REMOTE_ADDR") or "unknown"
    if not limits.allow(what, address, limit=limit):
        raise TooManyFromHere(what)
