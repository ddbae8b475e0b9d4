"""Whether the site is well, for a program that watches it. Numbers only: nothing of anybody's is in the answer."""

from __future__ import annotations

import time
from datetime import timedelta

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from baohuang_site.version import version
from games.models import Hand, Table
from games.services import heartbeat

LATE = timedelta(seconds=10)
"""What is due for longer is overdue: the clock looks every second."""


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """`GET /health/`: 200 when all is well, 503 when not.

    `clock` is null in a process that serves pages only. A few overdue tables are no illness, but worth a look.
    """
    now = timezone.now()
    answer: dict[str, object] = {"version": version(), "database": True, "overdue": None}
    try:
        late = now - LATE
        hands = Hand.objects.filter(due_at__lt=late).count()
        answer["overdue"] = hands + Table.objects.filter(next_at__lt=late).count()
    except DatabaseError:
        answer["database"] = False
    answer["clock"] = heartbeat.alive(time.monotonic())
    well = bool(answer["database"]) and answer["clock"] is not False
    return JsonResponse({"ok": well, **answer}, status=200 if well else 503)


urlpatterns = [path("health/", health, name="health")]
