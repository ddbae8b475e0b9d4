"""What all views of the programs' interface share: who asks, what is in the body, errors as PROTOCOL has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.csrf import csrf_failure
from django.views.defaults import bad_request

from accounts.models import Player
from games.engine.errors import BadRules
from games.json_text import holds_nul, json_object
from games.selectors import access
from games.services.errors import Refused, message

STATUS = {
    "malformed": 400,
    "bad_rules": 400,
    "bad_level": 400,
    "too_high": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "csrf": 403,
    "not_here": 403,
    "same_for_all": 403,
    "not_seated": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "too_many_tables": 429,
}
CONFLICT = 409
BODY_LENGTH = 64 * 1024
View = Callable[..., JsonResponse]


def error(code: str, text: str = "", **more: Any) -> JsonResponse:
    body = {"error": {"code": code, "message": text or message(code), **more}}
    return JsonResponse(body, status=STATUS.get(code, CONFLICT))


def answered(view: View) -> Callable[..., HttpResponse]:
    """Turn what services raise into the error objects of the protocol."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            table_id = kwargs.get("table_id")
            if table_id is not None and not access.may_see_table(table_id, player_or_none(request)):
                raise Refused("not_found")
            response = view(request, *args, **kwargs)
        except BadRules as fault:
            response = error("bad_rules", fault.message, key=fault.key)
        except Refused as refused:
            more = {"field": refused.field} if refused.field else {}
            response = error(refused.code, **more)
        response.headers["Cache-Control"] = "no-store"
        return response

    return wrapper


def only(method: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """For requests of this method; any other is answered 405 with the one that is allowed."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == method:
                return view(request, *args, **kwargs)
            response = error("method_not_allowed", f"This address is for {method} only.")
            response.headers["Allow"] = method
            return response

        return wrapper

    return decorate


def player_or_none(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def player_of(request: HttpRequest) -> Player:
    """Who asks. Raises Refused("unauthorized")."""
    if not isinstance(request.user, Player):
        raise Refused("unauthorized")
    return request.user


def body_of(request: HttpRequest, *fields: str) -> dict[str, Any]:
    """The JSON object of the request; empty when there is no body. Raises Refused("malformed") with the field."""
    try:
        text = request.body.decode()
    except (UnicodeDecodeError, RequestDataTooBig):
        raise Refused("malformed") from None
    if not text:
        return {}
    body = json_object(text) if len(text) <= BODY_LENGTH else None
    if body is None or holds_nul(body):
        raise Refused("malformed")
    for name in body:
        if name not in fields:
            raise Refused("malformed", name[:40])
    return body


def given(body: dict[str, Any], name: str, kinds: type | tuple[type, ...], default: Any = None) -> Any:
    """One field, or its default when it is missing or null. Raises Refused("malformed") for another type."""
    value = body.get(name)
    if value is None:
        return default
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if type(value) not in kinds:
        raise Refused("malformed", name)
    return value


def no_csrf_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Named by `CSRF_FAILURE_VIEW`: a page for people; a program that is nobody hears that first."""
    if not is_api(request):
        return csrf_failure(request, reason)
    return error("csrf" if request.user.is_authenticated else "unauthorized")


def nonsense(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The site's `handler400`, for what is refused before it reaches a view."""
    return error("malformed") if is_api(request) else bad_request(request, exception)


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
