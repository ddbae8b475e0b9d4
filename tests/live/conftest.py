"""After each test the writer's thread lets go of its database connection, so that the database can be emptied."""

from collections.abc import Iterator

import pytest

from games import history, live
from games.services import writer
from games.services.agenda import agenda


@pytest.fixture(autouse=True)
def fresh_process() -> Iterator[None]:
    history.forget_all()
    yield
    writer.close()
    history.forget_all()
    live.registry.__init__()  # type: ignore[misc]
    agenda.__init__()  # type: ignore[misc]
