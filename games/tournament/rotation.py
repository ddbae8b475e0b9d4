"""排位轮转 while life goes on: slots filled with entrants, the planned round taken, and mended by swaps where it must.

As long as nobody comes or goes the rounds are the plan's. A slot that falls empty is a bot until a late entrant takes
it; when whole tables fall away the rest is found by swaps that lower Σ met².
"""

import random
from collections.abc import Collection, Sequence
from itertools import combinations

from .fill import ALONE, bots_for, most_bots_at_a_table, tables_for
from .schedule import Slots, plan
from .seating import seat_tables
from .swaps import Swaps
from .swiss import described
from .values import SEATS, History, Pairing, Round, Table, people

MET, BOT, LATER = 12, 6, 1
"""The growth of Σ met² for two who have met so often before is met times this; a bot had before costs half of it, and
a meeting the plan still has in store a twelfth."""

LOOKS = 400_000


def fit_slots(slots: Sequence[int | None], active: Sequence[int]) -> tuple[int | None, ...]:
    """The slots of the next round: whoever was there keeps his, newcomers take empty ones, the fewest tables are used.

    `slots` of the last round (empty before the first), `active` all who play now, newcomers in the order in which they
    take slots. The result has five slots for each table, `None` for a bot.
    Raises ValueError when somebody is listed twice.
    """
    here = set(active)
    if len(here) != len(active):
        raise ValueError("somebody is active twice")
    size = SEATS * tables_for(len(active))
    kept: list[int | None] = [entrant if entrant in here else None for entrant in slots]
    beyond = [entrant for entrant in kept[size:] if entrant is not None]
    kept = kept[:size] + [None] * (size - len(kept))
    known = {entrant for entrant in kept if entrant is not None} | set(beyond)
    waiting = beyond + [entrant for entrant in active if entrant not in known]
    for number, entrant in enumerate(kept):
        if entrant is None and waiting:
            kept[number] = waiting.pop(0)
    return tuple(kept)


def pair_rotation(slots: Sequence[int | None], rounds: int, past: Sequence[Round], seed: str) -> Pairing:
    """The next round for these slots in an event of so many rounds, seats turned.

    Takes the plan's round when it repeats no more than planned and no table has two bots; else swaps mend it.
    Raises ValueError when the slots are no whole tables or more than the last table of them is empty.
    """
    entrants = [entrant for entrant in slots if entrant is not None]
    if len(slots) % SEATS or bots_for(len(entrants)) != slots.count(None):
        raise ValueError("slots must be five for each table, with fewer than five empty")
    if not slots:
        return Pairing((), seed)
    history = History(past)
    number = len(past)
    planned = plan(len(slots) // SEATS, max(rounds, number + 1))
    tables = _filled(planned[number], slots)
    if _met(tables, history) > _planned_met(planned, number) or _crowded(tables, len(entrants)):
        tables = _mended(planned, number, slots, history, seed)
    return described(seat_tables(tables, past, seed), {}, history, {}, seed)


def _filled(tables: Slots, slots: Sequence[int | None]) -> Round:
    return tuple(tuple(slots[slot] for slot in table) for table in tables)


def _met(tables: Round, history: History) -> int:
    """By how much Σ met² grows beyond what new meetings alone would cost, halved."""
    return sum(history.met[two] for table in tables for two in combinations(sorted(people(table)), 2))


def _planned_met(planned: Sequence[Slots], number: int) -> int:
    """The same for this round of the plan, if all before it had been played as planned."""
    return _met(planned[number], History(planned[:number]))


def _crowded(tables: Round, entrants: int) -> bool:
    return any(table.count(None) > most_bots_at_a_table(entrants) for table in tables)


def _mended(
    planned: Sequence[Slots], number: int, slots: Sequence[int | None], history: History, seed: str
) -> tuple[Table, ...]:
    """The plan's round after swaps: few repeats, bots apart and to those who had none, later rounds spared."""
    weights = [[0] * len(slots) for _ in slots]
    for tables in planned[number + 1 :]:
        for table in tables:
            for a, b in combinations(table, 2):
                weights[a][b] = weights[b][a] = LATER
    for a, b in combinations(range(len(slots)), 2):
        one, other = slots[a], slots[b]
        if one is not None and other is not None:
            cost = MET * history.met[(one, other) if one < other else (other, one)]
        elif one is None and other is None:
            cost = ALONE
        else:
            cost = BOT * history.bots[one if one is not None else other or 0]
        weights[a][b] += cost
        weights[b][a] += cost
    search = Swaps(weights, planned[number])
    search.improve(random.Random(f"rotation:{number}:{seed}"), LOOKS)
    return tuple(tuple(slots[slot] for slot in table) for table in search.tables)


def still_new(active: Collection[int], past: Sequence[Round]) -> int:
    """How many pairs of these have not met yet, for the page of the event."""
    met = History(past).met
    return sum(two not in met for two in combinations(sorted(active), 2))
