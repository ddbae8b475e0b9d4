"""Words for cards, ranks and numbers in the written rules: the alphabet of `rule_words`.

Source strings are Chinese, translated through gettext when a text is built. Nothing here knows a ruleset's meaning;
it only turns ranks, counts and cover texts ("WW", "222") into what a player reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.engine.cards import RANKS, SUITS

if TYPE_CHECKING:
    from games.engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Section:
    """One heading of the written rules with its sentences, in reading order."""

    title: str
    sentences: tuple[str, ...]
    name: str = ""  # a stable word for anchors and tests: "cards", "emperor" …


NUMBERS = (
    lazy("零"),
    lazy("一"),
    lazy("两"),
    lazy("三"),
    lazy("四"),
    lazy("五"),
    lazy("六"),
    lazy("七"),
    lazy("八"),
    lazy("九"),
    lazy("十"),
)
NAMES = {"w": lazy("小王"), "W": lazy("大王"), "#": lazy("特画")}


def number(n: int) -> str:
    """A small number as it is said before a measure word (两张, not 二张); digits above ten."""
    return str(NUMBERS[n]) if 0 <= n < len(NUMBERS) else str(n)


def rank_name(rank: str) -> str:
    """The rank as printed on a card: T is 10; `w`, `W`, `#` are named."""
    if rank in NAMES:
        return str(NAMES[rank])
    return "10" if rank == "T" else rank


def suit_name(suit: str) -> str:
    """黑桃, 红桃, 梅花, 方块."""
    return {"S": _("黑桃"), "H": _("红桃"), "C": _("梅花"), "D": _("方块")}[suit]


def face_name(face: str) -> str:
    """A face in words: `9C` is 梅花9, `w` is 小王."""
    if face in ("w", "W"):
        return rank_name(face)
    return _("%(suit)s%(rank)s") % {"suit": suit_name(face[1]), "rank": rank_name(face[0])}


def joined(parts: Iterable[str]) -> str:
    """A list with the comma of lists: 3、4、5."""
    return _("、").join(parts)


def either(parts: Iterable[str]) -> str:
    """Alternatives: 一张大王，或两张小王."""
    return _("，或").join(parts)


def ranks_words(ranks: Iterable[str]) -> str:
    """Ranks low to high, runs of three and more shortened: `3456789TJQKA` is 3到A."""
    order = RANKS + "wW"
    places = sorted({order.index(rank) for rank in ranks})
    runs: list[list[int]] = []
    for place in places:
        # Jokers never join a run of plain ranks: "3到小王" would be read as a rank order.
        if runs and place == runs[-1][-1] + 1 and place < len(RANKS):
            runs[-1].append(place)
        else:
            runs.append([place])
    words = []
    for run in runs:
        names = [rank_name(order[place]) for place in run]
        words.append(_("%(low)s到%(high)s") % {"low": names[0], "high": names[-1]} if len(names) > 2 else joined(names))
    return joined(words)


def cards_words(text: str) -> str:
    """A cover text in words, strongest first: `WW` is 两张大王, `Www` is 一张大王加两张小王."""
    words = []
    for token in "#Ww2":
        count = text.count(token)
        if count:
            words.append(counted(count, rank_name(token)))
    return _("加").join(words)


def counted(n: int, name: str) -> str:
    """`n` cards of a name: 两张大王."""
    if n == 1:
        return _("一张%(card)s") % {"card": name}
    return _("%(n)s张%(card)s") % {"n": number(n), "card": name}


def times(factor: int) -> str:
    """A stake factor: ×2, or the words for a factor of one."""
    return _("×%(n)s") % {"n": factor} if factor != 1 else _("×1（不加倍）")


def removed_of(rules: RuleSet) -> dict[str, int]:
    """How many copies of a rank are taken out, by rank."""
    return dict(rules.deck.removed)


def left_of(rules: RuleSet) -> dict[str, int]:
    """How many copies of each plain rank are in the deck, low to high; ranks wholly removed are missing."""
    removed = removed_of(rules)
    counts = {rank: 16 - removed.get(rank, 0) for rank in RANKS}
    return {rank: count for rank, count in counts.items() if count}


def faces_of_four(rules: RuleSet, rank: str) -> tuple[str, ...]:
    """The faces of a rank of which all four copies are in the deck: only these can be called (RULES §5.5)."""
    if rank in ("w", "W"):
        return (rank,)
    removed = removed_of(rules).get(rank, 0)
    # Copies leave suit by suit, S H C D, one each, round and round (RULES §3): suit i loses one of every four.
    return tuple(rank + suit for i, suit in enumerate(SUITS) if removed <= i)
