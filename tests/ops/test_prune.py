"""Old logs go by the policy, results stay, and everything that shows a hand knows that its log is gone."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import Player
from accounts.services.players import sign_up
from games.models import ChatMessage, Hand, HandAction, HandResult, Report
from games.selectors import replays
from games.services import pruning
from tests.clubs.people import client_of
from tests.games.play_helpers import Club, club

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Club:
    """Two finished hands at a table."""
    made = club(people=1, seed=5)
    made.play_hand()
    made.ready()
    made.play_hand()
    return made


def player_like() -> Player:
    return sign_up(username="另一个", password=None)


def prune(game: Club, days_later: int, **options: int | bool) -> pruning.Pruned:
    policy: dict[str, int] = {"moves_days": 30, "chat_days": 30}
    now = game.now + timedelta(days=days_later)
    return pruning.prune(**{**policy, **options}, now=now)  # type: ignore[arg-type]


def test_only_moves_older_than_the_policy_go_and_the_last_hand_of_a_table_keeps_its_log(game: Club) -> None:
    first, last = Hand.objects.exclude(status="void").order_by("number")
    assert prune(game, 29) == pruning.Pruned(0, 0, 0, 0, 0)
    assert prune(game, 40, moves_days=0).actions == 0
    counted = first.seq
    assert prune(game, 40, dry=True).actions == counted
    assert prune(game, 40).actions == counted
    assert prune(game, 40).hands == 0
    assert not HandAction.objects.filter(hand=first).exists()
    assert HandAction.objects.filter(hand=last).count() == last.seq
    assert HandResult.objects.filter(hand=first).exists()
    assert client_of(game.people[0]).get(f"/t/{game.id}/").status_code == 200


def test_whoever_shows_or_checks_a_pruned_hand_knows(game: Club) -> None:
    hand = Hand.objects.exclude(status="void").order_by("number")[0]
    client = Client()
    before = client.get(f"/hands/{hand.pk}/").content.decode()
    prune(game, 40)
    page = client.get(f"/hands/{hand.pk}/").content.decode()
    assert "出牌的记录已经清理" in page
    assert before.count('class="points') == page.count('class="points') == 5
    assert client.get(f"/hands/{hand.pk}/fair/").status_code == 200
    assert client.get(f"/hands/{hand.pk}/deal.json").json()["server_seed"] == hand.server_seed
    assert client.get(f"/api/hands/{hand.pk}/record").status_code == 404
    with pytest.raises(replays.Pruned):
        replays.record_of(hand.pk)
    data = client_of(game.people[0]).post("/accounts/export/").json()
    assert [len(told["actions"]) == 0 for told in data["hands"]] == [True, False]
    out = StringIO()
    call_command("refold", stdout=out)
    assert "1 hands have no log any more" in out.getvalue()
    HandAction.objects.create(hand=hand, seq=1, seat=0, text="pass", source="player", action_id="x", at=timezone.now())
    with pytest.raises(Exception, match="1 differences"):
        call_command("refold", stdout=StringIO(), stderr=StringIO())


def test_a_hand_about_which_a_report_is_open_keeps_its_log(game: Club) -> None:
    hand = Hand.objects.exclude(status="void").order_by("number")[0]
    player, now = game.people[0], timezone.now()
    report = Report.objects.create(
        reporter=player, target=player_like(), hand=hand, table_id=game.id, category=Report.Category.values[0], at=now
    )
    assert prune(game, 40).hands == 0
    report.status = next(word for word in Report.Status.values if word != Report.Status.OPEN)
    report.handled_at = now
    report.save()
    assert prune(game, 40).hands == 1


def test_old_chat_and_sessions_that_are_over_go(game: Club, settings: Settings) -> None:
    settings.KEEP_MOVES_DAYS, settings.KEEP_CHAT_DAYS = 0, 30
    now = timezone.now()
    for days in (29, 31):
        ChatMessage.objects.create(
            table=game.row(), author=game.people[0], text=f"{days}", at=now - timedelta(days=days)
        )
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(seconds=1))
    Session.objects.create(session_key="new", session_data="", expire_date=now + timedelta(days=1))
    out = StringIO()
    call_command("prune", "--dry-run", stdout=out)
    call_command("prune", stdout=out)
    told = "0 actions of 0 hands, 1 lines of chat, 1 sessions, 0 reserved names"
    assert out.getvalue().splitlines() == [f"would go: {told}", f"gone: {told}"]
    assert list(ChatMessage.objects.values_list("text", flat=True)) == ["29"]
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]


@pytest.mark.slow
def test_a_pruning_that_breaks_between_two_steps_is_finished_the_next_time(
    game: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        game.ready()
        game.play_hand()
    hands = list(Hand.objects.exclude(status="void").order_by("number"))
    monkeypatch.setattr(pruning, "BATCH", 1)
    steps = iter([True, False])
    writing = pruning.writing

    def breaking() -> object:
        if not next(steps):
            raise RuntimeError("the machine is switched off")
        return writing()

    monkeypatch.setattr(pruning, "writing", breaking)
    with pytest.raises(RuntimeError):
        prune(game, 40)
    for hand in Hand.objects.filter(pk__in=[hand.pk for hand in hands]):
        assert hand.pruned == (not hand.actions.exists())
    monkeypatch.setattr(pruning, "writing", writing)
    prune(game, 40)
    assert Hand.objects.filter(pruned=True).count() >= len(hands) - 1
    call_command("refold", stdout=StringIO())
