"""As the tests of sockets do: after each test the writer's thread lets go of its database connection."""

from tests.live.conftest import fresh_process

__all__ = ["fresh_process"]
