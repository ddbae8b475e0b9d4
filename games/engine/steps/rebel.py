"""The rebellion: two or more seats that rise show the guard, or the hidden solo, and raise the stake (RULES §5.7)."""

from ..actions import Action, Kind
from ..observation import Event, Step
from ..state import State, seats_from
from . import kick, play, simultaneous

ENOUGH = 2


def enter(state: State) -> State:
    """Guard or solo is still hidden; ask the other four at once where the step exists."""
    if not state.rules.stakes.rebellion:
        return play.enter(state)
    assert state.emperor is not None
    return state.ask(Step.REBEL, *seats_from(state.emperor)[1:])


def answer(state: State, seat: int, action: Action) -> State:
    """Take one of the four unseen answers; the last one decides."""
    state = simultaneous.note(state, seat, action)
    if state.to_act:
        return state
    rebels = simultaneous.who_said(state, Kind.REBEL)
    state = state.but(rebels=rebels, answers=()).told(*(Event("rebel", s) for s in rebels))
    if len(rebels) < ENOUGH:
        return play.enter(state.told(Event("no_rebellion")))
    factor = state.rules.stakes.rebellion
    shown = state.emperor if state.guard is None else state.guard
    state = state.but(public=True, rebellion=True, multiplier=state.multiplier * factor)
    return kick.after_rebellion(state.told(Event("rebellion", number=factor), Event("shown", shown)))
