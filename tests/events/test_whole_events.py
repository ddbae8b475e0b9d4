"""Whole events to their final standing, at the level of services: every format, kills, people who drop out."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from games.models import BoardResult, Event, Hand, HandAction, Pairing, Round, RowResult, SeatResult, Table
from games.selectors import event_export, event_rows
from games.services import audit
from games.tournament.values import lot
from tests.events.evening import Evening, evening

pytestmark = pytest.mark.django_db(transaction=True)

FORMATS = ("rotation", "swiss", "knockout", "duplicate")


def recomputed(data: dict[str, Any]) -> list[int]:
    """The order of the entrants from the exported rows alone, by code of its own."""
    seed, format = data["event"]["seed"], data["event"]["format"]
    numbers = [e["number"] for e in data["entrants"] if e["status"] == "entered"]
    numbers += [row["entrant"] for row in data["rows"] if row["entrant"] is not None]
    numbers = sorted(set(numbers))
    tables: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in data["rows"]:
        tables.setdefault((row["round"], row["table"]), []).append(row)

    def worth(row: dict[str, Any], table: list[dict[str, Any]]) -> Fraction:
        better = sum(other["net"] > row["net"] for other in table)
        equal = sum(other["net"] == row["net"] for other in table)
        return Fraction(sum(5 - place for place in range(better, better + equal)), equal)

    if format == "duplicate":
        points: dict[int, Fraction] = dict.fromkeys(numbers, Fraction(0))
        cross = dict.fromkeys(numbers, 0)
        for b in data["boards"]:
            if b["entrant"] is None or b["missed"]:
                continue
            same = [
                o["points"]
                for o in data["boards"]
                if (o["round"], o["board"], o["seat"]) == (b["round"], b["board"], b["seat"]) and o is not b
            ]
            same = [p for p in same if p is not None]
            if b["points"] is None or not same:
                points[b["entrant"]] += Fraction(1, 2)
                continue
            points[b["entrant"]] += Fraction(
                2 * sum(p < b["points"] for p in same) + sum(p == b["points"] for p in same), 2 * len(same)
            )
            cross[b["entrant"]] += sum(b["points"] - p for p in same)
        return sorted(numbers, key=lambda e: (-points[e], -cross[e], lot(seed, e)))
    if format == "knockout":
        carried: dict[int, Fraction] = {}
        last: dict[int, tuple[Any, ...]] = {}
        for stage in sorted({row["round"] for row in data["rows"]}):
            after = dict(carried)
            for (number, _table), seats in tables.items():
                if number != stage:
                    continue
                people = [row for row in seats if row["entrant"] is not None]
                total = {}
                for row in people:
                    e = row["entrant"]
                    total[e] = carried.get(e, Fraction(0)) + (0 if row["missed"] else row["net"])
                order = sorted(
                    people,
                    key=lambda row: (
                        row["missed"],
                        -total[row["entrant"]],
                        -(0 if row["missed"] else row["net"]),
                        lot(seed, row["entrant"]),
                    ),
                )
                for place, row in enumerate(order, 1):
                    e = row["entrant"]
                    last[e] = (-stage, place, -total[e], -(0 if row["missed"] else row["net"]), lot(seed, e))
                    after[e] = total[e] / 2
            carried = after
        return sorted(numbers, key=lambda e: last.get(e, (0, 0, 0, 0, lot(seed, e))))
    score, net = dict.fromkeys(numbers, Fraction(0)), dict.fromkeys(numbers, 0)
    firsts, played, met = dict.fromkeys(numbers, 0), dict.fromkeys(numbers, 0), {e: [] for e in numbers}  # type: ignore[var-annotated]
    for seats in tables.values():
        for row in seats:
            e = row["entrant"]
            if e is None or row["missed"]:
                continue
            played[e] += 1
            score[e] += worth(row, seats)
            net[e] += row["net"]
            firsts[e] += all(other["net"] <= row["net"] for other in seats)
            met[e] += [None if o["missed"] else o["entrant"] for o in seats if o is not row]
    rounds = len({row["round"] for row in data["rows"]})
    brought = {e: score[e] + 3 * (rounds - played[e]) for e in numbers}
    if format == "swiss":
        opponents = {e: sum(3 * rounds if o is None else brought[o] for o in met[e]) for e in numbers}
        return sorted(numbers, key=lambda e: (-score[e], -opponents[e], -firsts[e], -net[e], lot(seed, e)))
    direct = dict.fromkeys(numbers, 0)
    for a, b in combinations(numbers, 2):
        if (score[a], net[a], firsts[a]) != (score[b], net[b], firsts[b]):
            continue
        for seats in tables.values():
            mine = {row["entrant"]: row for row in seats if not row["missed"]}
            if a in mine and b in mine:
                diff = worth(mine[a], seats) - worth(mine[b], seats)
                direct[a] += (diff > 0) - (diff < 0)
                direct[b] -= (diff > 0) - (diff < 0)
    return sorted(numbers, key=lambda e: (-score[e], -net[e], -firsts[e], -direct[e], lot(seed, e)))


def check(night: Evening) -> None:
    """Nothing lost, doubled or skipped; the standings are those anybody gets from the exported rows."""
    event = night.row()
    assert event.status == Event.Status.FINISHED
    assert not Pairing.objects.filter(closed_at=None).exists()
    assert not Table.objects.exclude(status=Table.Status.CLOSED).exists()
    assert not Round.objects.exclude(status=Round.Status.CLOSED).exists()
    numbers = list(Round.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    for pairing in Pairing.objects.all():
        assert pairing.hands == event.hands
        boards = BoardResult.objects.filter(pairing=pairing)
        assert boards.count() == 5 * event.hands
        counted = Hand.objects.filter(table=pairing.table)
        if event.format != "duplicate":
            counted = counted.exclude(status=Hand.Status.VOID)
        assert counted.count() == event.hands
    for row in RowResult.objects.exclude(entrant=None):
        mine = BoardResult.objects.filter(pairing=row.pairing, entrant=row.entrant)
        assert row.net == sum(board.points or 0 for board in mine)
        assert row.own == sum(board.own for board in mine)
    for board in BoardResult.objects.select_related("hand", "entrant"):
        if board.hand.status == Hand.Status.DONE:
            assert SeatResult.objects.get(result_id=board.hand_id, seat=board.seat).points == board.points
        seat_actions = HandAction.objects.filter(hand=board.hand, seat=board.seat)
        assert seat_actions.count() == board.own + board.served
    for hand in Hand.objects.all():
        assert list(audit.differences_of(hand)) == []
    data = json.loads(json.dumps(event_export.data(event)))
    assert [line["entrant"] for line in data["standings"]] == recomputed(data)


def meetings(night: Evening) -> Counter[tuple[int, int]]:
    met: Counter[tuple[int, int]] = Counter()
    for tables in event_rows.past_of(night.row()):
        for table in tables:
            met.update(combinations(sorted(e for e in table if e is not None), 2))
    return met


@pytest.mark.parametrize("format", FORMATS)
def test_an_event_runs_from_entries_to_final_standings_by_itself(format: str) -> None:
    night = evening(format, people=6, rounds=2, hands=1)
    night.play()
    assert Round.objects.count() == 2
    check(night)


@pytest.mark.parametrize(
    "format", [format if format == "swiss" else pytest.param(format, marks=pytest.mark.slow) for format in FORMATS]
)
def test_a_server_killed_between_any_two_steps_loses_doubles_and_skips_nothing(format: str) -> None:
    night = evening(format, people=8, rounds=2, hands=2, kills=0.04)
    night.away = {(1, 1), (2, 2)}
    night.play()
    assert night.killed > 10
    check(night)


def test_seats_turn_after_five_hands_and_the_first_card_goes_round() -> None:
    night = evening("rotation", people=5, rounds=1, hands=6)
    night.play()
    hands = [h for h in Hand.objects.order_by("number") if h.status != Hand.Status.VOID]
    assert [hand.first for hand in hands] == [0, 1, 2, 3, 4, 0]
    seated = [[p["player"] for p in hand.players] for hand in hands]
    assert all(seats == seated[0] for seats in seated[:5])
    assert seated[5] != seated[0]
    assert sorted(seated[5]) == sorted(seated[0])
    check(night)
