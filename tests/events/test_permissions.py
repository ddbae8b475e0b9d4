"""Every address of an event, asked by everybody: who gets the page, who is told no, for whom there is nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import URLPattern

from games.models import DirectorAct, Entrant, Event
from games.services import event_clock, events
from games.views import event_direction as direct_pages
from games.views import events as pages
from tests.clubs.people import Cast, cast, client_of
from tests.events.evening import START, Evening, evening, staff

pytestmark = pytest.mark.django_db

ROLES = ("staff", "owner", "manager", "member", "stranger", "anonymous")
LOGIN = "login"
SEEN = (200, 200, 200, 200, 404, LOGIN)
DIRECTED = (200, 200, 200, 403, 404, LOGIN)
DONE = (302, 302, 302, 302, 404, LOGIN)
DONE_BY_DIRECTORS = (302, 302, 302, 403, 404, LOGIN)

PAGES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "events": ("/events/", (200, 200, 200, 200, 200, 200)),
    "event_new": ("/events/new?club=laoyou", (200, 200, 200, 403, 404, LOGIN)),
    "event_call": ("/events/call", (200, 200, 200, 200, 200, 200)),
    "event_ladder": ("/events/ladder/?club=laoyou", (200, 200, 200, 200, 404, 404)),
    "event": ("/events/{id}/", SEEN),
    "event_mine": ("/events/{id}/mine", SEEN),
    "event_round": ("/events/{id}/rounds/1/", SEEN),
    "event_standings": ("/events/{id}/standings/", SEEN),
    "event_player": ("/events/{id}/players/1/", SEEN),
    "event_crosstable": ("/events/{id}/crosstable/", SEEN),
    "event_screen": ("/events/{id}/screen/", SEEN),
    "event_json": ("/events/{id}/export.json", SEEN),
    "event_csv": ("/events/{id}/export.csv", SEEN),
    "event_direct": ("/events/{id}/direct/", DIRECTED),
    "event_edit": ("/events/{id}/edit", DIRECTED),
}
FORMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "event_enter": ("/events/{id}/enter", DONE),
    "event_withdraw": ("/events/{id}/withdraw", DONE),
    "event_check_in": ("/events/{id}/checkin", DONE),
    "event_sit": ("/events/{id}/sit", DONE),
    "event_act": ("/events/{id}/direct/pause", DONE_BY_DIRECTORS),
}


@pytest.fixture
def club() -> Cast:
    return cast()


def of_club(club: Cast, *, start: bool = True) -> Evening:
    """An event of the club with the first round paired."""
    night = evening("swiss", people=0, club=club.club, rules="lianzhong-simple", director=staff())
    for role in ("owner", "manager", "member", "other"):
        events.enter(event_id=night.id, player=club[role], now=START)
    if start:
        event_clock.run_event(night.id, night.later(3600))
    return night


def ask(club: Cast, night: Evening, role: str) -> Any:
    return client_of(night.director if role == "staff" else club.people.get(role))


def answer(response: Any) -> Any:
    login = response.status_code == 302 and response.headers["Location"].startswith("/accounts/login/")
    return LOGIN if login else response.status_code


@pytest.mark.parametrize("role", ROLES)
def test_who_gets_which_page(club: Cast, role: str, django_assert_max_num_queries: Any) -> None:
    night = of_club(club)
    client = ask(club, night, role)
    for name, (address, expected) in PAGES.items():
        with django_assert_max_num_queries(20):
            response = client.get(address.format(id=night.id))
        assert (name, answer(response)) == (name, expected[ROLES.index(role)])
        if response.status_code == 200:
            assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("role", ROLES)
def test_who_may_send_which_form(club: Cast, role: str) -> None:
    night = of_club(club)
    client = ask(club, night, role)
    for name, (address, expected) in FORMS.items():
        assert client.get(address.format(id=night.id)).status_code == 405
        before = (DirectorAct.objects.count(), sorted(Entrant.objects.values_list("player", "status")))
        response = client.post(address.format(id=night.id))
        assert (name, answer(response)) == (name, expected[ROLES.index(role)])
        if response.status_code != 302 or answer(response) == LOGIN:
            assert (DirectorAct.objects.count(), sorted(Entrant.objects.values_list("player", "status"))) == before


def test_no_act_of_a_director_is_done_for_a_member(club: Cast) -> None:
    night = of_club(club)
    client = ask(club, night, "member")
    for act in direct_pages.ACTS:
        assert client.post(f"/events/{night.id}/direct/{act}", {"number": "1"}).status_code == 403
    event = Event.objects.get(pk=night.id)
    assert (event.status, event.paused, event.undone) == ("running", False, 0)


def test_no_address_of_an_event_is_missing_from_the_tables() -> None:
    known = {
        str(entry.name) for entry in [*pages.urlpatterns, *direct_pages.urlpatterns] if isinstance(entry, URLPattern)
    }
    assert known == set(PAGES) | set(FORMS)


def test_an_event_of_the_site_is_there_for_everybody_and_its_director_is_the_staff(club: Cast) -> None:
    night = evening("rotation", people=5, rules="lianzhong-simple")
    for role in ROLES:
        client = ask(club, night, role)
        assert client.get(f"/events/{night.id}/").status_code == 200
        wanted = {"staff": 200, "anonymous": LOGIN}.get(role, 403)
        assert answer(client.get(f"/events/{night.id}/direct/")) == wanted


def test_before_the_start_nobody_sees_the_seed(club: Cast) -> None:
    night = of_club(club, start=False)
    for role in ("staff", "owner", "member"):
        client = ask(club, night, role)
        for address in ("/events/{id}/", "/events/{id}/direct/", "/events/{id}/export.json", "/events/{id}/screen/"):
            text = client.get(address.format(id=night.id)).content.decode()
            assert night.event.seed not in text
    assert night.event.seed_commit in ask(club, night, "member").get(f"/events/{night.id}/").content.decode()


def test_an_owner_sets_up_an_event_by_the_form(club: Cast) -> None:
    client = client_of(club["owner"])
    form = {
        "name": "周末杯", "format": "duplicate", "rules": "lianzhong-simple", "rounds": 3, "hands": 5,
        "starts_at": "2026-03-07T20:00", "opens_at": "2026-03-01T08:00", "check_in": 10, "late_until": 0,
        "round_minutes": 60, "grace_minutes": 2, "break_minutes": 3, "ladder": "on",
    }  # fmt: skip
    wrong = client.post("/events/new?club=laoyou", {**form, "opens_at": "2026-03-09T08:00"})
    assert wrong.status_code == 422
    assert "周末杯" in wrong.content.decode()
    assert client.post("/events/new?club=laoyou", form).status_code == 302
    event = Event.objects.get()
    assert (event.club, event.format, event.check_in) == (club.club, "duplicate", 600)
    assert event.rules["tribute"] == "none"
    assert [len(boards) for boards in event.board_commits] == [5, 5, 5]
