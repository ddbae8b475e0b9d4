"""Ctrl-C for the server alone, when it was started by another program on a terminal.

`make run` and the server are one job of the terminal, so Ctrl-C would reach make as well, and make would report an
interrupt whatever the server says. While the server runs it is made a job of its own and gets the terminal; afterwards
make has it back and ends with the server's own exit code.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def to_itself() -> Iterator[None]:
    """Hold the terminal for this process, if there is one and its job was in the foreground; else change nothing."""
    caller = os.getpgrp()
    try:
        terminal = sys.stdin.fileno()
        shared = os.tcgetpgrp(terminal) == caller != os.getpid()
    except (OSError, ValueError, AttributeError):
        shared = False
    if not shared:
        yield
        return
    # handing the terminal over from the background stops a process, unless it ignores this signal; and a stop by
    # Ctrl-Z would leave make waiting with nobody at the terminal
    for number in (signal.SIGTTOU, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    os.setpgid(0, 0)
    os.tcsetpgrp(terminal, os.getpid())
    try:
        yield
    finally:
        os.tcsetpgrp(terminal, caller)
