"""Put a backup in the place of the site's data, after its checksums were compared; then check the beans.

Stop the site first. Nothing that exists is replaced without --force, and what is replaced is kept beside it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from baohuang_site import backups


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", metavar="DIR", type=Path, help="the folder that `backup` has made")
        parser.add_argument("--force", action="store_true", help="replace the database and the key that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backups.restore(options["dir"], force=options["force"], now=timezone.localtime())
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        # a backup of an older release
        call_command("migrate", interactive=False, verbosity=0)
        call_command("check_ledger", stdout=self.stdout)
        self.stdout.write("restored")
