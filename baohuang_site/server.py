"""daphne in this process, with what a table needs of it.

Added to daphne: `permessage-deflate` (it negotiates none by itself), a word about whether listening succeeded, one
background task beside the sockets (the tables' clock), and a garbage collector that leaves the loaded program alone.
Importing this module installs the Twisted reactor, so only the `serve` command does.
"""

from __future__ import annotations

# daphne.server must be the first to touch Twisted: it installs the asyncio reactor
from daphne.server import Server  # isort: skip

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne.http_protocol import WebRequest
from twisted.internet import defer, reactor

from baohuang_site.wire import TableProtocol

logger = logging.getLogger(__name__)

# A window of 8 KB holds what a table sent in its last moves; a socket then keeps about 64 KB instead of 256 KB.
WINDOW_BITS = 13
MEMORY_LEVEL = 6
# the largest message either way, after unpacking; what a socket may say is far smaller and checked there
MESSAGE_BYTES = 1_048_576
# the collector looks at new objects only after this many, instead of 700: with thousands of sockets it would otherwise
# take half of the processor
GC_THRESHOLD = (50_000, 20, 50)

# A socket is looked at every so many turns of daphne's two seconds: whether it must be asked if it is still there. To
# look at all of them each time, most often for nothing, costs more than what they are asked. An application that has
# ended is put away when it ends; all are looked over only after so many turns of daphne's one second.
LOOK_TURNS = 4
REAP_TURNS = 10
# silent for so many seconds, a socket is asked whether it is there; it is gone when it does not answer in twice as many
PING_SECONDS = 12

# so long may requests take that are being answered when the server is told to end
ANSWER_SECONDS = 5


def accept_deflate(offers: list[Any]) -> PerMessageDeflateOfferAccept | None:
    """Take a browser's offer to compress, within the window we can afford for each socket."""
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer):
            asked = offer.request_max_window_bits or WINDOW_BITS
            return PerMessageDeflateOfferAccept(
                offer,
                request_max_window_bits=WINDOW_BITS if offer.accept_max_window_bits else 0,
                window_bits=min(asked, WINDOW_BITS),
                mem_level=MEMORY_LEVEL,
            )
    return None


class TableServer(Server):
    """One listening server; `run()` returns after SIGINT or SIGTERM, when everything has been let go. `unanswered` are
    then the requests that took too long for that: their threads never end, and the process must not wait for them."""

    def __init__(self, *args: Any, background: Callable[[], Awaitable[None]], on_ready: Callable[[], None], **kw: Any):
        super().__init__(
            *args, ready_callable=self._ready, ping_interval=PING_SECONDS, ping_timeout=2 * PING_SECONDS, **kw
        )
        self._background = background
        self._on_ready = on_ready
        self._task: asyncio.Task[None] | None = None
        self._ports: list[Any] = []
        self._look = self._reap = 0
        self._ended = False
        self.unanswered = 0
        self.refused = ""

    def listen_error(self, failure: Any) -> None:
        """Keep the reason for the command to show, and do not start."""
        self.refused = failure.getErrorMessage()
        self.stop()

    def _ready(self) -> None:
        self.ws_factory.protocol = TableProtocol
        self.ws_factory.setProtocolOptions(
            perMessageCompressionAccept=accept_deflate,
            maxFramePayloadSize=MESSAGE_BYTES,
            maxMessagePayloadSize=MESSAGE_BYTES,
        )
        self._task = asyncio.get_event_loop().create_task(self._keep_up())
        reactor.addSystemEventTrigger("before", "shutdown", self._end_background)  # type: ignore[arg-type]
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLD)
        self._on_ready()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        queue = super().create_application(protocol, scope)
        if queue is not None:
            self.connections[protocol]["application_instance"].add_done_callback(self._note_end)
        return queue

    def protocol_disconnected(self, protocol: Any) -> None:
        super().protocol_disconnected(protocol)
        self._ended = True

    def _note_end(self, _application: Any) -> None:
        self._ended = True

    def application_checker(self) -> None:
        """Put away what has ended. Called each second."""
        self._reap += 1
        if not self._ended and self._reap < REAP_TURNS:
            reactor.callLater(1, self.application_checker)  # type: ignore[arg-type]
            return
        self._ended, self._reap = False, 0
        super().application_checker()

    def timeout_checker(self) -> None:
        """Ask a part of the sockets, in turn, whether they are still there. Called every other second."""
        self._look = (self._look + 1) % LOOK_TURNS
        for protocol in list(self.connections)[self._look :: LOOK_TURNS]:
            protocol.check_timeouts()
        reactor.callLater(2, self.timeout_checker)  # type: ignore[arg-type]

    async def _keep_up(self) -> None:
        """Run the background work for as long as the server lives; a fault in it is logged and it starts again."""
        while True:
            try:
                await self._background()
            except Exception:
                logger.exception("the tables' clock stopped; it starts again in a second")
            await asyncio.sleep(1)

    def _end_background(self) -> defer.Deferred[Any] | None:
        if self._task is None or self._task.done():
            return None
        self._task.cancel()
        ended = defer.Deferred.fromFuture(asyncio.ensure_future(asyncio.wait({self._task}, timeout=5)))
        return ended.addErrback(lambda _failure: None)

    def listen_success(self, port: Any) -> None:
        self._ports.append(port)
        super().listen_success(port)

    def kill_all_applications(self) -> defer.Deferred[Any]:
        """As daphne does before it ends, but requests that are being answered are answered first. One that was cut off
        in the middle would leave its thread waiting for this event loop, and the process could never end."""
        ended = defer.Deferred.fromFuture(asyncio.ensure_future(self._let_go()))
        return ended.addErrback(lambda _failure: None)

    async def _let_go(self) -> None:
        for port in self._ports:
            port.stopListening()
        requests = [
            details["application_instance"]
            for protocol, details in self.connections.items()
            if isinstance(protocol, WebRequest) and details.get("application_instance") is not None
        ]
        late: set[Any] = set()
        if requests:
            _, late = await asyncio.wait(requests, timeout=ANSWER_SECONDS)
            self.unanswered = len(late)
        for protocol, details in list(self.connections.items()):
            # ended already, so there is nothing to cancel; or one that would not end when it is cancelled
            if (running := details.get("application_instance")) is None or running in late:
                del self.connections[protocol]
        await super().kill_all_applications().asFuture(asyncio.get_running_loop())
