"""What a move keeps for the next one is never older than the database, whoever wrote meanwhile and how."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

import pytest
from django.db import connection, connections, transaction

from games import history
from games.bots import choose
from games.models import Hand, HandAction, Table
from games.services import kept, tables
from games.services.play import submit
from tests.games.play_helpers import Club, club

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="rows are kept on SQLite only")


def moved(game: Club) -> str:
    """One move of a person; whether its rows came from the move before."""
    assert list(game.asks())
    before = HandAction.objects.count()
    found = kept.has(game.id)
    game.turn()
    assert HandAction.objects.count() == before + 1
    return "kept" if found else "read"


def playing(name: str = "人") -> Club:
    game = club(people=5, seed=3, name=name)
    game.play(lambda it: it.view().obs is not None and it.view().obs.step.value == "play")  # type: ignore[union-attr]
    moved(game)
    return game


@sqlite_only
@pytest.mark.django_db
def test_a_move_finds_the_rows_of_the_move_before() -> None:
    game = playing()
    assert [moved(game) for _ in range(5)] == ["kept"] * 5


def _by_orm(game: Club) -> None:
    Table.objects.filter(pk=game.id).update(clock_play=77)


def _by_model(game: Club) -> None:
    table = Table.objects.get(pk=game.id)
    table.clock_play = 77
    table.save()


def _by_sql(game: Club) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_table SET clock_play = 77 WHERE id = %s", [game.id])


def _between_two_moves_of_another_table(game: Club) -> None:
    other = playing("别人")
    _by_orm(game)
    moved(other)
    moved(other)


@pytest.mark.django_db
@pytest.mark.parametrize("write", [_by_orm, _by_model, _by_sql, _between_two_moves_of_another_table])
def test_a_move_sees_what_its_own_connection_wrote_in_another_way(write: Callable[[Club], None]) -> None:
    game = playing()
    moved(game)
    write(game)
    moved(game)
    hand = game.hand()
    assert hand.due_at is not None
    assert (hand.due_at - hand.asked_at).total_seconds() == 77


@pytest.mark.django_db(transaction=True)
def test_a_move_sees_what_another_connection_has_committed() -> None:
    game = playing()
    moved(game)

    def elsewhere() -> None:
        _by_orm(game)
        connections.close_all()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    moved(game)
    hand = game.hand()
    assert hand.due_at is not None
    assert (hand.due_at - hand.asked_at).total_seconds() == 77


@pytest.mark.django_db
def test_a_move_that_is_undone_leaves_nothing_behind() -> None:
    game = playing()
    moved(game)
    before = list(Hand.objects.values_list("seq", "version"))

    class Undone(Exception):
        pass

    def undone() -> None:
        with transaction.atomic():
            (seat, view), *_ = game.asks()
            assert view.obs is not None
            action = str(choose("beginner", view.obs, random.Random(1)))
            assert submit(
                table_id=game.id,
                player=game.people[seat],
                prompt=view.prompt,
                action_id="undone",
                action=action,
                now=game.now,
            ).ok
            raise Undone

    with pytest.raises(Undone):
        undone()
    history.forget_all()
    assert list(Hand.objects.values_list("seq", "version")) == before
    moved(game)
    assert Hand.objects.get().seq == before[0][0] + 1


@pytest.mark.django_db
def test_a_refused_move_leaves_nothing_behind() -> None:
    game = playing()
    moved(game)
    (seat, view), *_ = game.asks()
    assert game.say(seat, "play 3S 4S", prompt=view.prompt).code == "illegal"
    other = next(number for number in game.people if number != seat)
    assert game.say(other, "pass", prompt=view.prompt).code == "not_asked"
    assert not kept.has(game.id)
    moved(game)


@pytest.mark.django_db
def test_a_hand_taken_over_by_the_trustee_between_two_moves_is_known_to_the_next() -> None:
    game = playing()
    moved(game)
    (seat, _view), *_ = game.asks()
    tables.set_trustee(table_id=game.id, player=game.people[seat], on=True, now=game.now)
    hand = game.hand()
    assert hand.trustees[seat]["on"]
    game.play_hand()
    assert HandAction.objects.filter(hand=hand, source="trustee", seat=seat).exists()


@pytest.mark.django_db
def test_the_clock_finds_kept_rows_and_they_are_the_newest() -> None:
    game = club(people=1, seed=3)
    game.play(lambda it: it.view().obs is not None and it.view().obs.step.value == "play")  # type: ignore[union-attr]
    for _ in range(30):
        game.turn()
    hand = game.hand()
    assert HandAction.objects.filter(hand=hand).count() == hand.seq
    assert HandAction.objects.filter(hand=hand, source="bot").count() > 10
    assert kept.has(game.id) == (connection.vendor == "sqlite")
