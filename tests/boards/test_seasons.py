"""Seasons open with a soft reset, close with boards that never change, and are told in the admin."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import Player
from games.models import Rating, Season, Tally
from games.rating import soft_reset
from games.selectors import leaderboards
from games.selectors.leaderboards import Board
from games.services import recount
from tests.boards.hands import Evening, five

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Season:
    return Season.objects.create(name="春季", starts=date(2026, 3, 1), ends=date(2026, 3, 31))


@pytest.fixture
def summer(spring: Season) -> Season:
    return Season.objects.create(name="夏季", starts=date(2026, 4, 1), ends=date(2026, 6, 30), keep=50)


def board(which: Board, season: Season) -> list[tuple[int | None, str, float]]:
    season.refresh_from_db()
    when = leaderboards.Period(season.period, season.period, season)
    return [(row.rank, row.name, row.value) for row in leaderboards.board(which, when).rows]


def test_the_first_hand_after_its_start_opens_a_season_with_a_soft_reset(spring: Season, summer: Season) -> None:
    people = five()
    evening = Evening(people[0])
    first = evening.end(list(people), (1, 2, 3, 4, 5))
    assert first.season == spring
    held = Rating.objects.get(player=people[0]).standing
    evening.now += timedelta(days=40)
    second = evening.end([None, None, *people[2:]])
    assert second.season == summer
    assert Rating.objects.get(player=people[0]).standing == soft_reset(held, 0.5)
    assert recount.check().differences == 0


def test_between_two_seasons_hands_count_in_none(spring: Season) -> None:
    people = five()
    evening = Evening(people[0])
    evening.end(list(people))
    evening.now += timedelta(days=40)
    assert evening.end(list(people)).season is None
    assert recount.check().differences == 0


def test_final_boards_never_change(spring: Season, summer: Season) -> None:
    people = five()
    Player.objects.filter(pk=people[4].pk).update(is_guest=True)
    evening = Evening(people[0])
    for _ in range(55):
        evening.end(list(people))
    before = {which: board(which, spring) for which in Board}
    assert {which: len(rows) for which, rows in before.items()} == {
        **{Board.BEANS: 4, Board.POINTS: 4, Board.RATING: 4},
        **{Board.EMPEROR: 1, Board.GUARD: 1, Board.REBEL: 2},
    }
    assert [row[0] for row in before[Board.RATING]] == [1, 1, 3, 4]  # two rebels of every hand stand alike
    evening.now += timedelta(days=40)
    for _ in range(5):
        evening.end(list(people), (5, 4, 3, 2, 1))
    Player.objects.filter(pk=people[4].pk).update(is_guest=False)  # the guest stays: too late for that season
    assert {which: board(which, spring) for which in Board} == before
    recount.recompute()
    assert {which: board(which, spring) for which in Board} == before
    assert leaderboards.board(
        Board.RATING, leaderboards.Period("s", spring.period, Season.objects.get(pk=spring.pk))
    ).final


def test_recounting_leaves_final_boards_alone_and_says_so(spring: Season, summer: Season) -> None:
    people = five()
    evening = Evening(people[0])
    evening.end(list(people))
    evening.now += timedelta(days=40)
    evening.end(list(people))
    Tally.objects.filter(period=spring.period, player=people[0]).update(points=777)
    assert recount.recompute().differences == 2  # with and without the preset
    assert Tally.objects.filter(period=spring.period, player=people[0], points=777).count() == 2


def test_two_seasons_may_not_share_a_day(spring: Season) -> None:
    with pytest.raises(ValidationError):
        Season(name="又一季", starts=date(2026, 3, 31), ends=date(2026, 4, 30)).full_clean()
    with pytest.raises(ValidationError):
        Season(name="倒着", starts=date(2026, 5, 2), ends=date(2026, 5, 1)).full_clean()


def test_the_admin_cannot_move_what_has_begun(client: Client, spring: Season, summer: Season) -> None:
    people = five()
    evening = Evening(people[0])
    evening.end(list(people))
    admin = Player.objects.create_superuser("admin", "a@example.org", "x")
    client.force_login(admin)
    address = f"/admin/games/season/{spring.pk}/change/"
    page = client.get(address).content.decode()
    assert 'name="ends' in page
    assert 'name="starts' not in page
    assert client.post(f"/admin/games/season/{spring.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"/admin/games/season/{summer.pk}/delete/").status_code == 200
    assert client.get("/admin/games/season/").status_code == 200
    assert client.get("/admin/games/season/add/").status_code == 200
