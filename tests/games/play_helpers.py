"""A table under the hand of a test: people who play by the bots' own judgement, and a clock that the test moves.

Nothing sleeps. `Club.now` is the time of day in the test; `turn` lets whoever is next act: a person answers at once,
for everybody else the clock jumps to the moment something is due.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.test import TestCase

from accounts.models import Player
from accounts.services.players import sign_up
from games import history, snapshots
from games.bots import choose
from games.engine.deck import SEED_BYTES, commitment
from games.models import Hand, Table
from games.selectors.seat_views import table_view, view_of
from games.selectors.table_view_types import TableView
from games.services import pacing, table_setup, tables
from games.services.play import Answer, active_hand, submit
from games.snapshots import Snapshot

START = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def committed() -> AbstractContextManager[object]:
    """What happens after a commit happens at the end of this block, also in a test that commits nothing: without the
    folds that are kept then, every move would read its hand's whole log."""
    return TestCase.captureOnCommitCallbacks(execute=True)


@dataclass
class Club:
    """One table, its people by seat, and the time."""

    table: Table
    people: dict[int, Player]
    now: datetime = START
    ids: int = 0
    rng: random.Random = field(default_factory=lambda: random.Random(7))
    _row: Table | None = None
    _playing: Hand | None = None
    _seen: Snapshot | None = None
    _seen_versions: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        return self.table.id

    def later(self, seconds: float) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now

    def view(self, seat: int | None = None) -> TableView:
        with committed():
            found = table_view(self.id, None if seat is None else self.people[seat], self.now)
        assert found is not None
        return found

    def asks(self) -> Iterator[tuple[int, TableView]]:
        """Who is asked now, as each of them is told; the table is read once for all of them, and of a hand that went on
        at a table that did not change only the hand."""
        snapshot = self._newest()
        for seat in sorted(self.people):
            view = view_of(snapshot, self.people[seat].pk)
            if view.prompt is not None:
                yield seat, view

    def _newest(self) -> Snapshot:
        """The table as the database has it. Asked for several times at every turn, it is read only where it changed."""
        old, versions = self._seen, self._versions()
        if old is not None and versions == self._seen_versions:
            return old
        same_table = old is not None and old.table.version == versions[0] and old.hand is not None
        if not same_table:
            self._row = self.row()
        self._playing = active_hand(self._row)
        with committed():
            if same_table and self._playing is not None:
                new = snapshots.after_move(old, self._playing, history.fold_of(self._playing))
            else:
                new = snapshots.take(self._row)
        self._seen, self._seen_versions = new, versions
        return new

    def _versions(self) -> tuple[int, ...]:
        """What changes whenever the table or its hand does. Not through the ORM, which takes ten times as long."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT t.version, t.number, h.version FROM games_table t"
                " LEFT JOIN games_hand h ON h.table_id = t.id AND h.number = t.number WHERE t.id = %s",
                [self.id],
            )
            return tuple(cursor.fetchone())

    def hand(self) -> Hand:
        return Hand.objects.filter(table_id=self.id).order_by("-number")[0]

    def row(self) -> Table:
        return Table.objects.get(pk=self.id)

    def say(self, seat: int, action: str, *, prompt: str | None = None, action_id: str | None = None) -> Answer:
        """Submit for the person of this seat, by default to the question he is asked."""
        self.ids += 1
        prompt = self.view(seat).prompt if prompt is None else prompt
        with committed():
            return submit(
                table_id=self.id,
                player=self.people[seat],
                prompt=prompt,
                action_id=f"a{self.ids}" if action_id is None else action_id,
                action=action,
                now=self.now,
            )

    def seed_next(self, seed: int) -> None:
        """Make the next deal a known one."""
        secret = seed.to_bytes(SEED_BYTES, "big")
        Table.objects.filter(pk=self.id).update(next_seed=secret.hex(), next_commit=commitment(secret))

    def ready(self) -> None:
        for player in self.people.values():
            tables.ready(table_id=self.id, player=player, now=self.now)

    def asked(self) -> list[int]:
        """The seats whose person is asked now."""
        return [seat for seat, _ in self.asks()]

    def turn(self) -> None:
        """One action of whoever is next; the clock jumps when nobody but the server can go on."""
        for seat, view in self.asks():
            if view.trustee or view.obs is None:
                continue
            answer = self.say(seat, str(choose("beginner", view.obs, self.rng)), prompt=view.prompt)
            assert answer.ok, answer
            return
        self.tick()

    def tick(self) -> None:
        """Jump to the next moment the table has written down, and let the clock act."""
        self._newest()
        due = self._row.next_at if self._playing is None else self._playing.due_at
        assert due is not None
        self.now = max(self.now, due)
        with committed():
            pacing.advance_table(self.id, self.now)

    def play(self, until: Callable[[Club], bool], limit: int = 3000) -> None:
        """Turn after turn until the condition holds."""
        for _ in range(limit):
            if until(self):
                return
            self.turn()
        raise AssertionError("the hand does not come there")

    def play_hand(self) -> Hand:
        """To the end of the hand that is on; the hand (void ones are dealt again and counted on)."""
        self.play(lambda club: club._newest().table.status != Table.Status.PLAYING)
        return self.hand()


def club(
    rules: str = "lianzhong-simple",
    people: int = 1,
    ready: bool = True,
    seed: int | None = None,
    now: datetime = START,
    name: str = "人",
    **options: Any,
) -> Club:
    """People on seats 0, 1, …, bots on the others, dealt unless `ready` is off. With a `seed` the deal is
    known, and with five people the whole hand."""
    players = [sign_up(username=f"{name}{number}", password=None) for number in range(people)]
    bots = options.pop("bots", 5 - people)
    table = table_setup.open_table(player=players[0], rules=rules, now=now, **options)
    for player in players[1:]:
        tables.sit(table_id=table.id, player=player, now=now)
    tables.set_bots(table_id=table.id, player=players[0], add=bots, now=now)
    seats = {seat.player_id: seat.number for seat in table.seats.all()}
    made = Club(table, {seats[player.pk]: player for player in players}, now)
    if seed is not None:
        made.seed_next(seed)
    if ready:
        made.ready()
    return made


def at_step(step: str) -> Callable[[Club], bool]:
    """A condition for `play`: the hand stands at this step."""

    def holds(club: Club) -> bool:
        obs = club.view().obs
        return obs is not None and obs.step.value == step

    return holds
