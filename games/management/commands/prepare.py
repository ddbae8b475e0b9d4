"""Make the data folder ready to serve from: tables, rule presets, static files. May be run any number of times.

It creates no account and changes nothing that is there already.
"""

from __future__ import annotations

import contextlib
import io
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.services import recount


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        if recount.never_counted():  # results from a release that had no ratings yet
            recount.recompute()
        # what these two say is of no use to somebody who wants to play
        with contextlib.redirect_stdout(io.StringIO()):
            call_command("load_presets", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
