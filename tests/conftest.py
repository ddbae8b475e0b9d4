"""What all tests share: a real server, and a browser. Tests of the engine use none of it and never touch a database."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest
from pytest_django import DjangoDbBlocker

from tests import template
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

T = TypeVar("T")


def pytest_configure() -> None:
    """The process that starts the others names what they share, and begins with what all of them wait for."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # a shell ignores Ctrl-C for what it runs in the background, and the servers of the tests would inherit that
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        template.begin()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from tests.side_by_side import ByKind

    return ByKind(config, log)


@pytest.fixture(autouse=True)
def forgotten_limits(request: pytest.FixtureRequest) -> None:
    """Counts of sign-ups and guests do not reach from one test into the next."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        from django.core.cache import cache

        cache.clear()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """SQLite begins with a copy of the run's migrated database."""
    from django.db import connection

    if connection.vendor != "sqlite":
        return django_db_keepdb
    shutil.copy(template.migrated(), connection.settings_dict["TEST"]["NAME"])
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """After a test that committed the database is what it was at first. Before it goes, sessions go that threads of the
    tests have left open in PostgreSQL."""
    from django.db import connection
    from django.test import TransactionTestCase

    if connection.vendor == "sqlite":
        before = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]
        TransactionTestCase._fixture_teardown = _put_back  # type: ignore[attr-defined]
        yield
        TransactionTestCase._fixture_teardown = before  # type: ignore[attr-defined]
        return
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _put_back(_case: object = None) -> None:
    from django.db import connection

    connection.ensure_connection()
    template.put_back(connection.connection)


class Lasting(Protocol):
    def __call__(self, make: Callable[[], T]) -> T: ...


@pytest.fixture(scope="module")
def lasting(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Lasting]:
    """Commits rows with which every test of a module begins; after the module they are gone. Such a module has no test
    that commits, for that would take them away."""
    from django.core.management import call_command
    from django.db import connection, connections

    def made(make: Callable[[], T]) -> T:
        with django_db_blocker.unblock():
            return make()

    yield made
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            _put_back()
        else:
            call_command("flush", verbosity=0, interactive=False)
        connections.close_all()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as `make run` serves it, with quick bots, on its own empty database."""
    served = Site(tmp_path_factory.mktemp("site"), BAOHUANG_BOT_SECONDS="0.01-0.02", BAOHUANG_REVEAL_SECONDS="1")
    served.start()
    yield served
    assert served.stop() == 0, served.errors()


def find_chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A headless Chromium, for tests marked `browser`. It lives for one module: while it runs its event loop owns the
    thread, so a module that uses it asks the server, not the database."""
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    if path is None:
        pytest.fail("no Chromium here: install it, name it in CHROMIUM, or leave these tests out with NO_BROWSER=1")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def root() -> Path:
    return Path(__file__).resolve().parent.parent
