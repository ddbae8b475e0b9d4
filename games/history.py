"""The vault: from the stored log of a hand to its state, and back.

A hand's state is a fold over its rules, deal and actions (`Fold`). The newest fold of a hand is kept in this process
under (hand, seq); since that pair names an immutable value nothing is ever invalidated, and a cold hand is folded
again from its rows. Only services and selectors may import this module: whoever holds a state holds all cards.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db import transaction

from games.engine.actions import Action, parse_action
from games.engine.cards import parse_card
from games.engine.deck import Deal
from games.engine.fold import apply, begin
from games.engine.observation import Step
from games.engine.record import previous_json, read_previous
from games.engine.rules import RuleSet, load_rules
from games.engine.state import State
from games.engine.steps.tribute import previous_of
from games.models import Hand, HandAction

KEPT = 1024
KEPT_OVER = 32
"""Of finished hands only the last ones: their folds are the largest, and nobody plays on."""


@dataclass(frozen=True, slots=True)
class Logged:
    """One row of the log; its number is its place in the fold's log, plus one."""

    seat: int
    text: str
    source: str
    action_id: str


@dataclass(frozen=True, slots=True)
class Fold:
    """A hand after `seq` actions. The state does not show in its repr.

    `before` is the same hand, number of actions and state, before the trick that is running; before the first trick as
    it was dealt; once it is over, as it is. It is what is shown with a delay of one trick.
    """

    hand_id: str
    seq: int
    state: State = field(repr=False)
    log: tuple[Logged, ...] = field(repr=False)
    before: tuple[int, State] = field(repr=False)

    def then(self, action: Action, entry: Logged) -> Fold:
        """The fold after one more action. Raises IllegalAction."""
        state = apply(self.state, entry.seat, action)
        seq = self.seq + 1
        between = state.over or (state.step is Step.PLAY and not state.trick)
        return Fold(self.hand_id, seq, state, (*self.log, entry), (seq, state) if between else self.before)

    def row_of(self, seat: int, action_id: str) -> int | None:
        """The number of the row in which this seat's action with this id was logged."""
        for number, entry in enumerate(self.log, start=1):
            if entry.action_id == action_id and entry.seat == seat:
                return number
        return None


class _Newest:
    """The newest fold of each of the hands touched last, those in play and those that are over by themselves."""

    def __init__(self) -> None:
        self._folds: OrderedDict[str, Fold] = OrderedDict()
        self._over: OrderedDict[str, Fold] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, hand_id: str) -> Fold | None:
        with self._lock:
            for folds in (self._folds, self._over):
                if hand_id in folds:
                    folds.move_to_end(hand_id)
                    return folds[hand_id]
            return None

    def offer(self, fold: Fold) -> None:
        with self._lock:
            if fold.state.over:
                self._folds.pop(fold.hand_id, None)
                self._keep(self._over, fold, KEPT_OVER)
            elif fold.hand_id not in self._over:
                self._keep(self._folds, fold, KEPT)

    @staticmethod
    def _keep(folds: OrderedDict[str, Fold], fold: Fold, most: int) -> None:
        known = folds.get(fold.hand_id)
        if known is None or known.seq <= fold.seq:
            folds[fold.hand_id] = fold
        folds.move_to_end(fold.hand_id)
        while len(folds) > most:
            folds.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._folds.clear()
            self._over.clear()


_newest = _Newest()


def forget_all() -> None:
    """Drop every cached fold, as a restart of the process does."""
    _newest.clear()


def remember(fold: Fold) -> None:
    """Keep the fold once the transaction that made it true has committed; at once where there is none."""
    transaction.on_commit(lambda: _newest.offer(fold))


@lru_cache(maxsize=256)
def _rules_of_text(text: str) -> RuleSet:
    return load_rules(json.loads(text))


def rules_of(rules: dict[str, Any]) -> RuleSet:
    """The ruleset a row holds; equal rows give the same object."""
    return _rules_of_text(json.dumps(rules, sort_keys=True))


def deal_to_json(deal: Deal) -> dict[str, Any]:
    return {"hands": [list(hand) for hand in deal.hands], "drawn": deal.drawn}


def deal_of(hand: Hand) -> Deal:
    hands = tuple(tuple(parse_card(token) for token in seat) for seat in hand.deal["hands"])
    return Deal(hands, hand.first, hand.deal["drawn"])


def begin_fold(hand: Hand) -> Fold:
    """The hand as dealt, before any action."""
    if hand.get_deferred_fields():
        # a move reads its hand without the deal; only a cold one needs it
        hand = Hand.objects.only("id", "rules", "deal", "first", "previous").get(pk=hand.pk)
    previous = None if hand.previous is None else read_previous(hand.previous)
    state = begin(rules_of(hand.rules), deal_of(hand), previous)
    return Fold(hand.id, 0, state, (), (0, state))


def fold_of(hand: Hand) -> Fold:
    """The hand after its first `hand.seq` actions, from the cache or from its rows."""
    known = _newest.get(hand.id)
    if known is not None and known.seq == hand.seq:
        return known
    fold = known if known is not None and known.seq < hand.seq else begin_fold(hand)
    for later in _onwards(fold, hand):
        fold = later
    remember(fold)
    return fold


def course_of(hand: Hand) -> tuple[State, ...]:
    """Every state of the hand: as it was dealt, and after each of its `hand.seq` actions."""
    start = begin_fold(hand)
    return (start.state, *[fold.state for fold in _onwards(start, hand)])


def _onwards(fold: Fold, hand: Hand) -> Iterator[Fold]:
    """The folds after this one, an action each, up to `hand.seq`. Raises LookupError where the log has a gap."""
    rows = HandAction.objects.filter(hand_id=hand.id, seq__gt=fold.seq, seq__lte=hand.seq).order_by("seq")
    for row in rows:
        fold = fold.then(parse_action(row.text), Logged(row.seat, row.text, row.source, row.action_id))
        yield fold
    if fold.seq != hand.seq:
        raise LookupError(f"hand {hand.id}: {hand.seq} actions expected, {fold.seq} found")


__all__ = [
    "Fold",
    "Logged",
    "begin_fold",
    "course_of",
    "deal_of",
    "deal_to_json",
    "fold_of",
    "forget_all",
    "previous_json",
    "previous_of",
    "remember",
    "rules_of",
]
