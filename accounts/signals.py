"""What this app tells others that it does not know."""

from django.db import transaction
from django.dispatch import Signal

club_changed = Signal()
"""Sent with `club_id` after the commit that took somebody's membership away, let somebody in, or archived a club."""

account_closing = Signal()
"""Sent with `player` and `now` before an account is closed, outside its transaction. A receiver may raise
`accounts.services.closing.ClosingRefused`."""

account_closed = Signal()
"""Sent with `player` (the row as it is now), `names` (the set of names he lately had) and `now` in the transaction that
closed the account."""

export_asked = Signal()
"""Sent with `player`, who asks for everything that is held about him; receivers answer with a dict of parts."""

signed_out = Signal()
"""Sent with `player_id` after the commit that ended every session and token of this player."""


def tell_signed_out(player_id: int) -> None:
    """Have `signed_out` sent after the commit of the transaction that is on."""
    transaction.on_commit(lambda: signed_out.send(sender=None, player_id=player_id))
