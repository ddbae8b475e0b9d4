"""`python manage.py referee`: the engine as a referee on standard input and output (PROTOCOL "Referee")."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games.engine.referee import serve


class Command(BaseCommand):
    help = "Answer referee questions, one JSON object a line, until the input ends. Needs no database."
    requires_system_checks: list[str] = []  # it must start fast and without a database

    def handle(self, *args: Any, **options: Any) -> None:
        serve(sys.stdin.buffer, sys.stdout.buffer)
