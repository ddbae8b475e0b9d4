"""The play of the cards: tricks, passing, deferring, windfall (RULES §6). The end of a hand is in `ending.py`."""

from ..actions import Action, Kind
from ..cards import LEVEL, SWORD, Card, Hand, face, without
from ..legal import shape_of
from ..observation import Event, Play, Role, Solo, Step, Turn
from ..observe import may_claim, true_role
from ..shapes import is_unbeatable
from ..state import State, seats_from
from . import ending


def enter(state: State) -> State:
    """The emperor leads the first trick; seats without a card are out at once (RULES §6.1, §6.7)."""
    emperor = state.emperor
    assert emperor is not None
    for seat in seats_from(emperor):
        if not state.hands[seat]:
            state = _goes_out(state, seat)
    if ending.is_over(state):
        return ending.finish(state)
    return state.ask(Step.PLAY, emperor)


def answer(state: State, seat: int, action: Action) -> State:
    """Take a legal play, pass, deferral or claim of the seat whose turn it is."""
    if action.kind is Kind.PLAY:
        return _play(state, seat, action.cards)
    queue = state.queue[1:]
    changes: dict[str, object] = {
        "trick": (*state.trick, Turn(seat, action.kind)),
        "queue": queue,
        "to_act": queue[:1],
        "asked_at": state.seq,
        "log": (*state.log, Event(action.kind.value, seat)),
    }
    if action.kind is Kind.DEFER:
        changes["deferred"] = (*state.deferred, seat)
    else:
        changes["passed"] = state.passed | {seat}
    if action.kind is Kind.CLAIM:
        changes["claims"] = (*state.claims, seat)
    state = state.but(**changes)
    return state if queue else _queue_is_empty(state)


def _play(state: State, seat: int, cards: tuple[Card, ...]) -> State:
    shape = shape_of(state.rules, cards, state.special if seat == state.guard else None)
    play = Play(seat, shape, cards)
    hand = without(state.hands[seat], cards)
    played = list(state.played)
    for card in cards:
        played[LEVEL[card]] += 1
    events = [Event("play", seat, cards, shape)]
    cleared = state.cleared
    if state.only_threes is not None:
        # The very next play of the trick beats the one that left only 3s (RULES §9.4).
        cleared = (*cleared, (state.only_threes, seat))
        events.append(Event("cleared", state.only_threes, number=seat))
    special = None if shape.special else state.special
    passed = state.passed | (set(state.deferred) - {seat})
    shown = not state.public and _shows(state, seat, cards, hand)
    if shown:
        events.append(Event("shown", seat))
    barred = passed if state.rules.play.passing == "hard" else frozenset()
    queue = tuple(s for s in seats_from(seat)[1:] if s not in state.out and s not in barred)
    state = state.but(
        to_act=queue[:1],
        asked_at=state.seq,
        queue=queue,
        hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
        played=tuple(played),
        top=play,
        trick=(*state.trick, Turn(seat, Kind.PLAY, play)),
        last_trick=(),
        passed=passed,
        deferred=(),
        second_round=False,
        claims=(),
        special=special,
        public=state.public or shown,
        cleared=cleared,
        only_threes=seat if _only_threes(state, hand, special if seat == state.guard else None) else None,
        log=(*state.log, *events),
    )
    if not hand:
        state = _goes_out(state, seat)
        if ending.is_over(state):
            return ending.finish(state)
    if not queue or _ends_trick_at_once(state, play):
        return _end_trick(state)
    return state


def _only_threes(state: State, hand: Hand, special: Card | None) -> bool:
    """Whether a hand is nothing but 3s where those are held back and cleared; the special card is no 3 (RULES §6.4)."""
    if not (state.rules.clear_threes and state.rules.play.hold_back == "3"):
        return False
    return bool(hand) and all(card[0] == "3" and card != special for card in hand)


def _shows(state: State, seat: int, cards: tuple[Card, ...], rest: Hand) -> bool:
    """Whether a play shows a hidden role: the sword card, the guard's called card, or the last of a hidden solo's four
    copies (RULES §6.3). `rest` is the hand after the play.
    """
    if state.rules.guard.by == "sword":
        return SWORD in cards
    if all(face(card) != state.called for card in cards):
        return False
    if seat == state.guard:
        return True
    return state.solo is Solo.HIDDEN and seat == state.emperor and all(face(card) != state.called for card in rest)


def _goes_out(state: State, seat: int) -> State:
    out = (*state.out, seat)
    return state.but(out=out).told(Event("out", seat, number=len(out)))


def _ends_trick_at_once(state: State, play: Play) -> bool:
    """Whether everybody can see that nothing beats this play, so that nobody is asked (RULES §6.1b)."""
    if not is_unbeatable(state.rules, play.shape) or may_claim(state):
        return False
    return play.shape.special or not _special_may_come(state)


def _special_may_come(state: State) -> bool:
    """Whether, as far as the table knows, the special card may still be in a hand."""
    if not state.rules.guard.special or state.solo is Solo.OPEN:
        return False
    if state.solo is Solo.HIDDEN:
        return not state.public
    return state.special is not None


def _queue_is_empty(state: State) -> State:
    """Everybody has answered the top play: the deferred seats are asked once more, else the trick ends (RULES §6.5)."""
    if state.deferred and not state.second_round:
        return state.but(queue=state.deferred, second_round=True).ask(Step.PLAY, state.deferred[0])
    return _end_trick(state)


def _end_trick(state: State) -> State:
    assert state.top is not None
    owner = state.top.seat
    leader = _windfall(state, owner) if state.is_out(owner) else owner
    return state.but(
        step=Step.PLAY,
        to_act=(leader,),
        asked_at=state.seq,
        top=None,
        last_trick=state.trick,
        trick=(),
        queue=(),
        passed=frozenset(),
        deferred=(),
        second_round=False,
        claims=(),
        only_threes=None,
        log=(*state.log, Event("trick" if leader == owner else "windfall", leader)),
    )


def _windfall(state: State, owner: int) -> int:
    """Who leads after the owner of an unbeaten play went out (RULES §6.6)."""
    following = [seat for seat in seats_from(owner)[1:] if not state.is_out(seat)]
    match state.rules.play.windfall:
        case "claim" if state.claims:
            return state.claims[0]
        case "ally" if state.public:
            side = true_role(state, owner) is Role.REBEL
            allies = [seat for seat in following if (true_role(state, seat) is Role.REBEL) == side]
            return (allies or following)[0]
    return following[0]
