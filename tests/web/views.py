"""Views of a table made from states of the engine, for tests of the rendering: no database, no clock."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from games.engine.actions import Kind
from games.engine.deck import deal
from games.engine.fold import apply, begin
from games.engine.legal import answers
from games.engine.observation import Step
from games.engine.observe import observe
from games.engine.rules import load_rules
from games.engine.state import State
from games.selectors.table_view_types import ResultRow, ResultView, SeatInfo, TableView
from tests.bots.positions import random_states
from tests.engine.hands import all_actions

NAMES = ("阿松", "王大明", "李娜", "游客1234", "老张")
DUE = datetime(2026, 3, 1, 20, 0, 20, tzinfo=UTC)


def seats(names: tuple[str, ...] = NAMES, **all_of_them: Any) -> tuple[SeatInfo, ...]:
    """Five seated people; keywords set a field of all of them."""
    fields: dict[str, Any] = dict(
        empty=False, bot=False, ready=True, connected=True, trustee=False, host=False, multiplier=1
    )
    return tuple(SeatInfo(number=n, name=name, **{**fields, **all_of_them}) for n, name in enumerate(names))


def view_of(state: State | None, viewer: int | None, **changed: Any) -> TableView:
    """The table with this hand as `viewer` may see it."""
    obs = observe(state, viewer) if state is not None else None
    rules = state.rules if state is not None else load_rules("lianzhong-simple")
    over = obs is not None and obs.step in (Step.DONE, Step.VOID)
    view = TableView(
        table="tableid00001",
        url="/t/tableid00001/",
        phase="waiting" if obs is None else "between" if over else "playing",
        preset=rules.id,
        rules=rules,
        room=1,
        clock_step=15,
        clock_play=20,
        clock_next=20,
        public=False,
        number=3 if obs is not None else 0,
        hand="handid000001" if obs is not None else None,
        seq=obs.seq if obs is not None else 0,
        viewer=viewer,
        host=viewer == 0,
        trustee=False,
        can_take_back=False,
        seats=seats(),
        prompt=f"3-{obs.prompt}" if obs is not None and obs.prompt is not None else None,
        deadline=DUE,
        seconds=20,
        obs=obs,
        commit="a" * 64,
        next_commit="b" * 64,
        result=result_of(state) if state is not None and obs is not None and obs.result is not None else None,
    )
    return replace(view, **changed)


def result_of(state: State) -> ResultView:
    """The result as the selectors give it, with the points as beans."""
    result = observe(state, None).result
    assert result is not None
    return ResultView(
        outcome=result.outcome,
        solo=result.solo.value if result.solo else None,
        multiplier=result.multiplier,
        rows=tuple(
            ResultRow(
                s, NAMES[s], result.role(s).value, result.places[s], result.points[s], result.beans[s], state.hands[s]
            )
            for s in range(5)
        ),
        scored=True,
        record_url="/api/hands/handid000001/record",
        fair_url="/hands/handid000001/fair/",
    )


def finished(preset: str, seed: int) -> State:
    """The end of the first random hand from this seed on that has a result."""
    for attempt in range(seed, seed + 50):
        rng = random.Random(attempt)
        for state in random_states(load_rules(preset), rng):
            last = state
        seat = last.to_act[0]
        for action in all_actions(observe(last, seat)):
            after = apply(last, seat, action)
            if after.step is Step.DONE:
                return after
    raise AssertionError("no hand came to an end")


def states(preset: str, seed: int, overrides: Mapping[str, Any] | None = None) -> Iterator[State]:
    """Every state of one random hand."""
    return random_states(load_rules(preset, dict(overrides or {})), random.Random(seed))


def openings(preset: str, hands: int) -> Iterator[State]:
    """The states before the first card of so many random hands. An open solo, which skips steps, is declared rarely."""
    rules = load_rules(preset)
    for seed in range(hands):
        rng = random.Random(seed)
        state = begin(rules, deal(rules, rng.randbytes(64), [""] * 5, seed % 5))
        while state.to_act and state.step is not Step.PLAY:
            yield state
            seat = rng.choice(state.to_act)
            said = answers(observe(state, seat))
            calm = [action for action in said if action.kind is not Kind.SOLO and not action.opened]
            state = apply(state, seat, rng.choice(calm if calm and rng.random() < 0.9 else said))
