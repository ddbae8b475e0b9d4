"""Whether somebody's beans let him sit down: enough of them for the table's entry, and not frozen where beans are won.

Called inside the services that hold the table's lock, by whoever puts a person on a seat.
"""

from __future__ import annotations

from accounts.models import Account, Player
from games.models import Table
from games.services.errors import Refused


def check_sitting(table: Table, player: Player) -> None:
    """Raises Refused: frozen (at a table with stakes), too_few_beans."""
    if not table.room and not table.entry:
        return
    row = Account.objects.filter(player=player).values_list("balance", "frozen").first()
    balance, frozen = row or (0, False)
    if frozen and table.room:
        raise Refused("frozen")
    if table.entry and balance < table.entry:
        raise Refused("too_few_beans")


def check_frozen(table: Table, player: Player) -> None:
    """For somebody who sits there already. Raises Refused: frozen."""
    if table.room and Account.objects.filter(player=player, frozen=True).exists():
        raise Refused("frozen")
