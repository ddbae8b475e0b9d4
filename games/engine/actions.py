"""What a seat can say or do, and its text form (PROTOCOL "Actions as text").

`str(action)` and `parse_action` are inverses. In the crown step `yield` gives the crown card on; in the grab, rebel,
kick and play steps `pass` declines.
"""

from dataclasses import dataclass
from enum import StrEnum

from .cards import ORDER, Card, face, sort_cards
from .errors import IllegalAction


class Kind(StrEnum):
    """The verb of an action; the value is its word in records."""

    ACCEPT = "accept"
    YIELD = "yield"
    SOLO = "solo"
    PASS = "pass"
    CALL = "call"
    OPEN = "open"
    HIDE = "hide"
    REBEL = "rebel"
    KICK = "kick"
    PLAY = "play"
    DEFER = "defer"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Action:
    """One decision. `cards`: what is played (canonical order), or the one face called. `opened`: `call … open`."""

    kind: Kind
    cards: tuple[Card, ...] = ()
    opened: bool = False

    def __str__(self) -> str:
        words = [self.kind.value, *self.cards]
        if self.opened:
            words.append("open")
        return " ".join(words)


_PLAIN = {kind.value: Action(kind) for kind in Kind if kind not in (Kind.PLAY, Kind.CALL)}


def play_action(cards: tuple[Card, ...] | list[Card]) -> Action:
    """Playing these cards."""
    return Action(Kind.PLAY, sort_cards(cards))


def call_action(card: Card, opened: bool = False) -> Action:
    """Calling this face; `opened` shows all four (RULES §5.5)."""
    return Action(Kind.CALL, (card,), opened)


def parse_action(text: str) -> Action:
    """The action a text stands for. Raises IllegalAction("nonsense") for any text that means nothing."""
    plain = _PLAIN.get(text)
    if plain is not None:
        return plain
    verb, *words = text.split(" ")
    if verb == Kind.PLAY and words and all(word in ORDER for word in words):
        return play_action([Card(word) for word in words])
    if verb == Kind.CALL and words and words[0] in ORDER and face(Card(words[0])) == words[0]:
        if len(words) == 1:
            return call_action(Card(words[0]))
        if words[1:] == ["open"]:
            return call_action(Card(words[0]), opened=True)
    raise IllegalAction("nonsense", f"not an action: {text!r}")
