"""The JSON API of programs, through Django's client: what is answered, what is refused and how."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from accounts.services.players import make_token, sign_up
from games.models import Table
from tests.games.play_helpers import Club

pytestmark = pytest.mark.django_db(transaction=True)


class Program:
    """A player's program: a client that sends a bearer token."""

    def __init__(self, name: str) -> None:
        self.player: Player = sign_up(username=name, password=None)
        self.client = Client(enforce_csrf_checks=True)
        self.headers = {"authorization": f"Bearer {make_token(self.player)}"}

    def post(self, path: str, **body: Any) -> tuple[int, Any]:
        response = self.client.post(path, json.dumps(body), content_type="application/json", headers=self.headers)
        return response.status_code, response.json()

    def get(self, path: str) -> tuple[int, Any]:
        response = self.client.get(path, headers=self.headers)
        return response.status_code, response.json()


@pytest.fixture
def anna() -> Program:
    return Program("安娜")


def test_a_table_is_opened_filled_and_played_by_programs(anna: Program) -> None:
    status, body = anna.post("/api/tables", rules="standard", bots=3, clock={"play": 30}, room=2)
    table_id = body["table"]
    assert (status, body) == (201, {"table": table_id, "url": f"/t/{table_id}/", "seat": 0})
    bert = Program("贝特")
    assert bert.post(f"/api/tables/{table_id}/sit", multiplier=2) == (200, {"seat": 4})
    assert anna.post(f"/api/tables/{table_id}/ready") == (200, {})
    assert bert.post(f"/api/tables/{table_id}/ready") == (200, {})
    status, shown = anna.get(f"/api/tables/{table_id}")
    assert (status, shown["status"], shown["number"], shown["finished"]) == (200, "playing", 1, [])
    assert shown["rules"]["id"] == "standard"
    assert shown["clock"] == {"step": 15, "play": 30, "next": 20}
    assert [seat["name"] for seat in shown["seats"]][::4] == ["安娜", "贝特"]
    assert [seat["bot"] for seat in shown["seats"]] == [False, True, True, True, False]
    hand_id = shown["hand"]
    assert anna.get(f"/api/hands/{hand_id}/record")[0] == 409
    table = Table.objects.get(pk=table_id)
    Club(table, {0: anna.player, 4: bert.player}, table.changed_at).play_hand()
    status, record = anna.get(f"/api/hands/{hand_id}/record")
    assert status == 200
    assert record["format"] == "baohuang-hand/1"
    assert record["commit"] == shown["commit"]
    assert set(record["result"]) == {"outcome", "points", "beans", "rounding", "places", "cleared"}
    assert anna.get(f"/api/tables/{table_id}")[1]["finished"] == [hand_id]


def test_trustee_and_leave(anna: Program) -> None:
    table_id = anna.post("/api/tables", rules="standard", bots=4)[1]["table"]
    assert anna.post(f"/api/tables/{table_id}/trustee", on=True)[0] == 409
    anna.post(f"/api/tables/{table_id}/ready")
    assert anna.post(f"/api/tables/{table_id}/trustee", on=True) == (200, {})
    assert anna.get(f"/api/tables/{table_id}")[1]["seats"][0]["trustee"]
    assert anna.post(f"/api/tables/{table_id}/trustee", on=False) == (200, {})
    assert anna.post(f"/api/tables/{table_id}/leave") == (200, {})
    status, body = anna.post(f"/api/tables/{table_id}/leave")
    assert (status, body["error"]["code"]) == (403, "not_seated")


@pytest.mark.parametrize(
    "body, status, code, more",
    [
        ({}, 400, "malformed", {"field": "rules"}),
        ({"rules": 7}, 400, "malformed", {"field": "rules"}),
        ({"rules": "nowhere"}, 400, "bad_rules", {"key": "rules"}),
        ({"rules": "standard", "overrides": {"crown": {"laps": 9}}}, 400, "bad_rules", {"key": "crown.laps"}),
        ({"rules": "standard", "bots": "4"}, 400, "malformed", {"field": "bots"}),
        ({"rules": "standard", "bots": 1.0}, 400, "malformed", {"field": "bots"}),
        ({"rules": "standard", "public": 1}, 400, "malformed", {"field": "public"}),
        ({"rules": "standard", "clock": {"play": 0}}, 400, "malformed", {"field": "clock.play"}),
        ({"rules": "standard", "level": "genius"}, 400, "bad_level", {"field": "level"}),
        ({"rules": "standard", "colour": "red"}, 400, "malformed", {"field": "colour"}),
        ({"rules": "\ud800"}, 400, "malformed", {}),
        ({"rules": "standard", "club": "\ud800"}, 400, "malformed", {}),
        ({"rules": "standard", "club": "a\x00b"}, 400, "malformed", {}),
        ({"rules": "standard", "overrides": {"name": "\ud800"}}, 400, "malformed", {}),
        ({"rules": "standard", "overrides": {"id": "\x00"}}, 400, "malformed", {}),
        ({"rules": "standard", "overrides": {"name": "长" * 41}}, 400, "bad_rules", {"key": "name"}),
        ({"rules": "standard", "overrides": {"name": "a\u202eb"}}, 400, "bad_rules", {"key": "name"}),
        ({"rules": "standard", "overrides": {"id": "x" * 41}}, 400, "bad_rules", {"key": "id"}),
        ({"rules": "standard", "room": float("nan")}, 400, "malformed", {}),
    ],
)
def test_a_bad_body_is_answered_with_what_is_wrong(
    anna: Program, body: dict[str, Any], status: int, code: str, more: dict[str, str]
) -> None:
    got, answer = anna.post("/api/tables", **body)
    assert got == status
    error = answer["error"]
    assert error.pop("message")
    assert error == {"code": code, **more}


