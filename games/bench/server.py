"""A server to be measured: a process of its own on an empty database, and what it uses of the machine (Linux)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import deque
from pathlib import Path
from types import TracebackType

from django.conf import settings

START_SECONDS = 60
STOP_SECONDS = 10
TICKS = os.sysconf("SC_CLK_TCK")
ADDRESS = re.compile(r"http://(127\.0\.0\.1:\d+)")


class BenchError(Exception):
    """The measurement cannot go on; the text says why."""


def _keep_apart(server: int) -> None:
    """Where there are several cores the clients, who are this process, take the last one, and the server has the
    others: real players sit at other machines and push nothing out of the server's caches."""
    cores = sorted(os.sched_getaffinity(server))
    if len(cores) > 1:
        os.sched_setaffinity(server, cores[:-1])
        os.sched_setaffinity(0, cores[-1:])


class BenchServer:
    """`manage.py serve` on 127.0.0.1 and a free port, on a data folder that goes with it. A context manager."""

    def __init__(self, **more: str) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="baohuang-bench-")
        ours = ("BAOHUANG_", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(ours)},
            "BAOHUANG_DATA": self.folder.name,
            "BAOHUANG_ENV_FILE": os.devnull,
            # nobody is human here: the shortest times in which the rules' fixed waits still happen
            "BAOHUANG_REVEAL_SECONDS": "3",
            "BAOHUANG_PROGRAM_TABLES_PER_HOUR": "1000000",
            "BAOHUANG_ADDRESS_TABLES_PER_HOUR": "1000000",
            "PYTHONUNBUFFERED": "1",
            "PYTHONUTF8": "1",
            **more,
        }
        self.process: subprocess.Popen[str] | None = None
        self.last_words: deque[str] = deque(maxlen=40)
        self.faults = 0

    def __enter__(self) -> BenchServer:
        try:
            self.manage("prepare")
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def command(self, *words: str) -> list[str]:
        return [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), *words]

    def manage(self, *words: str) -> str:
        """Run a management command on the server's data; what it prints."""
        done = subprocess.run(self.command(*words), env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchError(f"{words[0]}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def _start(self) -> None:
        self.process = subprocess.Popen(
            self.command("serve", "--host", "127.0.0.1", "--port", "0"),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        _keep_apart(self.process.pid)
        assert self.process.stdout is not None
        late = threading.Timer(START_SECONDS, self.process.kill)
        late.start()
        for line in self.process.stdout:
            self.last_words.append(line)
            if found := ADDRESS.search(line):
                self.address = found[1]
                break
        else:
            raise BenchError("the server did not start:\n" + "".join(self.last_words))
        late.cancel()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Keep the pipe from filling, and count what went wrong in there."""
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.last_words.append(line)
            self.faults += line.startswith("Traceback")

    def stop(self) -> None:
        """End the server by its process id and remove its data."""
        process, self.process = self.process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.folder.cleanup()

    @property
    def pid(self) -> int:
        if self.process is None or self.process.poll() is not None:
            raise BenchError("the server has ended:\n" + "".join(self.last_words))
        return self.process.pid

    def cpu_seconds(self) -> float:
        """Processor time used so far by all threads of the server, in user and system mode."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mb(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
