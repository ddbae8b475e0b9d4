"""Saying something at a table: plain text, short, not too often. Who may read it is decided where it is read.

Nothing here looks at cards, and nothing is ever said by the system itself: a line that came or not could tell a role.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import Player
from accounts.services import blocks
from games.models import ChatMessage, Hand, Seat, Table
from games.selectors import access
from games.services import play, publish, tables
from games.services.errors import Refused

LENGTH = ChatMessage.LENGTH
RATES = ((timedelta(seconds=10), 5), (timedelta(minutes=1), 15))
"""At most so many lines of one player in so long, at one table."""


def cleaned(text: object) -> str:
    """One line of what can be seen: control characters and runs of blanks become single blanks.

    Raises Refused: malformed (no text, or nothing in it), too_long.
    """
    if not isinstance(text, str) or len(text) > 20 * LENGTH:
        raise Refused("malformed", "text")
    seen = "".join(" " if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else char for char in text)
    line = " ".join(seen.split())
    if not line:
        raise Refused("malformed", "text")
    if len(line) > LENGTH:
        raise Refused("too_long", "text")
    return line


def say(*, table_id: str, player: Player, text: object, now: datetime) -> None:
    """Say it to those at the table who may hear it (`games.selectors.chat`).

    Lock: the table's row. Raises Refused: malformed, too_long, not_found (also to a club's strangers), not_seated (a
    spectator where nobody may look on), too_fast.
    """
    line = cleaned(text)
    with tables.locked(table_id) as table:
        if not access.may_see_table(table_id, player):
            raise Refused("not_found")
        hand = play.active_hand(table)
        seat = _seat(table, player) if hand is None else play.seat_of(hand, player.pk)
        if seat is None and table.watching == Table.Watching.NONE:
            raise Refused("not_seated")
        for span, most in RATES:
            if ChatMessage.objects.filter(table=table, author=player, at__gt=now - span).count() >= most:
                raise Refused("too_fast")
        ChatMessage.objects.create(
            table=table, author=player, seat=seat, hand=0 if hand is None else hand.number, text=line, at=now
        )
        _show(table, hand)


def _seat(table: Table, player: Player) -> int | None:
    return Seat.objects.filter(table=table, player=player).values_list("number", flat=True).first()


def _show(table: Table, hand: Hand | None) -> None:
    """A newer picture of the same table: talk keeps no table open that is not played at."""
    table.version += 1
    table.save(update_fields=["version"])
    publish.table_changed(table, hand)


def mute(*, table_id: str, player: Player, other_id: int, now: datetime) -> None:
    """Do not hear somebody any more, whom the player meets at this table; what he said here goes from the page.

    Raises Refused: not_found (also when the other has nothing to do with this table), malformed (oneself), too_many.
    """
    with tables.locked(table_id) as table:
        if not access.may_see_table(table_id, player):
            raise Refused("not_found")
        met = Q(seats__table=table) | Q(chat_lines__table=table)
        other = Player.objects.filter(met, pk=other_id).distinct().first()
        if other is None:
            raise Refused("not_found", "player")
        try:
            blocks.mute(player, other, now=now)
        except blocks.BlockRefused as refused:
            raise Refused("malformed" if refused.code == "self" else "too_many", "player") from None
        _show(table, play.active_hand(table))
