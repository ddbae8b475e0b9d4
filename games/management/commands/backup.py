"""Copy database and secret key into a new folder inside DIR, with checksums. The site may go on running."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from baohuang_site import backups


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", metavar="DIR", type=Path, help="where backups are kept")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = backups.make(options["dir"], timezone.localtime())
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(made))
