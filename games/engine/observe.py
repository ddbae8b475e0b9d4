"""From the truth to what one viewer may know. The only function that turns a state into an observation.

Kept apart from `observation.py` so that everything that receives observations cannot reach the state by importing them.
"""

from functools import lru_cache

from .cards import Hand
from .deck import SEATS
from .observation import Observation, Role, Step
from .state import State


def observe(state: State, viewer: int | None) -> Observation:
    """What `viewer` (a seat 0…4, or None for a spectator) may know of this state.

    Built once a state and viewer: whoever asks again (the check in `apply`, a second tab) gets the same value.
    """
    seen = state.seen
    if viewer not in seen:
        seen[viewer] = _build(state, viewer)
    return seen[viewer]


def _build(state: State, viewer: int | None) -> Observation:
    step = state.step
    to_act = state.to_act
    if step is Step.REVEAL:
        to_act = tuple(seat for seat in to_act if seat == viewer)
    asked = viewer in to_act
    hand: Hand = () if viewer is None else state.hands[viewer]
    following = asked and step is Step.PLAY and state.top is not None
    own_guard = viewer is not None and viewer == state.guard
    own_solo = state.solo if viewer is not None and viewer == state.emperor else None
    gifts = state.gifts
    if gifts and not state.over:
        gifts = tuple(gift for gift in gifts if viewer is not None and viewer in (gift.giver, gift.taker))
    return Observation.of(
        rules=state.rules,
        viewer=viewer,
        seq=state.seq,
        step=step,
        to_act=to_act,
        prompt=str(state.asked_at) if asked else None,
        hand=hand,
        special=state.special if own_guard else None,
        counts=tuple(map(len, state.hands)),
        callable=state.callable,
        first_asked=state.first_asked,
        crown_at=state.crown_at,
        toll=state.toll,
        forced=step is Step.CROWN and is_forced_lap(state),
        last_lap=step is Step.CROWN and is_last_lap(state),
        emperor=state.emperor,
        called=state.called,
        guard=state.guard if state.public else None,
        solo=state.solo if state.public else None,
        guard_open=state.guard_open,
        public=state.public,
        multiplier=state.multiplier,
        rebels=state.rebels,
        known=known_roles(state, viewer),
        own_solo=own_solo,
        out=state.out,
        top=state.top,
        trick=state.trick,
        last_trick=state.last_trick,
        may_defer=following and _may_defer(state),
        may_claim=following and may_claim(state),
        played=state.played,
        log=state.log,
        gifts=gifts,
        result=state.result,
    )


def is_forced_lap(state: State) -> bool:
    """Whether the free laps are over and the forced one runs (RULES §5.2)."""
    return state.rules.crown.force != "none" and state.refusals >= SEATS


def is_last_lap(state: State) -> bool:
    """Whether no seat that refuses now will be asked again (RULES §8.7)."""
    crown = state.rules.crown
    if crown.force == "none":
        return state.refusals >= SEATS * (crown.laps - 1)
    if crown.force == "ask_first" and state.refusals < SEATS:
        return state.refusals > 0  # only the seat first asked is asked again
    return state.refusals >= SEATS


def _may_defer(state: State) -> bool:
    led = state.top is not None and state.trick[0].play == state.top
    return state.rules.play.defer and led and not state.second_round


def may_claim(state: State) -> bool:
    """Whether whoever is asked may claim the windfall: the owner of the top play is out (RULES §6.6)."""
    return state.rules.play.windfall == "claim" and state.top is not None and state.is_out(state.top.seat)


def true_role(state: State, seat: int) -> Role:
    """The seat's role once roles are fixed."""
    if seat == state.emperor:
        return Role.EMPEROR
    return Role.GUARD if seat == state.guard else Role.REBEL


def known_roles(state: State, viewer: int | None) -> tuple[tuple[int, Role], ...]:
    """What the viewer knows for sure (PROTOCOL `known`), by seat."""
    emperor, guard = state.emperor, state.guard
    if emperor is None:
        return ()
    if guard is None and state.solo is None:
        return ((emperor, Role.EMPEROR),)
    if state.public or (viewer is not None and (viewer == guard or (viewer == emperor and state.solo is not None))):
        return _all_roles(emperor, guard)
    own = () if viewer is None or viewer == emperor else (viewer,)
    return _rebels_beside(emperor, state.rebels + own)


@lru_cache(maxsize=64)
def _all_roles(emperor: int, guard: int | None) -> tuple[tuple[int, Role], ...]:
    return tuple((s, Role.EMPEROR if s == emperor else Role.GUARD if s == guard else Role.REBEL) for s in range(SEATS))


@lru_cache(maxsize=256)
def _rebels_beside(emperor: int, rebels: tuple[int, ...]) -> tuple[tuple[int, Role], ...]:
    return tuple(sorted({emperor: Role.EMPEROR, **dict.fromkeys(rebels, Role.REBEL)}.items()))