@pytest.mark.parametrize("text", ["", "[]", "nonsense", "7", "\ud800", "\ufeff{}", "{" * 70_000, " " * 3_000_000])
def test_what_is_no_json_object_is_malformed(anna: Program, text: str) -> None:
    response = anna.client.post(
        "/api/tables", text.encode("utf-8", "replace"), content_type="application/json", headers=anna.headers
    )
    assert (response.status_code, response.json()["error"]["code"]) == (400, "malformed")


def test_conflicts_are_409(anna: Program) -> None:
    table_id = anna.post("/api/tables", rules="standard", bots=4)[1]["table"]
    other = Program("别人")
    for path, body, status, code in (
        ("sit", {}, 409, "full"),
        ("sit", {"seat": 1}, 409, "taken"),
        ("sit", {"seat": 9}, 400, "malformed"),
        ("ready", {}, 403, "not_seated"),
        ("bots", {"add": 1}, 403, "forbidden"),
        ("bots", {}, 400, "malformed"),
        ("trustee", {}, 400, "malformed"),
        ("contribute", {"text": "x" * 65}, 400, "malformed"),
    ):
        got, answer = other.post(f"/api/tables/{table_id}/{path}", **body)
        assert (got, answer["error"]["code"]) == (status, code), path


def test_what_is_not_there_is_404(anna: Program) -> None:
    assert anna.get("/api/tables/nowhere")[0] == 404
    assert anna.get("/api/hands/nowhere/record")[0] == 404
    assert anna.post("/api/tables/nowhere/sit")[0] == 404


def test_nobody_without_a_token_or_a_session_may_do_anything() -> None:
    for client in (Client(), Client(enforce_csrf_checks=True)):
        response = client.post("/api/tables", "{}", content_type="application/json")
        assert (response.status_code, response.json()["error"]["code"]) == (401, "unauthorized")
    wrong = {"authorization": "Bearer wrong"}
    assert client.post("/api/tables", "{}", content_type="application/json", headers=wrong).status_code == 401


def test_a_session_needs_djangos_csrf_token(anna: Program) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna.player, backend="django.contrib.auth.backends.ModelBackend")
    body = json.dumps({"rules": "standard"})
    response = client.post("/api/tables", body, content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (403, "csrf")
    client.cookies["csrftoken"] = "a" * 32
    response = client.post(
        "/api/tables", body, content_type="application/json", headers={"x-csrftoken": client.cookies["csrftoken"].value}
    )
    assert response.status_code == 201


def test_a_private_table_can_be_looked_at_by_whoever_has_its_id(anna: Program) -> None:
    table_id = anna.post("/api/tables", rules="standard")[1]["table"]
    response = Client().get(f"/api/tables/{table_id}")
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert Client().post(f"/api/tables/{table_id}").status_code == 405


def test_a_program_opens_only_so_many_tables_in_an_hour(anna: Program, settings: Any) -> None:
    settings.PROGRAM_TABLES_PER_HOUR = 2
    assert [anna.post("/api/tables", rules="standard")[0] for _ in range(2)] == [201, 201]
    status, body = anna.post("/api/tables", rules="standard")
    assert (status, body["error"]["code"]) == (429, "too_many_tables")
    assert "wait" in body["error"]["message"]
    assert Table.objects.count() == 2
    assert Program("贝特").post("/api/tables", rules="standard")[0] == 201


@pytest.mark.parametrize("method, path, allowed", [
    ("get", "/api/tables", "POST"),
    ("post", "/api/tables/x", "GET"),
    ("put", "/api/tables/x/ready", "POST"),
    ("delete", "/api/hands/x/record", "GET"),
])  # fmt: skip
def test_a_method_an_address_does_not_know_is_refused_in_json(
    anna: Program, method: str, path: str, allowed: str
) -> None:
    response = getattr(anna.client, method)(path, headers=anna.headers)
    assert (response.status_code, response["Allow"]) == (405, allowed)
    assert response.json()["error"]["code"] == "method_not_allowed"
    assert allowed in response.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/tisch", "/api/tables/x/y/z", "/api/hands"])
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_address_that_the_api_does_not_have_is_refused_in_json(path: str, method: str) -> None:
    response = getattr(Client(enforce_csrf_checks=True), method)(path)
    assert response.status_code == 404
    assert set(response.json()["error"]) == {"code", "message"}
    assert response.json()["error"]["code"] == "not_found"
