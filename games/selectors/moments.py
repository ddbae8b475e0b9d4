"""A finished hand at one of its moments: the board that can be stepped through.

A moment is what lay on the table after something was said or played, folded from the log like any other state; answers
that nobody saw (RULES §5.6) make none. It is shown as one seat saw it then; beside it all five hands, which anybody who
may see the finished hand knows from its record.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from games import history
from games.engine.observation import Event, Observation, Step
from games.engine.observe import observe
from games.engine.state import State
from games.models import Hand, Table
from games.selectors import addresses, event_boards, replays
from games.selectors.table_view_types import ResultView, SeatInfo, TableView


@dataclass(frozen=True, slots=True)
class Moment:
    """Moment `at` of a hand, from 0, as it was dealt, to `last`.

    `view` is what `seat` saw, but nobody's own: it names every seat and asks nothing. `seen` are all five observations.
    `log` is the story of the whole hand, `reached` for each of its lines the moment at which it was there first, `told`
    how many of them were there before this moment and how many there are now. `before` and `after` are the moments at
    which this trick, or the one before, began and the next begins.
    """

    hand: str
    at: int
    last: int
    seat: int
    view: TableView
    seen: tuple[Observation, ...]
    gifts: tuple[Event, ...]  # tribute, paid before the first question (RULES §9); public once the hand is over
    result: ResultView | None  # at the last moment
    log: tuple[Event, ...]
    reached: tuple[int, ...]
    told: tuple[int, int]
    before: int
    after: int


def moment_of(hand_id: str, player_id: int | None, at: int, seat: int | None) -> Moment:
    """The moment of this number, or the nearest there is, from this seat; without one from the player's own, else from
    the seat asked first. Raises NoSuchHand, Pruned, NotOver."""
    hand = replays.over(hand_id, player_id)
    if hand.pruned:
        raise replays.Pruned(hand_id)
    course = _told(history.course_of(hand))
    last = len(course) - 1
    at = min(max(at, 0), last)
    if seat is None:
        seat = next((i for i, one in enumerate(hand.players) if player_id and one["player"] == player_id), hand.first)
    seen = tuple(observe(course[at], viewer) for viewer in range(5))
    names = replays.names_of(hand)
    leads = _leads(course)
    lengths = [len(state.log) for state in course]
    return Moment(
        hand=hand.id,
        at=at,
        last=last,
        seat=seat,
        view=_view(hand, names, course[at], seen[seat]),
        seen=seen,
        gifts=tuple(Event("gift", gift.giver, (gift.card,), number=gift.taker) for gift in course[-1].gifts),
        result=replays.result_of(hand, names, course[at].hands) if at == last else None,
        log=course[-1].log,
        reached=tuple(bisect_right(lengths, line) for line in range(lengths[-1])),
        told=(lengths[at - 1] if at else 0, lengths[at]),
        before=leads[max(0, bisect_left(leads, at) - 1)],
        after=leads[min(len(leads) - 1, bisect_right(leads, at))],
    )


def _told(course: tuple[State, ...]) -> tuple[State, ...]:
    """The states in which there is something new to be told, the deal before them."""
    return (course[0], *[state for was, state in pairwise(course) if len(state.log) > len(was.log)])


def _leads(course: tuple[State, ...]) -> list[int]:
    """The moments before which nothing lies on the table: the deal, every lead, and the end."""
    last = len(course) - 1
    return [at for at, state in enumerate(course) if at in (0, last) or (state.step is Step.PLAY and not state.trick)]


def _view(hand: Hand, names: list[str], state: State, obs: Observation) -> TableView:
    table = Table.objects.only("id", "preset", "public", "pairing_id").get(pk=hand.table_id)
    return TableView(
        table=table.id,
        url=addresses.table(table.id),
        phase="between" if state.over else "playing",
        preset=table.preset,
        rules=obs.rules,
        room=hand.room,
        clock_step=0,
        clock_play=0,
        clock_next=0,
        public=table.public,
        number=hand.number,
        hand=hand.id,
        seq=state.seq,
        viewer=None,
        host=False,
        trustee=False,
        can_take_back=False,
        seats=tuple(
            SeatInfo(
                number=number,
                name=names[number],
                empty=False,
                bot=occupant["player"] is None,
                ready=False,
                connected=True,
                trustee=False,
                host=False,
                multiplier=occupant["multiplier"],
                keeps=occupant["player"] is None and names[number] != occupant["name"],
            )
            for number, occupant in enumerate(hand.players)
        ),
        prompt=None,
        deadline=None,
        seconds=0,
        obs=obs,
        commit=hand.commit,
        next_commit=None,
        result=None,
        names=tuple(names),
        event=None if table.pairing_id is None else replace(event_boards.place_of(table.pairing_id), paused=False),
    )
