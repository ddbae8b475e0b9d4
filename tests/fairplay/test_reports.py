"""Reports: who may make them and about whom, once, not too many, and that nobody sees whether he is reported."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import AuditEntry, Player
from games.models import Hand, Report, Table
from games.services import reports, table_setup, tables
from games.services.errors import Refused
from tests.clubs.people import cast, client_of
from tests.fairplay.people import boss, moderator, person, staff
from tests.games.play_helpers import START, Club, club

pytestmark = pytest.mark.django_db

WORDS = "他一直骂人"


@pytest.fixture
def played() -> Club:
    """Two people whose hand is over."""
    at = club(people=2, seed=5)
    at.play_hand()
    return at


def tell(client: Client, address: str, target: Player | int, category: str = "talk", text: str = WORDS) -> int:
    key = target if isinstance(target, int) else target.pk
    return client.post(address, {"target": key, "category": category, "text": text}).status_code


def code_of(**named: object) -> str:
    with pytest.raises(Refused) as caught:
        reports.report(**named)  # type: ignore[arg-type]
    return caught.value.code


def test_from_the_page_of_a_hand_the_report_comes_with_the_hand(played: Club) -> None:
    hand = played.hand()
    client = client_of(played.people[0])
    address = f"/report/?hand={hand.pk}"
    assert address in client.get(f"/hands/{hand.pk}/").content.decode()
    page = client.get(address).content.decode()
    assert played.people[1].username in page
    assert "骂人" in page
    assert tell(client, address, played.people[1]) == 200
    row = Report.objects.get()
    assert (row.reporter, row.target, row.hand, row.table, row.category, row.text, row.status) == (
        *(played.people[0], played.people[1], hand, played.table, "talk", WORDS, "open"),
    )


def test_from_the_table_the_newest_hand_goes_with_it_also_while_it_is_played() -> None:
    at = club(people=2)
    client = client_of(at.people[0])
    address = f"/report/?table={at.id}"
    assert address in client.get(f"/t/{at.id}/").content.decode()
    assert tell(client, address, at.people[1], "stall") == 200
    assert Report.objects.get().hand == at.hand()


def test_from_a_players_page_no_hand_is_needed() -> None:
    one, two = person("一"), person("二")
    client = client_of(one)
    assert "/report/?player=" in client.get("/players/二/").content.decode()
    assert tell(client, "/report/?player=二", two, "name", "") == 200
    row = Report.objects.get()
    assert (row.target, row.hand, row.table) == (two, None, None)


def test_who_is_not_logged_in_is_asked_to(played: Club) -> None:
    answer = Client().get(f"/report/?hand={played.hand().pk}")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("role, status", [("owner", 200), ("member", 200), ("stranger", 404), ("banned", 404)])
def test_what_one_may_not_see_one_cannot_report(role: str, status: int) -> None:
    people = cast()
    host = people["manager"]
    table = table_setup.open_table(player=host, rules="lianzhong-simple", club=people.club, bots=3, now=START)
    tables.sit(table_id=table.pk, player=people["other"], now=START)
    for player in (host, people["other"]):
        tables.ready(table_id=table.pk, player=player, now=START)
    client = client_of(people[role])
    assert client.get(f"/report/?table={table.pk}").status_code == status
    assert tell(client, f"/report/?table={table.pk}", people["other"]) == status
    hand = Hand.objects.get(table=table)
    # of a hand that is on there is no page yet, for nobody
    assert client.get(f"/report/?hand={hand.pk}").status_code == 404
    assert Report.objects.count() == (status == 200)


@pytest.mark.parametrize(
    "address", ["/report/", "/report/?hand=x", "/report/?table=x", "/report/?player=没有", "/report/?player=我"]
)
def test_about_nothing_there_is_no_page(address: str) -> None:
    assert client_of(person("我")).get(address).status_code == 404


def test_only_who_was_there_can_be_named(played: Club) -> None:
    stranger = person("路人")
    client = client_of(played.people[0])
    for target in (stranger.pk, played.people[0].pk, 0):
        assert tell(client, f"/report/?hand={played.hand().pk}", target) == 422
    assert tell(client, f"/report/?hand={played.hand().pk}", played.people[1], "murder") == 422
    assert tell(client, f"/report/?hand={played.hand().pk}", played.people[1], "talk", "长" * 501) == 422
    assert not Report.objects.exists()
    common = {"reporter": played.people[0], "category": "talk", "now": START}
    assert code_of(target=played.people[0], **common) == "malformed"
    assert code_of(target=stranger, hand=played.hand(), **common) == "malformed"


def test_the_same_again_changes_nothing_while_it_is_open(played: Club) -> None:
    one, two, hand = played.people[0], played.people[1], played.hand()
    first = reports.report(reporter=one, target=two, category="talk", hand=hand, now=START)
    again = reports.report(reporter=one, target=two, category="spoil", hand=hand, now=START + timedelta(days=1))
    assert first == again
    other = reports.report(reporter=one, target=two, category="talk", now=START)
    assert other != first
    by = moderator()
    assert reports.close(reports=[first], by=by, acted=False, reason="", now=START) == 1
    assert reports.close(reports=[first], by=by, acted=True, reason="", now=START) == 0
    assert reports.report(reporter=one, target=two, category="talk", hand=hand, now=START) not in (first, other)
    assert AuditEntry.objects.filter(action="report.dismiss").count() == 1


def test_six_an_hour_and_twenty_a_day_are_enough() -> None:
    one = person("一")
    others = iter([person(f"对{n}") for n in range(40)])
    made = []
    for hour in range(4):
        now = START + timedelta(hours=hour, seconds=hour)
        common = {"reporter": one, "category": "talk", "now": now}
        for _ in range(6 if hour < 3 else 2):
            made.append(reports.report(target=next(others), **common))
        assert code_of(target=next(others), **common) == "too_fast"
    assert len(made) == 20
    common["now"] = START + timedelta(days=1, seconds=1)
    made.append(reports.report(target=next(others), **common))
    assert Report.objects.count() == 21


@pytest.mark.parametrize("who", ["reporter", "target", "stranger", "staff"])
def test_only_moderators_close_reports(who: str) -> None:
    people = {"reporter": person("一"), "target": person("二"), "stranger": person("三"), "staff": staff("四")}
    row = reports.report(reporter=people["reporter"], target=people["target"], category="talk", now=START)
    with pytest.raises(Refused) as caught:
        reports.close(reports=[row], by=people[who], acted=False, reason="", now=START)
    assert caught.value.code == "forbidden"
    assert Report.objects.get().status == "open"


def test_nobody_decides_about_a_report_on_himself() -> None:
    by = boss()
    row = reports.report(reporter=person("一"), target=by, category="talk", now=START)
    assert reports.close(reports=[row], by=by, acted=False, reason="", now=START) == 0
    assert reports.close(reports=[row], by=moderator(), acted=False, reason="", now=START) == 1


PAGES = (
    "/",
    "/fair/",
    "/fair/notice/",
    "/accounts/",
    "/accounts/privacy/",
    "/hands/",
    "/boards/",
    "/beans/",
    "/clubs/",
)


def test_nothing_a_player_sees_differs_by_whether_he_is_reported(played: Club) -> None:
    hand, target = played.hand(), played.people[1]
    client = client_of(target)
    table = Table.objects.get(pk=played.id)
    addresses = [*PAGES, f"/t/{table.pk}/", f"/hands/{hand.pk}/", f"/players/{target.username}/", "/api/me"]
    addresses += [f"/report/?hand={hand.pk}", f"/report/?table={table.pk}", f"/t/{table.pk}/fragments"]

    def seen() -> list[tuple[int, str]]:
        answers = [client.get(address) for address in addresses]
        changing = r'(csrfmiddlewaretoken" value="|X-CSRFToken": "|data-now=")[^"]*'
        return [(a.status_code, re.sub(changing, r"\1", a.content.decode())) for a in answers]

    before = seen()
    assert sum(status == 200 for status, _ in before) >= 10
    for reporter in (played.people[0], person("又一个")):
        reports.report(reporter=reporter, target=target, category="collude", text=WORDS, hand=hand, now=START)
        reports.report(reporter=reporter, target=target, category="talk", now=START)
    assert seen() == before
    export = client.post("/accounts/export/").content.decode()
    assert WORDS not in export
    assert "collude" not in export
