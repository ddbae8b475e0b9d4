"""What becomes of a submitted action: the codes, doubled and late ones, and what survives a restart."""

from datetime import timedelta

import pytest

from accounts.services.players import sign_up
from games import history
from games.models import Hand, HandAction
from games.services.play import Answer, submit
from tests.games.play_helpers import Club, at_step, club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Club:
    """Five people, the crown step of a known deal."""
    return club(people=5, seed=1)


def log_of(game: Club) -> list[tuple[int, str, str]]:
    return list(game.hand().actions.values_list("seat", "text", "source"))


@pytest.mark.parametrize(
    "field, value",
    [
        ("prompt", None),
        ("prompt", 7),
        ("prompt", "x" * 100),
        ("action_id", None),
        ("action_id", ""),
        ("action_id", "x" * 65),
        ("action_id", "a\x00b"),
        ("action", None),
        ("action", ["play"]),
        ("action", "play " + "3S " * 200),
    ],
)
def test_what_is_no_action_at_all_is_malformed(game: Club, field: str, value: object) -> None:
    given = {"prompt": "1-0", "action_id": "a", "action": "accept"} | {field: value}
    answer = submit(table_id=game.id, player=game.people[0], now=game.now, **given)
    assert answer == Answer(False, 0, "malformed")


@pytest.mark.parametrize(
    "action", ["nonsense", "", "play 7X", "play  7S", "accept ", "play 7S\n", "kick", "play W! W! W!"]
)
def test_an_action_that_means_nothing_now_is_illegal_and_nothing_changes(game: Club, action: str) -> None:
    seat = game.asked()[0]
    answer = game.say(seat, action)
    assert (answer.ok, answer.code) == (False, "illegal")
    assert log_of(game) == []


def test_a_forged_card_is_illegal(game: Club) -> None:
    game.play(at_step("play"))
    (seat,) = game.asked()
    hand = game.view(seat).obs.hand  # type: ignore[union-attr]
    missing = next(card for card in ("3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS") if card not in hand)
    before = log_of(game)
    assert game.say(seat, f"play {missing}") == Answer(False, len(before), "illegal", "not_in_hand")
    assert log_of(game) == before


def test_a_stranger_and_a_table_that_does_not_exist_are_not_seated(game: Club) -> None:
    stranger = sign_up(username="路人", password=None)
    prompt = game.view(game.asked()[0]).prompt
    for table_id, player in ((game.id, stranger), ("nowhere", game.people[0]), (game.id, None)):
        answer = submit(table_id=table_id, player=player, prompt=prompt, action_id="a", action="accept", now=game.now)
        assert answer.code == "not_seated"


def test_the_seat_comes_from_the_player_not_from_what_he_says(game: Club) -> None:
    asked = game.asked()[0]
    other = next(seat for seat in game.people if seat != asked)
    answer = game.say(other, "accept", prompt=game.view(asked).prompt)
    assert answer.code == "not_asked"
    assert log_of(game) == []


def test_an_answer_to_an_older_question_is_stale(game: Club) -> None:
    game.play(at_step("play"))
    (seat,) = game.asked()
    assert game.say(seat, "pass", prompt="1-0").code == "stale_prompt"
    assert game.say(seat, "pass", prompt="0-99").code == "stale_prompt"


def test_the_same_id_again_is_answered_as_before_and_does_nothing(game: Club) -> None:
    seat = game.asked()[0]
    prompt = game.view(seat).prompt
    first = game.say(seat, "accept", prompt=prompt, action_id="mine")
    assert first == Answer(True, 1)
    history.forget_all()
    assert game.say(seat, "accept", prompt=prompt, action_id="mine") == first
    assert game.say(seat, "yield", prompt="other", action_id="mine") == first
    assert log_of(game) == [(seat, "accept", "player")]


def test_the_id_of_another_seat_is_no_id_of_mine(game: Club) -> None:
    seat = game.asked()[0]
    game.say(seat, "accept", action_id="same")
    game.play(at_step("play"))
    (emperor,) = game.asked()
    other = next(s for s in game.people if s != seat)
    if emperor == seat:
        lead = game.view(emperor).obs.hand[-1]  # type: ignore[union-attr]
        assert game.say(emperor, f"play {lead}").ok
        (other,) = game.asked()
    assert game.say(other, "pass", action_id="same").ok


def test_a_doubled_move_under_a_new_id_finds_nobody_asked(game: Club) -> None:
    game.play(at_step("play"))
    (seat,) = game.asked()
    prompt = game.view(seat).prompt
    lead = game.view(seat).obs.hand[-1]  # type: ignore[union-attr]
    assert game.say(seat, f"play {lead}", prompt=prompt).ok
    assert game.say(seat, f"play {lead}", prompt=prompt).code == "not_asked"


def test_between_hands_there_is_no_hand_but_the_last_action_is_still_answered_as_before(game: Club) -> None:
    hand = game.play_hand()
    last = hand.actions.order_by("-seq").exclude(action_id="")[0]
    assert game.say(last.seat, last.text, prompt="1-0", action_id=last.action_id) == Answer(True, last.seq)
    assert game.say(last.seat, last.text, prompt="1-0", action_id="new").code == "no_hand"
    assert game.hand().seq == hand.seq


def test_a_late_action_is_refused_and_the_timeouts_action_taken(game: Club) -> None:
    game.play(at_step("play"))
    (seat,) = game.asked()
    before = game.hand().seq
    game.later(20)
    answer = game.say(seat, "play " + game.view(seat).obs.hand[0])  # type: ignore[union-attr]
    assert answer == Answer(False, before + 1, "too_late")
    assert log_of(game)[-1][2] == "timeout"
    assert game.view(seat).trustee


def test_a_moment_before_the_deadline_is_in_time(game: Club) -> None:
    seat = game.asked()[0]
    deadline = game.view(seat).deadline
    assert deadline is not None
    game.now = deadline - timedelta(milliseconds=1)
    assert game.say(seat, "accept").ok


def test_a_restart_in_the_middle_of_a_hand_changes_nothing(game: Club) -> None:
    game.play(at_step("play"))
    for _ in range(7):
        game.turn()
    before = {seat: game.view(seat) for seat in game.people}
    due = game.hand().due_at
    history.forget_all()
    assert {seat: game.view(seat) for seat in game.people} == before
    assert game.hand().due_at == due
    game.turn()
    assert game.hand().seq == before[0].seq + 1


def test_the_log_numbers_every_action_once(game: Club) -> None:
    hand = game.play_hand()
    numbers = list(HandAction.objects.filter(hand=hand).order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, hand.seq + 1))
    assert hand.status == Hand.Status.DONE
