"""The call: the emperor names a card he holds three of; the holder of the fourth is the guard (RULES §5.5).

Where the sword card decides, nothing is asked and the guard is simply its holder.
"""

from ..actions import Action, call_action
from ..cards import ORDER, SWORD, Card, face
from ..holdings import triples
from ..observation import Event, Solo, Step
from ..state import State
from . import reveal


def enter(state: State) -> State:
    """The emperor is fixed; find the guard by the sword card, or let the emperor call."""
    emperor = state.emperor
    assert emperor is not None
    if state.solo is not None:
        return reveal.enter(state)
    if state.rules.guard.by == "sword":
        holder = next(seat for seat, hand in enumerate(state.hands) if SWORD in hand)
        return reveal.enter(_with_guard(state, holder))
    choices = triples(state.rules, state.callable, state.hands[emperor])
    if not choices:
        return state.but(step=Step.VOID, to_act=()).told(Event("void"))
    state = state.ask(Step.CALL, emperor)
    if state.rules.guard.choice == "highest":
        return answer(state, emperor, call_action(highest_call(choices)))
    return state


def highest_call(choices: tuple[tuple[Card, int], ...]) -> Card:
    """What the system calls: the highest rank with exactly three copies, else the highest quad (RULES §5.5)."""
    exactly_three = [card for card, copies in choices if copies == 3]
    return min(exactly_three or [card for card, _ in choices], key=ORDER.__getitem__)


def answer(state: State, seat: int, action: Action) -> State:
    """Take the emperor's legal call."""
    called = action.cards[0]
    state = state.but(called=called)
    if action.opened:
        shown = state.but(solo=Solo.OPEN, public=True)
        return reveal.enter(shown.told(Event("call_open", seat, (called,))))
    state = state.told(Event("call", seat, (called,)))
    holders = [s for s, hand in enumerate(state.hands) if s != seat and any(face(c) == called for c in hand)]
    state = _with_guard(state, holders[0] if holders else seat)
    if state.rules.guard.special and state.guard is not None:
        state = state.but(special=next(c for c in state.hands[state.guard] if face(c) == called))
    return reveal.enter(state)


def _with_guard(state: State, holder: int) -> State:
    """The holder of the guard's card is the guard; if that is the emperor, he plays hidden solo."""
    if holder == state.emperor:
        return state.but(solo=Solo.HIDDEN)
    return state.but(guard=holder)
