"""The server as people start it: one process, found at the address it prints, ended by Ctrl-C, nothing lost."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from tests.site import ROOT, Site


def ask(url: str, path: str, method: str = "GET", body: str | None = None, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.body = answer.read().decode()  # type: ignore[attr-defined]
    return answer


def test_it_ends_cleanly_and_starts_again_on_the_same_data(tmp_path: Path) -> None:
    site = Site(tmp_path)
    url = site.start()
    key = (tmp_path / "secret_key").read_text()
    token = site.manage("apitoken", "bench", "--create").strip()
    assert ask(url, "/accounts/login/").status == 200
    assert site.stop(signal.SIGINT) == 0
    assert site.start() == url
    answer = ask(url, "/accounts/", authorization=f"Bearer {token}")
    assert "bench" in answer.body  # type: ignore[attr-defined]
    assert (tmp_path / "secret_key").read_text() == key
    assert site.stop(signal.SIGTERM) == 0
    assert "Traceback" not in site.errors()
    assert "the ledger balances" in site.manage("check_ledger")


def test_told_to_end_it_answers_what_it_was_asked_before(tmp_path: Path) -> None:
    site = Site(tmp_path)
    url = site.start()
    token = site.manage("apitoken", "bench", "--create").strip()
    with closing(sqlite3.connect(tmp_path / "baohuang.sqlite3")) as writer, ThreadPoolExecutor() as pool:
        writer.execute("BEGIN IMMEDIATE")  # whoever else wants to write waits
        asked = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=20)
        body = b'{"rules": "lianzhong-simple"}'
        asked.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
            % (urlsplit(url).netloc.encode(), token.encode(), len(body), body)
        )
        assert ask(url, "/accounts/login/").status == 200  # so the first one has been read
        ended = pool.submit(site.stop)
        while is_listening(url):
            pass
        writer.rollback()
        assert b"201 Created" in asked.recv(4096)
        assert ended.result() == 0
    assert "Traceback" not in site.errors()


@pytest.mark.slow
def test_told_to_end_it_does_not_wait_for_an_answer_that_does_not_come(tmp_path: Path) -> None:
    site = Site(tmp_path)
    url = site.start()
    token = site.manage("apitoken", "bench", "--create").strip()
    with closing(sqlite3.connect(tmp_path / "baohuang.sqlite3")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        asked = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=20)
        head = f"POST /api/tables HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\nAuthorization: Bearer {token}\r\n"
        asked.sendall(f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
        assert ask(url, "/accounts/login/").status == 200
        assert site.stop() == 0, site.errors()
        asked.close()


def is_listening(url: str) -> bool:
    try:
        socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=20).close()
    except ConnectionRefusedError:
        return False
    except ConnectionResetError:  # it was closed while somebody was at the door
        pass
    return True


def test_it_serves_its_static_files_for_good_and_no_account_exists_at_the_start(site: Site) -> None:
    html = ask(site.url, "/accounts/login/").body  # type: ignore[attr-defined]
    (sheet,) = re.findall(r'href="(/static/css/site\.[0-9a-f]+\.css)"', html)
    answer = ask(site.url, sheet)
    assert answer.status == 200
    assert "immutable" in (answer.getheader("Cache-Control") or "")
    assert (
        site.manage("shell", "-c", "from accounts.models import Player; print(Player.objects.count())").split()[-1]
        == "0"
    )


def test_everything_written_lies_in_the_data_folder(site: Site) -> None:
    kept = {path.name for path in site.folder.iterdir()}
    assert {"baohuang.sqlite3", "secret_key", "logs", "static"} <= kept


def test_a_port_in_use_is_said_in_a_sentence(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=site.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode != 0
    assert f"127.0.0.1:{port}" in done.stderr
    assert "PORT=" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_page_of_another_site_gets_no_socket_and_an_unknown_name_no_page(site: Site) -> None:
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert ask(site.url, "/ws/tables/none/", **upgrade, Origin="https://evil.example").status == 403
    assert ask(site.url, "/accounts/login/", Host="evil.example").status == 400


@contextmanager
def slow_reader(site: Site, path: str, head: dict[str, str], asks: list[dict[str, str]]) -> Iterator[ClientConnection]:
    """A socket whose reader has stopped, with the answers to this on their way to it."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # small pieces: the sender may keep less of them
    wire.connect((urlsplit(site.url).hostname, urlsplit(site.url).port))
    address = site.url.replace("http", "ws") + path
    options = {"additional_headers": head, "compression": None, "max_queue": 1, "close_timeout": 1}
    with open_socket(address, sock=wire, **options) as reader:
        for message in asks:
            reader.send(json.dumps(message))
        yield reader


