"""Quick match: the table that fits best, or a new one; bots when patience ends, also after a restart."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from django.db import connections

from accounts.models import Player
from accounts.services import blocks
from accounts.services.players import sign_up
from games import history
from games.models import Table
from games.services import company, pacing, quick_match, table_setup, tables
from games.services.errors import Refused
from tests.games.play_helpers import START

pytestmark = pytest.mark.django_db
FAST = {"step": 10, "play": 10, "next": 15}


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def person(name: str) -> Player:
    return sign_up(username=name, password=None)


def people(table_id: str) -> int:
    return Table.objects.get(pk=table_id).seats.filter(player__isnull=False).count()


def test_two_find_each_other_and_bots_come_when_the_shortest_patience_ends() -> None:
    first = quick_match.join(player=person("甲"), patience=120, now=START)
    row = Table.objects.get(pk=first)
    assert (row.public, row.quick, row.wait_for, row.wait_until) == (True, True, "fill", later(120))
    assert quick_match.join(player=person("乙"), patience=30, now=later(10)) == first
    assert Table.objects.get(pk=first).wait_until == later(40)
    history.forget_all()  # a restart remembers nothing but the database
    assert pacing.due_tables(later(39)) == []
    assert pacing.due_tables(later(41)) == [first]
    pacing.advance_table(first, later(41))
    row = Table.objects.get(pk=first)
    assert row.seats.exclude(bot="").count() == 3
    assert (row.wait_for, row.wait_until) == ("ready", later(71))


def test_whoever_waits_and_was_ready_is_dealt_to_at_once_when_bots_come() -> None:
    player = person("甲")
    table_id = quick_match.join(player=player, patience=30, now=START)
    tables.ready(table_id=table_id, player=player, now=START)
    pacing.advance_table(table_id, later(30))
    assert Table.objects.get(pk=table_id).status == "playing"


def test_whoever_never_wants_bots_waits_for_people_only() -> None:
    alone = quick_match.join(player=person("甲"), patience=None, now=START)
    assert Table.objects.get(pk=alone).wait_until is None
    assert quick_match.join(player=person("乙"), patience=30, now=START) != alone
    assert quick_match.join(player=person("丙"), patience=None, now=START) == alone


def test_the_same_person_twice_waits_at_one_table() -> None:
    player = person("甲")
    assert quick_match.join(player=player, now=START) == quick_match.join(player=player, now=START)
    assert Table.objects.count() == 1


def test_rules_and_clock_must_fit_and_most_people_win() -> None:
    classic = quick_match.join(player=person("甲"), rules="classic", now=START)
    fast = quick_match.join(player=person("乙"), rules="classic", clock=FAST, now=START)
    assert fast != classic
    standard = quick_match.join(player=person("丙"), rules="standard", now=START)
    assert standard not in (classic, fast)
    assert quick_match.join(player=person("丁"), rules="standard", now=START) == standard
    assert quick_match.join(player=person("戊"), rules=None, now=START) == standard
    assert people(standard) == 3


def test_a_hosts_public_table_is_joined_and_a_private_one_is_not() -> None:
    host = person("桌主")
    table_setup.open_table(player=host, rules="classic", now=START)
    shown = table_setup.open_table(player=person("又一桌主"), rules="classic", public=True, now=START)
    assert quick_match.join(player=person("甲"), rules="classic", now=START) == shown.id
    assert Table.objects.get(pk=shown.id).wait_for == "fill"


@pytest.mark.parametrize("who_blocks", [0, 1])
def test_nobody_is_matched_with_whom_he_blocked_or_who_blocked_him(who_blocks: int) -> None:
    two = [person("甲"), person("乙")]
    table_id = quick_match.join(player=two[0], now=START)
    blocks.block(two[who_blocks], two[1 - who_blocks])
    assert quick_match.join(player=two[1], now=START) != table_id


def test_whoever_was_sent_away_does_not_come_back_by_matching() -> None:
    host, guest = person("桌主"), person("甲")
    table = table_setup.open_table(player=host, rules="classic", public=True, now=START)
    assert quick_match.join(player=guest, rules="classic", now=START) == table.id
    company.remove(table_id=table.id, player=host, seat=1, now=START)
    assert quick_match.join(player=guest, rules="classic", now=START) != table.id


def test_leaving_ends_the_waiting() -> None:
    player = person("甲")
    table_id = quick_match.join(player=player, now=START)
    tables.leave(table_id=table_id, player=player, now=START)
    row = Table.objects.get(pk=table_id)
    assert (row.status, row.wait_until) == ("closed", None)
    assert pacing.due_tables(later(500)) == []
    assert quick_match.waits_at(player) is None


@pytest.mark.parametrize("patience", [0, 31, "60", True])
def test_other_patience_is_refused(patience: object) -> None:
    with pytest.raises(Refused, match="malformed"):
        quick_match.join(player=person("甲"), patience=patience, now=START)  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_two_who_come_at_the_same_moment_sit_at_one_table() -> None:
    two, found = [person("甲"), person("乙")], []
    gate = threading.Barrier(2)

    def come(player: Player) -> None:
        gate.wait(10)
        try:
            found.append(quick_match.join(player=player, now=START))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come, args=(player,)) for player in two]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 2
    assert len(set(found)) == 1
    assert people(found[0]) == 2
