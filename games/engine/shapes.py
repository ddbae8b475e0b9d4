"""Shapes: plays with suits dropped, which of them a hand can make and which beats which (RULES §2, §6.2–6.4).

Works on counts by level only; what a seat may do at its turn is `legal.py`, which physical cards make a shape up is
the player's choice.
"""

from functools import lru_cache
from typing import NamedTuple

from .cards import BIG_LEVEL, RANK_LEVEL, RANKS, SMALL_LEVEL, TWO
from .deck import copies_in_deck
from .errors import BadCards
from .rules import CoverTable, RuleSet

MAX_JOKERS = 4


class Shape(NamedTuple):
    """`#` or not, big jokers, small jokers, and `count` cards of `rank` ("" when there are none)."""

    special: bool
    big: int
    small: int
    rank: str
    count: int  # type: ignore[assignment]  # a tuple has a method of that name, which no one calls on a shape

    @property
    def size(self) -> int:
        """How many cards."""
        return self.special + self.big + self.small + self.count

    def __str__(self) -> str:
        return "#" * self.special + "W" * self.big + "w" * self.small + self.rank * self.count


def sort_key(shape: Shape) -> tuple[int, int, int, int, bool]:
    """The order in which legal plays are listed (PROTOCOL `plays`)."""
    rank = RANK_LEVEL[shape.rank] if shape.count else len(RANKS)
    return shape.size, rank, shape.big, shape.small, shape.special


def parse_shape(rules: RuleSet, text: str) -> Shape:
    """The shape a text names, checked against the whole deck. Raises BadCards (also for another order of writing)."""
    special, big, small = text.count("#"), text.count("W"), text.count("w")
    plain = text[special + big + small :]
    rank = plain[:1]
    shape = Shape(special > 0, big, small, rank, len(plain))
    if not text or special > 1 or str(shape) != text or (rank and rank not in RANK_LEVEL):
        raise BadCards(f"not a shape: {text!r}")
    if big > MAX_JOKERS or small > MAX_JOKERS or (rank and len(plain) > _most_of_rank(rules, rank)):
        raise BadCards(f"more copies than the deck has: {text!r}")
    return shape


def _most_of_rank(rules: RuleSet, rank: str) -> int:
    copies = copies_in_deck(rules)
    own = sum(copies[rank + suit] for suit in "SHCD")
    twos = sum(copies["2" + suit] for suit in "SHCD") if rules.play.wild_twos and rank != "2" and own else 0
    return own + twos


# --- beating -------------------------------------------------------------------------------------------------------

Cover = tuple[int, int, int, int]
"""Cards used up to cover jokers: specials, big jokers, small jokers, twos."""


_NO_JOKERS: tuple[Cover, ...] = ((0, 0, 0, 0),)


def joker_covers(table: CoverTable, big: int, small: int) -> tuple[Cover, ...]:
    """Every total of cards that covers `big` big and `small` small jokers; `#` alone covers any one (RULES §6.2)."""
    return _joker_covers(table, big, small) if big or small else _NO_JOKERS


@lru_cache(maxsize=4096)
def _joker_covers(table: CoverTable, big: int, small: int) -> tuple[Cover, ...]:
    totals: set[Cover] = {(0, 0, 0, 0)}
    for covers, jokers in ((table.big, big), (table.small, small)):
        options = {(c.count("#"), c.count("W"), c.count("w"), c.count("2")) for c in covers} | {(1, 0, 0, 0)}
        for _ in range(jokers):
            totals = {
                (a + e, b + f, c + g, d + h)
                for a, b, c, d in totals
                for e, f, g, h in options
                if a + e <= 1 and b + f <= MAX_JOKERS and c + g <= MAX_JOKERS and d + h <= 16
            }
    return tuple(sorted(totals))


def beats(rules: RuleSet, top: Shape, follow: Shape) -> bool:
    """Whether `follow` beats `top` (RULES §6.2): its cards can be divided so that every card of `top` is covered."""
    if top.special:
        return False
    higher = bool(follow.count) and (not top.count or RANK_LEVEL[follow.rank] > RANK_LEVEL[top.rank])
    for special, big, small, twos in joker_covers(rules.play.cover, top.big, top.small):
        if special > follow.special or big > follow.big or small > follow.small:
            continue
        if twos and (follow.rank != "2" or twos > follow.count):
            continue
        plain = follow.count - twos
        if plain and not (higher and top.count):
            continue
        if plain + (follow.special - special) + (follow.big - big) + (follow.small - small) == top.count:
            return True
    return False


