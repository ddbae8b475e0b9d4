"""The reveal step: the guard, or a hidden solo, may show himself before the first card (RULES §5.6)."""

from ..actions import Action, Kind
from ..observation import Event, Solo, Step
from ..state import State
from . import kick, play, rebel


def enter(state: State) -> State:
    """Roles are fixed; ask whoever holds the guard's card. Who that is stays private."""
    if state.solo is Solo.OPEN:
        return play.enter(state)
    if not state.rules.guard.may_open:
        return rebel.enter(state)
    seat = state.emperor if state.guard is None else state.guard
    assert seat is not None
    return state.ask(Step.REVEAL, seat)


def answer(state: State, seat: int, action: Action) -> State:
    """Take the answer of the guard or of the hidden solo."""
    if action.kind is Kind.HIDE:
        return rebel.enter(state.told(Event("unopened")))
    state = state.but(public=True).told(Event("open", seat))
    if state.solo is not None:
        return play.enter(state.but(solo=Solo.OPEN))
    factor = state.rules.stakes.open_guard
    return kick.after_open(state.but(guard_open=True, multiplier=state.multiplier * factor))
