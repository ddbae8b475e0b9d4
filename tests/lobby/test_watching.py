"""What those who look on see, frame by frame, and who hears whom. Sockets through the real application."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from accounts.services.players import sign_up
from games import history
from games.models import ChatMessage
from games.services import chat, table_setup, tables
from games.services.errors import Refused
from tests.games.play_helpers import Club, at_step, club
from tests.live.wires import connect, session_of, settled

pytestmark = pytest.mark.django_db(transaction=True)
PLAIN = re.compile(r"<[^>]*>")


@sync_to_async
def make(people: int = 5, ready: bool = True, **options: Any) -> Club:
    game = club(people=people, ready=False, seed=5, now=timezone.now(), **options)
    if ready:
        game.ready()
    return game


@sync_to_async
def someone(name: str = "路人") -> Player:
    return sign_up(username=name, password=None)


@sync_to_async
def turn(game: Club) -> None:
    game.now = timezone.now()
    game.turn()


def moment(game: Club) -> tuple[int, int]:
    """How many actions there were, and how many before the running trick."""
    hand = game.hand()
    fold = history.fold_of(hand)
    return fold.seq, fold.before[0]


async def test_with_a_delay_no_frame_tells_of_the_running_trick() -> None:
    game = await make(watching="trick")
    program, page = await connect(game.id, json=True), await connect(game.id)
    seen: set[int] = set()
    late = 0
    for _ in range(60):
        await turn(game)
        await settled()
        if (await sync_to_async(game.row)()).status != "playing":
            break
        seq, before = await sync_to_async(moment)(game)
        for message in program.messages():
            if message["type"] != "view":
                continue
            assert message["seq"] <= before
            assert message["deadline"] is None
            assert message["prompt"] is None
            if message["view"]["step"] == "play":
                assert message["view"]["top"] is None
            assert not any(seat["trustee"] for seat in message["seats"])
            seen.add(message["seq"])
        late += seq > before
        trick = (await sync_to_async(game.view)(0)).obs.trick  # type: ignore[union-attr]
        frames = "".join(page.new())
        if trick and frames:
            assert 'class="played"' not in frames
    assert late > 10
    assert len(seen) > 2
    await program.close()
    await page.close()


async def test_the_late_view_is_the_hand_as_it_stood_and_not_the_present_with_holes() -> None:
    game = await make(watching="trick")
    await sync_to_async(game.play)(at_step("play"))
    start = await sync_to_async(game.view)()
    assert start.obs is not None
    for _ in range(3):
        await sync_to_async(game.turn)()
    now = await sync_to_async(game.view)()
    own = await sync_to_async(game.view)(0)
    assert now.obs is not None
    assert own.obs is not None
    assert (now.seq, now.obs) == (start.seq, start.obs)
    assert own.seq > now.seq
    assert sum(own.obs.counts) < sum(now.obs.counts)


@pytest.mark.parametrize("watching", ["after", "none"])
async def test_nothing_of_the_hand_is_sent_while_it_is_played(watching: str) -> None:
    game = await make(watching=watching)
    program, page = await connect(game.id, json=True), await connect(game.id)
    for _ in range(12):
        await turn(game)
        await settled()
    views = [message for message in program.messages() if message["type"] == "view"]
    assert views
    assert all(view["view"] is None and view["seq"] == 0 and view["deadline"] is None for view in views)
    frames = "".join(page.new())
    assert 'class="mini' not in frames
    assert "played" not in re.sub(r'id="[^"]*"', "", "".join(re.findall(r'<ol id="log".*?</ol>', frames)))
    await program.close()
    await page.close()


@pytest.mark.parametrize("watching, seen", [("live", True), ("trick", True), ("after", True), ("none", False)])
async def test_after_the_hand_all_is_shown_but_where_nobody_may_look_on(watching: str, seen: bool) -> None:
    game = await make(people=1, watching=watching)
    await sync_to_async(game.play_hand)()
    view = await sync_to_async(game.view)()
    assert (view.obs is not None, view.result is not None) == (seen, seen)
    assert (await sync_to_async(game.view)(0)).result is not None


async def test_whoever_left_the_hand_sees_no_more_than_a_spectator() -> None:
    game = await make(people=2, watching="after")
    await sync_to_async(tables.leave)(table_id=game.id, player=game.people[1], now=game.now)
    assert (await sync_to_async(game.view)(1)).obs is None


async def test_those_who_look_on_are_counted() -> None:
    game = await make(people=2, ready=False)
    wire = await connect(game.id, await someone())
    assert (await sync_to_async(game.view)(0)).spectators == 1
    await wire.close()


# --- talk ------------------------------------------------------------------------------------------------------------


def said(frames: list[str]) -> list[str]:
    """The lines of chat in these frames."""
    lines = re.findall(r'<li class="by-\w+" data-line="\d+">(.*?)</li>', "".join(frames))
    return [PLAIN.sub("", line) for line in lines]


@sync_to_async
def say(game: Club, player: Player, text: str) -> None:
    chat.say(table_id=game.id, player=player, text=text, now=timezone.now())


async def page_of(game: Club, player: Player | None) -> Any:
    cookie = await sync_to_async(session_of)(player) if player is not None else b""
    return await connect(game.id, cookie=cookie)


async def test_in_a_hand_each_side_hears_itself_and_between_hands_all_hear_all() -> None:
    game = await make(people=1, watching="trick")
    watcher, other = await someone(), await someone("另一人")
    wires = [await page_of(game, player) for player in (game.people[0], watcher, other, None)]
    for wire in wires:
        wire.new()
    await say(game, watcher, "左边是侍卫")
    await settled()
    assert [said(wire.new()) for wire in wires] == [
        [],
        ["路人 左边是侍卫"],
        ["路人 旁观 左边是侍卫"],
        ["路人 旁观 左边是侍卫"],
    ]
    await say(game, game.people[0], "我出大王")
    await settled()
    assert [said(wire.new()) for wire in wires] == [["人0 我出大王"], [], [], []]
    await sync_to_async(game.play_hand)()
    await settled()
    assert said(wires[0].new())[-2:] == ["路人 旁观 左边是侍卫", "人0 我出大王"]
    assert [said(wire.new())[-1:] for wire in wires[1:]] == [["人0 我出大王"]] * 3
    await say(game, watcher, "打得好")
    await settled()
    assert [said(wire.new()) for wire in wires] == [["路人 旁观 打得好"], ["路人 打得好"], *[["路人 旁观 打得好"]] * 2]
    for wire in wires:
        await wire.close()


@pytest.mark.parametrize("how", ["mute", "block"])
async def test_whoever_is_muted_or_blocked_is_never_heard(how: str) -> None:
    game = await make(people=3, ready=False)
    listener, speaker, third = (game.people[seat] for seat in range(3))
    wires = [await page_of(game, player) for player in (listener, third)]
    await say(game, speaker, "先说一句")
    await settled()
    await sync_to_async(getattr(blocks, how))(listener, speaker)
    await say(game, speaker, "再说一句")
    await settled()
    heard = "".join(wires[0].new())
    assert "再说一句" not in heard
    assert "再说一句" in "".join(wires[1].new())
    again = await page_of(game, listener)
    assert "先说一句" not in "".join(again.new())
    for wire in (*wires, again):
        await wire.close()


async def test_muting_at_the_table_takes_away_what_was_said_and_only_for_oneself() -> None:
    game = await make(people=3, ready=False)
    wires = [await page_of(game, game.people[seat]) for seat in (0, 2)]
    await say(game, game.people[1], "先说一句")
    await settled()
    for wire in wires:
        wire.new()
    await sync_to_async(chat.mute)(
        table_id=game.id, player=game.people[0], other_id=game.people[1].pk, now=timezone.now()
    )
    await settled()
    frame = "".join(wires[0].new())
    assert 'id="chat"' in frame
    assert "先说一句" not in frame
    assert "先说一句" not in "".join(wires[1].new())
    assert [line.text for line in (await sync_to_async(game.view)(2)).chat] == ["先说一句"]
    for wire in wires:
        await wire.close()


async def test_text_is_text_and_a_line_comes_alone() -> None:
    game = await make(people=2, ready=False)
    wire = await page_of(game, game.people[0])
    await say(game, game.people[1], "一")
    await settled()
    wire.new()
    await say(game, game.people[1], "<b>二</b>\n\u202e三")
    await settled()
    (frame,) = wire.new()
    assert "&lt;b&gt;二&lt;/b&gt; 三" in frame
    assert 'hx-swap-oob="beforeend"' in frame
    assert "data-line" in frame
    assert frame.count("data-line") == 1
    await wire.close()


@pytest.mark.parametrize(
    "text, code",
    [(None, "malformed"), (7, "malformed"), ("", "malformed"), (" \n\u200b ", "malformed"), ("字" * 101, "too_long")],
)
def test_what_is_no_line_is_refused(text: object, code: str) -> None:
    game = club(people=2, ready=False)
    with pytest.raises(Refused, match=code):
        chat.say(table_id=game.id, player=game.people[0], text=text, now=game.now)
    assert not ChatMessage.objects.exists()


def test_whoever_says_too_much_waits_and_may_then_go_on() -> None:
    game = club(people=2, ready=False)
    for number in range(5):
        chat.say(table_id=game.id, player=game.people[0], text=str(number), now=game.now)
    with pytest.raises(Refused, match="too_fast"):
        chat.say(table_id=game.id, player=game.people[0], text="6", now=game.later(1))
    chat.say(table_id=game.id, player=game.people[1], text="ich", now=game.now)
    chat.say(table_id=game.id, player=game.people[0], text="6", now=game.later(10))


def test_who_may_talk_and_who_may_be_muted() -> None:
    game = club(people=2, ready=False, watching="none")
    stranger = sign_up(username="路人", password=None)
    with pytest.raises(Refused, match="not_seated"):
        chat.say(table_id=game.id, player=stranger, text="hi", now=game.now)
    with pytest.raises(Refused, match="not_found"):
        chat.say(table_id="nowhere", player=stranger, text="hi", now=game.now)
    for other, code in ((stranger.pk, "not_found"), (0, "not_found"), (game.people[0].pk, "malformed")):
        with pytest.raises(Refused, match=code):
            chat.mute(table_id=game.id, player=game.people[0], other_id=other, now=game.now)


# --- the lobby's socket ----------------------------------------------------------------------------------------------


async def lobby_wire() -> Any:
    from channels.testing import WebsocketCommunicator

    from baohuang_site.asgi import application
    from tests.live.wires import Wire

    headers = [(b"host", b"testserver"), (b"origin", b"http://testserver")]
    communicator = WebsocketCommunicator(application, "/ws/lobby/", headers)
    communicator.scope["headers"] = headers
    connected, _ = await communicator.connect(timeout=10)
    assert connected
    return Wire(communicator, False)


async def quiet(wire: Any) -> list[str]:
    """The frames once what changed has been collected and sent."""
    import asyncio

    from games import live_lobby

    await settled()
    while live_lobby._tasks or live_lobby._changed:
        await asyncio.sleep(0.02)
    frames: list[str] = wire.new()
    return frames


async def test_the_lobby_sends_the_row_that_changed_once_and_nothing_of_private_tables() -> None:
    from games import render_lobby

    host, guest = await someone("桌主"), await someone("客人")
    now = timezone.now()
    shown = await sync_to_async(table_setup.open_table)(player=host, rules="classic", public=True, now=now)
    wires = [await lobby_wire() for _ in range(3)]
    first = [await quiet(wire) for wire in wires]
    assert all(f'id="lobby-{shown.id}"' in "".join(frames) for frames in first)
    render_lobby._row.cache_clear()
    await sync_to_async(tables.sit)(table_id=shown.id, player=guest, now=now)
    frames = [await quiet(wire) for wire in wires]
    assert all(len(each) == 1 and "客人" in each[0] for each in frames)
    assert render_lobby._row.cache_info().misses == 2  # once a language, whoever looks
    hidden = await sync_to_async(table_setup.open_table)(player=host, rules="classic", now=now)
    assert [await quiet(wire) for wire in wires] == [[], [], []]
    await sync_to_async(tables.leave)(table_id=shown.id, player=host, now=now)
    await sync_to_async(tables.leave)(table_id=shown.id, player=guest, now=now)
    last = "".join(await quiet(wires[0]))
    assert f'<li id="lobby-{shown.id}" hx-swap-oob="delete"></li>' in last
    assert hidden.id not in json.dumps(last)
    for wire in wires:
        await wire.close()
