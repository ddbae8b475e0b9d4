"""A table as one immutable value: what all five seats are shown is read off this, without a database.

The process keeps the newest snapshot of every table somebody looks at here (`watch`). Versions say which of two is
newer, so it does not matter in which order those who write happen to hand theirs in. A snapshot holds the state of
the hand; only services and selectors may import this module.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from accounts.selectors_clubs import member_ids
from accounts.services import blocks
from games import history
from games.engine.rules import RuleSet
from games.history import Fold
from games.models import ChatMessage, Hand, HandResult, Seat, Table
from games.selectors import event_boards
from games.selectors.table_view_types import EventPlace

CHAT_LINES = 60
"""So many lines of a table's chat are shown."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The columns of a table that can be seen."""

    id: str
    version: int
    host_id: int
    preset: str
    rules: RuleSet
    room: int
    clock_step: int
    clock_play: int
    clock_next: int
    clock_reveal: int
    public: bool
    status: str
    closed_because: str
    number: int
    hands_limit: int | None
    next_at: datetime | None
    next_commit: str
    club_id: int | None = None
    event: EventPlace | None = None  # whose table it is
    watching: str = "live"
    ready_seconds: int = 0
    quick: bool = False
    fill_seconds: int | None = None
    substitutes: bool = False
    wait_for: str = ""
    wait_until: datetime | None = None
    rematch: str = ""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    number: int
    player_id: int | None
    name: str
    bot: bool
    ready: bool
    multiplier: int
    swap_with: int | None = None
    keeps: bool = False  # a bot that sits for an entrant of an event, whose name stands here


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """A line of the chat. `seat` is None for a spectator's, `hand` the number of the hand it was written in or 0."""

    id: int
    author_id: int
    name: str
    seat: int | None
    hand: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Chat:
    """The newest lines of a table, oldest first, and who does not hear whom: (listener, speaker)."""

    lines: tuple[ChatFacts, ...] = ()
    deaf: frozenset[tuple[int, int]] = field(default=frozenset(), repr=False)
    memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """Who played a seat of the hand, as it was dealt."""

    player_id: int | None
    name: str
    multiplier: int


@dataclass(frozen=True, slots=True)
class TrusteeFacts:
    on: bool
    count: int
    gone: bool


@dataclass(frozen=True, slots=True)
class HandFacts:
    id: str
    number: int
    version: int
    seq: int
    status: str
    redeal: bool
    asked_at: datetime
    commit: str
    players: tuple[PlayerFacts, ...]
    trustees: tuple[TrusteeFacts, ...]
    # the seat whose reveal answer waits for the end of the step; only that seat may be told
    pending: int | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    role: str
    place: int
    points: int
    beans: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The stored result of a finished hand."""

    scored: bool
    outcome: str
    solo: str
    multiplier: int
    seats: tuple[SeatOutcome, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One moment of a table. `memo` keeps what was worked out from it, so that five viewers work it out once; `carried`
    what was worked out from more than the moment, and goes on from move to move as long as only the hand changes."""

    table: TableFacts
    seats: tuple[SeatFacts, ...]
    hand: HandFacts | None
    fold: Fold | None
    outcome: Outcome | None
    # at an event's table: whose place a bot of that name keeps
    kept: dict[str, str] = field(default_factory=dict, repr=False)
    # of a club's table: who may see it besides those who sit there; None: everybody
    members: frozenset[int] | None = field(default=None, repr=False)
    chat: Chat = field(default_factory=Chat)
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)
    carried: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def version(self) -> tuple[int, int, int]:
        """Grows with every change of the table, its seats or its hand."""
        return self.table.version, self.table.number, -1 if self.hand is None else self.hand.version


def hand_facts(hand: Hand, players: tuple[PlayerFacts, ...] | None = None) -> HandFacts:
    """What is seen of the row. `players`, where they are known: they do not change during a hand."""
    return HandFacts(
        id=hand.id,
        number=hand.number,
        version=hand.version,
        seq=hand.seq,
        status=hand.status,
        redeal=hand.redeal,
        asked_at=hand.asked_at,
        commit=hand.commit,
        players=players or tuple([PlayerFacts(p["player"], p["name"], p["multiplier"]) for p in hand.players]),
        trustees=tuple([TrusteeFacts(t["on"], t["count"], t["gone"]) for t in hand.trustees]),
        pending=None if hand.pending is None else hand.pending["seat"],
    )


