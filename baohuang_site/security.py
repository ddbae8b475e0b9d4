"""What holds for every request and every page.

The Content-Security-Policy: our own files and our own socket, nothing inline, nothing from elsewhere.

The socket is named with its host, because older Safari does not count `ws:` as `'self'`.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.core.exceptions import BadRequest, DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def policy_for(request: HttpRequest) -> str:
    """Only called for answered requests: `get_host` has been checked by then, or the host is left out."""
    try:
        host = request.get_host()
    except DisallowedHost:  # a refused host: its error page opens no socket
        return f"{POLICY}; connect-src 'self'"
    scheme = "wss" if request.is_secure() else "ws"
    return f"{POLICY}; connect-src 'self' {scheme}://{host}"


@sync_and_async_middleware
def content_security_policy(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    def add(request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response.headers.setdefault("Content-Security-Policy", policy_for(request))
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

    if iscoroutinefunction(get_response):
        answer: Callable[[HttpRequest], Awaitable[HttpResponse]] = get_response

        async def middleware_async(request: HttpRequest) -> HttpResponse:
            return add(request, await answer(request))

        return middleware_async

    def middleware(request: HttpRequest) -> HttpResponse:
        return add(request, get_response(request))

    return middleware


@sync_and_async_middleware
def no_null_characters(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Refuse addresses that hold U+0000: nothing of ours is called so, and PostgreSQL cannot even be asked for it."""

    def check(request: HttpRequest) -> None:
        if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("U+0000 in the address")

    if iscoroutinefunction(get_response):
        answer: Callable[[HttpRequest], Awaitable[HttpResponse]] = get_response

        async def middleware_async(request: HttpRequest) -> HttpResponse:
            check(request)
            return await answer(request)

        return middleware_async

    def middleware(request: HttpRequest) -> HttpResponse:
        check(request)
        return get_response(request)

    return middleware
