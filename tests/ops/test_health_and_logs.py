"""The health page and the log lines say what an admin needs and nothing that is anybody's."""

from __future__ import annotations

import json
import logging
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from baohuang_site.logs import JsonLines, PlainLines, redacted, request_id
from games.models import Hand
from games.services import heartbeat
from tests.games.play_helpers import club


@pytest.mark.django_db
def test_the_page_counts_what_is_overdue_and_names_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "_last", None)
    game = club(people=1, now=timezone.now())
    Hand.objects.filter(table_id=game.id).update(due_at=timezone.now() - timedelta(minutes=1))
    answer = Client().get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"ok": True, "version": "0.1.0", "database": True, "overdue": 1, "clock": None}
    assert "no-store" in answer.headers["Cache-Control"]
    assert Client().post("/health/").status_code == 405


@pytest.mark.django_db
def test_a_clock_that_stands_still_is_an_illness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "_last", -1e9)
    answer = Client().get("/health/")
    assert (answer.status_code, answer.json()["ok"], answer.json()["clock"]) == (503, False, False)


@pytest.mark.parametrize(
    "last, alive", [(None, None), (100.0, True), (100.0 - heartbeat.LASTS_SECONDS, False), (99.0, True)]
)
def test_the_clock_is_alive_when_it_turned_lately(
    monkeypatch: pytest.MonkeyPatch, last: float | None, alive: bool | None
) -> None:
    monkeypatch.setattr(heartbeat, "_last", last)
    assert heartbeat.alive(100.0) is alive


@pytest.mark.parametrize(
    "line, kept",
    [
        ("token bh_AbC-12_34567890xyz used", "token *** used"),
        ("Not Found: /accounts/renew/Mg/c7x-0123abc/", "Not Found: /accounts/renew/***"),
        ("Not Found: /clubs/join/AbCdEf123/", "Not Found: /clubs/join/***/"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("Cookie: sessionid=abc123; csrftoken=zz", "Cookie: sessionid=***; csrftoken=***"),
        ("seed " + "0f" * 32, "seed ***"),
        ("GET /hands/?with=somebody", "GET /hands/?***"),
        ("password=secret&x=1", "password=***&x=1"),
        ("table k3v9x could not go on", "table k3v9x could not go on"),
    ],
)
def test_what_could_be_a_secret_is_blacked_out(line: str, kept: str) -> None:
    assert redacted(line) == kept


def record(message: str, *args: object, exc_info: object = None) -> logging.LogRecord:
    return logging.LogRecord("games.x", logging.ERROR, __file__, 1, message, args, exc_info)  # type: ignore[arg-type]


def test_a_line_is_one_json_object_with_the_request_it_belongs_to() -> None:
    token = request_id.set("abc")
    try:
        raise ValueError("bh_0123456789abcdef")
    except ValueError as error:
        text = JsonLines().format(
            record("table %s\nfailed", "k3v9x", exc_info=(ValueError, error, error.__traceback__))
        )
    finally:
        request_id.reset(token)
    assert "\n" not in text
    line = json.loads(text)
    assert (line["level"], line["logger"], line["message"]) == ("ERROR", "games.x", "table k3v9x\nfailed")
    assert line["request"] == "abc"
    assert "ValueError: ***" in line["exception"]
    assert "request" not in json.loads(JsonLines().format(record("x")))
    assert PlainLines("{message}", style="{").format(record("bh_0123456789")) == "***"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "given, kept", [("proxy-17", True), ("", False), ("x" * 65, False), ("a b", False), ("a\tb", False)]
)
def test_every_answer_carries_the_id_of_its_request(given: str, kept: bool) -> None:
    answers = [Client().get("/rules/", headers={"X-Request-ID": given}).headers["X-Request-ID"] for _ in range(2)]
    if kept:
        assert answers == [given, given]
    else:
        assert len(set(answers)) == 2
        assert given not in answers


@pytest.mark.django_db
def test_a_request_that_is_refused_is_logged_under_its_id_without_what_was_typed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    Client().get("/clubs/join/0123SECRET/", headers={"X-Request-ID": "r1"})
    Client().get("/no/such/page?token=0123SECRET", headers={"X-Request-ID": "r2"})
    lines = [JsonLines().format(found) for found in caplog.records if found.name == "django.request"]
    assert lines
    assert "0123SECRET" not in "".join(lines)
