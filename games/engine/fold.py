"""A hand as a fold: `begin` from its rules and its deal, then `apply` one action after another.

`apply` takes exactly what `legal` lists for the seat's own observation; everything else raises IllegalAction.
"""

from collections.abc import Iterable

from .actions import Action, Kind
from .cards import CROWN, without
from .deck import Deal
from .errors import BadCards, IllegalAction
from .holdings import callable_faces
from .legal import is_legal, why_not
from .observation import Event, Step
from .observe import observe
from .rules import RuleSet
from .state import State
from .steps import call, crown, grab, kick, play, rebel, reveal
from .steps.tribute import Previous, pay_tribute

_ANSWER = {
    Step.CROWN: crown.answer,
    Step.GRAB: grab.answer,
    Step.CALL: call.answer,
    Step.REVEAL: reveal.answer,
    Step.REBEL: rebel.answer,
    Step.KICK: kick.answer,
    Step.PLAY: play.answer,
}


def begin(rules: RuleSet, deal: Deal, previous: Previous | None = None) -> State:
    """The hand as it stands when the first seat is asked: tribute paid, the crown card lying where it starts.

    Raises BadCards when no hand holds the crown card and no seat was drawn.
    """
    gifts, hands = pay_tribute(rules, previous, deal.hands)
    holder = next((seat for seat, hand in enumerate(hands) if CROWN in hand), None)
    if holder is not None:
        hands = tuple(without(hand, [CROWN]) if seat == holder else hand for seat, hand in enumerate(hands))
    elif deal.drawn is not None:
        holder = deal.drawn
    else:
        raise BadCards("no crown card, and no seat drawn")
    in_play = [card for hand in hands for card in hand]
    state = State(
        rules=rules,
        hands=hands,
        first_asked=holder,
        callable=callable_faces(rules, [*in_play, CROWN]),
        crown_at=holder,
        gifts=gifts,
    )
    return crown.ask(state.told(Event("asked", holder)))


def apply(state: State, seat: int, action: Action) -> State:
    """The hand after this seat's action. Raises IllegalAction with a stable reason when the seat may not take it."""
    if seat not in state.to_act:
        raise IllegalAction("not_asked")
    # Most actions are passes on a play, legal for whoever is asked: no observation is needed to see that.
    if not (action.kind is Kind.PASS and state.step is Step.PLAY and state.top is not None):
        obs = observe(state, seat)
        if not is_legal(obs, action):
            reason = why_not(obs, action.cards) if action.kind is Kind.PLAY else None
            raise IllegalAction(reason or "not_offered")
    return _ANSWER[state.step](state.but(seq=state.seq + 1), seat, action)


def fold(state: State, actions: Iterable[tuple[int, Action]]) -> State:
    """The hand after all these actions."""
    for seat, action in actions:
        state = apply(state, seat, action)
    return state
