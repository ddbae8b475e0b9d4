"""When a hand is over, the places of those still in, and the result (RULES §7, §8)."""

from ..deck import SEATS
from ..observation import Event, Result, Solo, Step
from ..settlement import settle
from ..state import State, seats_from


def is_over(state: State) -> bool:
    """Whether the hand ends with the seats that are out now (RULES §7)."""
    out = set(state.out)
    if state.rules.end == "last_one":
        return len(out) >= SEATS - 1
    if state.solo is Solo.OPEN:
        return bool(out)
    if state.solo is Solo.HIDDEN:
        return state.emperor in out or len(out) >= 2
    ruling = {state.emperor, state.guard}
    return ruling <= out or len(out - ruling) == SEATS - len(ruling)


def places(state: State) -> tuple[int, ...]:
    """The place 1…5 of every seat; those still in share out the rest, fewest cards first (RULES §7)."""
    order = list(state.out)
    from_last_out = seats_from(order[-1])
    still_in = [seat for seat in from_last_out if seat not in order]
    still_in.sort(key=lambda seat: (state.solo is not None and seat == state.emperor, len(state.hands[seat])))
    order += still_in
    return tuple(order.index(seat) + 1 for seat in range(SEATS))


def finish(state: State) -> State:
    """The hand is done: everything about roles is public, the result is fixed."""
    assert state.emperor is not None
    final = places(state)
    settlement = settle(
        state.rules,
        emperor=state.emperor,
        guard=state.guard,
        solo=state.solo,
        guard_open=state.guard_open,
        places=final,
        multiplier=state.multiplier,
    )
    result = Result(
        outcome=settlement.outcome,
        places=final,
        points=settlement.points,
        beans=settlement.beans,
        rounding=settlement.rounding,
        emperor=state.emperor,
        guard=state.guard,
        solo=state.solo,
        guard_open=state.guard_open,
        multiplier=state.multiplier,
        cleared=state.cleared,
    )
    return state.but(step=Step.DONE, to_act=(), public=True, result=result).told(Event("done"))
