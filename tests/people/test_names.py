"""Names: once in thirty days, the old one kept, nobody taken for somebody else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player, ReservedName
from accounts.name_keys import key_of
from accounts.services import names
from accounts.services.players import NameTaken, claim_guest, make_guest, sign_up

NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "one, other",
    [
        ("Anna", "aNNA"),
        ("Anna", "Аnnа"),  # Cyrillic
        ("Anna", "Ａｎｎａ"),
        ("Anna", "Ännä"),
        ("bob", "b0b"),
        ("Bill", "Bi1l"),
        ("straße", "STRASSE"),
        ("老王", "⽼王"),  # a radical for the letter
        ("王二", "王ニ"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize("one, other", [("老王", "老玉"), ("か", "が"), ("각", "가"), ("Anna", "Anne"), ("a-b", "a_b")])
def test_names_that_differ_to_the_eye_have_two(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


def refusal(player: Player, name: str, now: datetime = NOW) -> str:
    try:
        names.change(player=player, name=name, now=now)
    except names.NameRefused as refused:
        return refused.code
    return ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name, code",
    [
        ("安静", ""),
        ("  安静 ", ""),
        ("安娜", "same"),
        ("BOB", "taken"),
        ("ВОВ", "taken"),  # all Cyrillic
        ("Воb", "mixed"),
        ("Αnna", "mixed"),  # a Greek capital
        ("Ａнна", "mixed"),
        ("Ivan伊万", ""),
        ("Иван", ""),
        (".", "signs_only"),
        ("@", "signs_only"),
        ("-", "signs_only"),
        ("_.+", "signs_only"),
        ("安\0静", "invalid"),
        ("游客12345", "house"),
        ("已注销7", "house"),
        ("安 娜", "invalid"),
        ("安/娜", "invalid"),
        ("一" * 17, "invalid"),
        ("", "invalid"),
    ],
)
def test_a_name_is_changed_or_refused_with_a_word(name: str, code: str) -> None:
    player = sign_up(username="安娜", password=None)
    sign_up(username="bob", password=None)
    assert refusal(player, name) == code
    assert Player.objects.get(pk=player.pk).username == ("安娜" if code else name.strip())


@pytest.mark.django_db
def test_a_name_is_changed_once_in_thirty_days_and_the_old_one_stays_ones_own_for_a_time() -> None:
    now = timezone.now()
    ann, bob = sign_up(username="Ann", password=None), sign_up(username="Bob", password=None)
    assert refusal(ann, "Anna", now) == ""
    assert refusal(ann, "Annika", now) == "too_soon"
    assert refusal(bob, "aNN", now) == "taken"
    with pytest.raises(NameTaken):
        sign_up(username="ann", password=None)
    with pytest.raises(NameTaken):
        claim_guest(make_guest(), "Аnn", "schöner Tag 7")
    assert refusal(ann, "Ann", now + timedelta(days=30)) == ""
    assert not ReservedName.objects.filter(name="Ann").exists()
    assert refusal(bob, "Anna", now + timedelta(days=30)) == "taken"
    assert refusal(bob, "Anna", now + timedelta(days=121)) == ""


@pytest.mark.django_db
def test_capitals_alone_may_be_changed_and_nothing_is_reserved_for_that() -> None:
    ann = sign_up(username="ann", password=None)
    assert refusal(ann, "Ann") == ""
    assert not ReservedName.objects.exists()
    assert Player.objects.get(pk=ann.pk).username == "Ann"


@pytest.mark.django_db
def test_a_guest_takes_a_name_with_an_account_only() -> None:
    assert refusal(make_guest(), "安娜") == "guest"


@pytest.mark.django_db
@pytest.mark.parametrize("name, words", [
    (".", "名字里要有文字或者数字"),
    ("@", "名字里要有文字或者数字"),
    ("-", "名字里要有文字或者数字"),
    ("Воb", "不能混用长得一样的外文字母"),
    ("安\0静", "名字里有看不见的字符"),
])  # fmt: skip
def test_a_misleading_name_is_refused_with_a_sentence_at_sign_up_and_at_a_change(name: str, words: str) -> None:
    form = {"username": name, "password1": "lang genug 77", "password2": "lang genug 77"}
    answer = Client().post("/accounts/signup/", form)
    assert words in answer.content.decode()
    player = sign_up(username="安娜", password=None)
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    assert words in client.post("/accounts/name/", {"name": name}).content.decode()
    assert list(Player.objects.values_list("username", flat=True)) == ["安娜"]
