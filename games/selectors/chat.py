"""Which lines of a table's chat one viewer may read.

What is said in a hand stays on its side until the hand is over: spectators' words do not reach those who play, and the
players' words, which tell of the running trick, do not reach spectators. Between hands all hear all. Whoever is muted
or blocked by the viewer is never heard.
"""

from __future__ import annotations

from games.selectors.table_view_types import ChatLine
from games.snapshots import Snapshot


def lines_for(snapshot: Snapshot, player_id: int | None, seat: int | None) -> tuple[ChatLine, ...]:
    """The newest lines this viewer may read, oldest first; the same tuple as long as nothing changed for him."""
    chat, hand = snapshot.chat, snapshot.hand
    if not chat.lines or (seat is None and snapshot.table.watching == "none"):
        return ()
    running = hand.number if hand is not None and hand.status == "active" else 0
    key = (player_id, seat is None, running)
    if key not in chat.memo:
        chat.memo[key] = tuple(
            ChatLine(line.id, line.author_id, line.name, _by(line.author_id, line.seat, player_id), line.text)
            for line in chat.lines
            if line.author_id == player_id
            or (
                (player_id, line.author_id) not in chat.deaf
                and ((line.seat is None) == (seat is None) or not running or line.hand != running)
            )
        )
    found: tuple[ChatLine, ...] = chat.memo[key]
    return found


def _by(author: int, seat: int | None, player_id: int | None) -> str:
    if author == player_id:
        return "me"
    return "watcher" if seat is None else "seat"
