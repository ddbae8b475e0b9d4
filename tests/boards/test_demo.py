"""Invented data: it fits everything that checks stored data, says what it is, and never comes among real accounts."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import Player
from accounts.selectors import ledger_report
from games.models import Hand, HandResult, Season, Tally
from games.services import recount
from tests.boards.hands import person

pytestmark = pytest.mark.django_db(transaction=True)


def run(command: str, *words: str) -> str:
    out = StringIO()
    call_command(command, *words, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_demo_data_holds_together_and_every_page_opens() -> None:
    out = run("seed_demo", "--players", "40", "--hands", "400", "--password", "four-decks")
    assert "40 players, 5 clubs" in out
    assert "400 demo hands" in out
    assert HandResult.objects.count() == 400
    assert Player.objects.count() == 40
    assert recount.check().lines == []
    assert ledger_report().balanced
    assert Season.objects.filter(closed_after__isnull=False).exists()
    assert Tally.objects.filter(final=True).exists()
    assert run("refold").startswith("400 demo hands, which have no log, were left out\n0 hands")

    client = Client()
    busiest = Tally.objects.filter(scope=0, period="all", preset="").order_by("-hands").first()
    assert busiest is not None
    assert (
        client.post("/accounts/login/", {"username": busiest.player.username, "password": "four-decks"}).status_code
        == 302
    )
    html = client.get("/hands/").content.decode()
    assert "示例数据" in html
    hand = Hand.objects.filter(table__club=None).first()
    assert hand is not None
    assert f"/hands/{hand.pk}/" not in html
    assert client.get(f"/hands/{hand.pk}/").status_code == 404
    assert "等级分" in client.get("/boards/").content.decode()


def test_a_real_account_keeps_demo_data_out() -> None:
    person("真人")
    with pytest.raises(CommandError, match="nothing was written"):
        run("seed_demo", "--players", "10", "--hands", "10")
    assert Player.objects.count() == 1
    assert not Hand.objects.exists()


def test_it_does_not_come_twice() -> None:
    run("seed_demo", "--players", "8", "--hands", "5")
    with pytest.raises(CommandError):
        run("seed_demo", "--players", "8", "--hands", "5")
    assert Hand.objects.count() == 5


def test_pages_can_be_measured() -> None:
    with pytest.raises(CommandError, match="no hands"):
        run("bench_pages")
    run("seed_demo", "--players", "20", "--hands", "60")
    out = run("bench_pages", "--times", "1", "--ms", "60000")
    assert out.count(" 200 ") >= 13
