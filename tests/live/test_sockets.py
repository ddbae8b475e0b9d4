"""One socket at a time: how it is let in, what it is answered, who counts as connected, what a flood comes to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.services.players import sign_up
from games import consumers, live, snapshots
from games.models import HandAction
from games.services import tables
from tests.games.play_helpers import Club, club
from tests.live.wires import Wire, connect, session_of, settled

pytestmark = [pytest.mark.django_db(transaction=True)]


@sync_to_async
def make(people: int = 2, ready: bool = True, seed: int | None = 1, **options: Any) -> Club:
    game = club(people=people, ready=False, seed=seed, now=timezone.now(), **options)
    if ready:
        game.ready()
    return game


def asked(game: Club) -> int:
    return game.asked()[0]


async def test_a_program_is_sent_its_view_at_once() -> None:
    game = await make(people=5)
    wire = await connect(game.id, game.people[3], json=True)
    (message,) = wire.messages()
    assert set(message) == {"type", "table", "hand", "seq", "seat", "prompt", "deadline", "view", "seats"}
    assert (message["type"], message["table"], message["seat"], message["seq"]) == ("view", game.id, 3, 0)
    assert len(message["view"]["hands"][3]) == message["view"]["hands"][2] or message["view"]["hands"][3]
    assert [seat["name"] for seat in message["seats"]] == [p.username for p in game.people.values()]
    assert set(message["seats"][0]) == {"name", "bot", "ready", "connected", "trustee"}
    await wire.close()


async def test_before_the_first_deal_the_view_is_null() -> None:
    game = await make(ready=False)
    wire = await connect(game.id, game.people[0], json=True)
    view = wire.last_view()
    assert (view["hand"], view["view"], view["prompt"], view["deadline"]) == (None, None, None, None)
    await wire.close()


async def test_the_page_is_sent_every_fragment_at_once() -> None:
    game = await make()
    wire = await connect(game.id, game.people[0])
    (frame,) = wire.new()
    for name in ("seat-0", "seat-4", "bar", "pile", "prompt", "hand", "log", "result", "counter", "banner", "fair"):
        assert f'id="{name}"' in frame
    await wire.close()


@pytest.mark.parametrize("name", ["nowhere", "\x00", "x" * 5000])
async def test_a_table_that_does_not_exist_refuses_the_handshake(name: str, caplog: pytest.LogCaptureFixture) -> None:
    await connect(name, expect=False)
    assert live.registry.tables() == ()
    assert not snapshots.watched(name)
    assert not caplog.records


async def test_a_browser_is_known_by_its_session_and_reads_its_own_language() -> None:
    game = await make(people=2)
    cookie = await sync_to_async(session_of)(game.people[1])
    program = await connect(game.id, json=True, cookie=cookie)
    assert program.last_view()["seat"] == 1
    chinese = await connect(game.id, cookie=cookie)
    english = await connect(game.id, cookie=cookie + b"; django_language=en")
    assert "手牌" in chinese.new()[0] or "皇帝" in chinese.frames[0]
    assert english.new()[0] != chinese.frames[0]
    for wire in (program, chinese, english):
        await wire.close()


async def test_another_sites_page_cannot_open_a_socket() -> None:
    from channels.testing import WebsocketCommunicator

    from baohuang_site.asgi import application

    game = await make()
    headers = [(b"host", b"testserver"), (b"origin", b"http://evil.example")]
    communicator = WebsocketCommunicator(application, f"/ws/tables/{game.id}/", headers)
    connected, _ = await communicator.connect(timeout=10)
    assert not connected


async def test_an_action_is_answered_once_and_everybody_is_shown() -> None:
    game = await make(people=5)
    seat = await sync_to_async(asked)(game)
    wires = {s: await connect(game.id, p, json=True) for s, p in game.people.items()}
    prompt = wires[seat].last_view()["prompt"]
    for wire in wires.values():
        wire.new()
    await wires[seat].send(type="act", id="one", prompt=prompt, action="accept")
    await settled()
    for s, wire in wires.items():
        messages = wire.messages()
        answers = [m for m in messages if m["type"] == "answer"]
        assert answers == ([{"type": "answer", "id": "one", "ok": True, "seq": 1}] if s == seat else [])
        assert [m["seq"] for m in messages if m["type"] == "view"] == [1]
    for wire in wires.values():
        await wire.close()


@pytest.mark.parametrize(
    "message, code",
    [
        ({"type": "act", "id": "x", "prompt": "1-0", "action": 5}, "malformed"),
        ({"type": "act", "id": 7, "prompt": "1-0", "action": "accept"}, "malformed"),
        ({"type": "act", "id": "x", "prompt": "0-0", "action": "accept"}, "stale_prompt"),
        ({"type": "act", "id": "x", "prompt": "1-0", "action": "kick"}, "illegal"),
        ({"type": "dance", "id": "x"}, "malformed"),
    ],
)
async def test_a_refused_action_gets_its_code_and_a_fresh_view(message: dict[str, Any], code: str) -> None:
    game = await make(people=5)
    seat = await sync_to_async(asked)(game)
    wire = await connect(game.id, game.people[seat], json=True)
    wire.new()
    await wire.send(**message)
    await settled()
    answer, view = wire.messages()
    assert (answer["type"], answer["id"], answer["ok"], answer["code"]) == ("answer", message["id"], False, code)
    assert answer["message"]
    assert view["type"] == "view"
    assert await HandAction.objects.acount() == 0
    await wire.close()


LONE = r'{"type": "act", "id": "\ud800", "prompt": "1-0", "action": "pass"}'
BAD = '{"type": "ping", "t": NaN}'


@pytest.mark.parametrize(
    "text", [" ", "nonsense", "[]", "7", '"x"', "[" * 2000, '{"type": "act"' + " " * 5000 + "}", LONE, BAD]
)
async def test_what_is_no_message_is_malformed_and_the_socket_lives(text: str) -> None:
    game = await make()
    wire = await connect(game.id, game.people[0], json=True)
    wire.new()
    await wire.communicator.send_to(text_data=text)
    await wire.send(type="ping", t={"any": 1})
    await settled()
    messages = wire.messages()
    assert messages[0]["code"] == "malformed"
    assert messages[-1] == {"type": "pong", "t": {"any": 1}}
    await wire.close()


async def test_bytes_are_malformed_too() -> None:
    game = await make()
    wire = await connect(game.id, game.people[0], json=True)
    wire.new()
    await wire.communicator.send_to(bytes_data=b"\x00\x01")
    await settled()
    assert wire.messages()[0]["code"] == "malformed"
    await wire.close()


async def test_a_stranger_sees_the_table_and_cannot_act() -> None:
    game = await make(people=5)
    wire = await connect(game.id, json=True)
    view = wire.last_view()
    assert (view["seat"], view["prompt"]) == (None, None)
    assert all(isinstance(hand, int) for hand in view["view"]["hands"])
    wire.new()
    await wire.send(type="act", id="x", prompt="1-0", action="accept")
    await settled()
    assert wire.messages()[0]["code"] == "not_seated"
    await wire.close()


async def test_the_html_socket_refuses_with_a_notice_and_everything_anew() -> None:
    game = await make(people=5)
    seat = await sync_to_async(asked)(game)
    wire = await connect(game.id, game.people[seat])
    (first,) = wire.new()
    await wire.send(do="act", prompt="0-0", id="x", action="accept")
    await settled()
    (frame,) = wire.new()
    assert 'id="notice"' in frame
    assert 'data-code="stale_prompt"' in frame
    for name in ("seat-0", "hand", "prompt", "log"):
        assert f'id="{name}"' in frame
    assert len(frame) > len(first) * 0.9
    await wire.close()


async def test_a_move_sends_a_page_only_what_changed() -> None:
    game = await make(people=5)
    seat = await sync_to_async(asked)(game)
    other = (seat + 2) % 5
    wire, watcher = await connect(game.id, game.people[seat]), await connect(game.id, game.people[other])
    whole = len(watcher.new()[0])
    await wire.send(do="act", prompt="1-0", id="x", action="yield")
    await settled()
    (frame,) = watcher.new()
    assert len(frame) < whole / 2
    assert 'id="hand"' not in frame
    await wire.close()
    await watcher.close()


async def test_ticking_cards_is_answered_with_words_only() -> None:
    game = await make(people=5)
    wire = await connect(game.id, game.people[0])
    wire.new()
    for cards in (["3S", "3S"], [], "3S", ["nonsense"], 7, None):
        await wire.send(do="select", card=cards)
        await settled()
        (frame,) = wire.new()
        assert 'id="verdict"' in frame
    await wire.close()


async def test_a_page_that_showed_older_html_gets_everything_anew() -> None:
    """Html that came by HTTP may be older than what the socket has sent; nothing else would mend that page."""
    game = await make(people=5)
    wire = await connect(game.id, game.people[0])
    wire.new()
    await wire.send(do="refresh")
    await settled()
    (frame,) = wire.new()
    assert all(f'id="{part}"' in frame for part in ("bar", "pile", "prompt", "hand", "seat-4"))
    await wire.close()


async def test_buttons_over_the_socket_do_what_the_forms_do() -> None:
    game = await make(people=2, ready=False)
    wires = {seat: await connect(game.id, player) for seat, player in game.people.items()}
    for wire in wires.values():
        await wire.send(do="ready")
    await settled()
    hand = await sync_to_async(game.hand)()
    assert hand.number == 1
    await wires[0].send(do="trustee", on="1")
    await settled()
    await sync_to_async(hand.refresh_from_db)()
    assert hand.trustees[0]["on"]
    await wires[0].send(do="trustee", on="0")
    await wires[0].send(do="dance")
    await settled()
    assert 'data-code="malformed"' in wires[0].new()[-1]
    await sync_to_async(hand.refresh_from_db)()
    assert not hand.trustees[0]["on"]
    for wire in wires.values():
        await wire.close()


def connected(wire: Wire) -> list[bool]:
    return [seat["connected"] for seat in wire.last_view()["seats"]]


async def test_two_tabs_show_the_same_and_one_of_them_closing_is_no_disconnect() -> None:
    game = await make(people=2)
    watcher = await connect(game.id, game.people[1], json=True)
    assert connected(watcher) == [False, True, True, True, True]
    first = await connect(game.id, game.people[0], json=True)
    assert connected(watcher) == [True, True, True, True, True]
    second = await connect(game.id, game.people[0], json=True)
    page = await connect(game.id, game.people[0])
    assert first.last_view() == second.last_view()
    watcher.new()
    await first.close()
    await page.close()
    await settled()
    assert watcher.new() == []
    await second.close()
    await settled()
    assert connected(watcher) == [False, True, True, True, True]
    await watcher.close()
    assert live.registry.tables() == ()
    assert not snapshots.watched(game.id)


async def test_a_move_in_one_tab_shows_in_the_other() -> None:
    game = await make(people=5)
    seat = await sync_to_async(asked)(game)
    first = await connect(game.id, game.people[seat], json=True)
    second = await connect(game.id, game.people[seat], json=True)
    await first.send(type="act", id="x", prompt=first.last_view()["prompt"], action="yield")
    await settled()
    assert first.last_view() == second.last_view()
    assert second.last_view()["seq"] == 1
    await first.close()
    await second.close()


async def test_what_a_form_changed_is_shown_on_the_sockets() -> None:
    game = await make(people=1, ready=False, bots=2)
    wire = await connect(game.id, game.people[0], json=True)
    friend = await sync_to_async(sign_up)(username="朋友", password=None)
    await sync_to_async(tables.sit)(table_id=game.id, player=friend, now=game.now)
    await settled()
    assert "朋友" in [seat["name"] for seat in wire.last_view()["seats"]]
    await wire.close()


async def test_too_many_messages_are_refused_and_a_flood_ends_the_socket() -> None:
    game = await make()
    wire = await connect(game.id, game.people[0], json=True)
    for number in range(consumers.BURST + 5):
        await wire.send(type="ping", t=number)
    await settled()
    wire.drain()
    assert any('"too_many"' in frame for frame in wire.frames)
    for number in range(consumers.PATIENCE + 5):
        await wire.send(type="ping", t=number)
    await settled()
    wire.drain()
    assert json.loads(wire.frames[-1]) == {"type": "websocket.close", "code": consumers.FLOODING}
    assert live.registry.tables() == ()


async def test_a_fault_closes_the_socket_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    game = await make(people=2)
    broken = await connect(game.id, game.people[0], json=True)
    healthy = await connect(game.id, game.people[1], json=True)
    consumer = next(w for w in live.registry.watchers(game.id) if w.player_id == game.people[0].pk)
    monkeypatch.setattr(consumer, "news", None)
    await sync_to_async(tables.set_trustee)(table_id=game.id, player=game.people[1], on=True, now=game.now)
    await settled()
    broken.drain()
    assert json.loads(broken.frames[-1]) == {"type": "websocket.close", "code": consumers.FAILED}
    assert healthy.last_view()["seats"][1]["trustee"]
    assert [w.player_id for w in live.registry.watchers(game.id)] == [game.people[1].pk]
    await healthy.close()


async def test_whoever_left_the_hand_for_good_sees_it_as_a_spectator() -> None:
    game = await make(people=2)
    wire = await connect(game.id, game.people[0], json=True)
    await sync_to_async(tables.leave)(table_id=game.id, player=game.people[0], now=game.now)
    await settled()
    view = wire.last_view()
    assert view["seat"] is None
    assert all(isinstance(hand, int) for hand in view["view"]["hands"])
    await wire.close()
