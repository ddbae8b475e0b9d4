"""What one viewer may know of a hand: the only window anything outside the engine has on it.

An observation is built up from named fields (an allow-list), never cut down from the state. A viewer is a seat 0…4 or
None, a spectator. `view_json` is the object that the op `view` of PROTOCOL answers.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .actions import Kind
from .cards import Card, Hand
from .rules import RuleSet
from .shapes import Shape


class Step(StrEnum):
    """Where a hand stands (RULES §5, §6); tribute needs no answer and is no step."""

    CROWN = "crown"
    GRAB = "grab"
    CALL = "call"
    REVEAL = "reveal"
    REBEL = "rebel"
    KICK = "kick"
    PLAY = "play"
    DONE = "done"
    VOID = "void"


class Role(StrEnum):
    """Emperor, guard or rebel (RULES §1)."""

    EMPEROR = "emperor"
    GUARD = "guard"
    REBEL = "rebel"


class Solo(StrEnum):
    """Emperor and guard are one seat: declared (明独) or not (暗独)."""

    OPEN = "open"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Play:
    """Cards on the table: who played them, their shape, the cards in canonical order."""

    seat: int
    shape: Shape
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a trick: PLAY, PASS, DEFER or CLAIM; `play` only for PLAY."""

    seat: int
    kind: Kind
    play: Play | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the public story of a hand; the kinds are listed in `games/engine/README.md`."""

    kind: str
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    shape: Shape | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Gift:
    """A card paid for the previous hand (RULES §9)."""

    giver: int
    taker: int
    card: Card


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended (RULES §7, §8). `points` include the multiplier; beans are the table's business."""

    outcome: str
    places: tuple[int, ...]
    points: tuple[int, ...]
    beans: tuple[int, ...]
    rounding: int
    emperor: int
    guard: int | None
    solo: Solo | None
    guard_open: bool
    multiplier: int
    cleared: tuple[tuple[int, int], ...]

    def role(self, seat: int) -> Role:
        """The role this seat turned out to have; a solo emperor is the emperor."""
        if seat == self.emperor:
            return Role.EMPEROR
        return Role.GUARD if seat == self.guard else Role.REBEL


@dataclass(frozen=True)
class Observation:
    """All that `viewer` may know (see the field comments). Equal knowledge gives equal observations.

    Not slotted, and made by `of`: with forty fields that takes 4 µs where the frozen constructor takes 13, and there
    are several observations a move.
    """

    rules: RuleSet
    viewer: int | None
    seq: int  # actions applied so far
    step: Step
    to_act: tuple[int, ...]  # as this viewer may know it: in the reveal step only himself, if asked
    prompt: str | None  # names the question the viewer is asked, None if he is not
    hand: Hand  # own cards, canonical order; empty for a spectator
    special: Card | None  # own card that ranks "#" (RULES §5.5), if held
    counts: tuple[int, ...]  # cards in each seat's hand; crown card and toll lying out are in nobody's
    callable: tuple[Card, ...]  # faces that could be called at all: callable rank and four copies in play
    first_asked: int  # the seat the crown card lay at first
    crown_at: int | None  # where the crown card lies, None once the emperor is fixed
    toll: tuple[Card, ...]
    forced: bool  # the forced lap runs (RULES §5.2)
    last_lap: bool  # nobody asked now will be asked again
    emperor: int | None
    called: Card | None
    guard: int | None  # only when public
    solo: Solo | None  # only when public
    guard_open: bool
    public: bool
    multiplier: int
    rebels: tuple[int, ...]  # seats that chose rebel, once all have answered
    known: tuple[tuple[int, Role], ...]  # what the viewer knows for sure
    own_solo: Solo | None  # the viewer is emperor and guard in one
    out: tuple[int, ...]  # seats without cards, in finishing order
    top: Play | None
    trick: tuple[Turn, ...]
    last_trick: tuple[Turn, ...]  # the trick that ended last, until the next lead
    may_defer: bool
    may_claim: bool
    played: tuple[int, ...]  # 15 counts by level: what lies face up from this hand (记牌)
    log: tuple[Event, ...]
    gifts: tuple[Gift, ...]  # tribute this viewer gave or got; all of it when the hand is over
    result: Result | None

    @classmethod
    def of(cls, **fields: object) -> "Observation":
        """The observation with exactly these fields; every one must be named (a test compares the names)."""
        obs = object.__new__(cls)
        obs.__dict__.update(fields)
        return obs

    @property
    def asked(self) -> bool:
        """Whether the viewer himself is being asked."""
        return self.viewer is not None and self.viewer in self.to_act

    @property
    def leading(self) -> bool:
        """Whether the play step waits for a lead, which may not be passed (RULES §6.1)."""
        return self.step is Step.PLAY and self.top is None

    def role_of(self, seat: int) -> Role | None:
        """The role the viewer knows this seat to have, None if he does not."""
        for other, role in self.known:
            if other == seat:
                return role
        return None


def view_json(obs: Observation) -> dict[str, Any]:
    """The answer of the op `view` for this viewer (PROTOCOL)."""
    from .legal import legal_texts  # legal answers are computed from an observation, hence the later import

    return {
        "step": obs.step.value,
        "to_act": list(obs.to_act),
        "legal": {str(obs.viewer): legal_texts(obs)} if obs.asked else {},
        "hands": [list(obs.hand) if seat == obs.viewer else count for seat, count in enumerate(obs.counts)],
        "crown": obs.crown_at,
        "toll": list(obs.toll),
        "emperor": obs.emperor,
        "called": obs.called,
        "guard": obs.guard,
        "solo": obs.solo.value if obs.solo else None,
        "guard_open": obs.guard_open,
        "public": obs.public,
        "multiplier": obs.multiplier,
        "rebels": list(obs.rebels),
        "out": list(obs.out),
        "top": {"seat": obs.top.seat, "shape": str(obs.top.shape)} if obs.top else None,
        "result": result_json(obs.result) if obs.result else None,
        "known": {str(seat): role.value for seat, role in obs.known},
    }


def result_json(result: Result) -> dict[str, Any]:
    """The `result` of a finished hand (PROTOCOL): what `settle` returns, with places and 清3."""
    return {
        "outcome": result.outcome,
        "points": list(result.points),
        "beans": list(result.beans),
        "rounding": result.rounding,
        "places": list(result.places),
        "cleared": [list(pair) for pair in result.cleared],
    }
