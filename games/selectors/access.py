"""Who may see a table, a hand or a variant. What belongs to a club is its members' own; all else is whoever's asks.

Somebody who sits at a club's table sees it as long as he sits there, even when the club has sent him away: a hand that
has begun is played to its end. Whoever played a hand may always look at it.
"""

from __future__ import annotations

from accounts.models import Player
from accounts.selectors_clubs import role_in
from games.models import Hand, Table, Variant
from games.selectors import event_boards


def may_see_table(table_id: str, player: Player | None) -> bool:
    """Whether the table is there for this player; False for one there is not. One to three queries."""
    row = Table.objects.filter(pk=table_id).values_list("club_id", flat=True)[:1]
    if not row:
        return False
    if event_boards.hides_table(table_id, None if player is None else player.pk):
        return False
    return row[0] is None or _belongs(row[0], player) or _sits(table_id, player)


def _belongs(club_id: int, player: Player | None) -> bool:
    return role_in(club_id, player) is not None


def _sits(table_id: str, player: Player | None) -> bool:
    return player is not None and Table.objects.filter(pk=table_id, seats__player=player).exists()


def may_see_hand(hand: Hand, player_id: int | None) -> bool:
    """Whether a finished hand is there for this player; not yet, as long as `keeps_back`."""
    club_id = Table.objects.values_list("club_id", flat=True).get(pk=hand.table_id)
    if club_id is None:
        return True
    if player_id is None:
        return False
    return any(seat["player"] == player_id for seat in hand.players) or role_in(club_id, player_id) is not None


def keeps_back(hand: Hand) -> bool:
    """Whether a finished hand is shown to nobody yet: other tables of its event have the same cards before them."""
    pairing_id = Table.objects.values_list("pairing_id", flat=True).get(pk=hand.table_id)
    return pairing_id is not None and event_boards.hides_hand(pairing_id, hand.number)


def may_see_variant(variant: Variant, player: Player | None) -> bool:
    """Whether the rules may be read by this player."""
    return variant.club_id is None or _belongs(variant.club_id, player)


def is_club_table(table_id: str) -> bool:
    """Whether there is such a table and it belongs to a club."""
    return Table.objects.filter(pk=table_id, club__isnull=False).exists()
