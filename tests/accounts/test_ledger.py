"""Beans only move in balanced postings, once for each reason, and the balances always say what the entries say."""

from __future__ import annotations

import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Account, Entry, Player, Posting
from accounts.models.ledger import LedgerIsAppendOnly
from accounts.selectors import ledger_report
from accounts.services import ledger, players

pytestmark = pytest.mark.django_db


def person(name: str) -> Player:
    return players.sign_up(username=name, password=None)


def test_everybody_starts_with_a_thousand_beans_from_the_issue() -> None:
    ann = person("安")
    assert ledger.balance(ann) == 1000
    assert ledger.house_account("issue").balance == -1000
    ledger.welcome(ann)
    assert ledger.balance(ann) == 1000


def test_a_posting_that_does_not_sum_to_zero_is_refused_and_leaves_nothing() -> None:
    ann = person("安")
    before = Posting.objects.count()
    with pytest.raises(ledger.UnbalancedPosting):
        ledger.post(key="x", reason="test", amounts={ledger.player_account(ann): 5})
    assert Posting.objects.count() == before
    assert ledger.balance(ann) == 1000


@pytest.mark.parametrize("amount", [1.0, True, "1"])
def test_only_whole_numbers_are_beans(amount: object) -> None:
    account, house = ledger.player_account(person("安")), ledger.house_account("issue")
    with pytest.raises(ledger.UnbalancedPosting):
        ledger.post(key="x", reason="test", amounts={account: amount, house: -1})  # type: ignore[dict-item]


def test_the_same_key_again_gives_the_first_posting_and_moves_nothing() -> None:
    ann = person("安")
    first = ledger.grant(ann, 50, "gift:1", "gift")
    again = ledger.grant(ann, 70, "gift:1", "gift")
    assert again == first
    assert ledger.balance(ann) == 1050


def test_a_hand_settles_with_bots_and_rounding_and_only_once() -> None:
    ann, bob = person("安"), person("波")
    for _ in range(2):
        ledger.settle_hand(hand_id="h1", beans={ann: 24, bob: -7}, rounding=1, bots=-18)
    assert (ledger.balance(ann), ledger.balance(bob)) == (1024, 993)
    assert ledger.house_account("bots").balance == -18
    assert ledger.house_account("rounding").balance == 1
    assert ledger_report().balanced


def test_a_settlement_whose_bots_do_not_fit_is_refused() -> None:
    with pytest.raises(ledger.UnbalancedPosting):
        ledger.settle_hand(hand_id="h1", beans={person("安"): 24}, rounding=0, bots=-23)


def test_a_lost_hand_may_take_a_player_below_zero() -> None:
    ann = person("安")
    ledger.settle_hand(hand_id="h1", beans={ann: -1200}, rounding=0)
    assert ledger.balance(ann) == -200


def test_leaving_for_good_costs_forty_points_of_the_room_once() -> None:
    ann = person("安")
    for _ in range(2):
        ledger.penalty(hand_id="h1", player=ann, room=3)
    assert ledger.balance(ann) == 1000 - 120
    assert ledger.house_account("penalty").balance == 120


def test_a_reversed_posting_leaves_the_balances_as_they_were_and_both_postings_stay() -> None:
    ann = person("安")
    posting = ledger.grant(ann, 50, "gift:1", "gift")
    ledger.reverse(posting, memo="by mistake")
    ledger.reverse(posting, memo="by mistake")
    assert ledger.balance(ann) == 1000
    assert Posting.objects.filter(reason__in=["gift", "reverse"]).count() == 2


def test_a_settlement_goes_with_the_transaction_around_it() -> None:
    ann = person("安")
    with transaction.atomic():
        ledger.settle_hand(hand_id="h1", beans={ann: 24}, rounding=0)
        transaction.set_rollback(True)
    assert ledger.balance(ann) == 1000
    assert not Posting.objects.filter(key="hand:h1").exists()


def test_what_is_written_is_never_changed_or_deleted() -> None:
    person("安")
    for row in (Posting.objects.first(), Entry.objects.first()):
        with pytest.raises(LedgerIsAppendOnly):
            row.save()
        with pytest.raises(LedgerIsAppendOnly):
            row.delete()
    for model in (Posting, Entry):
        with pytest.raises(LedgerIsAppendOnly):
            model.objects.all().delete()
        with pytest.raises(LedgerIsAppendOnly):
            model.objects.update(pk=1)


def test_the_database_itself_refuses_an_entry_of_nothing_and_a_second_entry_of_one_account() -> None:
    posting = ledger.grant(person("安"), 5, "gift", "gift")
    entry = posting.entries.first()
    assert entry is not None
    for amount, account in ((0, ledger.house_account("penalty")), (5, entry.account)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Entry.objects.create(posting=posting, account=account, amount=amount)


def test_the_house_has_only_the_accounts_it_knows() -> None:
    with pytest.raises(ValueError):
        ledger.house_account("anybody")


def test_check_ledger_is_quiet_about_a_whole_ledger_and_names_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    ann = person("安")
    call_command("check_ledger")
    assert "the ledger balances" in capsys.readouterr().out
    Account.objects.filter(player=ann).update(balance=999)
    with pytest.raises(CommandError):
        call_command("check_ledger")
    faults = capsys.readouterr().err
    assert "account 安: balance 999, entries sum to 1000" in faults
    assert "instead of 0" in faults


def test_check_ledger_finds_a_posting_that_does_not_sum_to_zero(capsys: pytest.CaptureFixture[str]) -> None:
    posting = ledger.grant(person("安"), 5, "gift", "gift")
    Entry.objects.create(posting=posting, account=ledger.house_account("penalty"), amount=3)
    with pytest.raises(CommandError):
        call_command("check_ledger")
    assert "posting gift: entries sum to +3" in capsys.readouterr().err


moves = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-(10**6), 10**6), st.integers(0, 8)), max_size=12
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=moves)
def test_any_row_of_postings_keeps_the_total_at_zero_and_balances_at_the_sum_of_their_entries(
    moves: list[tuple[int, int, int, int]],
) -> None:
    with transaction.atomic():
        accounts = [ledger.player_account(person(name)) for name in "甲乙丙"] + [ledger.house_account("bots")]
        for giver, taker, amount, key in moves:
            if giver != taker:
                ledger.post(key=f"k{key}", reason="test", amounts={accounts[giver]: -amount, accounts[taker]: amount})
        report = ledger_report()
        assert report.balanced, report.faults
        assert report.total == 0
        transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
def test_postings_from_several_threads_at_once_all_count_and_one_key_counts_once() -> None:
    people = [person(name) for name in "甲乙丙丁"]
    errors: list[BaseException] = []

    def work(start: int) -> None:
        try:
            for turn in range(8):
                a, b = people[(start + turn) % 4], people[(start + turn + 1) % 4]
                ledger.settle_hand(hand_id=f"{start}-{turn}", beans={a: 10, b: -10}, rounding=0)
                ledger.settle_hand(hand_id=f"shared-{turn}", beans={people[0]: 1}, rounding=0)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert Posting.objects.filter(reason="hand").count() == 4 * 8 + 8
    assert ledger.house_account("bots").balance == -8
    assert ledger_report().balanced
