"""A hand written down: the format `baohuang-hand/1` of PROTOCOL, read strictly and written canonically.

`read_record` and `write_record` are inverses; `replay` folds a record into the state it ends in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .actions import parse_action
from .cards import CROWN, SWORD, Hand, parse_card, sort_cards
from .deck import CLIENT_BYTES, SEATS, SEED_BYTES, Deal, copies_in_deck, deal
from .errors import BadCards, IllegalAction, Malformed
from .fold import apply, begin
from .json_shapes import fields, integer, items, seat_or_none, text
from .observation import Solo
from .rules import RuleSet, load_rules
from .state import State
from .steps.tribute import Previous

FORMAT = "baohuang-hand/1"


class IllegalAt(IllegalAction):
    """An action of a record is illegal; `at` is its index."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason, f"action {at}: {reason}")
        self.at = at


@dataclass(frozen=True, slots=True)
class Record:
    """A hand as written down. `rules` is what the file says (id or object), `ruleset` what it comes to."""

    ruleset: RuleSet
    deal: Deal = field(repr=False)
    actions: tuple[tuple[int, str], ...] = ()
    previous: Previous | None = None
    rules: str | dict[str, Any] = ""
    overrides: dict[str, Any] | None = None
    server_seed: str | None = field(default=None, repr=False)
    clients: tuple[str, ...] | None = None
    commit: str | None = None
    dealt_by_seed: bool = False  # the file gives no hands; they follow from the seed


def read_record(data: object) -> Record:
    """The record a JSON object stands for.

    Raises Malformed, BadRules or BadCards, whichever applies first (PROTOCOL). `result` is allowed and not believed:
    the hand is replayed from its actions.
    """
    raw = fields(
        data,
        required=("format", "rules", "actions"),
        optional=("overrides", "first", "hands", "drawn", "previous", "server_seed", "clients", "commit", "result"),
    )
    if raw["format"] != FORMAT:
        raise Malformed(f"format must be {FORMAT}")
    base, overrides = read_ruleset_fields(raw)
    actions = tuple(_read_action(item) for item in items(raw["actions"]))
    first = 0 if raw["first"] is None else integer(raw["first"], 0, SEATS - 1)
    clients = None if raw["clients"] is None else read_clients(raw["clients"])
    seed = None if raw["server_seed"] is None else read_seed(raw["server_seed"])
    commit = None if raw["commit"] is None else text(raw["commit"])
    drawn = seat_or_none(raw["drawn"])
    previous = None if raw["previous"] is None else read_previous(raw["previous"])
    if raw["result"] is not None and not isinstance(raw["result"], Mapping):
        raise Malformed("result must be an object")
    tokens = None if raw["hands"] is None else read_hand_texts(raw["hands"])
    if tokens is None and seed is None:
        raise Malformed("hands or server_seed is required")
    if tokens is not None and drawn is None and not any(CROWN in hand for hand in tokens):
        raise Malformed("without a crown card in a hand, drawn is required")
    rules = load_rules(base, overrides)
    if tokens is not None:
        dealt = Deal(check_hands(rules, tokens), first, drawn)
        if rules.guard.by == "sword" and not any(SWORD in hand for hand in dealt.hands):
            raise BadCards("the sword card is missing")
    else:
        assert seed is not None
        dealt = deal(rules, seed, clients or ("",) * SEATS, first)
    return Record(
        ruleset=rules,
        deal=dealt,
        actions=actions,
        previous=previous,
        rules=base,
        overrides=overrides,
        server_seed=None if seed is None else seed.hex(),
        clients=clients,
        commit=commit,
        dealt_by_seed=tokens is None,
    )


