"""Take away old logs as the settings say: moves of finished hands, chat, sessions that are over. Results stay.

BAOHUANG_KEEP_MOVES_DAYS and BAOHUANG_KEEP_CHAT_DAYS say how long; 0 keeps for ever.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from games.services import pruning


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        done = pruning.prune(
            moves_days=settings.KEEP_MOVES_DAYS,
            chat_days=settings.KEEP_CHAT_DAYS,
            now=timezone.now(),
            dry=options["dry_run"],
        )
        words = "would go" if options["dry_run"] else "gone"
        self.stdout.write(
            f"{words}: {done.actions} actions of {done.hands} hands, {done.chat} lines of chat,"
            f" {done.sessions} sessions, {done.names} reserved names"
        )
