"""Finished hands: the record anybody may have, the deal to be checked, the result and the log.

Nothing of a hand is given out here before it is over; asking earlier raises `NotOver`. To whom a hand is not to be
shown there is no such hand: those of a club's tables are for its members and for those who played them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import history
from games.engine.cards import Card
from games.engine.deck import unshuffled
from games.engine.observation import Observation, result_json
from games.engine.observe import observe
from games.engine.record import Record, read_previous, write_record
from games.engine.rules import RuleSet
from games.models import Hand, HandResult, Table
from games.selectors import access, addresses, event_boards
from games.selectors.table_view_types import ResultRow, ResultView


class NoSuchHand(LookupError):
    """There is no hand of this id."""


class Pruned(NoSuchHand):
    """The hand was played, but its log has been taken away."""


class NotOver(Exception):
    """The hand is still being played."""


class NotRevealed(NotOver):
    """The hand is over, and its cards are still being played at another table of its event."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that is over, as everybody may see it. `result` is None for a void one, `obs` when the log was pruned."""

    id: str
    table: str
    number: int
    status: str  # "done", "void", "unscored"
    rules: RuleSet
    room: int
    names: tuple[str, ...]
    player_ids: tuple[int | None, ...]
    started_at: datetime
    ended_at: datetime | None
    obs: Observation | None
    result: ResultView | None
    commit: str
    server_seed: str
    clients: tuple[str, ...]
    first: int

    def seat_of(self, player_id: int | None) -> int | None:
        """Where this player sat; None for everybody else."""
        return None if player_id is None or player_id not in self.player_ids else self.player_ids.index(player_id)


def over(hand_id: str, player_id: int | None) -> Hand:
    """The finished hand, if it is there for this player: a hand of a club's table is for its members.

    An invented hand (`seed_demo`) has no cards and no log: there is nothing of it to see. Raises NoSuchHand, NotOver.
    """
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None or hand.demo or not access.may_see_hand(hand, player_id):
        raise NoSuchHand(hand_id)
    if not hand.over:
        raise NotOver(hand_id)
    if access.keeps_back(hand):
        raise NotRevealed(hand_id)
    return hand


def record_of(hand_id: str, player_id: int | None = None) -> dict[str, Any]:
    """The finished hand in the format `baohuang-hand/1`, with its result. Raises NoSuchHand, Pruned, NotOver.

    The result's beans are those that were paid, with the table's room and the seats' multipliers.
    """
    hand = over(hand_id, player_id)
    if hand.pruned:
        raise Pruned(hand_id)
    fold = history.fold_of(hand)
    record = Record(
        ruleset=history.rules_of(hand.rules),
        deal=history.deal_of(hand),
        actions=tuple((entry.seat, entry.text) for entry in fold.log),
        previous=None if hand.previous is None else read_previous(hand.previous),
        rules=hand.rules,
        server_seed=hand.server_seed,
        clients=tuple(hand.clients),
        commit=hand.commit,
    )
    if fold.state.result is None:
        return write_record(record)
    row = HandResult.objects.prefetch_related("seats").get(pk=hand.id)
    result = result_json(fold.state.result)
    if row.scored:
        seats = sorted(row.seats.all(), key=lambda seat: seat.seat)
        result |= {"beans": [seat.beans for seat in seats], "rounding": row.rounding}
    return write_record(record, result)


def names_of(hand: Hand) -> list[str]:
    """The five names; a bot that kept an entrant's place at an event goes by his."""
    pairing_id = Table.objects.values_list("pairing_id", flat=True).get(pk=hand.table_id)
    kept = {} if pairing_id is None else event_boards.kept_places(pairing_id)
    return [
        occupant["name"] if occupant["player"] else kept.get(occupant["name"], occupant["name"])
        for occupant in hand.players
    ]


def deal_data(hand_id: str, player_id: int | None = None) -> dict[str, Any]:
    """All that is needed to check the deal in a browser (RULES §4.2). Raises NoSuchHand, NotOver."""
    hand = over(hand_id, player_id)
    rules = history.rules_of(hand.rules)
    return {
        "hand": hand.id,
        "commit": hand.commit,
        "server_seed": hand.server_seed,
        "clients": list(hand.clients),
        "first": hand.first,
        "deck": list(unshuffled(rules)),
        "reserve_crown": rules.deck.reserve_crown,
        "hands": hand.deal["hands"],
        "drawn": hand.deal["drawn"],
        "names": names_of(hand),
    }


def finished_hand(hand_id: str, player_id: int | None = None) -> FinishedHand:
    """The hand with its result and log, as this player saw it at his seat. Raises NoSuchHand, NotOver."""
    hand = over(hand_id, player_id)
    state = None if hand.pruned else history.fold_of(hand).state
    player_ids = tuple(occupant["player"] for occupant in hand.players)
    viewer = player_ids.index(player_id) if player_id is not None and player_id in player_ids else None
    names = tuple(names_of(hand))
    return FinishedHand(
        id=hand.id,
        table=hand.table_id,
        number=hand.number,
        status=hand.status,
        rules=history.rules_of(hand.rules),
        room=hand.room,
        names=names,
        player_ids=player_ids,
        started_at=hand.started_at,
        ended_at=hand.ended_at,
        obs=None if state is None else observe(state, viewer),
        result=result_of(hand, names, ((),) * 5 if state is None else state.hands),
        commit=hand.commit,
        server_seed=hand.server_seed,
        clients=tuple(hand.clients),
        first=hand.first,
    )


def result_of(hand: Hand, names: Sequence[str], hands: Sequence[tuple[Card, ...]]) -> ResultView | None:
    """The result of a finished hand with the cards left in its hands; None for a void one. Two queries."""
    row = HandResult.objects.prefetch_related("seats").filter(pk=hand.id).first()
    if row is None:
        return None
    seats = sorted(row.seats.all(), key=lambda seat: seat.seat)
    return ResultView(
        outcome=row.outcome,
        solo=row.solo or None,
        multiplier=row.multiplier,
        rows=tuple(ResultRow(s.seat, names[s.seat], s.role, s.place, s.points, s.beans, hands[s.seat]) for s in seats),
        scored=row.scored,
        record_url=addresses.record(hand.id),
        fair_url=addresses.fair(hand.id),
    )


def finished_ids(table_id: str) -> list[str]:
    """The ids of a table's finished hands, oldest first."""
    over = Hand.objects.filter(table_id=table_id).exclude(status=Hand.Status.ACTIVE)
    return list(over.order_by("number").values_list("pk", flat=True))
