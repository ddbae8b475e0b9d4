"""`refold` finds nothing in sound hands and everything that was tampered with."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.models import Hand, HandAction, HandResult, SeatResult
from games.services.audit import differences_at_rest
from tests.games.play_helpers import Club, club

pytestmark = pytest.mark.django_db(transaction=True)


def refold() -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("refold", stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), err.getvalue() + f"exit {error.returncode}"
    return out.getvalue(), err.getvalue()


@pytest.fixture
def game() -> Club:
    """A finished hand and one in progress."""
    made = club(people=1)
    made.play_hand()
    made.ready()
    for _ in range(5):
        made.turn()
    return made


def test_sound_hands_are_counted_and_nothing_is_found(game: Club) -> None:
    out, err = refold()
    assert not err
    assert "1 active, 1 done" in out
    assert out.endswith("0 differences\n")


def test_a_hand_that_moved_on_since_it_was_read_is_sound(game: Club) -> None:
    hand = Hand.objects.get(status="active")
    game.turn()
    assert differences_at_rest(hand) == []
    assert hand.seq == Hand.objects.get(pk=hand.pk).seq


@pytest.mark.parametrize(
    "tamper, word",
    [
        (lambda h: SeatResult.objects.filter(result_id=h, seat=2).update(points=999), "points"),
        (lambda h: SeatResult.objects.filter(result_id=h, seat=2).update(beans=999), "beans"),
        (lambda h: HandResult.objects.filter(pk=h).update(multiplier=64), "multiplier"),
        (lambda h: HandAction.objects.filter(hand_id=h, seq=3).update(text="kick"), "does not replay"),
        (lambda h: HandAction.objects.filter(hand_id=h, seq=4).delete(), "missing"),
        (lambda h: Hand.objects.filter(pk=h).update(commit="0" * 64), "commitment"),
        (lambda h: Hand.objects.filter(pk=h).update(clients=["x", "", "", "", ""]), "deal"),
        (lambda h: HandResult.objects.filter(pk=h).delete(), "no result"),
    ],
)
def test_what_was_tampered_with_is_found(game: Club, tamper, word: str) -> None:  # type: ignore[no-untyped-def]
    tamper(Hand.objects.get(status="done").id)
    _, err = refold()
    assert word in err
    assert err.endswith("exit 1")
