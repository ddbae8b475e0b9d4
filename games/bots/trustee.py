"""The system's own answers for a seat whose player is away (RULES §8.7).

They are fixed by the rulebook, need no chance, and are deliberately dull: before play the seat declines whatever
it may decline, in play it leads its lowest single card and otherwise passes. Nothing here judges a hand.
"""

from games.engine.actions import Action, Kind, play_action
from games.engine.cards import RANKS, SUITS, Card
from games.engine.legal import answers, cards_for, plays
from games.engine.observation import Observation, Step
from games.engine.shapes import Shape

_DEFAULTS: dict[Step, tuple[Kind, ...]] = {
    Step.CROWN: (Kind.YIELD, Kind.ACCEPT, Kind.SOLO),
    Step.GRAB: (Kind.PASS,),
    Step.REVEAL: (Kind.HIDE,),
    Step.REBEL: (Kind.PASS,),
    Step.KICK: (Kind.PASS,),
    Step.PLAY: (Kind.PASS,),
}
_LAST_LAP = (Kind.ACCEPT, Kind.YIELD, Kind.SOLO)
_CALL_ORDER = RANKS + "wW"


def default_action(obs: Observation) -> Action:
    """What the trustee does for the viewer's seat; ``ValueError`` when the seat is not asked."""
    if not obs.asked:
        raise ValueError(f"seat {obs.viewer} is not asked")
    if obs.leading:
        return play_action(cards_for(obs, _lead(obs)))
    legal = answers(obs)
    if obs.step is Step.CALL:
        return _highest_call(obs, legal)
    wanted = _LAST_LAP if obs.step is Step.CROWN and obs.last_lap else _DEFAULTS.get(obs.step, ())
    by_kind = {action.kind: action for action in legal}
    for kind in wanted:
        if kind in by_kind:
            return by_kind[kind]
    raise ValueError(f"seat {obs.viewer} has no default answer in step {obs.step}")


def _highest_call(obs: Observation, legal: tuple[Action, ...]) -> Action:
    """As the system calls under ``choice=highest`` (RULES §5.5): exact triples before quads, never open."""
    calls = [action for action in legal if action.kind is Kind.CALL and not action.opened]
    if not calls:
        raise ValueError(f"seat {obs.viewer} has nothing to call")
    return max(calls, key=lambda action: (copies(obs, action.cards[0]) == 3, *_call_rank(action.cards[0])))


def copies(obs: Observation, face: Card) -> int:
    """How many cards of this face the viewer holds; marks do not count for jokers (RULES §5.3)."""
    if face in ("w", "W"):
        return sum(card[0] == face for card in obs.hand)
    return obs.hand.count(face)


def _call_rank(face: Card) -> tuple[int, int]:
    return _CALL_ORDER.index(face[0]), -SUITS.index(face[1]) if len(face) > 1 else 0


def _lead(obs: Observation) -> Shape:
    legal = plays(obs)
    singles = [shape for shape in legal if shape.size == 1]
    if not singles:
        return legal[0]
    return min(singles, key=_single_order)


def _single_order(shape: Shape) -> tuple[bool, int, int, int]:
    """Plain cards from the lowest up, then small joker, big joker, special."""
    return shape.special, shape.big, shape.small, RANKS.index(shape.rank) if shape.rank else 0
