"""kill -9 in the middle of a hand: every acknowledged action is there, the clock goes on, the books balance."""

from __future__ import annotations

import json
import random
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from tests.site import Site


class Program:
    """A person's program at a table of bots, over the network."""

    def __init__(self, site: Site, token: str) -> None:
        self.site = site
        self.headers = {"Authorization": f"Bearer {token}"}
        self.table = ""
        self.open = ExitStack()
        self.socket: ClientConnection | None = None
        self.view: dict[str, Any] = {}
        self.number = 0
        self.accepted: list[tuple[str, str, int]] = []
        self.rng = random.Random(3)

    def post(self, path: str, **body: Any) -> Any:
        return self._ask(path, json.dumps(body).encode())

    def get(self, path: str) -> Any:
        return self._ask(path, None)

    def _ask(self, path: str, body: bytes | None) -> Any:
        request = urllib.request.Request(self.site.url + path, body, self.headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def connect(self) -> None:
        address = self.site.url.replace("http", "ws") + f"/ws/tables/{self.table}/?format=json"
        self.open.close()
        self.socket = self.open.enter_context(open_socket(address, additional_headers=self.headers))
        self.read("view")

    def read(self, kind: str) -> dict[str, Any]:
        """The next message of this kind; views are kept on the way."""
        assert self.socket is not None
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=30))
            if message["type"] == "view":
                self.view = message
            if message["type"] == kind:
                return message

    def act(self) -> None:
        """Wait to be asked and answer with something legal."""
        while self.view["prompt"] is None:
            self.read("view")
        legal = self.view["view"]["legal"][str(self.view["seat"])]
        action = self.cheapest(legal)
        self.number += 1
        prompt = self.view["prompt"]
        name = f"m{self.number}"
        assert self.socket is not None
        self.socket.send(json.dumps({"type": "act", "id": name, "prompt": prompt, "action": action}))
        answer = self.read("answer")
        assert answer["ok"], answer
        self.accepted.append((name, action, answer["seq"]))
        while self.view["prompt"] == prompt:
            self.read("view")

    def cheapest(self, legal: list[str]) -> str:
        if "pass" in legal:
            return "pass"
        if not legal[0].startswith("play "):
            return legal[0]
        shape = legal[0].removeprefix("play ")
        hand = self.view["view"]["hands"][self.view["seat"]]
        cards = []
        for letter in shape:
            card = next(card for card in reversed(hand) if card[0] == letter and (len(card) == 2 or letter in "wW"))
            hand.remove(card)
            cards.append(card)
        return "play " + " ".join(cards)


@pytest.fixture
def quick(tmp_path: Path) -> Any:
    site = Site(tmp_path, BAOHUANG_BOT_SECONDS="0.01-0.02", BAOHUANG_REVEAL_SECONDS="1", BAOHUANG_NEXT_SECONDS="1")
    site.start()
    yield site
    site.stop()


def test_a_server_killed_in_the_middle_of_a_hand_goes_on_where_it_was(quick: Site) -> None:
    token = quick.manage("apitoken", "程序", "--create").split()[-1]
    program = Program(quick, token)
    program.table = program.post("/api/tables", rules="lianzhong-simple", bots=4)["table"]
    program.connect()
    program.post(f"/api/tables/{program.table}/ready")
    while program.view["hand"] is None:
        program.read("view")
    hand = program.view["hand"]
    for _ in range(2):
        for _ in range(4):
            program.act()
        before = program.view
        quick.kill()
        quick.start()
        program.connect()
        assert program.view["hand"] == hand
        assert program.view["seq"] >= before["seq"]
        if program.view["seq"] == before["seq"]:
            assert program.view["deadline"] == before["deadline"]
        name, action, seq = program.accepted[-1]
        assert program.socket is not None
        program.socket.send(json.dumps({"type": "act", "id": name, "prompt": "x", "action": action}))
        assert program.read("answer")["seq"] == seq
    while program.view["view"]["step"] != "done":
        if program.view["prompt"] is None:
            program.read("view")
        else:
            program.act()
    record = program.get(f"/api/hands/{hand}/record")
    own = [text for seat, text in record["actions"] if seat == 0]
    assert [action for _, action, _ in program.accepted] == own
    assert "0 differences" in quick.manage("refold")
    quick.manage("check_ledger")
    program.open.close()
