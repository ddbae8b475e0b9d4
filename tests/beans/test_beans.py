"""Relief once a day, what admins may do to beans, and what is asked of whoever sits down."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.models import Account, AuditEntry, Player, Posting
from accounts.models.ledger import LedgerIsAppendOnly
from accounts.services import audit, bean_admin, ledger, relief
from accounts.services.bean_admin import BeanRefused
from accounts.services.players import make_guest, sign_up
from games.models import Seat, Table
from games.services import table_setup, tables
from games.services.errors import Refused
from tests.games.play_helpers import club

NOW = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)  # 18:00 in Shanghai


def person(name: str, beans: int | None = None) -> Player:
    player = sign_up(username=name, password=None)
    if beans is not None:
        ledger.grant(player, beans - ledger.balance(player), f"test:{player.pk}", "test")
    return player


def admin(name: str = "管") -> Player:
    player = sign_up(username=name, password=None)
    Player.objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    return Player.objects.get(pk=player.pk)


def why_not(call: Callable[[], Any]) -> str:
    """The code of the refusal; "" when it was done."""
    try:
        call()
    except (relief.ReliefRefused, BeanRefused, Refused) as refused:
        return refused.code
    return ""


def account(player: Player) -> Account:
    return Account.objects.get(player=player)


# --- relief


@pytest.mark.django_db
@pytest.mark.parametrize("beans, code", [(1000, "enough"), (200, "enough"), (199, ""), (0, ""), (-700, "")])
def test_relief_is_for_whoever_has_fewer_beans_than_the_floor(beans: int, code: str) -> None:
    player = person("安", beans)
    assert relief.standing(player, NOW).code == code
    assert why_not(lambda: relief.claim(player, NOW)) == code
    assert ledger.balance(player) == beans + (0 if code else relief.BEANS)


@pytest.mark.django_db
def test_relief_is_had_once_in_a_day_of_the_site_and_again_on_the_next() -> None:
    player = person("安", -5000)
    midnight = NOW + timedelta(hours=6)
    got = [why_not(lambda at=at: relief.claim(player, at)) for at in (NOW, NOW, midnight - timedelta(seconds=1))]
    assert got == ["", "done", "done"]
    assert why_not(lambda: relief.claim(player, midnight)) == ""
    assert ledger.balance(player) == -5000 + 2 * relief.BEANS
    call_command("check_ledger")


@pytest.mark.django_db
def test_whoever_never_had_an_account_of_beans_may_ask() -> None:
    player = Player.objects.create_user(username="安")
    assert relief.standing(player, NOW).open
    relief.claim(player, NOW)
    assert ledger.balance(player) == relief.BEANS


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_give_one_relief() -> None:
    player = person("安", 0)
    ledger.house_account("issue")
    start, codes = threading.Barrier(4), []

    def press() -> None:
        start.wait()
        codes.append(why_not(lambda: relief.claim(player, NOW)))
        connection.close()

    presses = [threading.Thread(target=press) for _ in range(4)]
    for thread in presses:
        thread.start()
    for thread in presses:
        thread.join()
    assert sorted(codes) == ["", "done", "done", "done"]
    assert ledger.balance(player) == relief.BEANS
    call_command("check_ledger")


# --- admins


@pytest.mark.django_db
def test_a_grant_moves_beans_once_and_is_noted_with_who_when_and_why() -> None:
    player, by = person("安"), admin()
    for amount in (300, 900):
        bean_admin.grant(player=player, amount=amount, key="form-1", by=by, reason="比赛奖品", now=NOW)
    bean_admin.grant(player=player, amount=-100, key="form-2", by=by, reason="发多了", now=NOW)
    assert ledger.balance(player) == 1200
    key = audit.key_of(account(player))
    noted = list(AuditEntry.objects.order_by("pk").values_list("by", "action", "target", "label", "reason", "at"))
    assert noted == [
        (by.pk, "beans.grant", key, "安", "+300 比赛奖品", NOW),
        (by.pk, "beans.grant", key, "安", "-100 发多了", NOW),
    ]
    call_command("check_ledger")


@pytest.mark.django_db
def test_a_posting_is_taken_back_once_and_a_reversal_never() -> None:
    ann, bob, by = person("安"), person("波"), admin()
    hand = ledger.settle_hand(hand_id="h1", beans={ann: 24, bob: -7}, rounding=1)
    undone = [bean_admin.reverse(posting=hand, by=by, reason="网络坏了", now=NOW) for _ in range(2)]
    assert undone[0] == undone[1]
    assert (ledger.balance(ann), ledger.balance(bob)) == (1000, 1000)
    assert AuditEntry.objects.filter(action="beans.reverse", reason="网络坏了", by=by).count() == 1
    assert why_not(lambda: bean_admin.reverse(posting=undone[0], by=by, reason="又要", now=NOW)) == "reversal"
    call_command("check_ledger")


@pytest.mark.django_db
@pytest.mark.parametrize("amount", [0, 10**10, 1.5, True])
def test_a_grant_of_no_sensible_number_is_refused(amount: Any) -> None:
    player, by = person("安"), admin()
    refused = why_not(lambda: bean_admin.grant(player=player, amount=amount, key="k", by=by, reason="r", now=NOW))
    assert refused == "amount"
    assert ledger.balance(player) == 1000


@pytest.mark.django_db
def test_without_the_permission_or_a_reason_nothing_is_done_and_nothing_noted() -> None:
    player, by = person("安"), admin()
    staff = person("工")
    Player.objects.filter(pk=staff.pk).update(is_staff=True)
    staff = Player.objects.get(pk=staff.pk)
    posting = Posting.objects.get(key=f"welcome:{player.pk}")
    acts: list[Callable[[Player, str], Any]] = [
        lambda who, why: bean_admin.grant(player=player, amount=5, key="k", by=who, reason=why, now=NOW),
        lambda who, why: bean_admin.reverse(posting=posting, by=who, reason=why, now=NOW),
        lambda who, why: bean_admin.freeze(account=account(player), on=True, by=who, reason=why, now=NOW),
    ]
    for act in acts:
        assert why_not(lambda act=act: act(player, "mine")) == "forbidden"
        assert why_not(lambda act=act: act(staff, "mine")) == "forbidden"
        assert why_not(lambda act=act: act(by, "  ")) == "reason"
    assert (ledger.balance(player), account(player).frozen, AuditEntry.objects.count()) == (1000, False, 0)


@pytest.mark.django_db
def test_what_is_noted_is_never_changed() -> None:
    note = audit.note(by=admin(), action="test.act", target="x:1", reason="r", now=NOW)
    note.reason = "other"
    for change in (note.save, note.delete, lambda: AuditEntry.objects.update(reason="other")):
        with pytest.raises(LedgerIsAppendOnly):
            change()


# --- sitting down


@pytest.mark.django_db
@pytest.mark.parametrize("entry, beans, code", [(0, -50, ""), (500, 500, ""), (500, 499, "too_few_beans")])
def test_a_table_asks_for_its_entry(entry: int, beans: int, code: str) -> None:
    host, guest = person("主", 5000), person("客", beans)
    table = table_setup.open_table(player=host, rules="standard", entry=entry, now=NOW)
    assert why_not(lambda: tables.sit(table_id=table.pk, player=guest, now=NOW)) == code
    assert Seat.objects.filter(table=table, player=guest).exists() == (code == "")


@pytest.mark.django_db
def test_nobody_opens_a_table_he_could_not_sit_at() -> None:
    host = person("主", 100)
    refused = why_not(lambda: table_setup.open_table(player=host, rules="standard", entry=101, now=NOW))
    assert refused == "too_few_beans"
    assert not Table.objects.exists()
    assert why_not(lambda: table_setup.open_table(player=host, rules="standard", entry=-1, now=NOW)) == "malformed"


@pytest.mark.django_db
def test_whoever_sits_already_moves_about_although_his_beans_are_gone() -> None:
    host, guest = person("主"), person("客", 600)
    table = table_setup.open_table(player=host, rules="standard", entry=500, now=NOW)
    tables.sit(table_id=table.pk, player=guest, now=NOW)
    ledger.grant(guest, -600, "lost", "test")
    assert tables.sit(table_id=table.pk, player=guest, seat=4, now=NOW) == 4


@pytest.mark.django_db
def test_a_frozen_account_keeps_from_stakes_and_relief_and_from_nothing_else() -> None:
    host, frozen, by = person("主"), person("冻", 0), admin()
    bean_admin.freeze(account=account(frozen), on=True, by=by, reason="查一下", now=NOW)
    rich = table_setup.open_table(player=host, rules="standard", room=1, now=NOW)
    free = table_setup.open_table(player=host, rules="standard", room=0, now=NOW)
    assert why_not(lambda: tables.sit(table_id=rich.pk, player=frozen, now=NOW)) == "frozen"
    assert why_not(lambda: table_setup.open_table(player=frozen, rules="standard", now=NOW)) == "frozen"
    assert why_not(lambda: tables.sit(table_id=free.pk, player=frozen, now=NOW)) == ""
    assert why_not(lambda: relief.claim(frozen, NOW)) == "frozen"
    bean_admin.freeze(account=account(frozen), on=False, by=by, reason="没事", now=NOW)
    assert why_not(lambda: tables.sit(table_id=rich.pk, player=frozen, now=NOW)) == ""
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "beans.freeze",
        "beans.unfreeze",
    ]


@pytest.mark.django_db
def test_whoever_is_frozen_while_he_sits_is_not_ready_for_another_hand() -> None:
    table = club(people=2, ready=False)
    player = table.people[1]
    bean_admin.freeze(account=account(player), on=True, by=admin(), reason="查", now=NOW)
    assert why_not(lambda: tables.ready(table_id=table.id, player=player, now=table.now)) == "frozen"


@pytest.mark.django_db
def test_a_house_account_is_not_frozen() -> None:
    house = ledger.house_account("rounding")
    assert why_not(lambda: bean_admin.freeze(account=house, on=True, by=admin(), reason="r", now=NOW)) == "house"


# --- one's own multiplier


@pytest.mark.django_db
def test_a_new_multiplier_asks_everybody_again_and_counts_in_the_next_hand() -> None:
    table = club(people=2, ready=False, seed=3)
    first, second = table.people[0], table.people[1]
    tables.ready(table_id=table.id, player=first, now=table.now)
    tables.set_multiplier(table_id=table.id, player=second, multiplier=3, now=table.now)
    assert not Seat.objects.filter(table=table.table, player__isnull=False, ready=True).exists()
    tables.ready(table_id=table.id, player=first, now=table.now)
    tables.set_multiplier(table_id=table.id, player=second, multiplier=3, now=table.now)
    assert Seat.objects.get(table=table.table, player=first).ready
    tables.ready(table_id=table.id, player=second, now=table.now)
    hand = table.hand()
    assert [seat["multiplier"] for seat in hand.players] == [1, 3, 1, 1, 1]
    assert why_not(lambda: tables.set_multiplier(table_id=table.id, player=second, multiplier=1, now=table.now)) == (
        "playing"
    )


@pytest.mark.django_db
@pytest.mark.parametrize("multiplier", [0, 101, -1, "2", 1.0])
def test_a_multiplier_is_a_whole_number_within_bounds(multiplier: Any) -> None:
    table = club(people=1, ready=False)
    player = table.people[0]
    refused = why_not(
        lambda: tables.set_multiplier(table_id=table.id, player=player, multiplier=multiplier, now=table.now)
    )
    assert refused == "malformed"


@pytest.mark.django_db
def test_only_who_sits_has_a_multiplier() -> None:
    table, stranger = club(people=1, ready=False), make_guest()
    refused = why_not(lambda: tables.set_multiplier(table_id=table.id, player=stranger, multiplier=2, now=table.now))
    assert refused == "not_seated"
