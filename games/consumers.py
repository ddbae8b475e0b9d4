"""The sockets of a table: html fragments for the page, JSON for programs. Everything but the rendering is shared.

A socket joins the table's watchers first and reads second, so nothing is missed in between; after that it is woken by
`live`, renders its own seat's view from the newest snapshot without a database, and sends what changed. Writing goes
through the services in the writer's thread. No rule of the game is in here.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any
from urllib.parse import parse_qs

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import timezone, translation

from baohuang_site.frames import Pieces
from games import forms, live, render
from games.engine.observation import view_json
from games.json_text import json_object
from games.selectors import seat_views
from games.selectors.table_view_types import TableView
from games.services import play, writer
from games.services.errors import message

log = logging.getLogger(__name__)

MESSAGE_BYTES = 4096
BURST = 60
PER_SECOND = 20.0
PATIENCE = 60
"""So many messages over the rate close the socket: whoever floods is not answered for ever."""
NO_SUCH_TABLE, FLOODING, FAILED, SIGNED_OUT = 4404, 4008, 4011, 4401
"""Why a socket is ended. Only private codes: daphne cannot send 1008 or 1011, and would leave the socket open."""


class Bucket:
    """How many messages a socket may still send: a burst, filled up again at a steady rate."""

    def __init__(self, now: float) -> None:
        self.left = float(BURST)
        self.at = now
        self.refused = 0

    def take(self, now: float) -> bool:
        self.left = min(float(BURST), self.left + (now - self.at) * PER_SECOND)
        self.at = now
        if self.left < 1:
            self.refused += 1
            return False
        self.left -= 1
        return True


class TableSocket(AsyncWebsocketConsumer):
    """What both kinds share. Subclasses render: `show`, `greet`, `hear`, `too_many`, `malformed`."""

    player_id: int | None = None
    loop: asyncio.AbstractEventLoop
    table_id = ""
    open = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels does, without a channel of its own: `live` wakes it, and nothing is looked up per message."""
        self.scope = scope
        self.base_send = send
        self.channel_layer = None
        self.loop = asyncio.get_running_loop()
        self.table_id = scope["url_route"]["kwargs"]["table_id"]
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            return
        finally:
            self._part()

    async def dispatch(self, message: Any) -> None:
        """Hand an event to its method. Whatever goes wrong is logged and ends this socket properly."""
        try:
            match message["type"]:
                case "websocket.connect":
                    await self.websocket_connect(message)
                case "websocket.receive":
                    await self._received(message.get("text"))
                case "websocket.disconnect":
                    raise StopConsumer
        except (StopConsumer, asyncio.CancelledError):
            raise
        except Exception:
            log.exception("socket at table %s", self.table_id)
            await self._end(FAILED)
            raise StopConsumer from None

    async def connect(self) -> None:
        """Join first, read second. A table that is not there for this player refuses the handshake."""
        user = self.scope.get("user")
        self.player = user if user is not None and user.is_authenticated else None
        self.player_id = None if self.player is None else self.player.pk
        wanted = self.scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
        self.language = wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        self.bucket = Bucket(self.loop.time())
        if "\x00" in self.table_id:  # no table is called so, and PostgreSQL cannot be asked for it
            await self.close(NO_SUCH_TABLE)
            raise StopConsumer
        seat_views.watch(self.table_id)
        live.join(self.table_id, self)
        if not await writer.run(seat_views.reload, self.table_id) or self.view() is None:
            await self.close(NO_SUCH_TABLE)
            raise StopConsumer
        await self.accept()
        self.open = True
        await self.poked()

    def _part(self) -> None:
        self.open = False
        if self.table_id:
            live.leave(self.table_id, self)
            if not live.registry.watchers(self.table_id):
                seat_views.unwatch(self.table_id)

    async def _end(self, code: int) -> None:
        self._part()
        try:
            await self.close(code)
        except Exception:
            log.debug("socket at table %s was gone already", self.table_id)

    async def signed_out(self) -> None:
        """The session or token it was opened with has been ended."""
        if self.open:
            await self._end(SIGNED_OUT)

    async def poked(self) -> None:
        """Show what is new. Called by `live` after a commit; never raises."""
        if not self.open:
            return
        view = self.view()
        if view is None:
            if seat_views.is_hidden(self.table_id, self.player_id):
                await self._end(NO_SUCH_TABLE)
            return
        try:
            text = self._in_own_language(view)
            if text:
                await self.send(text_data=text)
        except Exception:
            log.exception("socket at table %s could not be shown its view", self.table_id)
            await self._end(FAILED)

    def _in_own_language(self, view: TableView) -> str:
        """The news; setting a language costs more than many a move, and most are in the site's own.

        In a socket's code no language is active but its own, or none, which is the site's (`live` sees to that).
        """
        if self.language == settings.LANGUAGE_CODE:
            return self.news(view)
        with translation.override(self.language):
            return self.news(view)

    async def reload(self) -> None:
        """Another process wrote: read the table again."""
        try:
            await writer.run(seat_views.reload, self.table_id)
        except Exception:
            log.exception("table %s could not be read again", self.table_id)

    def view(self) -> TableView | None:
        return seat_views.live_view(self.table_id, self.player_id)

    async def _received(self, text: str | None) -> None:
        if not self.open:
            return
        if not self.bucket.take(self.loop.time()):
            if self.bucket.refused > PATIENCE:
                await self._end(FLOODING)
                raise StopConsumer
            await self.refuse(None, "too_many")
            return
        fields = _fields(text)
        if fields is None:
            await self.refuse(None, "malformed")
            return
        if self.language == settings.LANGUAGE_CODE:
            await self.hear(fields)
            return
        with translation.override(self.language):
            await self.hear(fields)

    def news(self, view: TableView) -> str:
        """What to send so that this socket shows the view; "" for nothing."""
        raise NotImplementedError

    async def hear(self, fields: dict[str, Any]) -> None:
        raise NotImplementedError

    async def refuse(self, fields: dict[str, Any] | None, code: str) -> None:
        raise NotImplementedError


