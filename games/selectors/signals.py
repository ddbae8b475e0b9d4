"""Pairs whose hands look odd: figures over stored results for a person to look at. Reads only; judges nobody.

Each finder gives candidates with their figures and some hands to look into. The thresholds keep the list short rather
than complete: an evening among friends, a good partner or a household behind one router must not fill it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from games.models import LoginTrace, SeatResult, Signal

SHOWN = 20
"""Hands kept with a signal, newest first."""

MEET_HANDS, MEET_SHARE, MEET_TIMES = 30, 0.5, 3.0
"""Open tables only: so many hands together, that share of the busier one's hands, so many times more than by chance."""
FLOW_HANDS, FLOW_SHARE, FLOW_Z = 20, 0.5, 4.5
"""So many hands on opposite sides, that share of all that moved left over one way, so many standard deviations."""
NETWORK_HANDS = 20
"""Open tables only: hands together of two from one network."""

Pair = tuple[int, int]


@dataclass(slots=True)
class Candidate:
    """Two people, in the direction of the thing where it has one."""

    kind: str
    player: int
    other: int
    strength: float
    figures: Mapping[str, float]
    hands: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Between:
    """What two people did in one window; `flow` counts from the smaller id to the greater."""

    together: int = 0
    open_together: int = 0
    opposed: int = 0
    flow: float = 0.0
    moved: float = 0.0
    squares: float = 0.0
    hands: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Company:
    """Everybody's hands in one window."""

    pairs: dict[Pair, Between]
    open_hands: Counter[int]
    open_seats: int


def company(since: datetime) -> Company:
    """Go once over all results since then, newest first."""
    pairs: dict[Pair, Between] = defaultdict(Between)
    open_hands: Counter[int] = Counter()
    for hand_id, is_open, seats in _hands(since):
        people = [(player, side, beans) for player, side, beans in seats if player is not None]
        if is_open:
            open_hands.update(player for player, _, _ in people)
        won = sum(beans for _, _, beans in seats if beans > 0)
        for at, (one, side, beans) in enumerate(people):
            for two, other_side, other_beans in people[at + 1 :]:
                low, high = min(one, two), max(one, two)
                row = pairs[low, high]
                row.together += 1
                row.open_together += is_open
                if len(row.hands) < SHOWN:
                    row.hands.append(hand_id)
                if side == other_side:
                    continue
                row.opposed += 1
                moved = _moved(beans, other_beans, won)
                moved = moved if one == low else -moved
                row.flow += moved
                row.moved += abs(moved)
                row.squares += moved * moved
    return Company(dict(pairs), open_hands, sum(open_hands.values()))


def _moved(beans: int, other: int, won: int) -> float:
    """Beans that went from the first to the second: a loser pays the winners in the proportion of what they won."""
    return -beans * abs(other) / won if won and beans * other < 0 else 0.0


def _hands(since: datetime) -> Iterator[tuple[str, bool, list[tuple[int | None, bool, int]]]]:
    """Hands with their seats (player or None for a bot, on the emperor's side, beans), newest first."""
    rows = (
        SeatResult.objects.filter(result__ended_at__gte=since)
        .order_by("-result__ended_at", "result_id")
        .values_list("result_id", "result__public", "player_id", "role", "beans")
    )
    now, is_open = "", False
    seats: list[tuple[int | None, bool, int]] = []
    for hand_id, public, player, role, beans in rows.iterator(chunk_size=5000):
        if hand_id != now:
            if seats:
                yield now, is_open, seats
            now, is_open, seats = hand_id, public, []
        seats.append((player, role != SeatResult.Role.REBEL, beans))
    if seats:
        yield now, is_open, seats


def meeting(seen: Company) -> Iterator[Candidate]:
    """Pairs who meet at open tables far more often than all the others there would make likely."""
    for (low, high), row in seen.pairs.items():
        busier = max(seen.open_hands[low], seen.open_hands[high])
        if row.open_together < MEET_HANDS or row.open_together < MEET_SHARE * busier:
            continue
        # each of one's hands has four more seats, which the other takes by his share of all seats
        rest = seen.open_seats - seen.open_hands[low]
        expected = 4 * seen.open_hands[low] * seen.open_hands[high] / rest if rest else 0.0
        times = row.open_together / expected if expected else 0.0
        if times >= MEET_TIMES:
            figures = {
                "together": row.open_together,
                "hands": seen.open_hands[low],
                "other_hands": seen.open_hands[high],
                "expected": round(expected, 1),
            }
            yield Candidate(Signal.Kind.MEET, low, high, round(times, 2), figures, row.hands)


def flowing(seen: Company) -> Iterator[Candidate]:
    """Pairs between whom beans go one way: from `player` to `other`."""
    for (low, high), row in seen.pairs.items():
        if row.opposed < FLOW_HANDS or not row.squares:
            continue
        z = abs(row.flow) / math.sqrt(row.squares)
        if z < FLOW_Z or abs(row.flow) < FLOW_SHARE * row.moved:
            continue
        giver, taker = (low, high) if row.flow > 0 else (high, low)
        figures = {
            "beans": round(abs(row.flow)),
            "moved": round(row.moved),
            "opposed": row.opposed,
            "together": row.together,
        }
        yield Candidate(Signal.Kind.FLOW, giver, taker, round(z, 2), figures, row.hands)


def sharing(seen: Company, since: datetime) -> Iterator[Candidate]:
    """Pairs who have played together and logged in from one network, with the same kind of browser or another."""
    networks: dict[str, set[int]] = defaultdict(set)
    devices: dict[tuple[str, str], set[int]] = defaultdict(set)
    traces = LoginTrace.objects.filter(last_at__gte=since).values_list("player_id", "network", "agent")
    for player, network, agent in traces.iterator():
        networks[network].add(player)
        devices[network, agent].add(player)
    same_device, same_network = _pairs(devices.values(), seen.pairs), _pairs(networks.values(), seen.pairs)
    for pair in sorted(same_network):
        row, shared = seen.pairs[pair], same_device[pair]
        figures = {
            "devices": shared,
            "networks": same_network[pair],
            "together": row.together,
            "open_together": row.open_together,
            "opposed": row.opposed,
        }
        if shared and row.open_together:
            yield Candidate(Signal.Kind.DEVICE, *pair, float(row.open_together), figures, row.hands)
        elif row.open_together >= NETWORK_HANDS:
            yield Candidate(Signal.Kind.NETWORK, *pair, float(row.open_together), figures, row.hands)


def _pairs(groups: Iterable[set[int]], known: Mapping[Pair, Between]) -> Counter[Pair]:
    """How many of these groups two people share who have played together."""
    found: Counter[Pair] = Counter()
    for members in groups:
        ordered = sorted(members)
        for at, low in enumerate(ordered):
            found.update((low, high) for high in ordered[at + 1 :] if (low, high) in known)
    return found
