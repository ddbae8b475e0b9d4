"""A whole event under the hand of a test: people who play by the bots' own judgement, a clock that the test moves, and
a server that may be killed between any two steps.

Nothing sleeps. `Evening.step` does one thing that is due: an answer of a person, a move of the server, a step of the
event; when nothing is due the clock jumps to the next moment that is written down.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import Club, Player
from accounts.services.players import sign_up
from games import history
from games.bots import choose
from games.engine.observe import observe
from games.engine.rules import load_rules
from games.models import Entrant, Event, Hand, Round, Table
from games.services import event_clock, events, pacing, tables, variants, writer
from games.services.play import prompt_of, submit
from tests.games.play_helpers import committed

START = datetime(2026, 3, 6, 20, 0, tzinfo=UTC)
NEVER = datetime.max.replace(tzinfo=UTC)
QUICK = "quick"
"""A variant with few cards, so that a hand is short."""


class Killed(Exception):
    """The process died before its transaction was committed."""


def quick_rules(now: datetime = START) -> str:
    """Publish the short variant; its slug."""
    rules = load_rules("lianzhong-simple", {"deck": {"removed": {rank: 16 for rank in "345678"}}})
    variants.create(slug=QUICK, name="快打", rules=rules, by=None, now=now)
    return QUICK


def staff(name: str = "裁判") -> Player:
    player = sign_up(username=name, password=None)
    player.is_staff = True
    player.save()
    return player


@dataclass
class Evening:
    event: Event
    director: Player
    people: list[Player]
    now: datetime = START
    rng: random.Random = field(default_factory=lambda: random.Random(5))
    kills: float = 0.0
    ids: int = 0
    killed: int = 0
    # (number of the player in `people`, round): does not turn up
    away: set[tuple[int, int]] = field(default_factory=set)

    @property
    def id(self) -> str:
        return self.event.id

    def row(self) -> Event:
        return Event.objects.get(pk=self.id)

    def later(self, seconds: float) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now

    def entrant(self, number: int) -> Entrant:
        return Entrant.objects.get(event_id=self.id, player=self.people[number])

    def round(self) -> Round | None:
        return Round.objects.filter(event_id=self.id).order_by("-number").first()

    def tables(self) -> list[Table]:
        """The open tables of the event."""
        rows = Table.objects.filter(pairing__round__event_id=self.id).exclude(status=Table.Status.CLOSED)
        return list(rows.order_by("pairing__round__number", "pairing__number"))

    def do(self, step: Callable[[], Any]) -> Any:
        """One step of the server; now and then it is killed before the commit, forgets all, and does it again."""
        if self.rng.random() < self.kills:
            self.killed += 1
            try:
                with writer.writing():
                    step()
                    raise Killed
            except Killed:
                history.forget_all()
        with committed():
            result = step()
        if self.rng.random() < self.kills:
            history.forget_all()
        return result

    def step(self, *, whole_hands: bool = False) -> bool:
        """One thing that can be done now, or the clock jumps; False when the event is over. With `whole_hands` one
        table goes on as long as it can, unless the server is killed now and then: then everything stays mixed."""
        event = self.row()
        if event.over:
            return False
        if event.next_at is not None and event.next_at <= self.now and not event.paused:
            self.do(lambda: event_clock.advance_event(self.id, self.now))
            return True
        moments = [] if event.next_at is None or event.paused else [event.next_at]
        for table in self.tables():
            moment, went_on = self._at(table), False
            while moment is None or moment <= self.now:
                if moment is not None:
                    self.do(lambda t=table: pacing.advance_table(t.pk, self.now))  # type: ignore[misc]
                went_on = True
                if not whole_hands or self.kills or not self._plays(table):
                    break
                moment = self._at(table)
            if went_on:
                return True
            assert moment is not None
            moments.append(moment)
        assert moments, "nothing is due and the event is not over"
        self.now = min(moments)
        return True

    def _at(self, table: Table) -> datetime | None:
        """None when somebody at this table did something, else the moment at which the server does."""
        if table.status != Table.Status.PLAYING:
            if self._came(table):
                return None
            return table.next_at or NEVER
        hand = Hand.objects.defer("deal").get(table_id=table.pk, number=table.number)
        fold = history.fold_of(hand)
        for seat in fold.state.to_act:
            player_id = hand.players[seat]["player"]
            if player_id is None or hand.trustees[seat]["on"] or (hand.pending and hand.pending["seat"] == seat):
                continue
            if self._is_away(player_id):
                continue
            self.ids += 1
            action = str(choose("beginner", observe(fold.state, seat), self.rng))
            answer = self.do(
                lambda seat=seat, action=action: submit(  # type: ignore[misc]
                    table_id=table.pk,
                    player=self._player(hand.players[seat]["player"]),
                    prompt=prompt_of(hand.number, fold.state.asked_at),
                    action_id=f"a{self.ids}",
                    action=action,
                    now=self.now,
                )
            )
            assert answer.ok, answer
            return None
        assert hand.due_at is not None
        return hand.due_at

    def _plays(self, table: Table) -> bool:
        """Whether the hand of this table is still on."""
        return Hand.objects.filter(table_id=table.pk, number=table.number, status=Hand.Status.ACTIVE).exists()

    def _came(self, table: Table) -> bool:
        """Whoever is there and has not said so presses the button; with the last one the cards come."""
        if table.number:
            return False
        came = False
        for seat in table.seats.filter(player__isnull=False, ready=False):
            assert seat.player_id is not None
            if not self._is_away(seat.player_id):
                tables.sit(table_id=table.pk, player=self._player(seat.player_id), now=self.now)
                came = True
        return came

    def _player(self, player_id: int) -> Player:
        return next(player for player in self.people if player.pk == player_id)

    def _is_away(self, player_id: int) -> bool:
        if not self.away:
            return False
        round = self.round()
        number = next(n for n, player in enumerate(self.people) if player.pk == player_id)
        return round is not None and (number, round.number) in self.away

    def until(self, condition: Callable[[Evening], bool], limit: int = 400_000) -> None:
        for _ in range(limit):
            if condition(self):
                return
            if not self.step():
                assert condition(self), "the event is over"
                return
        raise AssertionError("the event does not come there")

    def play(self) -> None:
        """To the end."""
        while self.step(whole_hands=True):
            pass


def evening(
    format: str = "swiss",
    people: int = 5,
    rounds: int = 2,
    hands: int = 1,
    *,
    club: Club | None = None,
    rules: str | None = None,
    enter: bool = True,
    kills: float = 0.0,
    director: Player | None = None,
    **options: Any,
) -> Evening:
    """An event with its people entered, starting in an hour."""
    director = director or staff()
    event = events.create(
        by=director,
        club=club,
        name="周五晚上",
        format=format,
        rounds=rounds,
        hands=hands,
        rules=rules or quick_rules(),
        opens_at=START,
        starts_at=START + timedelta(hours=1),
        now=START,
        **options,
    )
    players = [sign_up(username=f"选手{number}", password=None) for number in range(people)]
    made = Evening(event, director, players, kills=kills)
    if enter:
        for player in players:
            events.enter(event_id=event.id, player=player, now=START)
    return made
