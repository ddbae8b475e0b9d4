"""Hands are counted as they end, and counted again from the beginning they come to the same, to the last bit."""

from __future__ import annotations

import random
from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine.observation import Solo
from games.models import HandResult, Rating, RatingOffset, Season, SeatResult, Tally
from games.rating import Standing, judge
from games.services import recount
from tests.boards.hands import START, Evening, five, person
from tests.games.play_helpers import club as played_club

pytestmark = pytest.mark.django_db(transaction=True)


def busy_month() -> Evening:
    """Sixty hands of seven people, some with bots, over three seasons, one preset after the other."""
    people = [person(f"人{number}") for number in range(7)]
    day = date(2026, 3, 1)
    for number in range(3):
        Season.objects.create(name=f"{number}", starts=day, ends=day + timedelta(days=9), keep=60)
        day += timedelta(days=10)
    rng = random.Random(11)
    evening = Evening(people[0])
    for number in range(60):
        if number % 20 == 19:
            evening = Evening(people[0], preset=["standard", "weihai"][number // 20 % 2], now=evening.now)
        seats: list = rng.sample(people, 5)
        for seat in range(rng.choice([0, 0, 0, 1, 2])):
            seats[seat] = None
        solo = rng.choice([None] * 6 + [Solo.OPEN, Solo.HIDDEN])
        evening.end(
            seats,
            emperor=rng.randrange(3),
            guard=None if solo else 3 + rng.randrange(2),
            solo=solo,
            multiplier=rng.choice([1, 2]),
            scored=rng.random() > 0.05,
        )
        evening.now += timedelta(hours=9)
    return evening


def everything() -> list:
    return [
        list(Rating.objects.order_by("pk").values()),
        list(RatingOffset.objects.order_by("preset", "solo").values("preset", "solo", "value")),
        list(Tally.objects.order_by("player", "scope", "period", "preset").values()),
        list(SeatResult.objects.order_by("order", "seat").values("rating", "rating_change")),
        list(HandResult.objects.order_by("order").values("order", "season", "bots", "unrated")),
    ]


def without_ids(rows: list) -> list:
    return [[{k: v for k, v in row.items() if k != "id"} for row in part] for part in rows]


def test_counted_again_the_numbers_are_the_same() -> None:
    busy_month()
    assert Season.objects.filter(closed_after__isnull=False).count() == 2
    report = recount.check()
    assert report.lines == []
    assert (report.hands, report.differences) == (60, 0)


def test_what_was_spoilt_is_found_and_made_good() -> None:
    busy_month()
    before = without_ids(everything())
    Rating.objects.update(value=0.5)
    RatingOffset.objects.all().delete()
    SeatResult.objects.filter(order__lt=10).update(rating=None)
    HandResult.objects.filter(order=7).update(bots=4, unrated="")
    Tally.objects.filter(period="all").update(hands=1)
    Tally.objects.filter(period__startswith="m").delete()
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("recompute_ratings", "--check", stdout=StringIO(), stderr=err)
    assert "player" in err.getvalue()
    call_command("recompute_ratings", stdout=StringIO(), stderr=StringIO())
    assert without_ids(everything()) == before
    out = StringIO()
    call_command("recompute_ratings", "--check", stdout=out)
    assert out.getvalue().endswith(" 0 differences\n")


def test_from_nothing_but_the_results_everything_comes_back() -> None:
    busy_month()
    before = without_ids(everything())
    final = [season.period for season in Season.objects.filter(closed_after__isnull=False)]
    Rating.objects.all().delete()
    RatingOffset.objects.all().delete()
    Tally.objects.exclude(period__in=final).delete()
    recount.recompute()
    assert without_ids(everything()) == before


def test_results_from_before_there_were_ratings_are_counted_in_the_order_they_ended() -> None:
    evening = Evening(person("甲"))
    seats = five()
    first, second = evening.end(list(seats)), evening.end(list(seats))
    expected = without_ids(everything())
    HandResult.objects.update(order=None, preset="", bots=0, unrated="")
    SeatResult.objects.update(order=None, rating=None, rating_change=None)
    Rating.objects.all().delete()
    Tally.objects.all().delete()
    RatingOffset.objects.all().delete()
    assert recount.never_counted()
    recount.recompute()
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.order is not None
    assert second.order == first.order + 1
    assert first.preset == "lianzhong-simple"
    assert without_ids(everything())[:4] == expected[:4]


def test_a_played_hand_is_counted_in_the_transaction_that_ends_it() -> None:
    club = played_club(people=5, seed=5)
    hand = club.play_hand()
    while hand.status == "void":
        hand = club.play_hand()
    result = HandResult.objects.get(pk=hand.pk)
    seats = list(result.seats.order_by("seat"))
    assert (result.order, result.preset, result.bots, result.unrated) == (1, "lianzhong-simple", 0, "")
    judged = judge(
        [Standing()] * 5,
        places=[seat.place for seat in seats],
        emperor=result.emperor,
        guard=result.guard,
        open_solo=result.solo == "open",
    )
    for seat, standing in zip(seats, judged.standings, strict=True):
        assert seat.rating == standing.value
        assert Rating.objects.get(player=seat.player_id).standing == standing
        whole = Tally.objects.get(player=seat.player_id, period="all", preset="")
        assert (whole.hands, whole.points, whole.beans) == (1, seat.points, seat.beans)
    assert recount.check().differences == 0


def test_two_bots_or_an_unscored_hand_change_no_rating() -> None:
    people = five()
    evening = Evening(people[0])
    one_bot = evening.end([*people[:4], None])
    two_bots = evening.end([*people[:3], None, None])
    unscored = evening.end(list(people), scored=False)
    assert (one_bot.unrated, two_bots.unrated, unscored.unrated) == ("", "bots", "unscored")
    assert Rating.objects.get(player=people[0]).hands == 1
    assert Tally.objects.get(player=people[0], period="all", preset="").hands == 2
    assert recount.check().differences == 0


def test_a_multiplier_moves_beans_and_no_more_rating() -> None:
    plain, doubled = five("平"), five("倍")
    first = Evening(plain[0], preset="standard").end(list(plain), (1, 2, 3, 4, 5))
    RatingOffset.objects.all().delete()
    second = Evening(doubled[0], preset="standard").end(list(doubled), (1, 2, 3, 4, 5), multiplier=4)
    assert [s.rating for s in first.seats.order_by("seat")] == [s.rating for s in second.seats.order_by("seat")]
    assert second.seats.get(seat=0).points == 4 * first.seats.get(seat=0).points


def test_the_periods_of_a_hand_go_by_the_sites_own_clock() -> None:
    """16:30 UTC on Sunday is half past midnight on Monday in China."""
    people = five()
    evening = Evening(people[0], now=START - timedelta(days=1) + timedelta(hours=4, minutes=20))
    evening.end(list(people))
    periods = set(Tally.objects.filter(player=people[0]).values_list("period", flat=True))
    assert periods == {"all", "w2026-03-02", "m2026-03"}
