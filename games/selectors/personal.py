"""What the games hold about one person, for the file he may download: his tables, hands, actions, cards and sums.

Only what he himself did, held or got. The other four of a hand are not in it, and of a hand that is still on nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accounts.models import Player
from games import history
from games.models import (
    ChatMessage,
    Desertion,
    Hand,
    HandAction,
    LoginTrace,
    Rating,
    Report,
    Sanction,
    Seat,
    SeatResult,
    Table,
    Tally,
)

CHUNK = 400


def on_export_asked(*, player: Player, **_signal: Any) -> dict[str, Any]:
    """The parts of the games for `accounts.selectors_export`."""
    return {
        "tables": {
            "sits_at": list(
                Seat.objects.filter(player=player)
                .exclude(table__status=Table.Status.CLOSED)
                .values("table_id", "number", "ready", "multiplier")
            ),
            "opened": list(
                Table.objects.filter(host=player).order_by("created_at").values("id", "preset", "room", "created_at")
            ),
        },
        "rating": Rating.objects.filter(player=player).values().first(),
        "sums": list(Tally.objects.filter(player=player).exclude(hands=0).values()),
        "hands": list(_hands(player)),
        "fair_play": _fair_play(player),
        "chat": list(ChatMessage.objects.filter(author=player).values("table_id", "hand", "text", "at")),
    }


def _fair_play(player: Player) -> dict[str, Any]:
    """What he told the moderators and they told him, seats he left, and the traces of his log-ins. What others said
    about him is theirs."""
    sanctions = Sanction.objects.filter(player=player).prefetch_related("lines").order_by("at")
    return {
        "reports_made": list(
            Report.objects.filter(reporter=player)
            .order_by("at")
            .values("target__username", "scene", "category", "text", "at")
        ),
        "sanctions": [
            {
                "kind": row.kind,
                "reason": row.reason,
                "at": row.at,
                "until": row.until,
                "lifted_at": row.lifted_at,
                "talk": [{"moderator": line.moderator, "text": line.text, "at": line.at} for line in row.lines.all()],
            }
            for row in sanctions
        ],
        "hands_left": list(Desertion.objects.filter(player=player).order_by("at").values("hand_id", "at", "until")),
        "log_ins": list(LoginTrace.objects.filter(player=player).values("network", "agent", "last_at")),
    }


def _hands(player: Player) -> Iterator[dict[str, Any]]:
    """Finished hands, oldest first."""
    rows = list(SeatResult.objects.filter(player=player).select_related("result").order_by("pk"))
    for first in range(0, len(rows), CHUNK):
        chunk = rows[first : first + CHUNK]
        ids = [row.result_id for row in chunk]
        hands = Hand.objects.defer("previous", "trustees").in_bulk(ids)
        mine = {row.result_id: row.seat for row in chunk}
        actions: dict[str, list[dict[str, Any]]] = {}
        for hand_id, seat, text, source, at in (
            HandAction.objects.filter(hand_id__in=ids)
            .order_by("hand_id", "seq")
            .values_list("hand_id", "seat", "text", "source", "at")
        ):
            if mine[hand_id] == seat:
                actions.setdefault(hand_id, []).append({"text": text, "source": source, "at": at})
        for row in chunk:
            yield _hand(row, hands[row.result_id], actions.get(row.result_id, []))


def _hand(row: SeatResult, hand: Hand, actions: list[dict[str, Any]]) -> dict[str, Any]:
    cards = [] if hand.demo or not hand.deal else [str(card) for card in history.deal_of(hand).hands[row.seat]]
    return {
        "hand": hand.pk,
        "table": hand.table_id,
        "number": hand.number,
        "preset": row.result.preset,
        "started_at": hand.started_at,
        "ended_at": hand.ended_at,
        "seat": row.seat,
        "name": hand.players[row.seat]["name"],
        "multiplier": row.multiplier,
        "role": row.role,
        "place": row.place,
        "points": row.points,
        "beans": row.beans,
        "rating": row.rating,
        "rating_change": row.rating_change,
        "contributed": hand.clients[row.seat] if hand.clients else "",
        "cards": cards,
        "actions": actions,
    }
