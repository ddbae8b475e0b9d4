"""A socket that the server ends is really closed, over a real connection: the other side learns it, and why."""

from __future__ import annotations

import json
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games import consumers
from tests.site import Site


@pytest.mark.slow
def test_a_flood_closes_the_connection_with_its_code(tmp_path: Path) -> None:
    site = Site(tmp_path)
    address = site.start()
    try:
        headers = {"Authorization": f"Bearer {site.manage('apitoken', '程序', '--create').split()[-1]}"}
        request = urllib.request.Request(f"{address}/api/tables", b'{"rules": "standard"}', headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            table = json.load(answer)["table"]
        path = f"{address.replace('http', 'ws')}/ws/tables/{table}/?format=json"
        with connect(path, additional_headers=headers) as socket:
            for number in range(4 * consumers.BURST):
                socket.send(json.dumps({"type": "ping", "t": number}))
            with suppress(ConnectionClosed):
                while True:
                    socket.recv(timeout=20)
            assert socket.close_code == consumers.FLOODING
    finally:
        site.stop()
