"""What waits for the writer at the same time is committed together, and nothing of that can be noticed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, transaction

from accounts.models import Player
from games.services import writer
from tests.template import ROOT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite has one writer"),
]


@asynccontextmanager
async def piled_up() -> AsyncIterator[None]:
    """The writer is busy until everything that was asked of it inside the block waits."""
    gate = threading.Event()
    busy = asyncio.create_task(writer.run(gate.wait))
    await asyncio.sleep(0)
    try:
        yield
        await asyncio.sleep(0)
    finally:
        gate.set()
        await busy


def add(name: str, seen: list[str], then: Callable[[], None] = lambda: None) -> str:
    with writer.writing():
        Player.objects.create(username=name)
        seen.append(f"written {name}")
        transaction.on_commit(lambda: seen.append(f"committed {name}"))
        then()
    return name


ENDING = """
import django, sys, threading
django.setup()
from games.services import writer
writer.END_SECONDS = 0.3
writer._thread.put(lambda: print("done first", flush=True))
if sys.argv[1] == "stuck":
    writer._thread.put(threading.Event().wait)
"""


@pytest.mark.parametrize("held", ["free", "stuck"])
def test_a_process_that_ends_does_what_was_asked_for_but_waits_for_nobody_for_ever(held: str) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    command = [sys.executable, "-c", ENDING, held]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "done first\n")
    assert ("before the writer could do" in ended.stderr) == (held == "stuck")


async def names() -> set[str]:
    return set(await sync_to_async(lambda: list(Player.objects.values_list("username", flat=True)))())


async def test_what_waits_together_is_committed_together_and_answered_afterwards() -> None:
    seen: list[str] = []
    async with piled_up():
        tasks = [asyncio.create_task(writer.run_together(add, name, seen)) for name in "abc"]
    assert await asyncio.gather(*tasks) == ["a", "b", "c"]
    assert seen == ["written a", "written b", "written c", "committed a", "committed b", "committed c"]
    assert await names() == {"a", "b", "c"}


@pytest.mark.parametrize("caught", [False, True])
async def test_when_one_fails_the_others_are_done_all_the_same_and_nothing_of_it_stays(caught: bool) -> None:
    seen: list[str] = []

    def refuse() -> None:
        raise LookupError("refused")

    def refused() -> str:
        try:
            return add("b", seen, refuse)
        except LookupError:
            if caught:
                return "refused"
            raise

    async with piled_up():
        tasks = [
            asyncio.create_task(writer.run_together(add, "a", seen)),
            asyncio.create_task(writer.run_together(refused)),
            asyncio.create_task(writer.run_together(add, "c", seen)),
        ]
    first, second, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert (first, third) == ("a", "c")
    assert second == "refused" if caught else isinstance(second, LookupError)
    assert [entry for entry in seen if entry.startswith("committed")] == ["committed a", "committed c"]
    assert await names() == {"a", "c"}


async def test_what_is_shown_after_a_common_commit_may_fail_without_anything_being_done_twice() -> None:
    seen: list[str] = []

    def broken() -> str:
        with writer.writing():
            transaction.on_commit(lambda: 1 // 0)
        return "broken"

    async with piled_up():
        tasks = [
            asyncio.create_task(writer.run_together(add, "a", seen)),
            asyncio.create_task(writer.run_together(broken)),
        ]
    assert await asyncio.gather(*tasks) == ["a", "broken"]
    assert seen == ["written a", "committed a"]
