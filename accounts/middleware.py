"""`Authorization: Bearer TOKEN` makes a request its player's, instead of the session's.

Such a request needs no CSRF token: no page of another site can make a browser send this header. A token that is not
valid is answered 401 at once, so that a program never acts as nobody by mistake.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware

from accounts.services.tokens import check_token


def bearer_text(header: str) -> str | None:
    """The token in an Authorization header; None when it is another kind of header."""
    scheme, _, text = header.partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def _authenticate(request: HttpRequest) -> HttpResponse | None:
    """Set the request's player; a response only when the token is refused."""
    text = bearer_text(request.headers.get("Authorization", ""))
    if text is None:
        return None
    player = check_token(text)
    if player is None:
        error = {"code": "bad_token", "message": "This token is not valid."}
        return JsonResponse({"error": error}, status=401, headers={"WWW-Authenticate": "Bearer"})
    request.user = player

    async def auser() -> Any:
        return player

    request.auser = auser
    request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
    return None


@sync_and_async_middleware
def bearer_authentication(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):
        answer: Callable[[HttpRequest], Awaitable[HttpResponse]] = get_response
        authenticate = sync_to_async(_authenticate)

        async def middleware_async(request: HttpRequest) -> HttpResponse:
            if "Authorization" not in request.headers:
                return await answer(request)
            return await authenticate(request) or await answer(request)

        return middleware_async

    def middleware(request: HttpRequest) -> HttpResponse:
        refused = _authenticate(request)
        return refused if refused is not None else get_response(request)

    return middleware