def opened_by(site: Site, name: str) -> tuple[dict[str, str], str]:
    """Somebody new, and the table he has opened."""
    head = {"authorization": f"Bearer {site.manage('apitoken', name, '--create').strip()}"}
    answer = ask(site.url, "/api/tables", "POST", '{"rules": "lianzhong-simple"}', **head)
    return head, json.loads(answer.body)["table"]  # type: ignore[attr-defined]


def test_a_reader_who_is_slow_gets_everything_in_its_order(site: Site) -> None:
    """What the operating system does not take at once waits its turn, and whatever comes later waits behind it."""
    head, table = opened_by(site, "slow")
    said = [f"{number} {'x' * 3900}" for number in range(50)]
    asks = [{"type": "ping", "t": text} for text in said]
    with slow_reader(site, f"/ws/tables/{table}/?format=json", head, asks) as reader:
        heard = (json.loads(reader.recv(timeout=30)) for _ in iter(int, 1))
        assert [message["t"] for message in islice((m for m in heard if m["type"] == "pong"), len(said))] == said


def test_a_socket_that_is_being_closed_is_told_no_more_and_is_no_fault(site: Site) -> None:
    head, table = opened_by(site, "closing")
    with slow_reader(site, f"/ws/tables/{table}/", {"origin": site.url}, [{"do": "refresh"}] * 58) as reader:
        # a close frame, while what was said before is still on its way
        reader.socket.sendall(b"\x88\x82\x00\x00\x00\x00\x03\xe8")
        for more in (1, 1, -1, 1):
            answer = ask(site.url, f"/api/tables/{table}/bots", "POST", json.dumps({"add": more}), **head)
            assert answer.status == 200
    assert "could not be shown" not in site.errors()


def test_requests_leave_no_connection_to_the_database_behind(site: Site) -> None:
    """Each is served by a thread of its own, and what the thread had opened would stay until it is collected."""
    token = site.manage("apitoken", "many", "--create").strip()
    with ThreadPoolExecutor(10) as pool:
        answers = pool.map(lambda _: ask(site.url, "/accounts/", authorization=f"Bearer {token}").status, range(150))
        assert set(answers) == {200}
    opened = [Path(f"/proc/{site.pid}/fd/{number}") for number in os.listdir(f"/proc/{site.pid}/fd")]
    names = [os.readlink(path) for path in opened if path.is_symlink()]
    assert len([name for name in names if "baohuang.sqlite3" in name]) < 30


def test_a_host_that_is_not_ours_costs_one_line_in_the_log(site: Site) -> None:
    assert ask(site.url, "/", host="unknown.example").status == 400
    (line,) = [line for line in site.errors().splitlines() if "unknown.example" in line]
    assert "ALLOWED_HOSTS" in line
    assert "Traceback" not in site.errors()


def test_a_form_with_too_many_fields_costs_one_line_in_the_log(site: Site) -> None:
    fields = "&".join(f"a{number}=1" for number in range(2000))
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"csrftoken={32 * 'a'}"}
    assert ask(site.url, "/accounts/login/", "POST", fields, **headers).status == 400
    (line,) = [line for line in site.errors().splitlines() if "DATA_UPLOAD_MAX_NUMBER_FIELDS" in line]
    assert "django.security.TooManyFieldsSent" in line
    assert "Traceback" not in site.errors()
