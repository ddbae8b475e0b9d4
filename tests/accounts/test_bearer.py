"""A program acts for a player by its token, over HTTP and when it opens a socket; another site's page cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.channels_auth import socket_auth
from accounts.middleware import bearer_authentication
from accounts.models import Player
from accounts.services import players


@pytest.fixture
def ann(db: None) -> Player:
    return players.sign_up(username="安", password=None)


def bearer(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}"}


def test_a_request_with_a_token_is_its_players(client: Client, ann: Player) -> None:
    answer = client.get(reverse("accounts:profile"), headers=bearer(players.make_token(ann)))
    assert answer.status_code == 200
    assert "安" in answer.content.decode()


def test_a_token_counts_more_than_the_session(client: Client, ann: Player) -> None:
    bob = players.sign_up(username="波", password=None)
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get(reverse("accounts:profile"), headers=bearer(players.make_token(ann)))
    assert answer.context["user"] == ann


@pytest.mark.parametrize("header", ["Bearer wrong", "bearer ", "Bearer"])
def test_a_wrong_token_is_refused_instead_of_being_nobody(client: Client, ann: Player, header: str) -> None:
    answer = client.get(reverse("accounts:login"), headers={"authorization": header})
    assert answer.status_code == 401
    assert json.loads(answer.content)["error"]["code"] == "bad_token"


def test_a_token_needs_no_csrf_token_and_a_session_does(ann: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    form = {"theme": "dark", "direction": "clockwise"}
    with_token = strict.post(reverse("accounts:profile"), form, headers=bearer(players.make_token(ann)))
    assert with_token.status_code == 302
    strict.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    assert strict.post(reverse("accounts:profile"), form).status_code == 403


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Accepts the socket and says who opened it."""
    await receive()
    await send({"type": "websocket.accept"})
    user = scope["user"]
    await send({"type": "websocket.send", "text": user.username if user.is_authenticated else "nobody"})


async def who_opens(**headers: str) -> str | None:
    """Whom the server takes for the opener of a socket; None when it refuses."""
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    socket = WebsocketCommunicator(socket_auth(echo), "/ws/", headers=sent)
    opened, _ = await socket.connect()
    if not opened:
        return None
    return await socket.receive_from()


@pytest.mark.django_db(transaction=True)
async def test_a_program_opens_a_socket_by_its_token_with_or_without_an_origin() -> None:
    ann = await sync_to_async(players.sign_up)(username="安", password=None)
    text = await sync_to_async(players.make_token)(ann)
    assert await who_opens(**bearer(text)) == "安"
    assert await who_opens(**bearer(text), origin="http://elsewhere.example") == "安"
    assert await who_opens(**bearer("wrong")) is None


@pytest.mark.django_db(transaction=True)
async def test_a_browser_opens_a_socket_by_its_session_from_our_own_pages_only() -> None:
    def log_in() -> str:
        client = Client()
        client.post(reverse("accounts:guest"))
        assert client.session[SESSION_KEY]
        return f"sessionid={client.cookies['sessionid'].value}"

    cookie = await sync_to_async(log_in)()
    seen = await who_opens(cookie=cookie, origin="http://testserver")
    assert seen is not None
    assert seen.startswith("游客")
    assert await who_opens(cookie=cookie, origin="https://evil.example") is None
    assert await who_opens(cookie=cookie) is None
    assert await who_opens(origin="http://testserver") == "nobody"


@pytest.mark.django_db(transaction=True)
async def test_the_middleware_works_in_an_asynchronous_chain_too() -> None:
    ann = await sync_to_async(players.sign_up)(username="安", password=None)
    text = await sync_to_async(players.make_token)(ann)

    async def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse((await request.auser()).username)

    chain = bearer_authentication(view)
    answer = await chain(RequestFactory().post("/", headers=bearer(text)))
    assert answer.content.decode() == "安"
    answer = await chain(RequestFactory().post("/", headers=bearer("wrong")))
    assert answer.status_code == 401
