"""Settings come from the environment, a missing secret key is made once, and only private names are answered to."""

from __future__ import annotations

import ipaddress
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from baohuang_site import env, hosts

NAME = "BAOHUANG_DATA"


def test_the_secret_key_is_made_once_and_is_its_owners_only(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(env.secret_key, [tmp_path] * 8))
    assert len(keys) == 1
    (key,) = keys
    assert len(key) >= 64
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert env.secret_key(tmp_path) == key


def test_a_secret_key_from_the_environment_counts_and_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "given")
    assert env.secret_key(tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text, value", [("0.8-1.8", (0.8, 1.8)), ("2", (2.0, 2.0)), ("0-0", (0.0, 0.0)), ("", (1.0, 2.0))]
)
def test_a_range_of_seconds(monkeypatch: pytest.MonkeyPatch, text: str, value: tuple[float, float]) -> None:
    monkeypatch.setenv(NAME, text)
    assert env.span(NAME, "1-2") == value


@pytest.mark.parametrize("text", ["2-1", "fast", "1-2-3", "-1"])
def test_a_range_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.span(NAME, "1-2")


@pytest.mark.parametrize("text, value", [("1", True), ("yes", True), ("0", False), ("off", False), ("", True)])
def test_a_switch(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv(NAME, text)
    assert env.switch(NAME, default=True) is value


@pytest.mark.parametrize("text", ["0", "3601", "-1", "1.5", "ten"])
def test_a_number_out_of_its_bounds_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.whole(NAME, 15, 1, 3600)


def test_wrong_settings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "perhaps")
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.switch(NAME)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.whole(NAME, 1)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.choice(NAME, "FULL", ("FULL", "OFF"))


def test_only_loopback_and_private_addresses_are_answered_to_by_themselves() -> None:
    names = hosts.own_names()
    assert {"localhost", "127.0.0.1", "[::1]"} <= set(names)
    for address in hosts.private_addresses():
        assert ipaddress.ip_address(address.strip("[]")).is_private


@pytest.mark.parametrize(
    "address, url",
    [
        ("192.168.1.5", "192.168.1.5"),
        ("fd00::1", "[fd00::1]"),
        ("8.8.8.8", ""),
        ("127.0.0.1", ""),
        ("0.0.0.0", ""),
        ("name", ""),
    ],
)
def test_how_an_address_stands_in_a_url(address: str, url: str) -> None:
    assert hosts._in_url(address) == url


@pytest.mark.django_db
def test_sqlite_keeps_what_it_has_acknowledged() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("this run is on PostgreSQL")
    with connection.cursor() as cursor:
        read = {}
        for pragma in ("journal_mode", "foreign_keys", "busy_timeout"):
            cursor.execute(f"PRAGMA {pragma}")
            read[pragma] = cursor.fetchone()[0]
    assert read == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 20_000}
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
