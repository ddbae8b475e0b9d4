"""How many tables may be opened in an hour: by one account, by its programs, and from one address.

Asked where a request comes in, before the table is made; a request that is then refused counts too.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from accounts.entry import TooManyFromHere, count
from accounts.models import Player
from accounts.services import limits


def check_opening(request: HttpRequest, player: Player, *, program: bool = False) -> None:
    """Count one more table of this player and of this address. Raises TooManyFromHere."""
    what, most = ("api-table", settings.PROGRAM_TABLES_PER_HOUR) if program else ("table", settings.TABLES_PER_HOUR)
    if not limits.allow(what, f"player-{player.pk}", limit=most):
        raise TooManyFromHere(what)
    count("tables", request, settings.ADDRESS_TABLES_PER_HOUR)
