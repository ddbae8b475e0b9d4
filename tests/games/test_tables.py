"""Seats, bots, readiness, the host, closing: what people do at a table apart from playing."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Player
from accounts.services.players import sign_up
from games.engine.errors import BadRules
from games.engine.rules import load_rules
from games.models import Seat, Table, Variant, VariantRevision
from games.selectors import lobby
from games.services import pacing, table_setup, tables
from games.services.errors import Refused
from tests.games.play_helpers import START, Club, club

pytestmark = pytest.mark.django_db


@pytest.fixture
def host() -> Player:
    return sign_up(username="桌主", password=None)


@pytest.fixture
def friend() -> Player:
    return sign_up(username="朋友", password=None)


def opened(host: Player, **options: Any) -> Table:
    return table_setup.open_table(player=host, rules=options.pop("rules", "standard"), now=START, **options)


def names(table: Table) -> list[str]:
    return [
        seat.bot or (seat.player.username if seat.player else "")
        for seat in table.seats.select_related("player").order_by("number")
    ]


def test_whoever_opens_sits_in_seat_0_with_the_sites_clock(host: Player) -> None:
    table = opened(host)
    assert names(table) == ["桌主", "", "", "", ""]
    assert (table.clock_step, table.clock_play, table.clock_next, table.clock_reveal) == (15, 20, 20, 5)
    assert (table.status, table.room, table.public) == ("waiting", 1, False)


@pytest.mark.parametrize(
    "options, field",
    [
        ({"clock": {"play": 0}}, "clock.play"),
        ({"clock": {"play": 10_000}}, "clock.play"),
        ({"clock": {"play": "20"}}, "clock.play"),
        ({"clock": {"fast": 3}}, "clock.fast"),
        ({"room": -1}, "room"),
        ({"room": True}, "room"),
        ({"room": 2_000_000}, "room"),
        ({"bots": 5}, "bots"),
        ({"hands": 0}, "hands"),
        ({"multiplier": 0}, "multiplier"),
        ({"level": "genius"}, "level"),
    ],
)
def test_what_no_table_can_have_is_refused_with_its_field(host: Player, options: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        opened(host, **options)
    assert refused.value.field == field
    assert not Table.objects.exists()


def test_stakes_that_cannot_be_written_down_are_refused(host: Player) -> None:
    with pytest.raises(Refused, match="too_high"):
        opened(host, room=1_000_000, overrides={"stakes": {"open_guard": 1_000_000, "rebellion": 1_000_000}})


@pytest.mark.parametrize("rules", ["nowhere", {}, {"id": "x"}])
def test_rules_that_are_none_are_refused(host: Player, rules: Any) -> None:
    with pytest.raises(BadRules):
        opened(host, rules=rules)


def test_a_clubs_variant_is_taken_in_its_newest_published_revision(host: Player) -> None:
    variant = Variant.objects.create(slug="our-way", name="我们的")
    base = load_rules("standard").to_json()
    for number, stake in ((1, 2), (2, 3), (3, 4)):
        VariantRevision.objects.create(
            variant=variant,
            number=number,
            rules=base | {"stakes": base["stakes"] | {"open_guard": stake}},
            created_at=START,
            published_at=None if number == 3 else START,
        )
    table = opened(host, rules="our-way")
    assert (table.preset, table.rules["stakes"]["open_guard"]) == ("our-way", 3)
    assert table.revision is not None
    assert table.revision.number == 2
    variant.retired = True
    variant.save()
    with pytest.raises(BadRules):
        opened(host, rules="our-way")


def test_sitting_takes_the_lowest_free_seat_or_the_one_named(host: Player, friend: Player) -> None:
    table = opened(host, bots=1)
    assert tables.sit(table_id=table.id, player=friend, now=START) == 2
    assert tables.sit(table_id=table.id, player=friend, now=START) == 2
    assert tables.sit(table_id=table.id, player=friend, seat=4, now=START) == 4
    assert names(table) == ["桌主", "阿松", "", "", "朋友"]
    for seat, code in ((0, "taken"), (1, "taken"), (5, "malformed"), ("2", "malformed")):
        with pytest.raises(Refused, match=code):
            tables.sit(table_id=table.id, player=friend, seat=seat, now=START)  # type: ignore[arg-type]


def test_a_full_table_and_one_that_is_no_table_refuse(host: Player, friend: Player) -> None:
    table = opened(host, bots=4)
    with pytest.raises(Refused, match="full"):
        tables.sit(table_id=table.id, player=friend, now=START)
    with pytest.raises(Refused, match="not_found"):
        tables.sit(table_id="nowhere", player=friend, now=START)


def test_a_hand_starts_when_all_five_seats_are_taken_and_every_person_is_ready(host: Player, friend: Player) -> None:
    table = opened(host, bots=3)
    tables.ready(table_id=table.id, player=host, now=START)
    assert Table.objects.get(pk=table.id).status == "waiting"
    tables.sit(table_id=table.id, player=friend, now=START)
    tables.ready(table_id=table.id, player=friend, now=START)
    row = Table.objects.get(pk=table.id)
    assert (row.status, row.number) == ("playing", 1)
    tables.ready(table_id=table.id, player=friend, now=START)
    assert not Seat.objects.filter(ready=True).exists()


def test_only_the_host_brings_bots_and_sends_them_away(host: Player, friend: Player) -> None:
    table = opened(host)
    tables.sit(table_id=table.id, player=friend, now=START)
    with pytest.raises(Refused, match="forbidden"):
        tables.set_bots(table_id=table.id, player=friend, add=1, now=START)
    with pytest.raises(Refused, match="full"):
        tables.set_bots(table_id=table.id, player=host, add=4, now=START)
    tables.set_bots(table_id=table.id, player=host, add=3, now=START)
    assert names(table) == ["桌主", "朋友", "阿松", "阿竹", "阿梅"]
    tables.set_bots(table_id=table.id, player=host, add=-2, now=START)
    assert names(table) == ["桌主", "朋友", "阿松", "", ""]
    for add, level, code in ((5, None, "malformed"), (1, "genius", "bad_level")):
        with pytest.raises(Refused, match=code):
            tables.set_bots(table_id=table.id, player=host, add=add, level=level, now=START)


def test_bots_neither_come_nor_go_during_a_hand() -> None:
    game = club(people=1)
    with pytest.raises(Refused, match="playing"):
        tables.set_bots(table_id=game.id, player=game.people[0], add=-1, now=START)


def test_leaving_before_the_deal_frees_the_seat_and_the_next_person_becomes_host(host: Player, friend: Player) -> None:
    table = opened(host, bots=1)
    tables.sit(table_id=table.id, player=friend, now=START)
    tables.contribute(table_id=table.id, player=host, text="x")
    tables.leave(table_id=table.id, player=host, now=START)
    row = Table.objects.get(pk=table.id)
    assert names(table) == ["", "阿松", "朋友", "", ""]
    assert (row.host, row.contributions, row.status) == (friend, {}, "waiting")
    tables.leave(table_id=table.id, player=friend, now=START)
    row.refresh_from_db()
    assert (row.status, row.closed_because) == ("closed", "empty")
    with pytest.raises(Refused, match="closed"):
        tables.sit(table_id=table.id, player=host, now=START)


def test_somebody_leaving_between_hands_makes_the_table_wait() -> None:
    game = club(people=2)
    game.play_hand()
    tables.leave(table_id=game.id, player=game.people[1], now=game.now)
    row = game.row()
    assert (row.status, row.next_at) == ("waiting", None)
    guest = sign_up(username="新来的", password=None)
    assert tables.sit(table_id=game.id, player=guest, now=game.now) == 1
    old, new = game.view(0), Club(game.table, {1: guest}, game.now).view(1)
    assert old.obs is not None
    assert new.obs is not None
    assert (old.obs.viewer, new.obs.viewer) == (0, None)
    assert new.viewer == 1


def test_tables_nobody_came_back_to_are_closed(host: Player) -> None:
    table = opened(host)
    assert pacing.close_idle_tables(START + timedelta(minutes=59)) == 0
    assert pacing.close_idle_tables(START + timedelta(minutes=61)) == 1
    assert Table.objects.get(pk=table.id).closed_because == "idle"


def test_the_clock_may_be_asked_any_number_of_times() -> None:
    game = club(people=1)
    hand = game.hand()
    assert hand.due_at is not None
    before = hand.due_at - timedelta(seconds=1)
    assert not pacing.advance_if_due(hand.id, before)
    assert not pacing.advance_if_due("nothing", before)
    assert game.id in pacing.due_tables(hand.due_at)
    assert game.id not in pacing.due_tables(before)
    assert pacing.advance_if_due(hand.id, hand.due_at)
    after = game.hand()
    assert after.seq > 0
    assert not pacing.advance_if_due(hand.id, hand.due_at)
    assert game.hand().seq == after.seq


def test_lists_show_public_tables_and_ones_own(host: Player, friend: Player) -> None:
    hidden, shown = opened(host), opened(host, public=True, bots=2)
    assert [(line.id, line.people, line.bots, line.free) for line in lobby.public_tables()] == [(shown.id, 1, 2, 2)]
    assert {line.id for line in lobby.tables_of(host)} == {hidden.id, shown.id}
    assert lobby.tables_of(friend) == []
    assert lobby.last_opened(friend) is None


def test_one_host_cannot_fill_the_list_of_public_tables(host: Player, friend: Player) -> None:
    other = opened(friend, public=True)
    many = [opened(host, public=True).id for _ in range(lobby.OF_ONE_HOST + 2)]
    listed = {line.id for line in lobby.public_tables()}
    assert other.id in listed
    assert len(listed & set(many)) == lobby.OF_ONE_HOST


def test_a_hand_left_for_good_is_no_longer_among_ones_tables() -> None:
    game = club(people=2)
    tables.leave(table_id=game.id, player=game.people[0], now=game.now)
    assert lobby.tables_of(game.people[0]) == []
    assert [line.id for line in lobby.tables_of(game.people[1])] == [game.id]


def test_a_table_is_read_in_few_queries(django_assert_max_num_queries: Any) -> None:
    game = club(people=2)
    with django_assert_max_num_queries(6):
        game.view(0)


def test_nothing_secret_shows_in_how_rows_print() -> None:
    hand = club(people=1).hand()
    texts = f"{hand!r} {hand} {hand.table!r}"
    assert hand.server_seed not in texts
    assert "hands" not in texts
