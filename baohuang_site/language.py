"""Which language a page is in: the one this browser chose on the site, else Chinese.

The browser's own language list is not asked: a phone set to English in the hands of a club member would otherwise get
another page than the one beside it.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def chosen_language(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    known = dict(settings.LANGUAGES)

    def choose(request: HttpRequest) -> None:
        wanted = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        translation.activate(wanted if wanted in known else settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = translation.get_language()

    def name(response: HttpResponse) -> HttpResponse:
        response.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
        return response

    if iscoroutinefunction(get_response):
        answer: Callable[[HttpRequest], Awaitable[HttpResponse]] = get_response

        async def middleware_async(request: HttpRequest) -> HttpResponse:
            choose(request)
            return name(await answer(request))

        return middleware_async

    def middleware(request: HttpRequest) -> HttpResponse:
        choose(request)
        return name(get_response(request))

    return middleware
