"""Whole hands through the services, people and bots, under every preset: the table goes on, the books balance."""

import pytest

from accounts.models import Account, Entry
from games.engine.presets import PRESETS
from games.models import Hand, HandResult, Table
from games.selectors import replays
from tests.games.play_helpers import club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("rules", PRESETS)
def test_a_hand_of_two_people_and_three_bots_ends_scored_and_balanced(rules: str) -> None:
    game = club(rules, people=2)
    hand = game.play_hand()
    assert hand.status == Hand.Status.DONE
    row = HandResult.objects.get(pk=hand.id)
    seats = list(row.seats.order_by("seat"))
    assert sum(seat.points for seat in seats) == 0
    assert sum(seat.beans for seat in seats) == -row.rounding
    assert game.row().status == Table.Status.BETWEEN
    assert sum(entry.amount for entry in Entry.objects.all()) == 0
    for seat, player in game.people.items():
        assert Account.objects.get(player=player).balance == 1000 + seats[seat].beans
    record = replays.record_of(hand.id)
    assert record["result"]["beans"] == [seat.beans for seat in seats]
    assert len(record["actions"]) == hand.seq
