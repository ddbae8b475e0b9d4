"""The keys of a ruleset and what each may hold (RULES §3).

Reading a ruleset, the admin's form and the words for players share this table.
"""

from dataclasses import dataclass

from .cards import RANKS

MAX_FACTOR = 1_000_000


@dataclass(frozen=True, slots=True)
class Spec:
    """One key: `type` is bool, int, choice, ranks, removed or cover; ints have `choices` or a range."""

    type: str
    choices: tuple[str | int, ...] = ()
    low: int = 0
    high: int = MAX_FACTOR


def _choice(*values: str) -> Spec:
    return Spec("choice", values)


_BOOL = Spec("bool")
_FACTOR = Spec("int", low=1)
_FACTOR_OR_OFF = Spec("int", low=0)

SPECS: dict[str, Spec] = {
    "deck.removed": Spec("removed"),
    "deck.reserve_crown": _BOOL,
    "deck.deal_from": _choice("emperor", "first_out"),
    "crown.needs_triple": _BOOL,
    "crown.yield": _choice("any", "both_cards", "none"),
    "crown.step": Spec("int", (-1, 2)),
    "crown.laps": Spec("int", (1, 2)),
    "crown.toll": _choice("none", "two_or_best", "two_or_none", "best", "bottom"),
    "crown.force": _choice("none", "ask_first", "triple", "triple_unless_quad"),
    "guard.by": _choice("sword", "call"),
    "guard.callable": Spec("ranks", (*RANKS, "w", "W")),
    "guard.choice": _choice("player", "highest"),
    "guard.may_open": _BOOL,
    "guard.special": _BOOL,
    "solo.hidden": _BOOL,
    "solo.open": _BOOL,
    "solo.grab": _choice("none", "any", "quad"),
    "stakes.open_guard": _FACTOR,
    "stakes.open_solo": _FACTOR,
    "stakes.rebellion": _FACTOR_OR_OFF,
    "stakes.kick": _FACTOR_OR_OFF,
    "play.cover": Spec("cover"),
    "play.wild_twos": _BOOL,
    "play.hold_back": _choice("", *RANKS),
    "play.passing": _choice("soft", "hard"),
    "play.defer": _BOOL,
    "play.windfall": _choice("next", "ally", "claim"),
    "end": _choice("side_out", "last_one"),
    "scoring.mode": _choice("sum", "places", "outcome", "outcome_home"),
    "scoring.solo_factor": _FACTOR,
    "tribute": _choice("none", "standard"),
    "clear_threes": _BOOL,
}