def _fields(text: str | None) -> dict[str, Any] | None:
    """The JSON object of a message, None if it is none."""
    if text is None or len(text) > MESSAGE_BYTES:
        return None
    return json_object(text)


class HtmlSocket(TableSocket):
    """The page's socket: fragments by id, only those that changed."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = render.Sent()

    def news(self, view: TableView) -> str:
        return Pieces.of(render.news(view, self.sent, self.language))

    async def hear(self, fields: dict[str, Any]) -> None:
        do = fields.get("do")
        if do == "select":
            view = self.view()
            if view is not None:
                await self.send(text_data=Pieces.of([render.verdict(view, forms.texts(fields.get("card")))]))
            return
        if do == "refresh":  # the page has shown html that came another way and may be older than what was sent here
            self.sent = render.Sent()
            await self.poked()
            return
        if not isinstance(do, str):
            await self.refuse(fields, "malformed")
        elif self.player is None:
            await self.refuse(fields, "not_seated")
        else:
            run = writer.run_together if do == "act" else writer.run
            code = await run(forms.perform, self.table_id, self.player, do, fields, timezone.now())
            if code:
                await self.refuse(fields, code)

    async def refuse(self, fields: dict[str, Any] | None, code: str) -> None:
        """The reason, and everything anew: the page may have shown something that is not so."""
        view = self.view()
        self.sent = render.Sent()
        with translation.override(self.language):
            pieces = [render.notice(code, view)]
            if view is not None and code != "too_many":
                pieces += render.news(view, self.sent, self.language)
        await self.send(text_data=Pieces.of(pieces))


class JsonSocket(TableSocket):
    """The socket of programs, as PROTOCOL ("Playing by program") has it."""

    last = ""

    def news(self, view: TableView) -> str:
        text = json.dumps(view_message(view), ensure_ascii=False, separators=(",", ":"))
        if text == self.last:
            return ""
        self.last = text
        return text

    async def hear(self, fields: dict[str, Any]) -> None:
        match fields.get("type"):
            case "ping":
                await self._say({"type": "pong", "t": fields.get("t")})
            case "act":
                await self._act(fields)
            case _:
                await self.refuse(fields, "malformed")

    async def _act(self, fields: dict[str, Any]) -> None:
        answer = await writer.run_together(
            play.submit,
            table_id=self.table_id,
            player=self.player,
            prompt=fields.get("prompt"),
            action_id=fields.get("id"),
            action=fields.get("action"),
            now=timezone.now(),
        )
        if answer.ok:
            await self._say({"type": "answer", "id": fields.get("id"), "ok": True, "seq": answer.seq})
        else:
            await self.refuse(fields, answer.code)

    async def refuse(self, fields: dict[str, Any] | None, code: str) -> None:
        name = None if fields is None else fields.get("id")
        told = {"type": "answer", "id": name, "ok": False, "code": code, "message": message(code)}
        await self._say(told)
        view = self.view()
        if view is not None:
            self.last = ""
            await self.send(text_data=self.news(view))

    async def _say(self, data: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def view_message(view: TableView) -> dict[str, Any]:
    """The message `view` of PROTOCOL for this viewer."""
    return {
        "type": "view",
        "table": view.table,
        "hand": view.hand,
        "seq": view.seq,
        "seat": view.viewer,
        "prompt": view.prompt,
        "deadline": None if view.deadline is None else view.deadline.isoformat(),
        "view": None if view.obs is None else view_json(view.obs),
        "seats": seats_json(view),
    }


def seats_json(view: TableView) -> list[dict[str, Any]]:
    return [
        {
            "name": seat.name,
            "bot": seat.bot,
            "ready": seat.ready,
            "connected": seat.connected,
            "trustee": seat.trustee,
        }
        for seat in view.seats
    ]


_html, _json = HtmlSocket.as_asgi(), JsonSocket.as_asgi()


async def table_socket(scope: Any, receive: Any, send: Any) -> None:
    """One address, two formats: `?format=json` or none."""
    wanted = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("format")
    await (_json if wanted == ["json"] else _html)(scope, receive, send)
