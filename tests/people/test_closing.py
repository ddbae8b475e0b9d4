"""Guests who stay, one's data in a file, and closing an account: what is kept and what goes."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Account, Membership, Player, ReservedName
from accounts.services import blocks, closing, clubs, ledger, names
from accounts.services.players import claim_guest, make_guest, make_token, sign_up
from games.models import DirectorAct, Hand, Seat, SeatResult, Table
from games.services import event_clock, event_direction, events, table_setup, tables
from tests.clubs.people import cast, client_of, person
from tests.events.evening import START, evening
from tests.games.play_helpers import Club, club
from tests.people.browsing import GOOD, logged_in, text

pytestmark = pytest.mark.django_db


# --- guests who stay


@pytest.mark.slow
def test_a_guest_who_claims_keeps_seat_hand_beans_and_results() -> None:
    guest, friend = make_guest(), person("友")
    now = timezone.now()
    table = table_setup.open_table(player=friend, rules="lianzhong-simple", entry=500, bots=3, now=now)
    tables.sit(table_id=table.pk, player=guest, now=now)
    tables.set_multiplier(table_id=table.pk, player=guest, multiplier=2, now=now)
    seats = {seat.player_id: seat.number for seat in table.seats.all()}
    game = Club(table, {seats[friend.pk]: friend, seats[guest.pk]: guest}, now)
    game.ready()
    claimed = claim_guest(guest, "安娜", GOOD)
    game.people[seats[guest.pk]] = claimed
    game.play_hand()
    row = SeatResult.objects.get(player=claimed)
    assert (claimed.pk, row.multiplier) == (guest.pk, 2)
    assert ledger.balance(claimed) == 1000 + row.beans
    assert Seat.objects.get(table=table, player=claimed).number == seats[guest.pk]
    call_command("check_ledger")


# --- one's data


@pytest.mark.slow
def test_the_file_has_everything_of_ones_own_and_no_secret_of_anybody_else() -> None:
    game = club(people=2, seed=5)
    ann, bob = game.people[0], game.people[1]
    for player, address in ((ann, "ann@example.org"), (bob, "bob@example.org")):
        Player.objects.filter(pk=player.pk).update(email=address)
    hand = game.play_hand()
    tokens = [make_token(ann, "mine"), make_token(bob, "bobs-label")]
    blocks.block(ann, bob)
    blocks.mute(bob, ann)
    client = client_of(Player.objects.get(pk=ann.pk))
    answer = client.post("/accounts/export/")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    raw = answer.content.decode()
    data = json.loads(raw)
    assert data["account"]["email"] == "ann@example.org"
    assert [token["label"] for token in data["tokens"]] == ["mine"]
    assert [(row["kind"], row["other__username"]) for row in data["blocks"]] == [("block", bob.username)]
    kept = SeatResult.objects.get(player=ann)
    (told,) = data["hands"]
    assert (told["hand"], told["role"], told["points"]) == (hand.pk, kept.role, kept.points)
    dealt = Hand.objects.get(pk=hand.pk).deal["hands"]
    assert sorted(told["cards"]) == sorted(dealt[0])
    said = list(hand.actions.filter(seat=0).order_by("seq").values_list("text", flat=True))
    assert [action["text"] for action in told["actions"]] == said
    assert data["beans"]["balance"] == sum(row["amount"] for row in data["beans"]["postings"])
    for secret in (*tokens, ann.password, "bob@example.org", "bobs-label", '"mute"', hand.server_seed):
        assert secret not in raw, secret


def test_a_hand_that_is_still_on_is_not_in_the_file() -> None:
    game = club(people=1, seed=5)
    data = json.loads(client_of(game.people[0]).post("/accounts/export/").content)
    assert data["hands"] == []
    assert [row["table_id"] for row in data["tables"]["sits_at"]] == [game.id]


def test_the_file_is_made_some_times_an_hour() -> None:
    client = client_of(person("安"))
    cache.clear()
    assert [client.post("/accounts/export/").status_code for _ in range(11)] == [200] * 10 + [429]


# --- closing


@pytest.mark.slow
def test_whoever_closes_is_gone_and_the_others_keep_their_hands() -> None:
    game = club(people=2, seed=5)
    ann, bob = game.people[0], game.people[1]
    hand = game.play_hand()
    ann.set_password(GOOD)
    ann.save()
    token, client = make_token(ann), client_of(Player.objects.get(pk=ann.pk))
    assert "密码不对" in text(client, "/accounts/close/", {"password": "wrong", "sure": "on"})
    assert "请先打勾" in text(client, "/accounts/close/", {"password": GOOD})
    assert Player.objects.get(pk=ann.pk).is_active
    assert "账号注销了" in text(client, "/accounts/close/", {"password": GOOD, "sure": "on"})
    gone = Player.objects.get(pk=ann.pk)
    assert (gone.is_active, gone.email, gone.username) == (False, "", f"已注销{ann.pk}")
    assert not logged_in(client)
    assert Client().get("/accounts/", HTTP_AUTHORIZATION=f"Bearer {token}").status_code == 401
    assert Account.objects.get(player=gone).balance == 0
    assert not Seat.objects.filter(player=gone).exists()
    names = [seat["name"] for seat in Hand.objects.get(pk=hand.pk).players]
    assert names[:2] == ["已注销", bob.username]
    assert SeatResult.objects.filter(player=gone).count() == 1
    page = text(client_of(bob), f"/hands/{hand.pk}/")
    assert "已注销" in page
    assert ann.username not in re.sub(r"人\d{2,}", "", page)
    assert Client().get(f"/players/已注销{ann.pk}/").status_code == 404
    assert Client().get(f"/players/{ann.username}/").status_code == 404
    call_command("check_ledger")
    call_command("refold")
    reserved = ReservedName.objects.get()
    assert reserved.name == ann.username
    answer = Client().post("/accounts/signup/", {"username": ann.username, "password1": GOOD, "password2": GOOD})
    assert "太像" in answer.content.decode()
    ReservedName.objects.update(until=timezone.now())
    assert sign_up(username=ann.username, password=None).pk != ann.pk


@pytest.mark.parametrize("beans", [-300, 0, 250])
def test_closing_leaves_no_bean_and_no_debt_and_twice_changes_nothing(beans: int) -> None:
    player = person("安")
    ledger.grant(player, beans - 1000, "x", "test")
    for _ in range(2):
        closing.close(player=player, now=timezone.now())
    assert ledger.balance(player) == 0
    assert Account.objects.get(code="issue").balance == 0
    call_command("check_ledger")


def test_his_name_goes_from_what_directors_wrote_down_too() -> None:
    night = evening(people=6)
    gone, stays = night.people[0], night.people[1]
    old = gone.username
    names.change(player=gone, name="新名字", now=START)
    event_clock.run_event(night.id, night.later(3600))
    for number in (0, 1):
        events.withdraw(event_id=night.id, player=night.people[number], by=night.director, reason="病了", now=night.now)
        event_direction.rule(
            event_id=night.id,
            by=night.director,
            player=night.people[number],
            reason="迟到",
            penalty=Decimal(1),
            now=night.now,
        )
    closing.close(player=Player.objects.get(pk=gone.pk), now=night.now)
    said = [act.text for act in DirectorAct.objects.filter(event_id=night.id, act__in=("withdraw", "rule"))]
    assert sorted(said) == sorted(["已注销 病了", "已注销 迟到", f"{stays.username} 病了", f"{stays.username} 迟到"])
    page = text(client_of(night.director), f"/events/{night.id}/direct/")
    assert old not in page
    assert "新名字" not in page


def test_a_name_spelt_differently_goes_too_and_anothers_stays() -> None:
    night = evening(people=0)
    gone = person("Zeddyq")
    events.enter(event_id=night.id, player=gone, by=night.director, now=START)
    names.change(player=gone, name="ZEDDYQ", now=START)
    closing.close(player=Player.objects.get(pk=gone.pk), now=START + names.CHANGE_EVERY)
    assert not DirectorAct.objects.filter(text__icontains="zeddyq").exists()


def test_the_name_somebody_else_has_now_stays_in_his_notes() -> None:
    night = evening(people=0)
    gone = person("Origq")
    events.enter(event_id=night.id, player=gone, by=night.director, now=START)
    names.change(player=gone, name="Newq", now=START)
    later = START + names.RESERVED_FOR
    DirectorAct.objects.create(event_id=night.id, by=night.director, act="rule", text="Origq 迟到", at=later)
    closing.close(player=Player.objects.get(pk=gone.pk), now=later)
    assert DirectorAct.objects.filter(event_id=night.id, text="Origq 迟到").exists()


def test_who_waits_takes_the_place_of_who_closed_his_account() -> None:
    night = evening(people=3, limit=2)
    assert [night.entrant(n).status for n in range(3)] == ["entered", "entered", "waiting"]
    closing.close(player=night.people[0], now=START)
    assert [night.entrant(n).status for n in range(3)] == ["withdrawn", "entered", "entered"]
    assert night.entrant(0).why == "account"
    event_clock.run_event(night.id, night.later(3600))
    assert night.row().status == "running"


def refusal(player: Player) -> str:
    try:
        closing.close(player=player, now=timezone.now())
    except closing.ClosingRefused as refused:
        return refused.code
    return ""


def test_an_owner_hands_his_club_over_first_and_memberships_go() -> None:
    people = cast()
    owner, member = people["owner"], people["member"]
    assert refusal(owner) == "owner"
    assert Player.objects.get(pk=owner.pk).is_active
    assert refusal(member) == ""
    assert people.role("member") is None
    clubs.hand_over(club=people.club, by=owner, to=people["manager"])
    assert refusal(owner) == ""
    assert not Membership.objects.filter(player=owner).exists()
    assert people.fresh().owner == people["manager"]


def test_nobody_closes_in_the_middle_of_a_hand_and_no_admin_by_himself() -> None:
    game = club(people=1, seed=5)
    assert refusal(game.people[0]) == "playing"
    assert Seat.objects.filter(table_id=game.id, player=game.people[0]).exists()
    admin = person("管")
    admin.is_staff = True
    admin.save()
    assert refusal(admin) == "staff"


@pytest.mark.slow
def test_a_closing_that_breaks_in_the_middle_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = club(people=1, seed=5)
    player = game.people[0]
    hand = game.play_hand()

    def broken(**_kwargs: Any) -> None:
        raise RuntimeError("the machine is switched off")

    monkeypatch.setattr(closing.account_closed, "send", broken)
    with pytest.raises(RuntimeError):
        closing.close(player=player, now=timezone.now())
    kept = Player.objects.get(pk=player.pk)
    assert (kept.username, kept.is_active, kept.closed_at) == (player.username, True, None)
    assert Hand.objects.get(pk=hand.pk).players[0]["name"] == player.username
    monkeypatch.undo()
    closing.close(player=player, now=timezone.now())
    assert not Player.objects.get(pk=player.pk).is_active
    assert Table.objects.get(pk=game.id).status == Table.Status.CLOSED


def test_a_guest_closes_without_a_password_and_his_name_is_reserved_for_nobody() -> None:
    client = Client()
    client.post("/accounts/guest/")
    assert 'name="password"' not in text(client, "/accounts/close/")
    client.post("/accounts/close/", {"sure": "on"})
    assert not Player.objects.get().is_active
    assert not ReservedName.objects.exists()
