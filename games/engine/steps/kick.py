"""The kick: the side that was challenged may raise the stake once more (RULES §5.8)."""

from ..actions import Action, Kind
from ..deck import SEATS
from ..observation import Event, Step
from ..state import State
from . import play, simultaneous


def after_rebellion(state: State) -> State:
    """Emperor and guard, in a solo the emperor, are asked."""
    return _ask(state, tuple(seat for seat in range(SEATS) if seat in (state.emperor, state.guard)))


def after_open(state: State) -> State:
    """The three rebels are asked."""
    return _ask(state, tuple(seat for seat in range(SEATS) if seat not in (state.emperor, state.guard)))


def _ask(state: State, seats: tuple[int, ...]) -> State:
    if not state.rules.stakes.kick:
        return play.enter(state)
    return state.ask(Step.KICK, *seats)


def answer(state: State, seat: int, action: Action) -> State:
    """Take one unseen answer; after a rebellion one kick is enough, after an open guard it takes two."""
    state = simultaneous.note(state, seat, action)
    if state.to_act:
        return state
    kickers = simultaneous.who_said(state, Kind.KICK)
    state = state.but(answers=()).told(*(Event("kick", s) for s in kickers))
    if len(kickers) >= (1 if state.rebellion else 2):
        factor = state.rules.stakes.kick
        state = state.but(multiplier=state.multiplier * factor).told(Event("kicked", number=factor))
    return play.enter(state)
