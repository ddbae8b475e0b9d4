"""How long pages take and how many queries they make, on the data that is there (see `seed_demo`)."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Membership, Player
from games.models import Season

ADDRESSES = (
    "/boards/",
    "/boards/?board=beans&period=week",
    "/boards/?board=points&period=month",
    "/boards/?board=emperor&period=season",
    "/boards/?board=guard&preset=standard",
    "/boards/?board=rebel&period=all",
    "/boards/?board=rating&period={past}",
    "/clubs/{club}/boards/",
    "/clubs/{club}/boards/?board=beans&period=month",
    "/hands/",
    "/hands/?before={before}",
    "/hands/?role=guard&result=win&preset=standard",
    "/hands/?role=solo&result=draw&with={other}",
    "/players/{other}/hands/",
    "/players/{other}/hands/?period=month",
)


class Command(BaseCommand):
    help = "Times pages as the player with the most hands sees them; fails when one is above 100 ms or 20 queries."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--times", type=int, default=15, help="the median of so many")
        parser.add_argument("--ms", type=float, default=100.0)
        parser.add_argument("--queries", type=int, default=20)
        parser.add_argument("--path", action="append", default=[], help="one more address; may be repeated")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
        busiest = list(Player.objects.annotate(n=Count("seat_results")).order_by("-n")[:2])
        if len(busiest) < 2 or not busiest[1].seat_results.exists():
            raise CommandError("there are no hands to show; see seed_demo")
        viewer, other = busiest
        client = Client(headers={"accept-encoding": "identity"})
        client.force_login(viewer, backend="django.contrib.auth.backends.ModelBackend")
        slow = 0
        for address in self._addresses(viewer, other, options["path"]):
            status, queries, ms, cpu = self._measure(client, address, options["times"])
            bad = ms > options["ms"] or queries > options["queries"] or status != 200
            slow += bad
            self.stdout.write(
                f"{ms:7.1f} ms  {cpu:6.1f} cpu  {queries:3d} queries  {status}  {address}{'  !' if bad else ''}"
            )
        if slow:
            raise CommandError(f"{slow} pages are too slow", returncode=1)

    def _addresses(self, viewer: Player, other: Player, more: list[str]) -> list[str]:
        orders = viewer.seat_results.order_by("-order").values_list("order", flat=True)
        words: dict[str, Any] = {"other": other.username, "before": orders[len(orders) // 2]}
        member = Membership.objects.filter(player=viewer).select_related("club").first()
        words["club"] = member.club.slug if member else ""
        words["past"] = self._past()
        return [
            pattern.format(**words)
            for pattern in (*ADDRESSES, *more)
            if not ("{club}" in pattern and not words["club"])
        ]

    def _past(self) -> str:
        season = Season.objects.filter(closed_after__isnull=False).order_by("-starts").first()
        return season.period if season else "season"

    def _measure(self, client: Client, address: str, times: int) -> tuple[int, int, float, float]:
        """Status, queries, and the medians of milliseconds by the clock and of the processor."""
        with CaptureQueriesContext(connection) as captured:
            status = client.get(address).status_code
        queries = len(captured)
        took, worked = [], []
        for _ in range(times):
            began, busy = time.perf_counter(), time.process_time()
            client.get(address)
            took.append(time.perf_counter() - began)
            worked.append(time.process_time() - busy)
        return status, queries, 1000 * median(took), 1000 * median(worked)
