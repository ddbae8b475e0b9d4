"""Hands that end one after another, counted as the running site counts them, without a card being played."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from accounts.models import Club, Player
from accounts.services.players import sign_up
from games.engine.observation import Solo
from games.engine.rules import load_rules
from games.engine.settlement import settle
from games.models import Hand, HandResult, SeatResult, Table
from games.services.ratings import rate_hand
from games.services.writer import writing

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)  # a Monday, eight in the evening in Qingdao
BOT = {"player": None, "name": "机器人", "bot": "机器人", "level": "beginner", "multiplier": 1}


def person(name: str) -> Player:
    return sign_up(username=name, password=None)


def five(prefix: str = "人") -> list[Player]:
    return [person(f"{prefix}{number}") for number in range(5)]


@dataclass
class Evening:
    """A table whose hands end at `now`, which moves on by ten minutes a hand."""

    host: Player
    preset: str = "lianzhong-simple"
    club: Club | None = None
    public: bool = True
    now: datetime = START
    rng: random.Random = field(default_factory=lambda: random.Random(3))

    def __post_init__(self) -> None:
        self.rules = load_rules(self.preset)
        self.table = Table.objects.create(
            host=self.host,
            preset=self.preset,
            rules=self.rules.to_json(),
            club=self.club,
            public=self.public and self.club is None,
            clock_step=15,
            clock_play=25,
            clock_next=20,
            clock_reveal=8,
            next_seed="",
            next_commit="",
            created_at=self.now,
            changed_at=self.now,
        )

    def end(
        self,
        seats: list[Player | None],
        places: tuple[int, ...] | None = None,
        *,
        emperor: int = 0,
        guard: int | None = 1,
        solo: Solo | None = None,
        multiplier: int = 1,
        scored: bool = True,
    ) -> HandResult:
        """A hand is over; None at a seat is a bot."""
        self.now += timedelta(minutes=10)
        places = places or tuple(self.rng.sample(range(1, 6), 5))
        sums = settle(
            self.rules,
            emperor=emperor,
            guard=guard,
            solo=solo,
            guard_open=False,
            places=places,
            multiplier=multiplier,
        )
        players = [
            BOT if p is None else {**BOT, "player": p.pk, "name": p.username, "bot": "", "level": ""} for p in seats
        ]
        self.table.number += 1
        hand = Hand.objects.create(
            table=self.table,
            number=self.table.number,
            rules=self.table.rules,
            players=players,
            first=0,
            deal={},
            server_seed="",
            clients=[],
            commit="",
            trustees=[],
            status=Hand.Status.DONE if scored else Hand.Status.UNSCORED,
            asked_at=self.now,
            started_at=self.now,
            ended_at=self.now,
        )
        result = HandResult(
            hand=hand,
            scored=scored,
            emperor=emperor,
            guard=guard,
            solo=solo or "",
            multiplier=multiplier,
            outcome=sums.outcome,
            ended_at=self.now,
            preset=self.preset,
            club=self.club,
            public=self.table.public,
        )
        rows = [
            SeatResult(
                result=result,
                seat=seat,
                player_id=occupant["player"],
                bot=occupant["bot"],
                level=occupant["level"],
                role="emperor" if seat == emperor else "guard" if seat == guard else "rebel",
                place=places[seat],
                points=sums.points[seat] if scored else 0,
                beans=sums.beans[seat] if scored else 0,
            )
            for seat, occupant in enumerate(players)
        ]
        with writing():
            rate_hand(result, rows)
            result.save(force_insert=True)
            SeatResult.objects.bulk_create(rows)
        return result
