"""Guests, accounts and tokens as services, without pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from accounts.models import ApiToken, Player
from accounts.services import ledger, limits, players, tokens

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def test_a_guest_has_a_name_of_his_own_and_no_password_but_the_same_beans() -> None:
    first, second = players.make_guest(), players.make_guest()
    assert first.username.startswith("游客")
    assert first.username[2:].isdigit()
    assert first.username != second.username
    assert first.is_guest
    assert not first.has_usable_password()
    assert ledger.balance(first) == 1000


def test_a_guest_finds_a_longer_name_when_the_short_ones_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.services.players.secrets.randbelow", lambda below: 0)
    assert [players.make_guest().username for _ in range(3)] == ["游客1000", "游客10000", "游客100000"]


def test_a_claimed_guest_keeps_his_row_and_his_beans() -> None:
    guest = players.make_guest()
    ledger.grant(guest, 7, "gift", "gift")
    kept = players.claim_guest(guest, "老王", "a good pass")
    assert kept.pk == guest.pk
    assert not kept.is_guest
    assert kept.check_password("a good pass")
    assert ledger.balance(kept) == 1007


def test_a_guest_is_claimed_once() -> None:
    guest = players.make_guest()
    players.claim_guest(guest, "老王", "a good pass")
    with pytest.raises(players.AlreadyClaimed):
        players.claim_guest(guest, "老李", "another pass")
    assert Player.objects.get(pk=guest.pk).username == "老王"


@pytest.mark.parametrize("taken", ["Anna", "anna", "ANNA", "ＡＮＮＡ"])
def test_a_name_belongs_to_one_player_however_it_is_written(taken: str) -> None:
    players.sign_up(username="Anna", password="a good pass")
    guest = players.make_guest()
    with pytest.raises(players.NameTaken):
        players.sign_up(username=taken, password="a good pass")
    with pytest.raises(players.NameTaken):
        players.claim_guest(guest, taken, "a good pass")
    assert Player.objects.get(pk=guest.pk).is_guest


def test_a_refused_sign_up_leaves_no_account_and_no_beans() -> None:
    players.sign_up(username="安", password=None)
    issued = ledger.house_account("issue").balance
    with pytest.raises(players.NameTaken):
        players.sign_up(username="安", password=None)
    assert ledger.house_account("issue").balance == issued


def test_preferences_start_from_defaults_and_keep_what_is_set() -> None:
    ann = players.sign_up(username="安", password=None)
    assert (ann.preference("theme"), ann.preference("four_color")) == ("auto", False)
    players.set_preferences(ann, {"four_color": True})
    assert players.set_preferences(ann, {"direction": "clockwise"}) == {
        "theme": "auto",
        "four_color": True,
        "direction": "clockwise",
    }
    assert Player.objects.get(pk=ann.pk).preference("four_color") is True


@pytest.mark.parametrize("change", [{"theme": "pink"}, {"four_color": "yes"}, {"size": 3}, {"direction": True}])
def test_a_preference_that_does_not_exist_is_refused(change: dict[str, object]) -> None:
    ann = players.sign_up(username="安", password=None)
    with pytest.raises(ValueError):
        players.set_preferences(ann, change)
    assert Player.objects.get(pk=ann.pk).preferences == {}


def test_of_a_token_only_a_hash_is_stored() -> None:
    ann = players.sign_up(username="安", password=None)
    text = players.make_token(ann, "score board")
    row = ApiToken.objects.get()
    assert text not in {str(value) for value in vars(row).values()}
    assert row.digest == tokens.digest(text)
    assert players.check_token(text) == ann


@pytest.mark.parametrize("text", ["", "bh_", "bh_wrong", "游客"])
def test_an_unknown_token_is_nobody(text: str) -> None:
    players.make_token(players.sign_up(username="安", password=None), "")
    assert players.check_token(text) is None


def test_a_token_ends_when_it_is_revoked_by_its_owner_only() -> None:
    ann, bob = players.sign_up(username="安", password=None), players.sign_up(username="波", password=None)
    text = players.make_token(ann, "")
    token = ApiToken.objects.get()
    assert not players.revoke_token(bob, token.pk)
    assert players.check_token(text) == ann
    assert players.revoke_token(ann, token.pk)
    assert players.check_token(text) is None
    assert not players.revoke_token(ann, token.pk)


def test_the_token_of_an_account_out_of_use_opens_nothing() -> None:
    ann = players.sign_up(username="安", password=None)
    text = players.make_token(ann, "")
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    assert players.check_token(text) is None


def test_the_last_use_of_a_token_is_written_at_most_once_a_minute() -> None:
    text = players.make_token(players.sign_up(username="安", password=None), "")
    for later, seen in ((0, 0), (59, 0), (60, 60)):
        tokens.check_token(text, NOW + timedelta(seconds=later))
        assert ApiToken.objects.get().last_used == NOW + timedelta(seconds=seen)


def test_apitoken_prints_a_working_token_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("apitoken", "bench", "--create", "--count", "3")
    lines = capsys.readouterr().out.split()
    assert [str(players.check_token(line)) for line in lines] == ["bench1", "bench2", "bench3"]
    call_command("apitoken", "BENCH2")
    assert str(players.check_token(capsys.readouterr().out.strip())) == "bench2"
    assert Player.objects.count() == 3


def test_apitoken_opens_no_account_unless_asked_to() -> None:
    with pytest.raises(CommandError, match="--create"):
        call_command("apitoken", "nobody")


def test_apitoken_makes_all_tokens_or_none() -> None:
    with pytest.raises(CommandError):
        call_command("apitoken", "a" * 15, "--create", "--count", "10")
    assert Player.objects.count() == 0
    assert ApiToken.objects.count() == 0


def test_an_address_is_stopped_after_its_limit_and_others_are_not() -> None:
    assert [limits.allow("test", "10.0.0.1", limit=2) for _ in range(3)] == [True, True, False]
    assert limits.allow("test", "10.0.0.2", limit=2)
    assert limits.allow("other", "10.0.0.1", limit=2)
