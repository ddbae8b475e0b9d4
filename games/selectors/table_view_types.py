"""What one viewer sees of a table: the frozen values between the selectors and the rendering.

`TableView.obs` is the viewer's own observation of the hand; everything else here is known to everybody at the table.
Times are aware datetimes, lengths whole seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.rules import RuleSet

CARRIED = "carried"
"""Where `TableView.shared` keeps what was rendered of the moments before: a dictionary that goes on from move to move,
whose values hold what they were made from, to be compared."""


@dataclass(frozen=True, slots=True)
class EventPlace:
    """Of which event's round a table is, and its number there."""

    id: str
    name: str
    round: int
    table: int
    paused: bool


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One of the five seats; `name` is empty on a free one."""

    number: int
    name: str
    empty: bool
    bot: bool
    ready: bool
    connected: bool
    trustee: bool
    host: bool
    multiplier: int
    swap_with: int | None = None  # the seat whose occupant is asked to change places
    keeps: bool = False  # a bot that sits for the entrant of an event; `name` is his
    player: int | None = None  # for what is decided about a person, such as muting him
    played: bool = True  # he is who sat here in the hand that is shown, if one is


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of the chat this viewer may read. `by` is "seat", "watcher" or "me"."""

    id: int
    author: int
    name: str
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What a finished hand was for one seat; `left` are the cards it still held, public by then."""

    seat: int
    name: str
    role: str  # "emperor", "guard", "rebel"
    place: int
    points: int
    beans: int
    left: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ResultView:
    """A finished hand; `scored` is false when every person at the table was under trustee."""

    outcome: str
    solo: str | None
    multiplier: int
    rows: tuple[ResultRow, ...]
    scored: bool
    record_url: str
    fair_url: str


@dataclass(frozen=True)
class TableView:
    """The whole table as one viewer may see it. Not slotted, so that `but` may copy what views have in common."""

    table: str
    url: str
    phase: str  # "waiting" (seats or ready marks missing), "playing", "between" (hand over, next not dealt), "closed"
    preset: str
    rules: RuleSet
    room: int
    clock_step: int
    clock_play: int
    clock_next: int
    public: bool
    number: int  # of the hand, 0 before the first
    hand: str | None
    seq: int
    viewer: int | None
    host: bool  # the viewer opened the table
    trustee: bool  # the viewer's own seat is under trustee
    can_take_back: bool
    seats: tuple[SeatInfo, ...]
    prompt: str | None
    deadline: datetime | None
    seconds: int  # whole length of the wait that ends at `deadline`
    obs: Observation | None
    commit: str | None  # of this hand
    next_commit: str | None  # of the next deal, shown before contributions are taken
    result: ResultView | None
    closed_because: str = ""  # "trustee", "left", "limit", "empty", "idle", "admin"; empty unless closed
    redeal: bool = False  # the hand before this one was void and the cards were dealt again
    hands_limit: int | None = None  # the table ends after so many hands
    event: EventPlace | None = None  # whose table it is
    watching: str = "live"  # what spectators see of a running hand: "live", "trick" (late), "after", "none"
    veiled: bool = False  # the viewer is a spectator and sees less than the moment, as `watching` says
    spectators: int = 0  # logged in and looking on
    wait_for: str = ""  # what `deadline` ends while the table waits: "ready", "fill" (with bots) or nothing
    quick: bool = False  # opened by quick match
    names: tuple[str, ...] = ()  # who played the hand that is shown, by seat; others may sit there since
    rematch: str = ""  # the table where the same five go on
    chat: tuple[ChatLine, ...] = ()
    # what has been rendered of this moment; a key names everything a piece of html depends on that differs between two
    # viewers. Another view, also one made by `replace`, begins with nothing
    shared: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def but(self, **changes: Any) -> TableView:
        """This view with some fields changed, and nothing rendered. `replace` takes five times as long."""
        other = object.__new__(TableView)
        other.__dict__.update(self.__dict__, shared={}, **changes)
        return other

    @property
    def carried(self) -> dict[Any, Any]:
        """What was rendered of this table's moments for viewers who see as much; empty for a view by itself."""
        found: dict[Any, Any] = self.shared.setdefault(CARRIED, {})
        return found

    def sharing(self, rendered: dict[Any, Any]) -> TableView:
        """This new view, drawing on what was rendered for other viewers of the same moment."""
        object.__setattr__(self, "shared", rendered)
        return self
