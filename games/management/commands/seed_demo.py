"""Fill an empty database with an invented busy site, to try pages and to measure them."""

from __future__ import annotations

import time
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.services import demo_rows


class Command(BaseCommand):
    help = "Makes demo players, clubs, hands and boards. Refuses to run where anybody has an account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=500)
        parser.add_argument("--hands", type=int, default=100_000)
        parser.add_argument("--days", type=int, default=365, help="how far back the hands reach")
        parser.add_argument("--seed", type=int, default=1, help="another seed, other data")
        parser.add_argument("--password", default="", help="a password for all of them; without it nobody can log in")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["players"] < 5 or options["hands"] < 1 or options["days"] < 1:
            raise CommandError("at least 5 players, 1 hand and 1 day are needed")
        started = time.perf_counter()
        call_command("load_presets", verbosity=0)
        try:
            made = demo_rows.make(
                people=options["players"],
                hands=options["hands"],
                days=options["days"],
                seed=options["seed"],
                password=options["password"],
                now=timezone.now(),
            )
        except demo_rows.RealAccounts:
            raise CommandError("there are accounts or hands in this database; nothing was written") from None
        self.stdout.write(
            f"{made.players} players, {made.clubs} clubs, {made.tables} tables, {made.hands} demo hands "
            f"in {time.perf_counter() - started:.0f} s"
        )
