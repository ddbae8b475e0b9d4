"""`manage.py load_presets`: bring the built-in rule presets into the database, as new revisions where they changed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.services.variants import load_presets


class Command(BaseCommand):
    help = "Bring the built-in rule presets into the database; safe to run at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = load_presets(now=timezone.now())
        self.stdout.write(
            f"presets: {len(loaded.made)} new, {len(loaded.changed)} changed, {len(loaded.kept)} as they were"
        )
