"""Before the hand: the ready check, the host's right to send away, changing places, bots that come and go."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import Player
from accounts.services.players import sign_up
from games import history
from games.engine.presets import PRESETS
from games.models import HandAction, Table
from games.render import fragments
from games.selectors.seat_views import table_view
from games.services import company, pacing, rematch, table_setup, tables
from games.services.errors import Refused
from tests.games.play_helpers import START, Club, club

pytestmark = pytest.mark.django_db


def names(table_id: str) -> list[str]:
    rows = Table.objects.get(pk=table_id).seats.select_related("player").order_by("number")
    return [seat.bot or (seat.player.username if seat.player else "") for seat in rows]


def later(seconds: float):  # type: ignore[no-untyped-def]
    return START + timedelta(seconds=seconds)


@pytest.fixture
def three() -> Club:
    """Host on seat 0, two guests on 1 and 2, bots on 3 and 4; nobody is ready."""
    return club(people=3, ready=False)


@pytest.fixture
def stranger() -> Player:
    return sign_up(username="路人", password=None)


# --- the host --------------------------------------------------------------------------------------------------------


def test_the_host_sends_somebody_away_who_then_does_not_sit_down_again(three: Club) -> None:
    company.remove(table_id=three.id, player=three.people[0], seat=1, now=START)
    assert names(three.id) == ["人0", "", "人2", "阿松", "阿竹"]
    with pytest.raises(Refused, match="removed"):
        tables.sit(table_id=three.id, player=three.people[1], now=START)
    company.remove(table_id=three.id, player=three.people[0], seat=4, now=START)
    assert names(three.id)[4] == ""


def test_only_the_host_sends_away_and_only_somebody_else_before_the_hand(three: Club, stranger: Player) -> None:
    for who, seat, code in (
        (three.people[1], 2, "forbidden"),
        (stranger, 1, "forbidden"),
        (three.people[0], 0, "malformed"),
        (three.people[0], 5, "malformed"),
        (three.people[0], None, "malformed"),
    ):
        with pytest.raises(Refused, match=code):
            company.remove(table_id=three.id, player=who, seat=seat, now=START)
    company.remove(table_id=three.id, player=three.people[0], seat=2, now=START)
    with pytest.raises(Refused, match="nobody"):
        company.remove(table_id=three.id, player=three.people[0], seat=2, now=START)
    with pytest.raises(Refused, match="not_found"):
        company.remove(table_id="nowhere", player=three.people[0], seat=2, now=START)
    tables.set_bots(table_id=three.id, player=three.people[0], add=1, now=START)
    for seat in (0, 1):
        tables.ready(table_id=three.id, player=three.people[seat], now=START)
    assert three.row().status == "playing"
    with pytest.raises(Refused, match="playing"):
        company.remove(table_id=three.id, player=three.people[0], seat=1, now=START)


# --- changing places -------------------------------------------------------------------------------------------------


def test_two_change_places_when_the_other_agrees(three: Club) -> None:
    tables.contribute(table_id=three.id, player=three.people[1], text="mine")
    tables.ready(table_id=three.id, player=three.people[1], now=START)
    company.ask_swap(table_id=three.id, player=three.people[1], seat=0, now=START)
    assert three.view(0).seats[1].swap_with == 0
    company.answer_swap(table_id=three.id, player=three.people[0], seat=1, accept=True, now=START)
    assert names(three.id)[:3] == ["人1", "人0", "人2"]
    row = three.row()
    assert row.contributions == {"0": "mine"}
    assert [seat.ready for seat in row.seats.order_by("number")[:2]] == [True, False]
    assert not row.seats.filter(swap_with__isnull=False).exists()


def test_a_no_a_second_thought_and_a_question_that_meets_another(three: Club) -> None:
    ask = {"table_id": three.id, "now": START}
    company.ask_swap(player=three.people[1], seat=0, **ask)  # type: ignore[arg-type]
    company.answer_swap(player=three.people[0], seat=1, accept=False, **ask)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="not_asked"):
        company.answer_swap(player=three.people[0], seat=1, accept=True, **ask)  # type: ignore[arg-type]
    company.ask_swap(player=three.people[1], seat=0, **ask)  # type: ignore[arg-type]
    company.ask_swap(player=three.people[1], seat=1, **ask)  # type: ignore[arg-type]
    assert three.view(1).seats[1].swap_with is None
    company.ask_swap(player=three.people[1], seat=2, **ask)  # type: ignore[arg-type]
    company.ask_swap(player=three.people[2], seat=1, **ask)  # type: ignore[arg-type]
    assert names(three.id)[:3] == ["人0", "人2", "人1"]


def test_a_bot_changes_places_at_once(three: Club) -> None:
    company.ask_swap(table_id=three.id, player=three.people[2], seat=4, now=START)
    assert names(three.id) == ["人0", "人1", "阿竹", "阿松", "人2"]


def test_who_asks_for_whom_does_not_ask_for_the_next_one(three: Club) -> None:
    company.ask_swap(table_id=three.id, player=three.people[1], seat=2, now=START)
    tables.leave(table_id=three.id, player=three.people[2], now=START)
    assert three.view(1).seats[1].swap_with is None


def test_places_are_not_changed_in_a_hand_nor_by_strangers_nor_with_nobody(three: Club, stranger: Player) -> None:
    tables.leave(table_id=three.id, player=three.people[2], now=START)
    for who, seat, code in (
        (stranger, 0, "not_seated"),
        (three.people[1], 2, "nobody"),
        (three.people[1], 7, "malformed"),
    ):
        with pytest.raises(Refused, match=code):
            company.ask_swap(table_id=three.id, player=who, seat=seat, now=START)
    tables.set_bots(table_id=three.id, player=three.people[0], add=1, now=START)
    for seat in (0, 1):
        tables.ready(table_id=three.id, player=three.people[seat], now=START)
    with pytest.raises(Refused, match="playing"):
        company.ask_swap(table_id=three.id, player=three.people[1], seat=0, now=START)
    with pytest.raises(Refused, match="playing"):
        company.answer_swap(table_id=three.id, player=three.people[1], seat=0, accept=True, now=START)


# --- bots ------------------------------------------------------------------------------------------------------------


def test_a_person_relieves_a_bot_between_hands_but_not_in_one(three: Club, stranger: Player) -> None:
    with pytest.raises(Refused, match="full"):
        tables.sit(table_id=three.id, player=stranger, now=START)
    with pytest.raises(Refused, match="taken"):
        tables.sit(table_id=three.id, player=stranger, seat=1, replace=True, now=START)
    assert tables.sit(table_id=three.id, player=stranger, replace=True, now=START) == 4
    assert names(three.id)[3:] == ["阿松", "路人"]
    tables.leave(table_id=three.id, player=stranger, now=START)
    tables.set_bots(table_id=three.id, player=three.people[0], add=1, now=START)
    three.ready()
    with pytest.raises(Refused, match="playing"):
        tables.sit(table_id=three.id, player=stranger, replace=True, now=START)


@pytest.mark.parametrize("people", [2, 4])
@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_so_many_people_and_bots_play_every_preset(rules: str, people: int) -> None:
    game = club(rules, people=people, seed=3)
    assert game.row().status == "playing"


def test_a_bot_plays_on_for_whoever_leaves_and_the_table_goes_on() -> None:
    game = club(people=2, seed=3, substitutes=True)
    leaver = game.people[0]
    before = leaver.account.balance if hasattr(leaver, "account") else None
    tables.leave(table_id=game.id, player=leaver, now=game.now)
    hand = game.play_hand()
    assert hand.status == "done"
    assert hand.result.seats.get(seat=0).player_id == leaver.pk
    sources = set(HandAction.objects.filter(hand=hand, seat=0).values_list("source", flat=True))
    assert "trustee" not in sources
    row = game.row()
    assert row.status == "between"
    assert names(game.id)[:2] == ["阿兰", "人1"]
    assert row.host_id == game.people[1].pk
    assert before is None or before >= 0


def test_without_that_setting_the_table_breaks_up_as_the_rules_say() -> None:
    game = club(people=2, seed=3)
    tables.leave(table_id=game.id, player=game.people[0], now=game.now)
    game.play_hand()
    assert (game.row().status, game.row().closed_because) == ("closed", "left")


def test_where_everybody_left_no_table_of_bots_goes_on() -> None:
    game = club(people=1, seed=3, substitutes=True)
    tables.leave(table_id=game.id, player=game.people[0], now=game.now)
    game.play_hand()
    assert game.row().status == "closed"


# --- ready check -----------------------------------------------------------------------------------------------------


def test_whoever_is_not_ready_in_time_loses_his_seat_before_the_hand_also_after_a_restart() -> None:
    game = club(people=3, ready=False, ready_seconds=30)
    row = game.row()
    assert (row.wait_for, row.wait_until) == ("ready", later(30))
    tables.ready(table_id=game.id, player=game.people[1], now=later(5))
    history.forget_all()
    assert pacing.due_tables(later(29)) == []
    assert not pacing.advance_table(game.id, later(29))
    assert pacing.due_tables(later(30)) == [game.id]
    assert pacing.advance_table(game.id, later(30))
    assert names(game.id) == ["", "人1", "", "阿松", "阿竹"]
    row = game.row()
    assert (row.status, row.wait_for, row.host_id) == ("waiting", "", game.people[1].pk)
    assert not pacing.advance_table(game.id, later(31))


def test_the_check_begins_when_the_table_is_full_and_anew_with_somebody_new() -> None:
    game = club(people=2, ready=False, bots=2, ready_seconds=30)
    assert game.row().wait_until is None
    tables.set_bots(table_id=game.id, player=game.people[0], add=1, now=later(10))
    assert game.row().wait_until == later(40)
    stranger = sign_up(username="路人", password=None)
    tables.sit(table_id=game.id, player=stranger, replace=True, now=later(20))
    assert game.row().wait_until == later(50)


def test_a_table_where_nobody_is_ready_breaks_up() -> None:
    game = club(people=2, ready=False, ready_seconds=30)
    pacing.advance_table(game.id, later(30))
    assert (game.row().status, game.row().closed_because) == ("closed", "empty")


def test_all_ready_in_time_play_and_nothing_is_due() -> None:
    game = club(people=2, ready_seconds=30)
    row = game.row()
    assert (row.status, row.wait_for, row.wait_until) == ("playing", "", None)


def test_after_the_pause_a_ready_check_asks_who_is_still_there() -> None:
    game = club(people=2, seed=3, ready_seconds=30)
    game.play_hand()
    tables.ready(table_id=game.id, player=game.people[0], now=game.now)
    pause = game.row().next_at
    assert pause is not None
    pacing.advance_table(game.id, pause)
    assert (game.row().status, game.row().wait_for) == ("waiting", "ready")
    pacing.advance_table(game.id, pause + timedelta(seconds=30))
    assert names(game.id)[:2] == ["人0", ""]


@pytest.mark.parametrize(
    "options", [{"watching": "all"}, {"ready_seconds": 5}, {"ready_seconds": 601}, {"ready_seconds": "30"}]
)
def test_settings_out_of_bounds_are_refused(options: dict[str, object], stranger: Player) -> None:
    with pytest.raises(Refused, match="malformed"):
        table_setup.open_table(player=stranger, rules="lianzhong-simple", now=START, **options)  # type: ignore[arg-type]


# --- once more -------------------------------------------------------------------------------------------------------


def test_the_same_five_go_on_after_the_last_hand() -> None:
    game = club(people=2, seed=3, hands=1)
    with pytest.raises(Refused, match="not_over"):
        rematch.again(table_id=game.id, player=game.people[0], now=game.now)
    game.play_hand()
    new_id = rematch.again(table_id=game.id, player=game.people[1], now=game.now)
    assert names(new_id) == names(game.id)
    row = Table.objects.get(pk=new_id)
    assert (row.host_id, row.hands_limit, row.wait_for) == (game.people[1].pk, 1, "ready")
    assert rematch.again(table_id=game.id, player=game.people[0], now=game.now) == new_id
    assert Table.objects.get(pk=new_id).status == "playing"
    assert Table.objects.count() == 2


def test_only_who_sat_there_goes_on_and_only_after_the_last_hand(stranger: Player) -> None:
    game = club(people=2, seed=3)
    tables.leave(table_id=game.id, player=game.people[0], now=game.now)
    game.play_hand()
    with pytest.raises(Refused, match="closed"):
        rematch.again(table_id=game.id, player=game.people[1], now=game.now)
    with pytest.raises(Refused, match="not_seated"):
        rematch.again(table_id=game.id, player=stranger, now=game.now)


def test_whoever_does_not_come_to_the_rematch_frees_his_seat() -> None:
    game = club(people=2, seed=3, hands=1)
    game.play_hand()
    new_id = rematch.again(table_id=game.id, player=game.people[1], now=game.now)
    pacing.advance_table(new_id, game.now + timedelta(seconds=rematch.READY_SECONDS))
    assert names(new_id)[:2] == ["", "人1"]
    assert rematch.again(table_id=game.id, player=game.people[0], now=game.now) == new_id
    assert names(new_id)[:2] == ["人0", "人1"]


def test_after_a_hand_its_story_and_roles_are_of_those_who_played_it() -> None:
    game = club(people=5, seed=3)
    game.play_hand()
    before = {seat: game.people[seat].username for seat in range(5)}
    newcomer = sign_up(username="后来的", password=None)

    def shown() -> dict[str, str]:
        view = table_view(game.id, None, game.now)
        assert view is not None
        return fragments(view)

    old = shown()
    assert "role-emperor" in "".join(old[f"seat-{seat}"] for seat in range(5))
    tables.leave(table_id=game.id, player=game.people[4], now=game.now)
    left = shown()
    tables.sit(table_id=game.id, player=newcomer, seat=4, now=game.now)
    taken = shown()
    for now in (left, taken):
        assert now["log"] == old["log"]
        assert now["banner"] == old["banner"]
        assert before[4] in now["log"]
        assert "role-" not in now["seat-4"]
        assert "data-deadline" not in now["seat-4"]
    assert "后来的" in taken["seat-4"]
    assert before[4] not in taken["seat-4"]


def test_a_table_closed_before_its_first_hand_speaks_of_no_hand() -> None:
    owner = sign_up(username="开桌的", password=None)
    table = table_setup.open_table(player=owner, rules="lianzhong-simple", now=START)
    tables.leave(table_id=table.id, player=owner, now=START)
    for viewer in (owner, None):
        view = table_view(table.id, viewer, START)
        assert view is not None
        assert view.phase == "closed"
        assert "这一局" not in fragments(view)["pile"]