def is_unbeatable(rules: RuleSet, top: Shape) -> bool:
    """Whether nothing but a special card could beat `top`, as everybody can see (RULES §6.1b)."""
    cover = rules.play.cover
    return top.special or bool(top.big and not cover.big) or bool(top.small and not cover.small)


# --- what a hand can make ------------------------------------------------------------------------------------------

_TABLE: dict[tuple[bool, int, int], list[list[Shape]]] = {
    (special, big, small): [[Shape(special, big, small, rank if n else "", n) for n in range(33)] for rank in RANKS]
    for special in (False, True)
    for big in range(MAX_JOKERS + 1)
    for small in range(MAX_JOKERS + 1)
}
"""Every shape there can be, so that listing a hand's plays builds no objects."""


def most_of_each(rules: RuleSet, counts: list[int]) -> list[int]:
    """For each rank how many cards a play can count as that rank, twos included where they are wild (RULES §2)."""
    most = counts[: len(RANKS)]
    if rules.play.wild_twos and counts[TWO]:
        most = [n + counts[TWO] if n and level != TWO else n for level, n in enumerate(most)]
    return most


def leads(rules: RuleSet, counts: list[int], special: bool) -> list[Shape]:
    """Every shape this hand may lead, in the protocol's order.

    `counts` by level without the special card; `special` whether the hand holds that one too.
    """
    big, small = counts[BIG_LEVEL], counts[SMALL_LEVEL]
    if rules.play.hold_back:
        level = RANK_LEVEL[rules.play.hold_back]
        if counts[level] and not special and sum(counts) == counts[level]:
            return [_TABLE[False, 0, 0][level][counts[level]]]
        held: int | None = level
    else:
        held = None
    combos = [
        (b + s + h, _TABLE[h > 0, b, s]) for b in range(big + 1) for s in range(small + 1) for h in range(special + 1)
    ]
    most = most_of_each(rules, counts)
    buckets: list[list[Shape]] = [[] for _ in range(max(most) + big + small + special + 1)]
    for level, n in enumerate(most):
        if n and level != held:
            for jokers, table in combos:
                size = jokers
                for shape in table[level][1 : n + 1]:
                    size += 1
                    buckets[size].append(shape)
    for jokers, table in combos:
        if jokers:
            buckets[jokers].append(table[0][0])
    return [shape for bucket in buckets for shape in bucket]


def follows(rules: RuleSet, counts: list[int], special: bool, top: Shape) -> list[Shape]:
    """Every shape of this hand that beats `top`, in the protocol's order; the counts are as for `leads`."""
    if top.special:
        return []
    big, small = counts[BIG_LEVEL], counts[SMALL_LEVEL]
    most = most_of_each(rules, counts)
    need = top.count
    lowest = RANK_LEVEL[top.rank] + 1 if need else len(RANKS)
    found: set[Shape] = set()
    for special_used, big_used, small_used, twos in joker_covers(rules.play.cover, top.big, top.small):
        if special_used > special or big_used > big or small_used > small or twos > counts[TWO]:
            continue
        for b in range(big_used, min(big, big_used + need) + 1):
            for s in range(small_used, min(small, small_used + need - (b - big_used)) + 1):
                for h in range(special_used, special + 1):
                    plain = need - (b - big_used) - (s - small_used) - (h - special_used)
                    if plain < 0:
                        continue
                    table = _TABLE[h > 0, b, s]
                    if twos:
                        if twos + plain <= counts[TWO] and (not plain or lowest <= TWO):
                            found.add(table[TWO][twos + plain])
                    elif not plain:
                        found.add(table[0][0])
                    else:
                        found.update(table[level][plain] for level in range(lowest, TWO + 1) if most[level] >= plain)
    if rules.play.hold_back:
        held = rules.play.hold_back
        level = RANK_LEVEL[held]
        last = not special and sum(counts) == counts[level]
        found = {s for s in found if s.rank != held or (last and s.count == counts[level] and s.size == s.count)}
    return sorted(found, key=sort_key)
