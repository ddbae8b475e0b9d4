"""Persons for the tests: each with a browser context of its own, closed after the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import pytest

from tests.browser.person import PHONE, Person, Size
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class Comes(Protocol):
    """Brings somebody to the site."""

    def __call__(self, size: Size = PHONE, *, touch: bool | None = None) -> Person: ...


@pytest.fixture
def somebody(chromium: Browser, site: Site) -> Iterator[Comes]:
    came: list[Person] = []

    def comes(size: Size = PHONE, *, touch: bool | None = None) -> Person:
        came.append(Person(chromium, site.url, size, touch=touch))
        return came[-1]

    yield comes
    for person in came:
        person.close()
