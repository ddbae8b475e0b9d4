"""Look for pairs of players whose hands look odd; what is found is listed in the admin for a person to look at."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.services import signals


class Command(BaseCommand):
    help = "Finds signals of unfair play in the hands of the last days and lists them in the admin. Punishes nobody."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="how far back to look")
        parser.add_argument("--logs", type=int, default=signals.LOGS, help="read the logs of so many hands at most")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["days"] < 1 or options["logs"] < 0:
            raise CommandError("at least one day, and no fewer than 0 logs")
        started = time.perf_counter()
        found = signals.find(days=options["days"], now=timezone.now(), logs=options["logs"])
        told = ", ".join(f"{number} {kind}" for kind, number in found.counts.items())
        self.stdout.write(f"{told}; {found.logs} logs read in {time.perf_counter() - started:.1f} s")
