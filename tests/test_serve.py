"""The server as people start it: one process, found at the address it prints, ended by Ctrl-C, nothing lost."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest
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


def test_a_socket_is_compressed_within_a_small_window(site: Site) -> None:
    netloc = urlsplit(site.url)
    token = site.manage("apitoken", "wire", "--create").strip()
    opened = ask(site.url, "/api/tables", "POST", '{"rules": "lianzhong-simple"}', authorization=f"Bearer {token}")
    table = json.loads(opened.body)["table"]  # type: ignore[attr-defined]
    with socket.create_connection((netloc.hostname, netloc.port), timeout=10) as wire:
        lines = [
            f"GET /ws/tables/{table}/?format=json HTTP/1.1",
            f"Host: {netloc.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
            f"Authorization: Bearer {token}",
        ]
        wire.sendall("\r\n".join([*lines, "", ""]).encode())
        head = wire.recv(4096).decode("latin-1")
    assert head.startswith("HTTP/1.1 101")
    assert "permessage-deflate" in head
    assert "client_max_window_bits=13" in head


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


def test_a_reader_who_is_slow_gets_everything_in_its_order(site: Site) -> None:
    """What the operating system does not take at once waits its turn, and whatever comes later waits behind it."""
    token = site.manage("apitoken", "slow", "--create").strip()
    head = {"authorization": f"Bearer {token}"}
    table = json.loads(ask(site.url, "/api/tables", "POST", '{"rules": "lianzhong-simple"}', **head).body)["table"]  # type: ignore[attr-defined]
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # small pieces: the sender may keep less of them
    wire.connect((urlsplit(site.url).hostname, urlsplit(site.url).port))
    address = site.url.replace("http", "ws") + f"/ws/tables/{table}/?format=json"
    with open_socket(address, sock=wire, additional_headers=head, compression=None, max_queue=1) as reader:
        said = [f"{number} {'x' * 3900}" for number in range(50)]
        for text in said:
            reader.send(json.dumps({"type": "ping", "t": text}))
        heard = (json.loads(reader.recv(timeout=30)) for _ in iter(int, 1))
        assert [message["t"] for message in islice((m for m in heard if m["type"] == "pong"), len(said))] == said
