"""Count all stored results again from the beginning: ratings, offsets of the presets, the sums behind the boards."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services import recount


class Command(BaseCommand):
    help = (
        "Computes ratings and boards from the stored results and writes what differs. With --check nothing is written "
        "and a difference fails. No hand can end while it runs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare")

    def handle(self, *args: Any, **options: Any) -> None:
        report = recount.check() if options["check"] else recount.recompute()
        for line in report.lines:
            self.stderr.write(line)
        if report.differences > len(report.lines):
            self.stderr.write(f"… and {report.differences - len(report.lines)} more")
        self.stdout.write(
            f"{report.hands} hands, {report.players} rated players, {report.tallies} sums, "
            f"{report.differences} differences{'' if options['check'] else ' written'}"
        )
        if options["check"] and report.differences:
            raise CommandError(f"{report.differences} differences", returncode=1)
