"""What tests of accounts do over the pages: sign up and in, press a form, read a page."""

from __future__ import annotations

from typing import Any

from django.test import Client

from accounts.models import Player
from accounts.services.players import sign_up

GOOD, BETTER = "schöner Tag 7", "noch schöner 8"


def with_password(name: str = "安娜", email: str = "") -> tuple[Player, Client]:
    player = sign_up(username=name, password=GOOD, email=email)
    client = Client()
    assert client.post("/accounts/login/", {"username": name, "password": GOOD}).status_code == 302
    return player, client


def logged_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def text(client: Client, url: str, form: dict[str, Any] | None = None) -> str:
    answer = client.get(url) if form is None else client.post(url, form, follow=True)
    return answer.content.decode()
