"""瑞士移位: a round of a Swiss event for tables of five. Strong play strong, and hardly anybody meets anybody twice.

The entrants come in the order of the ranking chain and are cut into fives; swaps then lower the cost: for every two at
a table 4·met² + 10 if they met in the last round + 6 if they are of one club (first two rounds only), and for every
entrant the square of the distance between his score and the mean of his table. As in chess nobody meets twice where
that can be avoided: 400 more a pair, unless the event lets the bare cost decide.
"""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from .fill import ALONE, tables_in_order
from .seating import seat_tables
from .swaps import Swaps
from .values import History, Pair, Pairing, Round, drawn_order, pair

MET, LAST, CLUB = 4, 10, 6
FRESH, BOT = 400, 300
CLUB_ROUNDS = 2
SCALE = 20
"""Weights are whole twentieths: scores come in halves, and Σ (score − mean)² of five is Σ difference² of pairs / 5.
A bot at the table costs BOT · d², where the entrant had d more such rounds than those who had fewest: a second
may be had to spare a repeated meeting, hardly a third."""

LOOKS = 300_000
"""Swaps looked at in a round: less than 0.1 s on one core."""


def pair_swiss(
    order: Sequence[int],
    scores: Mapping[int, Fraction],
    past: Sequence[Round],
    seed: str,
    clubs: Mapping[int, int] | None = None,
    *,
    fresh: bool = True,
) -> Pairing:
    """The next round of a Swiss event, seats turned.

    `order` are all who play, best first by the ranking chain (before the first round any order: lots decide);
    `scores` their 场分, 0 where missing; `clubs` the club of those who have one. With
    `fresh` two who have met meet again only where the search finds no other way; without, where it is cheaper.
    Raises ValueError when somebody is listed twice.
    """
    if len(set(order)) != len(order):
        raise ValueError("somebody is in the order twice")
    if not past:
        order = drawn_order(order, seed)
    history = History(past)
    clubs = clubs if clubs and len(past) < CLUB_ROUNDS else {}
    start = tables_in_order(order, history.bots)
    players = [entrant for table in start for entrant in table]
    weights = _weights(players, scores, history, clubs, FRESH if fresh else 0)
    numbers = iter(range(len(players)))
    search = Swaps(weights, [[next(numbers) for _ in table] for table in start])
    search.improve(random.Random(f"swiss:{len(past)}:{seed}"), LOOKS)
    tables = tuple(tuple(players[number] for number in table) for table in search.tables)
    return described(seat_tables(tables, past, seed), scores, history, clubs, seed)


def described(
    tables: Round, scores: Mapping[int, Fraction], history: History, clubs: Mapping[int, int], seed: str
) -> Pairing:
    """These tables with their cost and what it is made of."""
    repeats = again = mates = squares = 0
    spread = Fraction(0)
    for table in tables:
        who = [entrant for entrant in table if entrant is not None]
        for i, a in enumerate(who):
            for b in who[:i]:
                met = history.met[pair(a, b)]
                repeats += met > 0
                squares += met * met
                again += pair(a, b) in history.last
                mates += a in clubs and clubs[a] == clubs.get(b)
                spread += Fraction(scores.get(a, Fraction(0)) - scores.get(b, Fraction(0))) ** 2
    spread /= 5
    cost = MET * squares + LAST * again + CLUB * mates + spread
    return Pairing(tables, seed, cost, repeats, again, mates, spread)


def _weights(
    players: Sequence[int | None],
    scores: Mapping[int, Fraction],
    history: History,
    clubs: Mapping[int, int],
    fresh: int,
) -> list[list[int]]:
    """What every two cost at one table, in twentieths; a bot is nobody's rival but has its own price."""
    index: dict[int, int] = {entrant: number for number, entrant in enumerate(players) if entrant is not None}
    fewest = min((history.bots[entrant] for entrant in index), default=0)
    with_bot = {entrant: SCALE * BOT * (history.bots[entrant] - fewest) ** 2 for entrant in index}
    halves = [round(2 * scores.get(entrant, Fraction(0))) if entrant is not None else None for entrant in players]
    weights = []
    for number, entrant in enumerate(players):
        mine = halves[number]
        if entrant is None or mine is None:
            price = [ALONE if other is None else with_bot[other] for other in players]
        else:
            bot = with_bot[entrant]
            price = [bot if other is None else (mine - other) ** 2 for other in halves]
        price[number] = 0
        weights.append(price)

    def charge(a: int, b: int, cost: int) -> None:
        weights[index[a]][index[b]] += SCALE * cost
        weights[index[b]][index[a]] += SCALE * cost

    for (a, b), met in history.met.items():
        if a in index and b in index:
            charge(a, b, fresh * met + MET * met * met + (LAST if (a, b) in history.last else 0))
    for a, b in _clubmates(index, clubs):
        charge(a, b, CLUB)
    return weights


def _clubmates(index: Mapping[int, int], clubs: Mapping[int, int]) -> list[Pair]:
    """Every two of the players who are of one club."""
    members: dict[int, list[int]] = {}
    for entrant in index:
        if entrant in clubs:
            members.setdefault(clubs[entrant], []).append(entrant)
    return [(a, b) for club in members.values() for i, b in enumerate(club) for a in club[:i]]
