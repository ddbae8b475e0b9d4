"""The referee: the worked cases, golden answers, and that bad input never ends it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine.referee import answer_line, serve

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]
GOLDEN = Path(__file__).parent.parent / "golden" / "referee.jsonl"


def ask(question: Any) -> Any:
    return json.loads(answer_line(json.dumps(question).encode()))


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """Of an error only code, key and index count; the order of `legal` and `to_act` does not."""
    if "error" in answer:
        return {key: value for key, value in answer["error"].items() if key != "message"}
    answer = dict(answer)
    if "legal" in answer:
        answer["legal"] = {seat: sorted(texts) for seat, texts in answer["legal"].items()}
        answer["to_act"] = sorted(answer["to_act"])
    return answer


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_the_worked_case_is_answered_as_the_rulebook_says(case: dict[str, Any]) -> None:
    assert comparable(ask(case["ask"])) == comparable(case["answer"])


def test_golden_answers_stay_as_they_were() -> None:
    lines = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    assert len(lines) > 400
    for line in lines:
        assert comparable(ask(line["ask"])) == comparable(line["answer"]), line["ask"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"[]",
        b"null",
        b'"rules"',
        b'{"op": "nope"}',
        b'{"op": ["rules"], "rules": "home"}',
        b'{"op": "rules"}',
        b'{"op": "rules", "rules": null}',
        b'{"op": "rules", "rules": 3}',
        b'{"op": "rules", "rules": "home", "colour": 1}',
        b'{"op": "rules", "rules": "home", "overrides": []}',
        b'\xef\xbb\xbf{"op": "rules", "rules": "home"}',
        b'{"op": "rules", "rules": "\xff"}',
        b'{"op": "rules", "rules": "\\ud800"}',
        b'{"op": "settle", "rules": "home", "emperor": NaN, "guard": 1, "places": [1,2,3,4,5]}',
        b'{"op": "settle", "rules": "home", "emperor": 0.0, "guard": 1, "places": [1,2,3,4,5]}',
        b'{"op": "settle", "rules": "home", "emperor": true, "guard": 0, "places": [1,2,3,4,5]}',
        b'{"op": "settle", "rules": "home", "emperor": 0, "guard": 0, "places": [1,2,3,4,5]}',
        b'{"op": "settle", "rules": "home", "emperor": 0, "places": [1,2,3,4,5]}',
        b'{"op": "settle", "rules": "home", "emperor": 0, "guard": 1, "places": [1,2,3,4,4]}',
        b'{"op": "settle", "rules": "home", "emperor": 0, "solo": "open", "guard_open": true, "places": [1,2,3,4,5]}',
        b'{"op": "settle", "rules": "home", "emperor": 0, "guard": 1, "places": [1,2,3,4,5], "room": 1000001}',
        b'{"op": "deal", "rules": "home", "server_seed": "00"}',
        b'{"op": "plays", "rules": "home", "hand": "7S"}',
        b'{"op": "view", "record": {"format": "baohuang-hand/1", "rules": "home", "actions": []}}',
        b'{"op": "replay", "record": {"format": "baohuang-hand/2", "rules": "home", "hands": [["W!"],[],[],[],[]],'
        b' "actions": []}}',
        b'{"op": "replay", "record": {"format": "baohuang-hand/1", "rules": "home", "hands": [[],[],[],[],[]],'
        b' "actions": []}}',
        b'{"op": "replay", "record": {"format": "baohuang-hand/1", "rules": "home", "hands": [["W!"],[],[],[],[]],'
        b' "actions": [[5, "pass"]]}}',
        b"[" * 100_000,
        b'{"op":' * 5_000,
    ],
)
def test_what_is_no_question_is_answered_as_malformed(line: bytes) -> None:
    assert json.loads(answer_line(line))["error"]["code"] == "malformed"


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"op": "beats", "rules": "home", "top": "", "play": "7"}, "bad_cards"),
        ({"op": "beats", "rules": "home", "top": "7W", "play": "7"}, "bad_cards"),
        ({"op": "beats", "rules": "home", "top": "7", "play": "WWWWW"}, "bad_cards"),
        ({"op": "beats", "rules": "weihai", "top": "7", "play": "66666666666666"}, "bad_cards"),
        ({"op": "beats", "rules": "special", "top": "#", "play": "7"}, "bad_cards"),
        ({"op": "beats", "rules": "nowhere", "top": "bad", "play": "7"}, "bad_rules"),
        ({"op": "plays", "rules": "home", "hand": ["7S", "7S", "7S", "7S", "7S"]}, "bad_cards"),
        ({"op": "plays", "rules": "home", "hand": ["7S"], "special": "8S"}, "bad_cards"),
        ({"op": "plays", "rules": "home", "hand": ["1S"]}, "bad_cards"),
    ],
)
def test_faults_have_their_code(question: dict[str, Any], code: str) -> None:
    assert ask(question)["error"]["code"] == code


@pytest.mark.parametrize("text", ["nonsense", "play 7X", "play  9S", "play", " accept", "yield", "call 9S", "play 7S"])
def test_an_action_that_means_nothing_there_is_illegal_at_its_index(text: str) -> None:
    record = {
        "format": "baohuang-hand/1",
        "rules": "lianzhong-simple",
        "hands": [["W!", "9S"], ["w!", "8S"], ["7S"], ["6S"], ["5S"]],
        "actions": [[0, "accept"], [1, text]],
    }
    assert comparable(ask({"op": "replay", "record": record})) == {"code": "illegal", "at": 1}


def test_every_line_is_answered_in_order_until_the_input_ends() -> None:
    target = io.BytesIO()
    serve(io.BytesIO(b'\n{"op":"rules","rules":"home"}\n\xff\n{"op":"rules","rules":"none"}'), target)
    answers = [json.loads(line) for line in target.getvalue().splitlines()]
    assert [a.get("error", {}).get("code") for a in answers] == ["malformed", None, "malformed", "bad_rules"]
    assert answers[1]["rules"]["id"] == "home"


def test_an_exported_record_with_its_result_can_be_asked_about() -> None:
    record = {
        "format": "baohuang-hand/1",
        "rules": "lianzhong-simple",
        "hands": [["W!", "9S"], ["w!", "8S"], ["7S"], ["6S"], ["5S"]],
        "actions": [],
        "result": {"outcome": "win"},
    }
    assert ask({"op": "replay", "record": record})["step"] == "crown"


def test_the_command_answers_line_by_line_without_a_database(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, str(root / "manage.py"), "referee"]
    environment = {**os.environ, "BAOHUANG_DATA": str(tmp_path / "nowhere")}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, env=environment
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for line, code in ((b"nonsense\n", "malformed"), (b'{"op":"rules","rules":"home"}\n', None)):
            running.stdin.write(line)
            running.stdin.flush()
            assert json.loads(running.stdout.readline()).get("error", {}).get("code") == code
        running.stdin.close()
        assert running.wait(10) == 0
    assert not (tmp_path / "nowhere").exists()
