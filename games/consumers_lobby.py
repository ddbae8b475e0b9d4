"""The socket of the lobby: it is told what changed, and nothing can be asked of it.

On connecting the whole list is sent, for the page may be older than the socket; after that single rows.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games import live, live_lobby, render_lobby
from games.selectors import lobby
from games.services import writer

log = logging.getLogger(__name__)

LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)


class LobbySocket(AsyncWebsocketConsumer):
    """One page that shows the lobby. Whoever may open the page may open it: all that is shown is public."""

    loop: asyncio.AbstractEventLoop
    language = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scope = scope
        self.base_send = send
        self.channel_layer = None
        self.loop = asyncio.get_running_loop()
        try:
            while True:
                message = await receive()
                if message["type"] == "websocket.connect":
                    await self.websocket_connect(message)
                elif message["type"] == "websocket.disconnect":
                    return
        except StopConsumer:
            return
        finally:
            live_lobby.leave(self)

    async def connect(self) -> None:
        """Join first, read second, so that nothing is missed in between."""
        wanted = self.scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
        self.language = wanted if wanted in LANGUAGES else settings.LANGUAGE_CODE
        await self.accept()
        live_lobby.join(self)
        rows = await writer.run(lobby.rows)
        with translation.override(self.language):
            await self.send(text_data=render_lobby.whole(rows))

    async def draw(self, table_ids: frozenset[str]) -> dict[str, str]:
        """The rows of these tables in every language."""
        rows = await writer.run(lobby.rows_of, table_ids)
        news = {}
        for language in LANGUAGES:
            with translation.override(language):
                news[language] = "".join(render_lobby.change(table_id, rows.get(table_id)) for table_id in table_ids)
        return news

    async def tell(self, news: dict[str, str]) -> None:
        try:
            await self.send(text_data=news[self.language])
        except Exception:
            log.debug("a socket of the lobby was gone already")
            live_lobby.leave(self)


def heard(table_id: str) -> None:
    """Another process says that a table of the lobby changed."""
    live_lobby.changed(table_id, here_only=True)


live.on_lobby.append(heard)
lobby_socket = LobbySocket.as_asgi()
