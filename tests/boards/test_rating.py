"""The rating's arithmetic, by worked examples."""

from __future__ import annotations

from math import tanh

import pytest

from games import rating
from games.rating import Standing

NEW = (Standing(),) * 5


@pytest.mark.parametrize(
    "emperor, guard, open_solo, y",
    [
        (1, 2, False, 1.0),  # guard value 3
        (1, 3, False, 2 / 3),
        (2, 3, False, 1 / 3),
        (1, 5, False, 0.0),
        (3, 4, False, -1 / 3),
        (4, 5, False, -1.0),
        (1, None, False, 1.0),  # +12
        (2, None, False, 0.0),
        (3, None, False, -1.0),
        (5, None, False, -1.0),
        (1, None, True, 1.0),  # +24 is 12 with its factor of 2 built in
        (2, None, True, -1.0),
    ],
)
def test_what_a_hand_was_worth_follows_from_the_places_alone(
    emperor: int, guard: int | None, open_solo: bool, y: float
) -> None:
    assert rating.outcome(emperor=emperor, guard=guard, open_solo=open_solo) == pytest.approx(y)


@pytest.mark.parametrize("hands, k", [(0, 0.6), (12, 0.3), (36, 0.15), (168, 0.04), (5000, 0.04)])
def test_the_step_shrinks_with_the_hands_played(hands: int, k: float) -> None:
    assert rating.step(hands) == pytest.approx(k)


def test_five_new_players_and_a_full_win() -> None:
    """d = 0, so e = y = 1 and K = 0.6: the emperor gets 0.36, the guard 0.24, each rebel −0.2."""
    judged = rating.judge(NEW, places=(1, 2, 3, 4, 5), emperor=0, guard=1)
    assert judged.surprise == 1.0
    assert [standing.value for standing in judged.standings] == pytest.approx([0.36, 0.24, -0.2, -0.2, -0.2])
    assert [standing.shown for standing in judged.standings] == [1572, 1548, 1460, 1460, 1460]
    assert judged.offset == pytest.approx(0.02)
    assert {standing.hands for standing in judged.standings} == {1}


def test_a_solo_moves_the_emperor_by_all_and_each_other_by_a_quarter() -> None:
    judged = rating.judge(NEW, places=(2, 3, 1, 4, 5), emperor=2, guard=None, open_solo=True)
    assert [standing.value for standing in judged.standings] == pytest.approx([-0.15, -0.15, 0.6, -0.15, -0.15])


def test_what_was_likely_is_taken_off() -> None:
    """d = 0.6·1 + 0.4·0.5 − (0.3 + 0 − 0.3)/3 + 0.1 = 0.9."""
    values = (1.0, 0.5, 0.3, 0.0, -0.3)
    hands = (12, 0, 36, 168, 1000)
    five = [Standing(value=v, hands=n, experience=n) for v, n in zip(values, hands, strict=True)]
    judged = rating.judge(five, places=(3, 4, 1, 2, 5), emperor=0, guard=1, offset=0.1)
    e = -1 / 3 - tanh(0.45)
    assert judged.surprise == pytest.approx(e)
    expected = [
        1.0 + 0.3 * 0.6 * e,
        0.5 + 0.6 * 0.4 * e,
        0.3 - 0.15 / 3 * e,
        0.0 - 0.04 / 3 * e,
        -0.3 - 0.04 / 3 * e,
    ]
    assert [standing.value for standing in judged.standings] == pytest.approx(expected)
    assert judged.offset == pytest.approx(0.1 + 0.02 * e)


@pytest.mark.parametrize("guard", [1, None])
def test_the_shares_of_a_surprise_sum_to_nothing(guard: int | None) -> None:
    assert sum(rating.weights(0, guard)) == pytest.approx(0)


def test_a_bot_counts_and_never_moves() -> None:
    bot = rating.bot("beginner")
    judged = rating.judge((*NEW[:4], bot), places=(1, 2, 3, 4, 5), emperor=0, guard=1)
    assert judged.standings[4] == bot
    assert judged.surprise == pytest.approx(1 - tanh(-bot.value / 3 / 2))


def test_the_uncertainty_falls_with_hands_and_a_reset_raises_it() -> None:
    five = NEW
    for hand in range(200):
        places = (1, 2, 3, 4, 5) if hand % 2 else (5, 4, 3, 2, 1)
        five = rating.judge(five, places=places, emperor=hand % 5, guard=(hand + 2) % 5).standings
    assert five[0].uncertainty < NEW[0].uncertainty / 2
    reset = rating.soft_reset(five[0], 0.75)
    assert reset.uncertainty > five[0].uncertainty
    assert reset.value == pytest.approx(0.75 * five[0].value)
    assert reset.hands == 200
    assert rating.step(reset.experience) == pytest.approx(0.2)


def test_fifty_hands_settle_a_rating() -> None:
    assert Standing(hands=49).provisional
    assert not Standing(hands=50).provisional


@pytest.mark.parametrize(
    "wins, hands, bound",
    [(0, 0, 0.0), (0, 20, 0.0), (10, 20, 0.2993), (20, 20, 0.8389), (50, 100, 0.4038), (600, 1000, 0.5693)],
)
def test_wilsons_lower_bound(wins: int, hands: int, bound: float) -> None:
    assert rating.wilson_lower(wins, hands) == pytest.approx(bound, abs=5e-4)
