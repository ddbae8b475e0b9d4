"""The page's forms over plain HTTP: they do what the socket does, and answer htmx with fragments."""

import pytest
from django.test import Client

from accounts.models import Player
from games.models import HandAction, Table
from tests.games.play_helpers import Club, at_step, club

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game() -> Club:
    from django.utils import timezone

    made = club(people=5, seed=1, ready=False, now=timezone.now())
    made.ready()
    made.play(at_step("play"))
    return made


def browser(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_ticked_card_is_played_by_a_plain_form(game: Club) -> None:
    (seat,) = game.asked()
    view = game.view(seat)
    assert view.obs is not None
    card = view.obs.hand[-1]
    response = browser(game.people[seat]).post(
        f"/t/{game.id}/act", {"prompt": view.prompt, "id": "form", "action": "play", "card": [card]}
    )
    assert (response.status_code, response.headers["Location"]) == (302, f"/t/{game.id}/")
    row = HandAction.objects.order_by("-seq")[0]
    assert (row.seat, row.text, row.action_id) == (seat, f"play {card}", "form")


def test_htmx_is_answered_with_fragments_and_the_reason(game: Club) -> None:
    (seat,) = game.asked()
    client = browser(game.people[seat])
    response = client.post(f"/t/{game.id}/act", {"prompt": "0-0", "action": "pass"}, headers=HTMX)
    text = response.content.decode()
    assert 'data-code="stale_prompt"' in text
    assert 'id="hand"' in text
    assert "no-store" in response.headers["Cache-Control"]
    response = client.post(
        f"/t/{game.id}/act",
        {"prompt": game.view(seat).prompt, "action": "play", "card": game.view(seat).obs.hand[-1:]},  # type: ignore[union-attr]
        headers=HTMX,
    )
    assert 'id="notice"' not in response.content.decode()
    assert HandAction.objects.order_by("-seq")[0].seat == seat


def test_the_fragments_of_a_seat_hold_no_other_seats_cards(game: Club) -> None:
    for seat, player in [*game.people.items(), (None, None)]:
        client = browser(player) if player is not None else Client()
        text = client.get(f"/t/{game.id}/fragments").content.decode()
        hand = game.view(seat).obs.hand  # type: ignore[union-attr]
        assert text.count("data-card=") == len(hand)


def test_a_stranger_who_sits_becomes_a_guest() -> None:
    game = club(people=1, ready=False, bots=2)
    client = Client()
    response = client.post(f"/t/{game.id}/sit", {"seat": "4"})
    assert response.status_code == 302
    player = game.row().seats.get(number=4).player
    assert player is not None
    assert player.is_guest
    assert client.post(f"/t/{game.id}/ready").status_code == 302
    assert game.row().seats.get(number=4).ready


def test_the_other_buttons_work_without_a_socket(game: Club) -> None:
    client = browser(game.people[0])
    client.post(f"/t/{game.id}/trustee", {"on": "1"})
    assert game.hand().trustees[0]["on"]
    client.post(f"/t/{game.id}/trustee", {"on": "0"})
    assert not game.hand().trustees[0]["on"]
    client.post(f"/t/{game.id}/contribute", {"text": "von mir"})
    assert game.row().contributions == {"0": "von mir"}
    assert client.post(f"/t/{game.id}/leave").headers["Location"] == "/"
    assert game.hand().trustees[0]["gone"]


@pytest.mark.parametrize("do", ["act", "ready", "trustee", "bots", "contribute", "leave"])
def test_a_stranger_changes_nothing(game: Club, do: str) -> None:
    before = (game.hand().version, game.row().version)
    response = Client().post(f"/t/{game.id}/{do}", {"text": "x"}, headers=HTMX)
    assert 'data-code="not_seated"' in response.content.decode()
    assert (game.hand().version, game.row().version) == before


@pytest.mark.parametrize("do", ["act", "ready", "sit", "fragments"])
def test_a_table_that_does_not_exist_is_404(do: str) -> None:
    client = Client()
    response = client.get("/t/nowhere/fragments") if do == "fragments" else client.post(f"/t/nowhere/{do}")
    assert response.status_code == 404
    assert not Table.objects.exists()


def test_forms_are_only_posted(game: Club) -> None:
    assert Client().get(f"/t/{game.id}/act").status_code == 405
