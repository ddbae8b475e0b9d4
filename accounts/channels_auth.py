"""Who opens a socket: a browser of our own pages by its session, or a program by its token.

A browser must come from one of our own pages (its Origin is checked), else another site could open the socket with
the visitor's cookies. A program sends `Authorization: Bearer`, which no page can make a browser send, so its Origin
does not matter; a token that is not valid closes the handshake.
"""

from __future__ import annotations

from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier

from accounts.middleware import bearer_text
from accounts.services.tokens import check_token


class BearerAuthMiddleware:
    """Puts the token's player into `scope["user"]`; everybody without a token goes to the other application."""

    def __init__(self, inner: Any, without_token: Any) -> None:
        self.inner = inner
        self.without_token = without_token

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        header = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        text = bearer_text(header.decode("latin-1"))
        if text is None:
            return await self.without_token(scope, receive, send)
        player = await database_sync_to_async(check_token)(text)
        if player is None:
            return await WebsocketDenier()(scope, receive, send)
        return await self.inner({**scope, "user": player}, receive, send)


def socket_auth(inner: Any) -> Any:
    """The whole stack around the routes of the sockets."""
    return BearerAuthMiddleware(inner, AllowedHostsOriginValidator(AuthMiddlewareStack(inner)))
