"""The secrecy of duplicate: a board is shown to nobody but those who play it until its last table has closed it.

All tables of a round play the same cards. So nobody but its own five watches a table while the round is on, and the
replay, the deal and the record of a hand are there only when no table has this board before it, for its players too.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from games.bots import NAMES
from games.models import BoardResult, Event, Pairing, Round, RowResult
from games.selectors.table_view_types import EventPlace


def _open_rounds() -> QuerySet[Round]:
    """The rounds of duplicate that are not closed, in events that go on."""
    return (
        Round.objects.filter(event__format=Event.Format.DUPLICATE)
        .exclude(status=Round.Status.CLOSED)
        .exclude(event__status__in=[Event.Status.FINISHED, Event.Status.CANCELLED])
    )


def _open_duplicate(pairing_id: int) -> Pairing | None:
    """The pairing, if it is one of a duplicate round that is not closed."""
    return Pairing.objects.filter(pk=pairing_id, round__in=_open_rounds()).first()


def place_of(pairing_id: int) -> EventPlace:
    """The event, round and number of the table of a pairing."""
    columns = ("round__event_id", "round__event__name", "round__number", "number", "round__event__paused_at")
    event_id, name, round, table, paused_at = Pairing.objects.values_list(*columns).get(pk=pairing_id)
    return EventPlace(event_id, name, round, table, paused_at is not None)


def kept_places(pairing_id: int) -> dict[str, str]:
    """Whose place a bot of this name would keep. A bot that was drawn into the table keeps nobody's."""
    rows = RowResult.objects.filter(pairing_id=pairing_id, entrant__isnull=False)
    return {NAMES[seat]: name for seat, name in rows.values_list("seat", "entrant__player__username")}


def viewers(pairing_id: int) -> frozenset[int] | None:
    """The ids of those who alone may look at the table now; None where the usual rules hold."""
    pairing = _open_duplicate(pairing_id)
    if pairing is None:
        return None
    own = pairing.rows.filter(entrant__isnull=False).values_list("entrant__player_id", flat=True)
    return frozenset(player_id for player_id in own if player_id is not None)


def hides_table(table_id: str, player_id: int | None) -> bool:
    """Whether the table is not to be shown to this player now."""
    pairing_id = Pairing.objects.filter(table=table_id).values_list("pk", flat=True).first()
    own = None if pairing_id is None else viewers(pairing_id)
    return own is not None and player_id not in own


def hides_hand(pairing_id: int, board: int) -> bool:
    """Whether some table of the round still has this board before it."""
    pairing = _open_duplicate(pairing_id)
    if pairing is None:
        return False
    return Pairing.objects.filter(round_id=pairing.round_id, closed_at=None, hands__lt=board).exists()


def hidden_results(hand: str) -> QuerySet[BoardResult]:
    """For `Exists` in a query over results: of the hand in that column, what `hides_hand` hides."""
    behind = Pairing.objects.filter(round=OuterRef("pairing__round"), closed_at=None, hands__lt=OuterRef("board"))
    return BoardResult.objects.filter(Exists(behind), hand_id=OuterRef(hand), pairing__round__in=_open_rounds())