def write_record(record: Record, result: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The record as a JSON object, without the fields that are at their defaults."""
    data: dict[str, Any] = {"format": FORMAT, "rules": record.rules or record.ruleset.to_json()}
    if record.overrides:
        data["overrides"] = record.overrides
    data["first"] = record.deal.first
    if not record.dealt_by_seed:
        data["hands"] = [list(hand) for hand in record.deal.hands]
        if record.deal.drawn is not None:
            data["drawn"] = record.deal.drawn
    if record.previous is not None:
        data["previous"] = previous_json(record.previous)
    data["actions"] = [[seat, _canonical(action)] for seat, action in record.actions]
    if record.server_seed is not None:
        data["server_seed"] = record.server_seed
    if record.clients is not None:
        data["clients"] = list(record.clients)
    if record.commit is not None:
        data["commit"] = record.commit
    if result is not None:
        data["result"] = dict(result)
    return data


def replay(record: Record) -> State:
    """The state the record ends in. Raises IllegalAt with the index of the first action that is not legal."""
    state = begin(record.ruleset, record.deal, record.previous)
    for at, (seat, words) in enumerate(record.actions):
        try:
            state = apply(state, seat, parse_action(words))
        except IllegalAction as error:
            raise IllegalAt(at, error.reason) from None
    return state


def previous_json(previous: Previous) -> dict[str, Any]:
    """The field `previous` of a record."""
    return {
        "emperor": previous.emperor,
        "guard": previous.guard,
        "solo": previous.solo.value if previous.solo else None,
        "guard_open": previous.guard_open,
        "places": list(previous.places),
        "cleared": [list(pair) for pair in previous.cleared],
    }


def _canonical(words: str) -> str:
    try:
        return str(parse_action(words))
    except IllegalAction:
        return words


# --- reading parts, shared with the referee --------------------------------------------------------------------------


def read_ruleset_fields(raw: Mapping[str, Any]) -> tuple[str | dict[str, Any], dict[str, Any] | None]:
    """`rules` (id or object) and `overrides` as they stand; what is inside them is load_rules' business."""
    base, overrides = raw["rules"], raw["overrides"]
    if not isinstance(base, str | dict):
        raise Malformed("rules must be a preset id or an object")
    if overrides is not None and not isinstance(overrides, dict):
        raise Malformed("overrides must be an object")
    return base, overrides


def _read_action(item: object) -> tuple[int, str]:
    pair = items(item)
    if len(pair) != 2:
        raise Malformed("an action is [seat, text]")
    return integer(pair[0], 0, SEATS - 1), text(pair[1])


def read_seed(value: object) -> bytes:
    """64 bytes from hex in either case, without spaces."""
    digits = text(value)
    if len(digits) != 2 * SEED_BYTES or any(c not in "0123456789abcdefABCDEF" for c in digits):
        raise Malformed("server_seed must be 128 hex digits")
    return bytes.fromhex(digits)


def read_clients(value: object) -> tuple[str, ...]:
    """Five contributions (RULES §4.2)."""
    clients = tuple(text(item) for item in items(value))
    if len(clients) != SEATS:
        raise Malformed("clients must be five texts")
    if any(len(client.encode()) > CLIENT_BYTES or "\x00" in client for client in clients):
        raise Malformed("a contribution is at most 64 bytes without U+0000")
    return clients


def read_hand_texts(value: object) -> tuple[tuple[str, ...], ...]:
    """Five lists of texts, not yet known to be cards."""
    hands = tuple(tuple(text(token) for token in items(hand)) for hand in items(value))
    if len(hands) != SEATS:
        raise Malformed("hands must be five lists")
    return hands


def check_hands(rules: RuleSet, tokens: Sequence[Sequence[str]]) -> tuple[Hand, ...]:
    """The hands in canonical order. Raises BadCards for what is no card or is there more often than in the deck."""
    hands = tuple(sort_cards(parse_card(token) for token in hand) for hand in tokens)
    copies = dict(copies_in_deck(rules))
    for hand in hands:
        for card in hand:
            copies[card] -= 1
            if copies[card] < 0:
                raise BadCards(f"more copies than the deck has: {card}")
    return hands


def read_previous(value: object) -> Previous:
    """The field `previous` (PROTOCOL)."""
    raw = fields(value, required=("emperor", "places"), optional=("guard", "solo", "guard_open", "cleared"))
    emperor, guard, solo, guard_open = read_roles(raw)
    cleared: list[tuple[int, int]] = []
    for item in items(raw["cleared"] if raw["cleared"] is not None else []):
        pair = items(item)
        if len(pair) != 2:
            raise Malformed("cleared lists pairs")
        giver, taker = (integer(seat, 0, SEATS - 1) for seat in pair)
        if giver == taker or giver in dict(cleared):
            raise Malformed("a seat is cleared once at most, and not by itself")
        cleared.append((giver, taker))
    return Previous(emperor, guard, solo, guard_open, read_places(raw["places"]), tuple(cleared))


def read_roles(raw: Mapping[str, Any]) -> tuple[int, int | None, Solo | None, bool]:
    """emperor, guard, solo, guard_open, checked against one another."""
    emperor = integer(raw["emperor"], 0, SEATS - 1)
    guard = seat_or_none(raw["guard"])
    solo = None if raw["solo"] is None else text(raw["solo"])
    guard_open = False if raw["guard_open"] is None else raw["guard_open"]
    if not isinstance(guard_open, bool):
        raise Malformed("guard_open must be true or false")
    if solo not in (None, "open", "hidden"):
        raise Malformed("solo must be null, open or hidden")
    if (guard is None) == (solo is None) or guard == emperor or (solo is not None and guard_open):
        raise Malformed("exactly one of guard and solo, a guard who is not the emperor, no open guard in a solo")
    return emperor, guard, Solo(solo) if solo else None, guard_open


def read_places(value: object) -> tuple[int, ...]:
    """A permutation of 1…5."""
    places = tuple(integer(place, 1, SEATS) for place in items(value))
    if sorted(places) != [1, 2, 3, 4, 5]:
        raise Malformed("places must be a permutation of 1 to 5")
    return places
