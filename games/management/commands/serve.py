"""Serve the site: pages, sockets and the tables' clock in one process.

Ends cleanly on Ctrl-C and on SIGTERM. Several such processes may run beside each other with PostgreSQL and Redis.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from baohuang_site import hosts, terminal

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.SERVE_HOST, help="address to listen on (default %(default)s)")
        parser.add_argument("--port", type=int, default=settings.SERVE_PORT, help="port (default %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = str(options["host"]), int(options["port"])
        if host not in settings.ALLOWED_HOSTS and not is_any(host):
            settings.ALLOWED_HOSTS.append(in_url(host))
        collect_static()

        # the reactor is installed by this import, and the routes read the settings as they are now
        from baohuang_site.server import TableServer  # isort: skip
        from baohuang_site.asgi import application
        from games.services.pacing import run_forever

        proxied = settings.HTTPS
        server = TableServer(
            application,
            endpoints=[endpoint(host, port)],
            background=run_forever,
            on_ready=lambda: self.announce(host, server.listening_addresses[0][1]),
            proxy_forwarded_address_header="X-Forwarded-For" if proxied else None,
            proxy_forwarded_proto_header="X-Forwarded-Proto" if proxied else None,
            server_name="baohuang",
            verbosity=1,
        )
        with terminal.to_itself():
            server.run()
        if server.unanswered:
            log.warning("%d requests were not answered any more", server.unanswered)
            logging.shutdown()
            sys.stdout.flush()
            os._exit(0)  # what was committed is in the database; what was not has not been acknowledged
        if server.refused:
            raise CommandError(f"{in_url(host)}:{port}: {server.refused}\nmake run PORT=… chooses another port")

    def announce(self, host: str, port: int) -> None:
        """Say where the site is to be found; whoever started us may be waiting for this line."""
        with contextlib.suppress(AttributeError):
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.stdout.write(f"保皇 http://{'127.0.0.1' if is_any(host) else in_url(host)}:{port}/")
        if is_any(host):
            for address in hosts.private_addresses():
                self.stdout.write(f"     http://{address}:{port}/")
        self.stdout.flush()


def is_any(host: str) -> bool:
    """Whether this address means: listen on all of them."""
    return host in {"0.0.0.0", "::"}


def in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def endpoint(host: str, port: int) -> str:
    """Twisted's description of where to listen."""
    try:
        version = ipaddress.ip_address(host).version
    except ValueError:
        version = 4
    kind = "tcp6" if version == 6 else "tcp"
    return f"{kind}:{port}:interface={host.replace(':', chr(92) + ':')}"


def collect_static() -> None:
    """Bring the static files together if nobody has; `make run` does it at every start."""
    if not settings.DEBUG and not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        call_command("collectstatic", interactive=False, verbosity=0)
