"""The site's answer to a request without Django's CSRF token: a page for people, the protocol's errors for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.csrf import csrf_failure

from games.views.api import error


def no_csrf_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Named by `CSRF_FAILURE_VIEW`. A program that is nobody hears that first."""
    if not request.path.startswith("/api/"):
        return csrf_failure(request, reason)
    return error("csrf" if request.user.is_authenticated else "unauthorized")
