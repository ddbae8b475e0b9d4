"""Five sockets and two spectators play whole hands, and every frame is read: none holds what its seat may not know."""

from __future__ import annotations

import json
import random
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.bots import choose
from games.engine.observation import Observation, Step
from games.models import Hand, Table
from games.selectors import seat_views
from games.selectors.table_view_types import TableView
from games.services import pacing, writer
from tests.games.play_helpers import Club, club
from tests.live.wires import Wire, connect, settled

pytestmark = [pytest.mark.django_db(transaction=True)]

CARD = re.compile(r'data-card="([^"]+)"')
NOW = re.compile(r'<span hx-swap-oob="true" id="now-\d.*?(?=<\w+ hx-swap-oob|<ol |$)')
SEAT = re.compile(r'<section hx-swap-oob="true" id="seat-(\d)" class="([^"]*)"')


class Reader:
    """Reads the frames of one socket against what its seat may know."""

    def __init__(self, wire: Wire, seat: int | None) -> None:
        self.wire = wire
        self.seat = seat
        self.read = 0
        self.roles: set[str] = set()
        self.cards: set[str] = set()
        self.turns = 0

    def check(self, obs: Observation | None) -> None:
        for frame in self.wire.new():
            self.read += 1
            if obs is None:
                continue
            if self.wire.is_json:
                self.check_json(json.loads(frame), obs)
            else:
                self.check_html(frame, obs)

    def check_json(self, message: dict[str, Any], obs: Observation) -> None:
        if message["type"] != "view":
            return
        assert message["seat"] == self.seat
        view = message["view"]
        for seat, hand in enumerate(view["hands"]):
            assert isinstance(hand, list) == (seat == self.seat)
        assert set(view["legal"]) <= {str(self.seat)}
        assert (message["prompt"] is None) or self.seat in view["to_act"]
        if view["step"] == "reveal":
            assert set(view["to_act"]) <= {self.seat}
        if not view["public"]:
            assert view["guard"] is None
            assert view["solo"] is None
        told = {int(seat): role for seat, role in view["known"].items()}
        assert told.items() <= {seat: role.value for seat, role in obs.known}.items()

    def check_html(self, frame: str, obs: Observation) -> None:
        cards = set(CARD.findall(frame))
        assert cards <= set(obs.hand)
        self.cards |= cards
        known = {seat: role.value for seat, role in obs.known}
        for number, classes in SEAT.findall(frame):
            roles = {name[5:] for name in classes.split() if name.startswith("role-")} - {"unknown"}
            assert roles <= {known.get(int(number), "")}, (self.seat, number, classes)
            self.roles |= roles
        for now in NOW.findall(frame):
            assert "role-" not in now
            self.turns += 1


def action_fields(view: TableView, rng: random.Random, number: int) -> tuple[str, dict[str, Any]]:
    assert view.obs is not None
    action = choose("beginner", view.obs, rng)
    return str(action), {"prompt": view.prompt, "id": f"m{number}"}


async def say(wire: Wire, action: str, fields: dict[str, Any]) -> None:
    if wire.is_json:
        await wire.send(type="act", action=action, **fields)
        return
    word, _, cards = action.partition(" ")
    if word == "play":
        await wire.send(do="act", action="play", card=cards.split(" "), **fields)
    else:
        await wire.send(do="act", action=action, **fields)


class Evening:
    """A table with all its sockets, played from here."""

    def __init__(self, game: Club, readers: list[Reader]) -> None:
        self.game = game
        self.readers = readers
        self.rng = random.Random(11)
        self.number = 0

    def view(self, seat: int | None) -> TableView:
        view = seat_views.live_view(self.game.id, None if seat is None else self.game.people[seat].pk)
        assert view is not None
        return view

    def check(self) -> None:
        for reader in self.readers:
            reader.check(self.view(reader.seat).obs)

    async def step(self) -> None:
        """Whoever is asked answers over his socket; when nobody is, the clock acts."""
        for seat in sorted(self.game.people):
            view = self.view(seat)
            if view.prompt is None:
                continue
            self.number += 1
            wire = next(reader.wire for reader in self.readers if reader.seat == seat)
            others = [reader for reader in self.readers if reader.seat != seat]
            before = [reader.wire.frames[:] for reader in others]
            await say(wire, *action_fields(view, self.rng, self.number))
            await settled()
            if view.obs is not None and view.obs.step is Step.REVEAL:
                for reader in others:
                    reader.wire.drain()
                assert [reader.wire.frames for reader in others] == before, "somebody noticed the guard's answer"
            self.check()
            return
        due = await sync_to_async(self.due)()
        await writer.run(pacing.advance_table, self.game.id, due)
        await settled()
        self.check()

    def due(self) -> datetime:
        hand = self.game.hand()
        assert hand.due_at is not None
        return max(hand.due_at, timezone.now())


@pytest.mark.parametrize(
    "rules, people, seed",
    [("lianzhong-simple", 5, 1), ("weihai", 5, 4), ("special", 5, 2), ("qingdao", 5, 5), ("home", 2, 3)],
)
async def test_no_frame_holds_what_its_seat_may_not_know(rules: str, people: int, seed: int) -> None:
    game = await sync_to_async(make)(rules, people, seed)
    readers = [Reader(await connect(game.id, player, json=seat % 2 == 1), seat) for seat, player in game.people.items()]
    readers += [Reader(await connect(game.id), None), Reader(await connect(game.id, json=True), None)]
    evening = Evening(game, readers)
    evening.check()
    for _ in range(1500):
        await evening.step()
        if evening.view(None).phase != "playing":
            break
    hand = await sync_to_async(game.hand)()
    assert hand.status == Hand.Status.DONE
    assert all(reader.read > hand.seq / 2 for reader in readers)
    assert evening.view(0).result is not None
    html = [reader for reader in readers if not reader.wire.is_json]
    assert all({"emperor", "rebel"} <= reader.roles for reader in html)
    assert all(bool(reader.cards) is (reader.seat is not None) for reader in html)
    assert all(reader.turns > 10 for reader in html)
    for reader in readers:
        await reader.wire.close()


def make(rules: str, people: int, seed: int) -> Club:
    now = timezone.now()
    game = club(rules, people=people, seed=seed, ready=False, now=now)
    game.ready()
    assert game.row().status == Table.Status.PLAYING
    assert timedelta() <= timezone.now() - now < timedelta(seconds=30)
    return game