def take(table: Table) -> Snapshot:
    """The table as it stands in the database; `table` must have just been read. Three to six queries."""
    rows = Seat.objects.filter(table_id=table.id).select_related("player").order_by("number")
    kept = {} if table.pairing_id is None else event_boards.kept_places(table.pairing_id)
    seats = tuple(
        SeatFacts(
            number=seat.number,
            player_id=seat.player_id,
            name=kept.get(seat.bot, seat.bot) if seat.player is None else seat.player.username,
            bot=bool(seat.bot),
            ready=seat.ready,
            multiplier=seat.multiplier,
            swap_with=seat.swap_with,
            keeps=seat.bot in kept,
        )
        for seat in rows
    )
    facts = TableFacts(
        id=table.id,
        version=table.version,
        host_id=table.host_id,
        preset=table.preset,
        rules=history.rules_of(table.rules),
        room=table.room,
        clock_step=table.clock_step,
        clock_play=table.clock_play,
        clock_next=table.clock_next,
        clock_reveal=table.clock_reveal,
        public=table.public,
        status=table.status,
        closed_because=table.closed_because,
        number=table.number,
        hands_limit=table.hands_limit,
        next_at=table.next_at,
        next_commit=table.next_commit,
        club_id=table.club_id,
        event=None if table.pairing_id is None else event_boards.place_of(table.pairing_id),
        watching=table.watching,
        ready_seconds=table.ready_seconds,
        quick=table.quick,
        fill_seconds=table.fill_seconds,
        substitutes=table.substitutes,
        wait_for=table.wait_for,
        wait_until=table.wait_until,
        rematch=table.rematch_id or "",
    )
    members = None if table.club_id is None else member_ids(table.club_id)
    if table.pairing_id is not None and (own := event_boards.viewers(table.pairing_id)) is not None:
        members = own
    if table.number == 0:
        return Snapshot(facts, seats, None, None, None, kept, members, _chat(table))
    hand = Hand.objects.defer("rules", "deal", "server_seed", "clients", "previous").get(
        table_id=table.id, number=table.number
    )
    return Snapshot(facts, seats, hand_facts(hand), history.fold_of(hand), _outcome(hand), kept, members, _chat(table))


def _chat(table: Table) -> Chat:
    """One query, two where something has been said."""
    rows = ChatMessage.objects.filter(table_id=table.id).select_related("author").order_by("-pk")[:CHAT_LINES]
    lines = tuple(
        ChatFacts(row.pk, row.author_id, row.author.username, row.seat, row.hand, row.text) for row in reversed(rows)
    )
    return Chat(lines, blocks.deaf_pairs({line.author_id for line in lines}))


def _outcome(hand: Hand) -> Outcome | None:
    if hand.status not in (Hand.Status.DONE, Hand.Status.UNSCORED):
        return None
    result = HandResult.objects.prefetch_related("seats").get(pk=hand.id)
    seats = sorted(result.seats.all(), key=lambda row: row.seat)
    return Outcome(
        scored=result.scored,
        outcome=result.outcome,
        solo=result.solo,
        multiplier=result.multiplier,
        seats=tuple(SeatOutcome(row.role, row.place, row.points, row.beans) for row in seats),
    )


def after_move(old: Snapshot, hand: Hand, fold: Fold) -> Snapshot:
    """The table after a move that changed nothing but the hand that was being played."""
    assert old.hand is not None
    return replace(old, hand=hand_facts(hand, old.hand.players), fold=fold, memo={})


class _Watched:
    """The newest snapshot of each table that somebody in this process looks at."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshots: dict[str, Snapshot | None] = {}

    def watch(self, table_id: str) -> None:
        with self._lock:
            self._snapshots.setdefault(table_id, None)

    def unwatch(self, table_id: str) -> None:
        with self._lock:
            self._snapshots.pop(table_id, None)

    def watched(self, table_id: str) -> bool:
        return table_id in self._snapshots

    def offer(self, snapshot: Snapshot) -> None:
        """Show this one unless a newer one is there."""
        key = snapshot.table.id
        with self._lock:
            if key not in self._snapshots:
                return
            known = self._snapshots[key]
            if known is None or known.version <= snapshot.version:
                self._snapshots[key] = snapshot

    def newest(self, table_id: str) -> Snapshot | None:
        return self._snapshots.get(table_id)


_watched = _Watched()
watch = _watched.watch
unwatch = _watched.unwatch
watched = _watched.watched
offer = _watched.offer
newest = _watched.newest
