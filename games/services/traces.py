"""What is kept of a log-in to see that two names may be one person: two keyed hashes, for ninety days.

One is of the network (the first part of the address, never the whole of it), one of what the browser says it is. The
key is the site's own, so the hashes tell nothing to anybody else, and addresses are not kept at all.
"""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Player
from games.models import LoginTrace
from games.services.writer import writing

KEPT = timedelta(days=90)
"""How long after its last use a trace is kept."""
PREFIX = {4: 24, 6: 48}
"""How many bits of an address name the network."""


def network_of(address: str) -> str:
    """The network an address lies in, as text; "" for what is no address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    return str(ipaddress.ip_network((found, PREFIX[found.version]), strict=False))


def _hashed(kind: str, text: str) -> str:
    return salted_hmac(f"games.traces.{kind}", text, algorithm="sha256").hexdigest()[:32]


def note(player: Player, address: str, agent: str, now: datetime) -> None:
    """Somebody has logged in from there. Old traces of everybody go."""
    network = network_of(address)
    if not network:
        return
    with writing():
        LoginTrace.objects.update_or_create(
            player=player,
            network=_hashed("network", network),
            agent=_hashed("agent", agent[:400]),
            defaults={"last_at": now},
        )
        forget(now)


def forget(now: datetime) -> int:
    """Delete the traces that are too old; how many."""
    return LoginTrace.objects.filter(last_at__lt=now - KEPT).delete()[0]


def on_login(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    """Receiver of Django's `user_logged_in`."""
    if request is not None and isinstance(user, Player):
        meta = request.META
        note(user, meta.get("REMOTE_ADDR") or "", meta.get("HTTP_USER_AGENT", ""), timezone.now())
