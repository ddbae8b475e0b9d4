"""The crown card goes round until a seat keeps it (RULES §5.2), with the toll and the forced lap."""

from ..actions import Action, Kind
from ..cards import LEVEL, RANK_LEVEL, Card, Hand, sort_cards, without
from ..deck import SEATS
from ..legal import can_accept, may_declare_solo
from ..observation import Event, Step
from ..observe import observe
from ..state import State
from . import grab

JOKERS_FROM = 13  # the level of the small joker


def ask(state: State) -> State:
    """Ask the seat at which the crown card lies, or answer for it where there is nothing to choose, or end void."""
    holder = state.crown_at
    assert holder is not None
    crown = state.rules.crown
    if _nobody_left(state):
        return state.but(step=Step.VOID, to_act=()).told(Event("void"))
    if state.refusals == SEATS and crown.force != "none":
        state = state.told(Event("forced", holder))
    state = state.ask(Step.CROWN, holder)
    obs = observe(state, holder)
    if crown.yield_ == "both_cards" and state.refusals:
        return answer(state, holder, Action(Kind.ACCEPT))
    if not can_accept(obs) and not may_declare_solo(obs):
        return answer(state, holder, Action(Kind.YIELD))
    return state


def _nobody_left(state: State) -> bool:
    crown = state.rules.crown
    if crown.force == "none":
        return state.refusals >= SEATS * crown.laps
    return state.refusals >= (SEATS + 1 if crown.force == "ask_first" else 2 * SEATS)


def answer(state: State, seat: int, action: Action) -> State:
    """Take a legal answer of the seat at which the crown card lies."""
    if action.kind is Kind.ACCEPT:
        return grab.enter(state.told(Event("accept", seat)))
    if action.kind is Kind.SOLO:
        return grab.crown_declared_solo(state.told(Event("solo", seat)))
    return _yield(state, seat)


def _yield(state: State, seat: int) -> State:
    added = toll_of(state, state.hands[seat])
    hands = tuple(without(h, added) if s == seat else h for s, h in enumerate(state.hands))
    passed_on = state.but(
        hands=hands,
        toll=sort_cards((*state.toll, *added)),
        refusals=state.refusals + 1,
        crown_at=(seat + state.rules.crown.step) % SEATS,
    )
    return ask(passed_on.told(Event("yield", seat, added)))


def toll_of(state: State, hand: Hand) -> tuple[Card, ...]:
    """What a yielding seat adds from its hand: no card or one (RULES §5.2 `toll`)."""
    very_first = state.refusals == 0
    match state.rules.crown.toll:
        case "two_or_best" | "two_or_none" if very_first:
            return ()
        case "two_or_best":
            plain = tuple(c for c in hand if LEVEL[c] < JOKERS_FROM)
            return plain[:1]  # canonical order: a 2 if there is one, else the highest
        case "two_or_none":
            return _first_of(hand, "2")
        case "best":
            return tuple(c for c in hand if "!" not in c)[:1]
        case "bottom":
            return _first_of(hand, *("Ww2" if very_first else "2wW"))
    return ()


def _first_of(hand: Hand, *kinds: str) -> tuple[Card, ...]:
    """The first unmarked card of the first kind (`W`, `w` or a rank) that the hand holds."""
    for kind in kinds:
        for card in hand:
            if card[0] == kind if kind in RANK_LEVEL else card == kind:
                return (card,)
    return ()
