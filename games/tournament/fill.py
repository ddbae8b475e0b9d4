"""Numbers that do not divide by five: how many tables and bots, and which entrants get a bot at their table.

Nobody ever sits out. At most one bot sits at a table wherever that is possible (it is not with 1 to 3, 6, 7 and 11
entrants: there they are spread evenly). Bots go to the lowest ranked of those who had one least often.
"""

from collections.abc import Mapping, Sequence

from .values import SEATS, Table

ALONE = 10**9
"""What a second bot at a table costs in any search: more than everything else together."""


def tables_for(entrants: int) -> int:
    """How many tables seat this many."""
    return -(-entrants // SEATS)


def bots_for(entrants: int) -> int:
    """How many seats are left for bots: 0 to 4."""
    return -entrants % SEATS


def most_bots_at_a_table(entrants: int) -> int:
    """1, or more where there are fewer tables than bots."""
    tables = tables_for(entrants)
    return -(-bots_for(entrants) // tables) if tables else 0


def bots_at_tables(entrants: int) -> tuple[int, ...]:
    """Bots at each table, the last tables first served: 9 entrants give (0, 1), 6 give (2, 2)."""
    tables, bots = tables_for(entrants), bots_for(entrants)
    return tuple(bots // tables + (1 if table >= tables - bots % tables else 0) for table in range(tables))


def bot_company(order: Sequence[int], had: Mapping[int, int]) -> frozenset[int]:
    """The entrants who get a bot at their table: fewest such rounds so far first, then the lowest in `order`."""
    wanted = sum(SEATS - bots for bots in bots_at_tables(len(order)) if bots)
    rank = {entrant: number for number, entrant in enumerate(order)}
    return frozenset(sorted(order, key=lambda entrant: (had.get(entrant, 0), -rank[entrant]))[:wanted])


def tables_in_order(order: Sequence[int], had: Mapping[int, int]) -> tuple[Table, ...]:
    """Tables of five down the ranking, bots seated last at the tables of those who get one."""
    company = bot_company(order, had)
    with_bots = [entrant for entrant in order if entrant in company]
    without = [entrant for entrant in order if entrant not in company]
    tables: list[Table] = []
    for bots in bots_at_tables(len(order)):
        source = with_bots if bots else without
        taken, source[: SEATS - bots] = source[: SEATS - bots], []
        tables.append((*taken, *[None] * bots))
    return tuple(tables)
