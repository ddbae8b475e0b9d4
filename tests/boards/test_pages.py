"""Boards and histories as people open them: what is ranked, who may see what, and what a page costs."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Club, Membership, Player
from accounts.services import clubs
from games.engine.observation import Solo
from games.models import HandResult, Rating, Season, SeatResult, Tally
from games.rating import wilson_lower
from games.selectors import leaderboards, statistics
from games.selectors.leaderboards import Board, Period
from tests.boards.hands import Evening, five, person

pytestmark = pytest.mark.django_db

ALL = Period("all", "all")


def names(page: leaderboards.Page) -> list[tuple[int | None, str]]:
    return [(row.rank, row.name) for row in page.rows]


def tally(player: Player, **columns: Any) -> Tally:
    return Tally.objects.create(player=player, period="all", **{"hands": 20, **columns})


def logged_in(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


# --- what is ranked


def test_equal_scores_share_a_rank_and_the_next_is_skipped() -> None:
    for name, beans in (("甲", 5), ("乙", 9), ("丙", 5), ("丁", -3)):
        tally(person(name), beans=beans)
    assert names(leaderboards.board(Board.BEANS, ALL)) == [(1, "乙"), (2, "甲"), (2, "丙"), (4, "丁")]


def test_an_average_counts_from_twenty_hands_and_the_others_stand_below() -> None:
    tally(person("三十局"), hands=30, points=30)
    tally(person("十九局"), hands=19, points=100)
    tally(person("二十局"), hands=20, points=40)
    assert names(leaderboards.board(Board.POINTS, ALL)) == [(1, "二十局"), (2, "三十局"), (None, "十九局")]


def test_wins_by_role_go_by_wilsons_lower_bound() -> None:
    """18 of 20 is less sure than 85 of 100, and 19 of 19 is not ranked."""
    tally(person("二十"), hands=90, emperor_hands=20, emperor_wins=18)
    tally(person("一百"), hands=100, emperor_hands=100, emperor_wins=85)
    tally(person("十九"), hands=19, emperor_hands=19, emperor_wins=19)
    tally(person("没当过"), hands=50)
    page = leaderboards.board(Board.EMPEROR, ALL)
    assert names(page) == [(1, "一百"), (2, "二十"), (None, "十九")]
    assert [row.value for row in page.rows[:2]] == pytest.approx([wilson_lower(85, 100), wilson_lower(18, 20)])


def test_a_rating_is_ranked_from_fifty_hands() -> None:
    for name, value, hands in (("高", 1.0, 49), ("中", 0.5, 50), ("低", -0.5, 500)):
        player = person(name)
        tally(player, rated=1)
        Rating.objects.create(player=player, value=value, hands=hands, experience=hands)
    page = leaderboards.board(Board.RATING, ALL)
    assert names(page) == [(1, "中"), (2, "低"), (None, "高")]
    html = Client().get("/boards/?board=rating").content.decode()
    assert "1600 ±" in html
    assert "1700" not in html
    assert "定级中" in html


def test_guests_and_closed_accounts_are_on_no_board() -> None:
    for name, change in (("游客", {"is_guest": True}), ("已走", {"is_active": False}), ("在", {})):
        player = person(name)
        tally(player, beans=1)
        Player.objects.filter(pk=player.pk).update(**change or {"is_guest": False})
    assert names(leaderboards.board(Board.BEANS, ALL)) == [(1, "在")]


def test_whoever_is_not_among_the_first_sees_his_own_row_with_its_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboards, "SHOWN", 2)
    players = [person(f"人{number}") for number in range(5)]
    for number, player in enumerate(players):
        tally(player, beans=-number)
    page = leaderboards.board(Board.BEANS, ALL, viewer=players[3].pk)
    assert len(page.rows) == 2
    assert page.own is not None
    assert (page.own.rank, page.own.name) == (4, "人3")
    assert leaderboards.board(Board.BEANS, ALL, viewer=players[0].pk).own is None


def test_boards_agree_with_the_results() -> None:
    people = five()
    evening = Evening(people[0])
    for _ in range(25):
        evening.end(list(people))
    rows = {row.name: row for row in leaderboards.board(Board.BEANS, ALL, preset="lianzhong-simple").rows}
    for player in people:
        seats = SeatResult.objects.filter(player=player)
        assert rows[player.username].value == sum(seat.beans for seat in seats)
        assert rows[player.username].hands == 25
    emperor = statistics.of_player(people[0].pk)
    assert emperor.total is not None
    assert emperor.total.roles["emperor"].hands == 25
    assert emperor.total.total.points == sum(s.points for s in SeatResult.objects.filter(player=people[0]))
    assert [line.name for line in emperor.presets] == ["联众简明"]


# --- periods


def test_this_week_and_this_month_begin_anew() -> None:
    people = five()
    evening = Evening(people[0], now=timezone.now() - timedelta(days=40))
    evening.end(list(people))
    assert "人0" in Client().get("/boards/?board=beans&period=all").content.decode()
    for period in ("week", "month"):
        assert "人0" not in Client().get(f"/boards/?board=beans&period={period}").content.decode()


def test_a_season_is_offered_from_its_first_day() -> None:
    today = timezone.localdate()
    Season.objects.create(name="将来", starts=today + timedelta(days=1), ends=today + timedelta(days=9))
    assert "赛季" not in Client().get("/boards/").content.decode()
    Season.objects.create(name="现在的一季", starts=today - timedelta(days=3), ends=today)
    html = Client().get("/boards/?period=season").content.decode()
    assert "现在的一季" in html
    assert "将来" not in html
    assert "已结束" not in html


@pytest.mark.parametrize(
    "query", ["board=x", "period=x", "period=s999", "period=s", "period=season", "board=rating&period=week&preset="]
)
def test_an_address_with_nonsense_shows_the_usual_board(query: str) -> None:
    assert Client().get(f"/boards/?{query}").status_code == 200


def test_rules_nobody_knows_are_not_found() -> None:
    assert Client().get("/boards/?preset=nothing").status_code == 404


# --- clubs


@pytest.fixture
def house() -> tuple[Club, list[Player]]:
    """A club, its owner, manager, member, and a stranger and a banned one."""
    people = [person(name) for name in ("会长", "管理", "会员", "路人", "禁入")]
    club = clubs.create(by=people[0], name="牌友", slug="friends", now=timezone.now())
    for player, role in ((people[1], "manager"), (people[2], "member"), (people[4], "member")):
        Membership.objects.create(
            club=club, player=player, role=role, joined_at=timezone.now(), last_active=timezone.now()
        )
    clubs.ban(club=club, by=people[0], player=people[4], reason="", now=timezone.now())
    return club, people


def test_a_clubs_boards_are_its_members_and_hold_its_own_hands_only(house: tuple[Club, list[Player]]) -> None:
    club, people = house
    Evening(people[0], club=club).end(list(people), (1, 2, 3, 4, 5))
    elsewhere = five("外")
    Evening(elsewhere[0]).end(list(elsewhere))
    seen = {
        player.username: logged_in(player).get("/clubs/friends/boards/?board=beans").status_code for player in people
    }
    assert seen == {"会长": 200, "管理": 200, "会员": 200, "路人": 404, "禁入": 404}
    assert Client().get("/clubs/friends/boards/").status_code == 302
    html = logged_in(people[2]).get("/clubs/friends/boards/?board=beans").content.decode()
    assert "会长" in html
    assert "外0" not in html
    assert "外0" in Client().get("/boards/?board=beans").content.decode()


def test_a_clubs_own_rules_are_named_to_its_members_only(house: tuple[Club, list[Player]]) -> None:
    from games.models import Variant

    club, people = house
    Variant.objects.create(slug="standard", name="普通", preset=True)
    Variant.objects.create(slug="friends-own", name="自家规则", club=club)
    Evening(people[0], club=club).end(list(people))
    HandResult.objects.update(preset="friends-own")
    Tally.objects.filter(preset="lianzhong-simple").update(preset="friends-own")
    assert "自家规则" in logged_in(people[1]).get("/clubs/friends/boards/").content.decode()
    assert "自家规则" in logged_in(people[3]).get("/hands/").content.decode()  # he played it
    assert Client().get("/boards/?preset=friends-own").status_code == 404
    assert "自家规则" not in Client().get("/boards/").content.decode()
    assert statistics.of_player(people[0].pk).presets == ()
    assert [line.name for line in statistics.of_player(people[0].pk, people[0].pk).presets] == ["自家规则"]


# --- histories


def listed(client: Client, address: str) -> list[str]:
    response = client.get(address)
    assert response.status_code == 200, address
    return re.findall(r'href="/hands/([^"/?]+)/"', response.content.decode())


def test_hands_are_filtered_by_rules_role_result_period_and_company() -> None:
    people = five()
    extra = person("第六人")
    simple = Evening(people[0], now=timezone.now() - timedelta(days=100))
    won = simple.end(list(people), (1, 2, 3, 4, 5))
    lost = simple.end([people[1], people[0], *people[2:]], (5, 4, 1, 2, 3))
    drawn = simple.end([*people[:4], extra], (1, 5, 2, 3, 4))
    other = Evening(people[0], preset="standard", now=timezone.now() - timedelta(minutes=30))
    unscored = other.end(list(people), scored=False)
    alone = other.end(list(people), (1, 2, 3, 4, 5), guard=None, solo=Solo.HIDDEN)
    client = logged_in(people[0])
    for query, expected in {
        "": [alone, unscored, drawn, lost, won],
        "preset=standard": [alone, unscored],
        "role=guard": [lost],
        "role=solo": [alone],
        "role=emperor": [alone, unscored, drawn, won],
        "result=win": [alone, won],
        "result=loss": [lost],
        "result=draw": [drawn],
        "result=unscored": [unscored],
        "period=week&result=win": [alone],
        "with=第六人": [drawn],
        "with=没这人": [],
        "role=nonsense": [alone, unscored, drawn, lost, won],
    }.items():
        assert listed(client, f"/hands/?{query}") == [result.pk for result in expected], query


def test_pages_follow_one_another_without_a_gap_or_a_repeat() -> None:
    people = five()
    evening = Evening(people[0])
    hands = [evening.end(list(people)).pk for _ in range(65)]
    client, address, seen = logged_in(people[0]), "/hands/", []
    while address:
        html = client.get(address).content.decode()
        seen += re.findall(r'href="/hands/([^"/?]+)/"', html)
        if len(seen) == 30:
            hands.append(evening.end(list(people)).pk)  # a new hand moves nothing
        found = re.search(r'href="([^"]+)" rel="next"|rel="next" href="([^"]+)"', html)
        address = (found[1] or found[2]).replace("&amp;", "&") if found else ""
        assert not seen or len(seen) <= 65
        address = "/hands/" + address[address.index("?") :] if "?" in address else address
    assert seen == hands[64::-1]


def test_ones_own_hands_need_a_login() -> None:
    assert Client().get("/hands/").status_code == 302
    assert "还没有打完" in logged_in(person("新人")).get("/hands/").content.decode()


def test_others_see_public_hands_and_those_they_could_see_anyway(house: tuple[Club, list[Player]]) -> None:
    club, people = house
    others = five("外")
    public = Evening(people[0]).end([people[0], *others[:4]]).pk
    private = Evening(people[0], public=False).end([people[0], *others[:4]]).pk
    clubs_own = Evening(people[0], club=club).end([people[0], people[1], None, None, None]).pk
    everything = {public, private, clubs_own}
    for viewer, expected in (
        (people[0], everything),
        (people[2], {public, clubs_own}),  # a member
        (people[3], {public}),  # a stranger
        (people[4], {public}),  # banned
        (others[0], {public, private}),  # he sat there
        (None, {public}),
    ):
        client = logged_in(viewer) if viewer else Client()
        assert set(listed(client, "/players/会长/hands/")) == expected, viewer


def test_a_closed_history_shows_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    people = five()
    hand = Evening(people[0]).end(list(people)).pk
    Player.objects.filter(pk=people[0].pk).update(is_active=False)
    response = Client().get("/players/人0/hands/")
    assert response.status_code == 403
    assert hand not in response.content.decode()
    assert Client().get("/players/没这人/hands/").status_code == 404


def test_a_hand_that_is_being_played_is_in_no_list() -> None:
    from tests.games.play_helpers import club as table

    playing = table(people=2)
    html = logged_in(playing.people[0]).get("/hands/").content.decode()
    assert playing.hand().pk not in html


# --- what a page costs


def test_no_page_makes_more_than_twelve_queries(house: tuple[Club, list[Player]]) -> None:
    club, people = house
    Season.objects.create(name="一季", starts=date(2026, 1, 1), ends=date(2099, 1, 1))
    crowd = [*five(), people[0]]
    for preset in ("standard", "lianzhong-simple"):
        evening = Evening(people[0], preset=preset, club=None if preset == "standard" else club, now=timezone.now())
        for number in range(20):
            evening.end([*crowd[number % 2 :], None][:5])
    client = logged_in(people[0])
    for address in (
        *(f"/boards/?board={which}&period={period}" for which in Board for period in ("all", "week", "season")),
        "/clubs/friends/boards/?board=points&preset=standard",
        "/hands/",
        "/hands/?with=人1&role=rebel&result=win&preset=standard&period=month",
        "/players/人1/hands/",
    ):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        assert len(captured) <= 12, (address, [query["sql"] for query in captured])


# --- the profile's part


def test_statistics_are_told_by_role_and_by_preset_in_few_queries() -> None:
    people = five()
    for preset in ("lianzhong-simple", "standard"):
        evening = Evening(people[0], preset=preset)
        evening.end(list(people), (1, 2, 3, 4, 5))
        evening.end(list(people), (5, 4, 3, 2, 1))
        evening.end(list(people), (1, 3, 2, 4, 5), guard=None, solo=Solo.HIDDEN)
    request = RequestFactory().get("/")
    request.user = people[1]
    page = Template("{% load boards %}{% player_statistics player %}")
    with CaptureQueriesContext(connection) as captured:
        html = page.render(Context({"request": request, "player": people[0]}))
    assert len(captured) <= 4
    told = statistics.of_player(people[0].pk)
    assert told.total is not None
    assert {role: (f.hands, f.wins) for role, f in told.total.roles.items()} == {
        "emperor": (6, 4),
        "guard": (0, 0),
        "rebel": (0, 0),
        "solo": (2, 2),
    }
    assert [(line.name, line.total.hands) for line in told.presets] == [("联众简明", 3), ("普通", 3)]
    assert "6 局胜 4" in html
    assert "定级中" in html
    nobody = page.render(Context({"request": request, "player": person("新人")}))
    assert "还没有打完过" in nobody


def test_an_empty_board_says_which_hands_count() -> None:
    rating, beans = (Client().get(f"/boards/?board={which}").content.decode() for which in ("rating", "beans"))
    assert "和两个以上机器人打的局不算" in rating
    assert "打完一局就有了" not in rating
    assert "打完一局计分的牌就有了，和机器人打的也算" in beans
