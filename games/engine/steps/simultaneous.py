"""What the steps share in which several seats answer at the same time, unseen (RULES §5.4, §5.7, §5.8)."""

from ..actions import Action, Kind
from ..state import State


def note(state: State, seat: int, action: Action) -> State:
    """The answer put aside; `to_act` is empty once all have answered."""
    return state.but(
        answers=(*state.answers, (seat, action)), to_act=tuple(other for other in state.to_act if other != seat)
    )


def who_said(state: State, kind: Kind) -> tuple[int, ...]:
    """The seats that gave this answer, by number: the order in which they answered stays unseen."""
    return tuple(sorted(seat for seat, action in state.answers if action.kind is kind))
