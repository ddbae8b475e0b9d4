"""Stepping through a finished hand: each moment is the hand's own, for all who may see the hand, for nobody else."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from games import history
from games.engine.presets import preset_ids
from games.models import Hand, HandAction, Table
from games.selectors import moments, replays
from tests.clubs.people import client_of
from tests.events.evening import Evening, evening
from tests.games.play_helpers import Club, club

pytestmark = pytest.mark.django_db

Getter = Any


def cards_of(moment: moments.Moment) -> Counter[str]:
    return Counter(card for obs in moment.seen for card in obs.hand)


FAST = ("special", "tribute")
PRESETS = [pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in preset_ids()]


@pytest.mark.parametrize("preset", PRESETS)
def test_stepping_through_a_hand_shows_each_of_its_moments_once(preset: str) -> None:
    made = club(preset, people=5, seed=11)
    hand = made.play_hand()
    course = history.course_of(hand)
    whole = moments.moment_of(hand.pk, None, 0, 0)
    told = []
    for at in range(whole.last + 1):
        moment = moments.moment_of(hand.pk, None, at, at % 5)
        assert (moment.at, moment.seat, moment.last, moment.log) == (at, at % 5, whole.last, whole.log)
        told.extend(moment.log[slice(*moment.told)])
        assert moment.view.viewer is None
        assert moment.view.prompt is None
        assert moment.view.obs == moment.seen[at % 5]
        assert moment.before < at or at == 0
        assert moment.after > at or at == whole.last
        assert [reached <= at for reached in moment.reached] == [
            line < moment.told[1] for line in range(len(moment.log))
        ]
    assert tuple(told[len(told) - len(whole.log) :]) == whole.log
    assert len(told) == len(whole.log) - whole.told[0], "every line is told at one moment"
    assert cards_of(moments.moment_of(hand.pk, None, 0, 0)) == Counter(c for cards in course[0].hands for c in cards)
    last = moments.moment_of(hand.pk, None, whole.last, 0)
    assert last.view.obs is not None
    assert last.view.obs.result == course[-1].result
    assert last.view.phase == "between"


def test_a_moment_asked_for_in_any_way_is_one_there_is() -> None:
    hand = club(seed=3).play_hand()
    address = f"/hands/{hand.pk}/replay/"
    last = moments.moment_of(hand.pk, None, 10**6, 0).last
    client = Client()
    for query, at, seat in (
        ("", 0, hand.first),
        ("?at=7&seat=2", 7, 2),
        ("?at=99999", last, hand.first),
        ("?at=-3", 0, hand.first),
        ("?at=9e9&seat=7", 0, hand.first),
        ("?at=%EF%BC%93", 0, hand.first),  # a full-width figure
        (f"?at={'9' * 5000}", 0, hand.first),
        ("?at=&seat=&open=", 0, hand.first),
    ):
        page = client.get(address + query)
        assert page.status_code == 200
        found = re.search(r'id="told"[^>]*data-at="(\d+)"[^>]*data-seat="(\d)"', page.content.decode())
        assert found is not None
        assert (int(found[1]), int(found[2])) == (at, seat), query
    assert client.post(address).status_code == 405


def test_a_player_sees_his_own_hand_first_and_what_his_seat_knew_then() -> None:
    made = club(people=2, seed=3)
    hand = made.play_hand()
    for seat, player in made.people.items():
        page = client_of(player).get(f"/hands/{hand.pk}/replay/").content.decode()
        assert f'data-me="{seat}"' in page
        moment = moments.moment_of(hand.pk, player.pk, 0, None)
        shown = re.findall(r'<div class="stack n\d" data-key="(.)"><small class="count">(\d+)<', page)
        assert sum(int(n) for _key, n in shown) == len(moment.seen[seat].hand)
        assert 'type="checkbox"' not in page


def test_the_fragments_of_a_step_are_those_of_the_whole_page() -> None:
    hand = club(seed=3).play_hand()
    client = Client()
    for query in ("?at=20&seat=1", "?at=20&seat=1&open=1"):
        whole = client.get(f"/hands/{hand.pk}/replay/{query}").content.decode()
        part = client.get(f"/hands/{hand.pk}/replay/{query}", headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in part
        pieces = re.split(r'(?=<\w+ hx-swap-oob="true")', part)
        assert len([piece for piece in pieces if piece]) == 5
        for piece in pieces:
            assert piece.replace(' hx-swap-oob="true"', "") in whole


def test_open_hands_are_all_five_with_all_their_cards() -> None:
    hand = club(seed=3).play_hand()
    page = Client().get(f"/hands/{hand.pk}/replay/?at=30&open=1").content.decode()
    counts = [int(n) for n in re.findall(r'class="count">(\d+)张<', page)]
    moment = moments.moment_of(hand.pk, None, 30, None)
    assert sorted(counts) == sorted(len(obs.hand) for obs in moment.seen)
    rows = page.split('class="open-hand')[1:]
    assert len(rows) == 5
    for row, count in zip(rows, counts, strict=True):
        groups = re.findall(
            r'<li(?: class="called")?><span class="mini[^>]*>.*?</svg></span>(?:<b>×(\d+)</b>)?</li>', row
        )
        assert sum(int(n or 1) for n in groups) == count
    assert "皇帝" in page
    assert "侍卫" in page or "独" in page


def test_without_scripts_every_button_is_a_link_and_every_line_of_the_log_leads_to_its_moment() -> None:
    hand = club(seed=3).play_hand()
    client = Client()
    page = client.get(f"/hands/{hand.pk}/replay/?at=12&seat=4").content.decode()
    links = dict(re.findall(r'data-go="(\w+)" id="[\w-]+" href="([^"]+)"', page))
    assert set(links) == {"open", "seat", "before", "back", "on", "after"}
    assert links["on"].endswith("?at=13&amp;seat=4")
    for link in links.values():
        assert client.get(link.replace("&amp;", "&")).status_code == 200
    lines = re.findall(r'<li class="\w+" data-at="(\d+)"[^>]*><a href="[^"]*\?at=(\d+)&amp;seat=4">', page)
    assert len(lines) > 50
    assert all(one == other for one, other in lines)
    assert [int(at) for at, _ in lines] == sorted(int(at) for at, _ in lines)


def test_a_hand_in_play_has_no_replay_and_one_without_its_log_has_its_page() -> None:
    made = club(people=2, seed=3)
    running = made.hand()
    for client in (Client(), client_of(made.people[0])):
        answer = client.get(f"/hands/{running.pk}/replay/?at=5")
        assert answer.status_code == 409
        assert "data-card" not in answer.content.decode()
    assert Client().get("/hands/nosuchhand/replay/").status_code == 404
    hand = made.play_hand()
    HandAction.objects.filter(hand=hand).delete()
    Hand.objects.filter(pk=hand.pk).update(pruned=True)
    history.forget_all()
    answer = Client().get(f"/hands/{hand.pk}/replay/")
    assert (answer.status_code, answer["Location"]) == (302, f"/hands/{hand.pk}/")
    assert "/replay/" not in Client().get(f"/hands/{hand.pk}/").content.decode()


def one_board_played() -> tuple[Evening, Hand]:
    """An evening of duplicate in which one table has played the first board and another has not."""
    night = evening("duplicate", people=6, rounds=1)
    night.until(lambda e: Hand.objects.exclude(status="active").exists())
    assert Table.objects.count() == 2
    return night, Hand.objects.exclude(status="active").get()


def test_a_board_of_duplicate_has_no_replay_before_its_last_table_has_closed_it() -> None:
    night, hand = one_board_played()
    own = [person for person in night.people if person.pk in [one["player"] for one in hand.players]]
    for viewer in (own[0], night.director, None):
        client = client_of(viewer)
        for page in ("", "replay/", "replay/?at=40&open=1", "fair/"):
            answer = client.get(f"/hands/{hand.pk}/{page}")
            assert answer.status_code == 409
            assert "别的桌还没打完" in answer.content.decode()
        assert client.get(f"/hands/{hand.pk}/deal.json").json()["error"]["code"] == "not_over"
    for viewer_id in (own[0].pk, None):
        with pytest.raises(replays.NotRevealed):
            moments.moment_of(hand.pk, viewer_id, 0, None)
    night.play()
    page = client_of(None).get(f"/hands/{hand.pk}/replay/")
    assert page.status_code == 200
    assert "<b>周五晚上</b>" in page.content.decode()


def test_a_replay_costs_the_same_queries_at_every_moment(django_assert_max_num_queries: Getter) -> None:
    made: Club = club(people=2, seed=3)
    hand = made.play_hand()
    client = client_of(made.people[0])
    for at in (0, 30, 99999):
        with django_assert_max_num_queries(11):
            client.get(f"/hands/{hand.pk}/replay/?at={at}")


def test_tribute_is_told_at_the_deal_and_the_end_says_who_won() -> None:
    made = club("tribute", people=5, seed=11)
    made.play_hand()
    for _ in range(6):  # tribute is paid for the hand before
        made.ready()
        hand = made.play_hand()
        begin = moments.moment_of(hand.pk, None, 0, 0)
        if begin.gifts:
            break
    gift = begin.gifts[0]
    assert gift.seat is not None
    page = Client().get(f"/hands/{hand.pk}/replay/").content.decode()
    giver, taker = begin.view.seats[gift.seat].name, begin.view.seats[gift.number].name
    assert re.search(rf'id="told"[^>]*>牌发好了；{giver} 进贡 [^<]* 给 {taker}', page)
    assert f"{giver} 进贡 " in Client().get(f"/hands/{hand.pk}/").content.decode()
    end = Client().get(f"/hands/{hand.pk}/replay/?at=99999").content.decode()
    assert re.search(r'id="told"[^>]*>这一局结束。[^<]*(赢|不分胜负)', end)
