"""Log lines as JSON objects, each with the id of the request that caused it, and without anything secret.

Code never logs cards, tokens or seeds; `redacted` is the second lock: what looks like a token, a seed, a session or a
one-time link is blacked out in every line, tracebacks and addresses of requests included.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

request_id: ContextVar[str] = ContextVar("request_id", default="")
HEADER = "X-Request-ID"
_GIVEN = re.compile(r"\A[A-Za-z0-9._-]{1,64}\Z")

_SECRETS = re.compile(
    r"bh_[\w-]{8,}"  # tokens of programs
    r"|(?<=/renew/)[^\s\"']+"  # links for a new password
    r"|(?<=/join/)[^\s\"'/]+"  # invitations of clubs
    r"|(?i:(?<=bearer )\S+|(?<=sessionid=)[^\s;]+|(?<=csrftoken=)[^\s;]+)"
    r"|(?<=password=)[^\s&]+"
    r"|\b[0-9a-f]{32,}\b"  # seeds, digests
    r"|(?<=\?)[^\s\"']+"  # what was asked behind a question mark
)


def redacted(text: str) -> str:
    """The text with everything that could be a secret blacked out."""
    return _SECRETS.sub("***", text)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redacted(record.getMessage()),
        }
        if found := request_id.get():
            line["request"] = found
        if record.exc_info:
            line["exception"] = redacted(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


class OneLine(logging.Filter):
    """Of a refusal only the sentence."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True


class PlainLines(logging.Formatter):
    """For eyes, with the same care."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def _id_of(request: HttpRequest) -> str:
    """What a proxy in front gave the request, or a new one."""
    given = request.headers.get(HEADER, "")
    return given if _GIVEN.match(given) else secrets.token_hex(8)


@sync_and_async_middleware
def request_ids(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Gives each request an id, for its log lines and its answer."""
    if iscoroutinefunction(get_response):

        async def middleware_async(request: HttpRequest) -> HttpResponse:
            name = _id_of(request)
            token = request_id.set(name)
            try:
                response: HttpResponse = await get_response(request)
            finally:
                request_id.reset(token)
            response[HEADER] = name
            return response

        return middleware_async

    def middleware(request: HttpRequest) -> HttpResponse:
        name = _id_of(request)
        token = request_id.set(name)
        try:
            response: HttpResponse = get_response(request)
        finally:
            request_id.reset(token)
        response[HEADER] = name
        return response

    return middleware
