"""The whole site as a process of its own, the way `make run` starts it, for tests that need a real server.

It serves a database and a data folder of its own on a free port. `kill()` ends it without a warning; `start()`
brings it back on what was kept.
"""

from __future__ import annotations

import atexit
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path

from tests.template import ROOT, environment, migrated


@cache
def prepared() -> Path:
    """A folder as `manage.py prepare` leaves an empty one. It takes seconds, so it is done once in a run."""
    folder = Path(tempfile.mkdtemp(prefix="prepared-"))
    atexit.register(shutil.rmtree, folder)
    shutil.copy(migrated(), folder)
    Site(folder).manage("prepare")
    return folder


class Site:
    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.url = ""
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.environment = {
            **environment(folder),
            "BAOHUANG_SQLITE_SYNCHRONOUS": "NORMAL",
            # one person of the tests opens more tables than people do
            "BAOHUANG_TABLES_PER_HOUR": "1000000",
            "BAOHUANG_PROGRAM_TABLES_PER_HOUR": "1000000",
            "BAOHUANG_ADDRESS_TABLES_PER_HOUR": "1000000",
            "PYTHONUNBUFFERED": "1",
            "PYTHONUTF8": "1",
            "PYTHONFAULTHANDLER": "1",
            **settings,
        }

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def manage(self, *words: str) -> str:
        """Run a management command on this site's data; its output. Raises CalledProcessError."""
        command = [sys.executable, "manage.py", *words]
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True, timeout=300
            )
        except subprocess.CalledProcessError as error:
            error.add_note(f"{error.stdout}\n{error.stderr}")
            raise
        return done.stdout

    def start(self) -> str:
        """Serve, and return the address once it answers there. The same port again after the first time."""
        if not (self.folder / "baohuang.sqlite3").exists():
            shutil.copytree(prepared(), self.folder, dirs_exist_ok=True)
        self.log = (self.folder / "server.out").open("a", encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(self._port)],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self._process = process
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.url, self._port = found[0], int(found[1])
                # whatever else it says must not fill the pipe
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return self.url
        raise RuntimeError(f"the server ended with {process.wait()}: {self.errors()}")

    def errors(self) -> str:
        """What the server has written to standard error so far."""
        return (self.folder / "server.out").read_text(encoding="utf-8")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it and return its exit code. A server that does not end in ten seconds is aborted, which counts as -6,
        and writes to standard error what its threads were doing."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(10)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)
            return process.wait(10)
        finally:
            self.log.close()

    def kill(self) -> None:
        """End it without giving it a chance to save anything."""
        self.stop(signal.SIGKILL)
