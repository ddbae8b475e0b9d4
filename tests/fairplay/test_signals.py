"""Signals: what stands out is found, what is ordinary is not, nothing follows from either by itself."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry, Player
from games.models import Hand, HandAction, HandResult, LoginTrace, Report, Sanction, SeatResult, Signal
from games.selectors import signals as finders
from games.services import fairplay, helping, signals, traces
from games.services.errors import Refused
from games.services.helping import Tally
from tests.clubs.people import client_of
from tests.fairplay.people import moderator, person
from tests.games.play_helpers import START, club

pytestmark = pytest.mark.django_db

NOW = START
SINCE = NOW - timedelta(days=30)


@dataclass
class Results:
    """Invented results, one hand after another."""

    people: list[Player]
    number: int = 0

    def __post_init__(self) -> None:
        self.table = club(people=1, ready=False).table

    def hand(self, five: list[int | None], beans: list[int], public: bool = True, days_ago: float = 1) -> None:
        """Seats 0 (emperor) and 1 (guard) against the others; numbers are places in `people`, None a bot."""
        self.number += 1
        at = NOW - timedelta(days=days_ago) + timedelta(seconds=self.number)
        seats = [self.people[one] if one is not None else None for one in five]
        hand = Hand.objects.create(
            table=self.table, number=self.number, rules={}, first=0, deal={}, server_seed="", clients=[], commit="",
            players=[{"player": one.pk if one else None, "name": "x"} for one in seats], trustees=[], demo=True,
            asked_at=at, started_at=at, ended_at=at, status="done",
        )  # fmt: skip
        row = HandResult.objects.create(
            hand=hand, scored=True, emperor=0, guard=1, multiplier=1, outcome="win", ended_at=at, public=public
        )
        SeatResult.objects.bulk_create(
            SeatResult(result=row, seat=n, player=one, role=("emperor", "guard", "rebel", "rebel", "rebel")[n],
                       place=n + 1, points=0, beans=beans[n])
            for n, one in enumerate(seats)
        )  # fmt: skip


def crowd(count: int = 12) -> Results:
    return Results([person(f"众{n}") for n in range(count)])


def kinds() -> set[tuple[str, str, str]]:
    return {(row.kind, row.player.username, row.other.username) for row in Signal.objects.all()}


def test_two_who_are_always_at_one_open_table_stand_out_of_a_crowd_that_mixes() -> None:
    results, rng = crowd(), random.Random(3)
    for n in range(60):
        rest = rng.sample(range(2, 12), 5)
        results.hand(rest, [0] * 5)
        if n % 2:
            results.hand([0, *rest[:3], 1], [0] * 5)
    signals.find(days=30, now=NOW)
    assert kinds() == {("meet", "众0", "众1")}
    row = Signal.objects.get()
    assert row.figures["together"] == 30
    assert row.figures["expected"] < 10
    assert len(row.hands) == finders.SHOWN


def test_friends_at_a_table_of_their_own_meet_as_often_as_they_like() -> None:
    results = crowd(5)
    for _ in range(60):
        results.hand([0, 1, 2, 3, 4], [0] * 5, public=False)
    signals.find(days=30, now=NOW)
    assert kinds() == set()


def test_beans_that_go_one_way_are_found_with_their_direction_and_those_that_come_back_are_not() -> None:
    results, rng = crowd(6), random.Random(5)
    for _ in range(40):
        # 0 loses to 4 whenever they are against each other; 1 and 5 win and lose as it falls
        results.hand([0, None, None, None, 4], [-20, -10, 5, 5, 20], public=False)
        sign = rng.choice((1, -1))
        results.hand([1, None, None, None, 5], [20 * sign, 10 * sign, -5 * sign, -5 * sign, -20 * sign], public=False)
    signals.find(days=30, now=NOW)
    assert kinds() == {("flow", "众0", "众4")}
    row = Signal.objects.get()
    assert row.figures["opposed"] == 40
    # of the 20 he loses, four sixths (20 of 30) go to the one who wins 20
    assert row.figures["beans"] == pytest.approx(40 * 20 * 20 / 30, abs=1)


def test_who_sits_on_one_side_gives_the_other_nothing() -> None:
    results = crowd(3)
    for _ in range(40):
        results.hand([None, None, 0, 1, None], [20, 10, -20, -5, -5], public=False)
    seen = finders.company(SINCE)
    (pair,) = seen.pairs.values()
    assert (pair.together, pair.opposed, pair.flow) == (40, 0, 0)


def test_old_hands_do_not_count() -> None:
    results = crowd(6)
    for _ in range(40):
        results.hand([0, None, None, None, 4], [-20, -10, 5, 5, 20], days_ago=31)
    signals.find(days=30, now=NOW)
    assert kinds() == set()


def test_one_device_for_two_who_play_together_is_found_and_a_shared_router_alone_only_after_many_open_hands() -> None:
    results = crowd(5)
    for name, agent in (("众0", "Firefox"), ("众1", "Firefox"), ("众2", "Chrome")):
        traces.note(Player.objects.get(username=name), "203.0.113.7", agent, NOW)
    traces.note(Player.objects.get(username="众3"), "198.51.100.9", "Firefox", NOW)
    results.hand([0, 1, 2, 3, 4], [0] * 5)
    signals.find(days=30, now=NOW)
    assert kinds() == {("device", "众0", "众1")}
    for _ in range(finders.NETWORK_HANDS):
        results.hand([0, 2, None, None, None], [0] * 5)
    signals.find(days=30, now=NOW)
    assert kinds() >= {("device", "众0", "众1"), ("network", "众0", "众2")}
    assert not Signal.objects.filter(player__username="众3").exists()


def test_of_a_log_in_only_keyed_hashes_stay_and_only_for_ninety_days() -> None:
    player = person("来的")
    client = client_of(None)
    player.set_password("lang und geheim")
    player.save()
    for _ in range(2):
        client.post("/accounts/login/", {"username": "来的", "password": "lang und geheim"},
                    REMOTE_ADDR="203.0.113.77", HTTP_USER_AGENT="Browser 1")  # fmt: skip
    row = LoginTrace.objects.get()
    kept = "".join(str(value) for value in LoginTrace.objects.values_list("network", "agent").get())
    assert "203" not in kept.replace(row.network, "").replace(row.agent, "")
    assert len(row.network) == len(row.agent) == 32
    again = {"player": player, "address": "203.0.113.200", "agent": "Browser 1", "now": row.last_at}
    traces.note(**again)
    assert LoginTrace.objects.count() == 1
    assert traces.forget(row.last_at + traces.KEPT) == 0
    assert traces.forget(row.last_at + traces.KEPT + timedelta(days=1)) == 1


@pytest.mark.parametrize(
    "address, network",
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_a_network_is_the_first_part_of_an_address(address: str, network: str) -> None:
    assert traces.network_of(address) == network


def table_of(**rows: tuple[int, int]) -> dict[tuple[int, int], Tally]:
    """`p1e2=(chances, spared)`: player 1 against enemy 2."""
    return {(int(name[1]), int(name[3])): Tally(*row) for name, row in rows.items()}


@pytest.mark.parametrize(
    "rows, found",
    [
        # spares 2 nearly always, the others as people do
        ({"p1e2": (30, 25), "p1e3": (40, 8), "p4e3": (200, 40)}, [(1, 2)]),
        # spares everybody: a timid player
        ({"p1e2": (30, 25), "p1e3": (60, 50), "p1e4": (60, 48), "p4e3": (200, 40)}, []),
        # too few decisions
        ({"p1e2": (14, 14), "p1e3": (40, 8), "p4e3": (200, 40)}, []),
        # a little more often than the others
        ({"p1e2": (30, 9), "p1e3": (40, 8), "p4e3": (200, 40)}, []),
    ],
)
def test_sparing_one_enemy_is_judged_by_ones_own_habit(
    rows: dict[str, tuple[int, int]], found: list[tuple[int, int]]
) -> None:
    assert [(one.player, one.other) for one in helping.helping(table_of(**rows))] == found


def test_decisions_are_read_from_the_log_and_only_those_of_people_against_sure_enemies() -> None:
    at = club(people=3, seed=11)
    hand = at.play_hand()
    keys = {player.pk: seat for seat, player in at.people.items()}
    found = list(helping.decisions(hand, set(keys)))
    assert found
    result = HandResult.objects.get(hand=hand)
    side = {seat: seat in (result.emperor, result.guard) for seat in range(5)}
    for player, enemy, _spared in found:
        assert side[keys[player]] != side[keys[enemy]]
    # people here play by the bot's own judgement: nobody spares an enemy the bot would beat, but by its chance
    assert sum(spared for _, _, spared in found) <= len(found) // 4
    assert list(helping.decisions(hand, set())) == []
    HandAction.objects.filter(hand=hand).update(source="trustee")
    assert list(helping.decisions(hand, set(keys))) == []


def test_what_was_looked_at_stays_quiet_until_it_has_grown_by_half() -> None:
    results = crowd(6)
    by = moderator()

    def more(hands: int) -> Signal:
        for _ in range(hands):
            results.hand([0, None, None, None, 4], [-20, -10, 5, 5, 20], public=False)
        signals.find(days=30, now=NOW)
        return Signal.objects.get()

    first = more(25)
    assert signals.review(rows=[first], by=by, now=NOW) == 1
    assert signals.review(rows=[first], by=by, now=NOW) == 0
    assert more(5).status == "seen"
    # strength grows with the root of the hands: 2.25 times as many are half as much again
    assert more(30).status == "new"
    assert AuditEntry.objects.filter(action="signal.review").count() == 1
    for who in (person("路人"), first.player):
        with pytest.raises(Refused):
            signals.review(rows=[first], by=who, now=NOW)


def test_a_new_signal_that_no_longer_holds_goes_and_a_seen_one_stays() -> None:
    people = [person(f"人{n}") for n in range(4)]
    old = {"strength": 5, "days": 30, "found_at": NOW}
    Signal.objects.create(kind="meet", player=people[0], other=people[1], **old)
    Signal.objects.create(kind="meet", player=people[2], other=people[3], status="seen", **old)
    signals.find(days=30, now=NOW)
    assert kinds() == {("meet", "人2", "人3")}


def test_nothing_follows_from_a_signal_and_the_command_says_what_it_found() -> None:
    results = crowd(6)
    for _ in range(40):
        results.hand([0, None, None, None, 4], [-20, -10, 5, 5, 20], days_ago=-1)
    out = StringIO()
    call_command("find_signals", days=36500, stdout=out)
    assert "1 flow" in out.getvalue()
    assert not Sanction.objects.exists()
    assert not Report.objects.exists()
    assert fairplay.may_play_until(results.people[0], NOW) is None
    with pytest.raises(CommandError):
        call_command("find_signals", days=0)
