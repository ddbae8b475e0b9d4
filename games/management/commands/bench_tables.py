"""`manage.py bench_tables`: what a move costs, from a player's action to the five views that follow from it.

Starts a server of its own on a free port with an empty database, opens tables and seats five socket clients at each
through the public protocol, lets them play hands, and prints the figures. The clients run in this process and the
server in its own, so that its processor time can be told apart; on a machine with one core they disturb each other.
"""

from __future__ import annotations

import asyncio
import gc
import random
import signal
import sys
import time
from argparse import ArgumentParser
from itertools import pairwise
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.bench.figures import Moment, Stretch, between
from games.bench.server import BenchError, BenchServer
from games.bench.sockets import Traffic
from games.bench.tables import Api, BenchTable, Counts
from games.engine.presets import preset_ids

THIRDS = 3
ERRORS_SHOWN = 5


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, default=50, metavar="N", help="tables (default %(default)s)")
        parser.add_argument(
            "--rate", type=float, default=1.0, metavar="R", help="moves a second and table; 0: as fast as it goes"
        )
        parser.add_argument(
            "--seconds", type=float, default=60, metavar="S", help="measured time (default %(default)s)"
        )
        parser.add_argument(
            "--warm-up", type=float, default=10, metavar="S", help="played before (default %(default)s)"
        )
        parser.add_argument("--rules", default="lianzhong-simple", metavar="PRESET", help="default %(default)s")
        parser.add_argument("--format", choices=("html", "json", "both"), default="both")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["tables"] < 1 or options["rate"] < 0 or options["seconds"] <= 0 or options["warm_up"] < 0:
            raise CommandError("tables and seconds must be positive, rate and warm-up not negative")
        if options["rules"] not in preset_ids():
            raise CommandError(f"no preset {options['rules']!r}; there are {', '.join(preset_ids())}")
        signal.signal(signal.SIGTERM, _as_if_interrupted)
        wanted = ("html", "json") if options["format"] == "both" else (options["format"],)
        bad = 0
        try:
            for kind in wanted:
                bad += self._measure(kind, options)
        except BenchError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stderr.write("interrupted")
            sys.exit(130)
        if bad:
            sys.exit(1)

    def _measure(self, kind: str, options: dict[str, Any]) -> int:
        """Measure sockets of this kind on a fresh server, print the figures; how many errors there were."""
        with BenchServer() as server:
            counts = Counts()
            moments = asyncio.run(_run(server, kind, options, counts))
            faults = server.faults
        whole = between(moments[0], moments[-1], counts.latencies)
        parts = [between(a, b, counts.latencies) for a, b in pairwise(moments)]
        rate = f"{options['rate']:g} moves/s" if options["rate"] else "as fast as it goes"
        self.stdout.write(f"{kind}: {options['tables']} tables, {rate}, {whole.seconds:.0f} s, {options['rules']}")
        for name, value in _lines(kind, whole, parts):
            self.stdout.write(f"  {name:<34} {value}")
        errors = [*counts.errors, *([f"{faults} tracebacks in the server's log"] if faults else [])]
        self.stdout.write(f"  {'refused, errors, late':<34} {len(counts.refused)}, {len(errors)}, {counts.late}")
        for error in [*counts.refused[:ERRORS_SHOWN], *errors[:ERRORS_SHOWN]]:
            self.stdout.write(f"    {error}")
        self.stdout.flush()
        return len(counts.refused) + len(errors)


def _as_if_interrupted(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _lines(kind: str, whole: Stretch, parts: list[Stretch]) -> list[tuple[str, str]]:
    return [
        ("moves/s (moves, hands finished)", f"{whole.rate:.1f} ({whole.moves}, {whole.hands})"),
        ("all five shown, ms: p50 p99 worst", f"{whole.p50:.1f} {whole.p99:.1f} {whole.worst:.1f}"),
        ("server CPU, ms a move", f"{whole.cpu_ms:.2f} (thirds: {_thirds(part.cpu_ms for part in parts)})"),
        ("server busy, clients busy", f"{whole.busy:.0%}, {whole.client_busy:.0%} of a core"),
        (f"bytes a move and seat: {kind}, wire", f"{whole.text:.0f}, {whole.wire:.0f} in {whole.frames:.2f} frames"),
        ("memory, MB", f"{whole.memory_before:.1f} → {_thirds((part.memory_after for part in parts), ' → ', 1)}"),
    ]


def _thirds(values: Any, mark: str = " ", digits: int = 2) -> str:
    return mark.join(f"{value:.{digits}f}" for value in values)


async def _run(server: BenchServer, kind: str, options: dict[str, Any], counts: Counts) -> list[Moment]:
    """Seat everybody, play through the warm-up and the measured time; the moments between its thirds."""
    number, seconds = options["tables"], options["seconds"]
    tokens = server.manage("apitoken", "bench", "--create", "--count", str(5 * number)).split()
    traffic = Traffic()
    rng = random.Random(1)
    api = Api(server.address)
    played: list[BenchTable] = []
    for at in range(number):
        five = tokens[5 * at : 5 * at + 5]
        played.append(BenchTable(api.open_table(five, options["rules"]), kind == "json", counts, traffic, rng))
        await played[-1].connect(server.address, five)
    for at, table in enumerate(played):
        api.deal(table.table, tokens[5 * at : 5 * at + 5])
        await asyncio.sleep(0)
    gc.collect()
    gc.freeze()
    gc.disable()
    begin = time.perf_counter() + options["warm_up"]
    tasks = [asyncio.create_task(table.play(options["rate"], begin + seconds)) for table in played]
    moments: list[Moment] = []
    for third in range(THIRDS + 1):
        left = begin + seconds * third / THIRDS - time.perf_counter()
        await asyncio.sleep(max(0.0, left))
        moments.append(Moment.take(server, counts, traffic))
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    for table in played:
        table.close()
    gc.enable()
    gc.unfreeze()
    return moments
