"""The whole truth about a hand at one moment, secrets included. Only the engine, `history` and services may see it.

Immutable: a step returns a new state. What a viewer may know of it is built by `observe.py`.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from .actions import Action
from .cards import LEVELS, Card, Hand
from .deck import SEATS
from .observation import Event, Gift, Observation, Play, Result, Solo, Step, Turn
from .rules import RuleSet


@dataclass(frozen=True)
class State:
    """A hand in progress or over. The hands are kept out of `repr`, so that no log or traceback shows them.

    Not slotted, unlike the other values: a step changes a few of forty fields several times over, and copying the
    dictionary takes 1 µs where `dataclasses.replace` takes 10.
    """

    rules: RuleSet
    hands: tuple[Hand, ...] = field(repr=False)
    first_asked: int
    callable: tuple[Card, ...]  # faces of which four are in play, of a callable rank
    step: Step = Step.CROWN
    to_act: tuple[int, ...] = ()
    seq: int = 0
    asked_at: int = 0
    answers: tuple[tuple[int, Action], ...] = field(default=(), repr=False)  # of the simultaneous step that runs
    crown_at: int | None = None
    toll: tuple[Card, ...] = ()
    refusals: int = 0
    emperor: int | None = None
    called: Card | None = None
    guard: int | None = field(default=None, repr=False)
    solo: Solo | None = field(default=None, repr=False)
    special: Card | None = field(default=None, repr=False)  # the guard's copy that ranks "#", until it is played
    guard_open: bool = False
    public: bool = False
    multiplier: int = 1
    rebellion: bool = False  # it succeeded
    rebels: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    top: Play | None = None
    trick: tuple[Turn, ...] = ()
    last_trick: tuple[Turn, ...] = ()
    queue: tuple[int, ...] = ()  # seats still to be asked on the top play
    passed: frozenset[int] = frozenset()  # out of this trick (hard passing)
    deferred: tuple[int, ...] = ()
    second_round: bool = False  # the deferred seats are being asked
    claims: tuple[int, ...] = ()
    only_threes: int | None = None  # seat whose top play left it nothing but 3s (RULES §9.4)
    cleared: tuple[tuple[int, int], ...] = ()
    played: tuple[int, ...] = (0,) * LEVELS
    log: tuple[Event, ...] = ()
    gifts: tuple[Gift, ...] = field(default=(), repr=False)
    result: Result | None = None
    seen: dict[int | None, Observation] = field(default_factory=dict, repr=False, compare=False)  # memo of `observe`

    def but(self, **changes: object) -> "State":
        """This state with some fields changed."""
        other = object.__new__(State)
        values = other.__dict__
        values.update(self.__dict__)
        values.update(changes)
        values["seen"] = {}
        return other

    def ask(self, step: Step, *seats: int) -> "State":
        """A new question to these seats; answers to earlier questions are stale from here on."""
        return self.but(step=step, to_act=seats, answers=(), asked_at=self.seq)

    def told(self, *events: Event) -> "State":
        """The same state with lines added to the public story."""
        return self.but(log=self.log + events)

    @property
    def over(self) -> bool:
        """Whether the hand is done or void."""
        return self.step in (Step.DONE, Step.VOID)

    def is_out(self, seat: int) -> bool:
        """Whether the seat has played all its cards."""
        return seat in self.out


@lru_cache(maxsize=16)
def seats_from(start: int, step: int = 1) -> tuple[int, ...]:
    """All five seats beginning with `start`, going `step` at a time."""
    return tuple((start + step * i) % SEATS for i in range(SEATS))
