"""Timeouts, 托管, leaving for good, and what they do to the hand and the table (RULES §8.6, §8.7)."""

import pytest

from accounts.models import Account, Posting
from accounts.services import ledger
from games.models import Hand, HandAction, HandResult, SeatResult, Table
from games.services import tables
from games.services.errors import Refused
from tests.games.play_helpers import Club, at_step, club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Club:
    """Two people and three bots, somewhere in the play of the cards."""
    made = club(people=2)
    made.play(at_step("play"))
    made.play(lambda g: bool(g.asked()))
    return made


def trustee(game: Club, seat: int, on: bool) -> None:
    tables.set_trustee(table_id=game.id, player=game.people[seat], on=on, now=game.now)


def marks(game: Club) -> list[int]:
    return [seat.number for seat in game.view().seats if seat.trustee]


def time_out(game: Club, seat: int) -> None:
    """Let the clock run out on this seat: others act until he is asked, then he says nothing."""
    for _ in range(500):
        if game.view(seat).prompt is not None:
            game.tick()
            return
        game.turn()


def test_a_timeout_takes_the_default_action_and_the_trustee_stays(game: Club) -> None:
    (seat,) = game.asked()
    game.tick()
    row = HandAction.objects.order_by("-seq")[0]
    assert (row.seat, row.source) == (seat, "timeout")
    assert marks(game) == [seat]
    game.play(lambda g: g.view(seat).prompt is not None)
    due, asked = game.hand().due_at, game.hand().asked_at
    assert due is not None
    assert 0.8 <= (due - asked).total_seconds() <= 1.8
    game.tick()
    assert HandAction.objects.filter(seat=seat).order_by("-seq")[0].source == "trustee"


def test_one_press_takes_back(game: Club) -> None:
    (seat,) = game.asked()
    trustee(game, seat, True)
    assert game.view(seat).can_take_back
    trustee(game, seat, False)
    assert marks(game) == []
    due, asked = game.hand().due_at, game.hand().asked_at
    assert due is not None
    assert (due - asked).total_seconds() == 20


def test_an_own_action_takes_back_too(game: Club) -> None:
    (seat,) = game.asked()
    trustee(game, seat, True)
    view = game.view(seat)
    assert view.obs is not None
    action = "pass" if view.obs.top is not None else f"play {view.obs.hand[-1]}"
    assert game.say(seat, action).ok
    assert marks(game) == []


def test_an_illegal_action_does_not_take_back(game: Club) -> None:
    (seat,) = game.asked()
    trustee(game, seat, True)
    assert game.say(seat, "kick").code == "illegal"
    assert marks(game) == [seat]


def test_saying_it_twice_counts_once(game: Club) -> None:
    trustee(game, 0, True)
    trustee(game, 0, True)
    assert game.hand().trustees[0]["count"] == 1


def test_the_fourth_trusteeship_cannot_be_cancelled(game: Club) -> None:
    (seat,) = game.asked()
    for _ in range(3):
        trustee(game, seat, True)
        trustee(game, seat, False)
    trustee(game, seat, True)
    view = game.view(seat)
    assert (view.trustee, view.can_take_back, view.prompt) == (True, False, None)
    with pytest.raises(Refused, match="locked"):
        trustee(game, seat, False)
    prompt = f"{view.number}-{view.obs.prompt}" if view.obs else ""
    assert game.say(seat, "pass", prompt=prompt).code == "not_asked"


def test_a_hand_with_a_trustee_is_scored_and_then_the_table_breaks_up(game: Club) -> None:
    trustee(game, 0, True)
    hand = game.play_hand()
    assert hand.status == Hand.Status.DONE
    assert HandResult.objects.get(pk=hand.id).scored
    row = game.row()
    assert (row.status, row.closed_because) == (Table.Status.CLOSED, "trustee")
    assert game.view().phase == "closed"
    assert game.view().result is not None


def test_a_trustee_taken_back_before_the_end_leaves_the_table_together(game: Club) -> None:
    trustee(game, 0, True)
    trustee(game, 0, False)
    game.play_hand()
    assert game.row().status == Table.Status.BETWEEN


def test_a_hand_in_which_every_person_is_under_trustee_is_not_scored(game: Club) -> None:
    trustee(game, 0, True)
    trustee(game, 1, True)
    hand = game.play_hand()
    assert hand.status == Hand.Status.UNSCORED
    result = HandResult.objects.get(pk=hand.id)
    assert not result.scored
    assert [(seat.points, seat.beans) for seat in result.seats.all()] == [(0, 0)] * 5
    assert not Posting.objects.filter(reason="hand").exists()
    view = game.view(0)
    assert view.result is not None
    assert not view.result.scored
    assert game.row().previous is None


def test_leaving_a_hand_for_good_costs_forty_points_and_the_trustee_plays_on(game: Club) -> None:
    tables.leave(table_id=game.id, player=game.people[0], now=game.now)
    assert ledger.balance(game.people[0]) == 960
    assert Account.objects.get(code="penalty").balance == 40
    view = game.view(0)
    assert (view.viewer, view.prompt) == (None, None)
    assert marks(game) == [0]
    assert game.say(0, "pass", prompt="1-0").code == "not_seated"
    with pytest.raises(Refused, match="not_seated"):
        trustee(game, 0, False)
    with pytest.raises(Refused, match="not_seated"):
        tables.leave(table_id=game.id, player=game.people[0], now=game.now)
    game.people.pop(0)
    hand = game.play_hand()
    assert hand.status == Hand.Status.DONE
    row = SeatResult.objects.get(result_id=hand.id, seat=0)
    player = row.player
    assert player is not None
    assert ledger.balance(player) == 960 + row.beans
    assert (game.row().status, game.row().closed_because) == (Table.Status.CLOSED, "left")


def test_the_penalty_is_paid_in_the_rooms_beans() -> None:
    game = club(people=2, room=5)
    tables.leave(table_id=game.id, player=game.people[1], now=game.now)
    assert ledger.balance(game.people[1]) == 1000 - 200


def test_leaving_alone_with_bots_is_unscored_but_costs() -> None:
    game = club(people=1)
    player = game.people.pop(0)
    tables.leave(table_id=game.id, player=player, now=game.now)
    hand = game.play_hand()
    assert hand.status == Hand.Status.UNSCORED
    assert ledger.balance(player) == 960
