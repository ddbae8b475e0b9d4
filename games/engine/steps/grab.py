"""The grab step: everybody may take the emperorship by declaring open solo (RULES §5.4). It fixes the emperor."""

from ..actions import Action, Kind
from ..cards import CROWN, sort_cards
from ..observation import Event, Solo, Step
from ..state import State, seats_from
from . import call, simultaneous


def enter(state: State) -> State:
    """The crown card has been accepted; ask all five where the ruleset has a grab step."""
    if state.rules.has_grab:
        return state.ask(Step.GRAB, *seats_from(0))
    return _crowned(state, state.crown_at, solo=None)


def crown_declared_solo(state: State) -> State:
    """The holder of the crown card has declared open solo at once, so there is no grab step."""
    return _crowned(state, state.crown_at, solo=Solo.OPEN)


def answer(state: State, seat: int, action: Action) -> State:
    """Take one of the five unseen answers; the last one decides."""
    state = simultaneous.note(state, seat, action)
    if state.to_act:
        return state
    declared = simultaneous.who_said(state, Kind.SOLO)
    state = state.told(*(Event("grab", s) for s in declared))
    assert state.crown_at is not None
    # The emperor's own solo wins, else that of the seat nearest to him going backwards.
    for candidate in seats_from(state.crown_at, -1):
        if candidate in declared:
            return _crowned(state.told(Event("solo", candidate)), candidate, solo=Solo.OPEN)
    return _crowned(state, state.crown_at, solo=None)


def _crowned(state: State, emperor: int | None, solo: Solo | None) -> State:
    """The emperor is fixed and takes crown card and toll into his hand."""
    hands = tuple(
        sort_cards([*hand, CROWN, *state.toll]) if seat == emperor else hand for seat, hand in enumerate(state.hands)
    )
    state = state.but(
        hands=hands, crown_at=None, toll=(), emperor=emperor, solo=solo, public=solo is not None, answers=()
    )
    return call.enter(state.told(Event("emperor", emperor)))
