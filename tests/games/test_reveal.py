"""The reveal step at a table: a fixed time, an answer that is taken at once and shown to nobody (RULES §5.6)."""

from datetime import timedelta

import pytest

from games import history
from games.engine.observation import Step
from games.models import HandAction
from games.services import pacing
from games.services.play import Answer
from tests.games.play_helpers import Club, at_step, club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Club:
    """Five people; the reveal step of a deal in which emperor and guard are two."""
    made = club("standard", people=5, seed=3)
    made.play(at_step("reveal"))
    return made


def guard_of(game: Club) -> int:
    (seat,) = game.asked()
    return seat


def seen(game: Club, but: int) -> list[object]:
    return [game.view(seat) for seat in [*game.people, None] if seat != but]


def test_only_the_guard_is_told_that_he_is_asked(game: Club) -> None:
    guard = guard_of(game)
    for view in (game.view(seat) for seat in [*game.people, None]):
        assert view.obs is not None
        assert view.obs.to_act == ((guard,) if view.viewer == guard else ())
        assert view.seconds == 5
        assert view.deadline == game.hand().asked_at + timedelta(seconds=5)


@pytest.mark.parametrize("word", ["open", "hide"])
def test_the_answer_is_taken_and_nobody_else_sees_that_anything_happened(game: Club, word: str) -> None:
    guard = guard_of(game)
    before, rows = seen(game, guard), HandAction.objects.count()
    game.later(1)
    answer = game.say(guard, word, action_id="mine")
    assert answer == Answer(True, rows)
    assert seen(game, guard) == before
    assert HandAction.objects.count() == rows
    own = game.view(guard)
    assert own.prompt is None
    assert own.obs is not None
    assert own.obs.to_act == ()
    assert game.say(guard, word, action_id="mine", prompt="x") == answer
    assert game.say(guard, "open", action_id="other", prompt="x").code == "not_asked"


@pytest.mark.parametrize("word", ["open", "hide"])
def test_the_answer_counts_at_the_end_of_the_fixed_time_also_after_a_restart(game: Club, word: str) -> None:
    guard = guard_of(game)
    answer = game.say(guard, word, action_id="mine")
    due = game.hand().due_at
    assert due is not None
    history.forget_all()
    assert not pacing.advance_table(game.id, due - timedelta(milliseconds=1))
    assert pacing.advance_table(game.id, due)
    row = HandAction.objects.order_by("-seq")[0]
    assert (row.seat, row.text, row.source, row.action_id) == (guard, word, "player", "mine")
    assert game.hand().pending is None
    obs = game.view().obs
    assert obs is not None
    assert (obs.guard == guard) is (word == "open")
    assert game.say(guard, word, action_id="mine", prompt="x") == answer


def test_a_timeout_hides_and_leaves_no_mark(game: Club) -> None:
    guard = guard_of(game)
    game.tick()
    row = HandAction.objects.order_by("-seq")[0]
    assert (row.seat, row.text, row.source) == (guard, "hide", "timeout")
    assert not any(seat.trustee for seat in game.view(guard).seats)


def test_an_answer_after_the_time_is_too_late(game: Club) -> None:
    guard = guard_of(game)
    game.later(5)
    assert game.say(guard, "open").code == "too_late"
    assert game.view().obs.guard is None  # type: ignore[union-attr]


def test_a_refused_answer_leaves_the_question_open(game: Club) -> None:
    guard = guard_of(game)
    assert game.say(guard, "pass").code == "illegal"
    assert game.say(guard, "open").ok


def test_the_step_lasts_the_same_when_a_bot_is_the_guard() -> None:
    game = club("standard", people=1, seed=3)
    for _ in range(30):
        game.play(lambda g: g.view().obs.step is not Step.CROWN)  # type: ignore[union-attr]
        hand = game.hand()
        if game.view().obs.step is Step.REVEAL and not game.asked():  # type: ignore[union-attr]
            assert hand.due_at == hand.asked_at + timedelta(seconds=5)
            return
        game.play_hand()
        game.ready()
    raise AssertionError("no deal made a bot the guard")
