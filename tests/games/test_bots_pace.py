"""How long the server waits before it acts for a seat: the same whatever the cards are and whatever may be chosen."""

import pytest

from games.models import Hand
from games.services import deadlines
from tests.games.play_helpers import at_step, club

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_wait_hangs_on_hand_question_and_seat_alone() -> None:
    game = club(people=1)
    hand = game.hand()
    waits = [deadlines.waiting_time(hand, seat) for seat in range(5)]
    assert len(set(waits)) == 5
    assert all(0.8 <= wait.total_seconds() <= 1.8 for wait in waits)
    swapped = Hand.objects.get(pk=hand.id)
    swapped.deal = {"hands": hand.deal["hands"][::-1], "drawn": None}
    swapped.server_seed = "00"
    assert [deadlines.waiting_time(swapped, seat) for seat in range(5)] == waits


def test_in_a_step_for_all_each_bot_answers_in_its_own_time_from_the_one_start() -> None:
    game = club("qingdao", people=1)
    game.play(at_step("grab"))
    start = game.hand()
    moments = {seat: start.asked_at + deadlines.waiting_time(start, seat) for seat in range(1, 5)}
    for seat in sorted(moments, key=lambda seat: moments[seat]):
        hand = game.hand()
        assert hand.asked_at == start.asked_at
        assert hand.due_at == moments[seat]
        game.tick()
        row = hand.actions.order_by("-seq")[0]
        assert (row.seat, row.source, row.at) == (seat, "bot", moments[seat])
    assert game.view(0).deadline == deadlines.deadline(game.row(), start, game.view(0).obs.step)  # type: ignore[union-attr]
    assert game.hand().due_at == game.view(0).deadline


def test_whoever_answers_in_a_step_for_all_voids_nobody_elses_question() -> None:
    game = club("qingdao", people=5, seed=2)
    game.play(at_step("grab"))
    prompts = {seat: game.view(seat).prompt for seat in game.people}
    assert len(set(prompts.values())) == 1
    for seat, prompt in prompts.items():
        assert game.say(seat, "pass", prompt=prompt).ok
        others = [game.view(other).obs for other in game.people if other != seat]
        assert all(obs is not None for obs in others)
    assert game.view().obs.step.value != "grab"  # type: ignore[union-attr]
