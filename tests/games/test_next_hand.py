"""From one hand to the next: the pause, who is dealt to first, tribute, void deals, the shuffle's two halves."""

from datetime import timedelta

import pytest

from accounts.models import Posting
from games.engine.deck import SEED_BYTES, commitment, deal
from games.engine.fold import begin
from games.engine.observation import Step
from games.engine.rules import load_rules
from games.models import Hand, HandResult, Table
from games.selectors import replays
from games.services import pacing, tables
from games.services.errors import Refused
from tests.games.play_helpers import Club, club

pytestmark = pytest.mark.django_db(transaction=True)


def next_hand(game: Club) -> Hand:
    game.ready()
    return game.hand()


def test_the_next_hand_starts_when_everybody_is_ready() -> None:
    game = club(people=2)
    first = game.play_hand()
    tables.ready(table_id=game.id, player=game.people[0], now=game.now)
    assert game.hand().id == first.id
    tables.ready(table_id=game.id, player=game.people[1], now=game.now)
    assert game.hand().number == first.number + 1


def test_the_next_hand_starts_when_the_pause_is_over() -> None:
    game = club(people=2, clock={"next": 30})
    first = game.play_hand()
    row = game.row()
    assert row.next_at == game.now + timedelta(seconds=30)
    assert game.view().deadline == row.next_at
    assert not pacing.advance_table(game.id, game.later(29))
    assert pacing.advance_table(game.id, game.later(1))
    assert game.hand().number == first.number + 1


@pytest.mark.parametrize("rules, deal_from", [("lianzhong-simple", "emperor"), ("standard", "first_out")])
def test_the_first_card_goes_where_the_rules_say(rules: str, deal_from: str) -> None:
    game = club(rules, people=1)
    first = game.play_hand()
    result = HandResult.objects.get(pk=first.id)
    expected = result.emperor if deal_from == "emperor" else result.seats.get(place=1).seat
    assert first.first == 0 or first.number > 1
    assert next_hand(game).first == expected


def test_the_table_ends_after_its_hands() -> None:
    game = club(people=1, hands=2)
    game.play_hand()
    next_hand(game)
    game.play_hand()
    assert (game.row().status, game.row().closed_because) == (Table.Status.CLOSED, "limit")
    with pytest.raises(Refused, match="closed"):
        game.ready()


def test_tribute_is_owed_by_the_same_five_after_a_decided_hand() -> None:
    game = club("tribute", people=1)
    for _ in range(20):
        hand = game.play_hand()
        if HandResult.objects.get(pk=hand.id).outcome != "draw":
            break
        next_hand(game)
    after = next_hand(game)
    assert after.previous is not None
    assert after.previous["places"] == [s.place for s in hand.result.seats.order_by("seat")]
    game.play_hand()
    record = replays.record_of(after.id)
    assert record["previous"] == after.previous
    assert game.view().obs.gifts  # type: ignore[union-attr]


def test_nothing_is_owed_when_somebody_else_sits() -> None:
    game = club("tribute", people=1)
    game.play_hand()
    Table.objects.filter(pk=game.id, previous__isnull=False).update(previous_seats=["p0", "b", "b", "b", "b"])
    assert next_hand(game).previous is None


def test_a_void_hand_is_dealt_again_at_once_from_the_same_seat_and_tribute_stays_owed() -> None:
    game = club("lianzhong-simple", people=5, overrides={"crown": {"laps": 1}, "tribute": "standard"})
    game.play_hand()
    owed = game.row().previous
    game.ready()
    first = game.hand()
    while game.hand().id == first.id:
        game.say(game.asked()[0], "yield")
    second = game.hand()
    first.refresh_from_db()
    assert (first.status, second.status) == (Hand.Status.VOID, Hand.Status.ACTIVE)
    assert second.number == first.number + 1
    assert second.first == first.first
    assert second.previous == first.previous == owed
    assert second.redeal
    assert game.view().redeal
    assert not HandResult.objects.filter(pk=first.id).exists()
    assert not Posting.objects.filter(key=f"hand:{first.id}").exists()
    assert replays.record_of(first.id)["server_seed"] == first.server_seed


def test_a_void_hand_with_a_trustee_breaks_the_table_up() -> None:
    game = club("lianzhong-simple", people=5, overrides={"crown": {"laps": 1}})
    first = game.hand()
    sleeper = next(seat for seat in game.people if seat not in game.asked())
    tables.set_trustee(table_id=game.id, player=game.people[sleeper], on=True, now=game.now)
    for _ in range(5):
        first.refresh_from_db()
        seats = [seat for seat in game.asked() if seat != sleeper]
        if first.status != Hand.Status.ACTIVE:
            break
        if seats:
            game.say(seats[0], "yield")
        else:
            game.tick()
    first.refresh_from_db()
    if first.status == Hand.Status.VOID:
        assert game.row().closed_because == "trustee"
    else:  # in the last lap the trustee accepts where it may (RULES §8.7)
        assert game.view().obs.emperor == sleeper  # type: ignore[union-attr]


def test_a_deal_in_which_nobody_can_be_emperor_is_void_and_the_next_follows() -> None:
    rules = load_rules("lianzhong-classic").to_json()
    rules["guard"]["callable"] = "W"
    rules["crown"]["force"] = "none"
    rules["crown"]["yield"] = "none"
    rules["solo"]["grab"] = "none"
    ruleset = load_rules(rules)
    hopeless = next(
        seed
        for seed in range(50)
        if begin(ruleset, deal(ruleset, seed.to_bytes(SEED_BYTES, "big"), [""] * 5, 0)).step is Step.VOID
    )
    game = club(rules, people=1, seed=hopeless)
    assert game.row().status == Table.Status.BETWEEN
    assert game.hand().status == Hand.Status.VOID
    game.tick()
    assert game.hand().number == 2
    assert game.hand().redeal


def test_the_commitment_is_shown_before_anybody_contributes_and_holds() -> None:
    game = club(people=2, ready=False)
    shown = game.view(0).next_commit
    tables.contribute(table_id=game.id, player=game.people[0], text="零号的话")
    tables.contribute(table_id=game.id, player=game.people[1], text="one")
    tables.contribute(table_id=game.id, player=game.people[1], text="two")
    assert game.view(1).next_commit == shown
    game.ready()
    hand = game.hand()
    assert game.view().commit == hand.commit == shown
    assert commitment(bytes.fromhex(hand.server_seed)) == shown
    assert hand.clients == ["零号的话", "two", "", "", ""]
    assert game.view().next_commit != shown
    with pytest.raises(replays.NotOver):
        replays.record_of(hand.id)
    with pytest.raises(replays.NotOver):
        replays.deal_data(hand.id)
    game.play_hand()
    assert replays.deal_data(hand.id)["clients"] == hand.clients


@pytest.mark.parametrize("text", ["x" * 65, "中" * 22, "a\x00b", "\ud800", None, 5])
def test_a_contribution_that_does_not_fit_is_refused(text: object) -> None:
    game = club(people=1, ready=False)
    with pytest.raises(Refused, match="malformed"):
        tables.contribute(table_id=game.id, player=game.people[0], text=text)  # type: ignore[arg-type]


def test_the_longest_contribution_fits() -> None:
    game = club(people=1, ready=False)
    tables.contribute(table_id=game.id, player=game.people[0], text="x" * 64)
    game.ready()
    assert game.hand().clients[0] == "x" * 64
