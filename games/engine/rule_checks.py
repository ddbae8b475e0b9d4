"""Contradictions inside a ruleset (RULES §3, last paragraph): each is refused with the key to change."""

from .cards import RANKS
from .deck import copies_in_deck, deck_size
from .errors import BadRules
from .rules import RuleSet

FEWEST_CARDS = 25


def check_consistency(rules: RuleSet) -> None:
    """Raises BadRules for the first contradiction found; the keys themselves are already well-typed."""
    crown, guard, solo, play = rules.crown, rules.guard, rules.solo, rules.play
    copies = copies_in_deck(rules)
    if deck_size(rules) < FEWEST_CARDS:
        raise BadRules("deck.removed", "fewer than 25 cards are left to deal")
    if play.hold_back and not any(copies[play.hold_back + suit] for suit in "SHCD"):
        raise BadRules("play.hold_back", "no card of that rank is left")
    if play.wild_twos and play.hold_back == "2":
        raise BadRules("play.hold_back", "a 2 that is wild cannot be held back")
    if guard.by == "call":
        if not crown.needs_triple:
            raise BadRules("crown.needs_triple", "calling the guard needs a triple")
        if crown.yield_ == "both_cards":
            raise BadRules("crown.yield", "without a sword card nobody holds both cards")
        if not _some_face_is_callable(guard.callable, copies):
            raise BadRules("guard.callable", "no callable face of which the deck holds four")
    else:
        if crown.needs_triple:
            raise BadRules("crown.needs_triple", "the guard is the holder of the sword card")
        if crown.force.startswith("triple"):
            raise BadRules("crown.force", "the guard is the holder of the sword card")
        if guard.special:
            raise BadRules("guard.special", "there is no called card")
        if guard.choice == "highest":
            raise BadRules("guard.choice", "nothing is called")
        if not solo.hidden:
            raise BadRules("solo.hidden", "the emperor may hold the sword card")
    if rules.deck.reserve_crown and crown.yield_ == "both_cards":
        raise BadRules("crown.yield", "the crown card is not dealt")


def _some_face_is_callable(callable_ranks: str, copies: dict[str, int]) -> bool:
    if any(joker in callable_ranks for joker in "wW"):
        return True
    return any(copies[rank + suit] >= 4 for rank in callable_ranks if rank in RANKS for suit in "SHCD")
