"""The referee: any program may ask the engine a question, one JSON object a line (PROTOCOL "Referee").

`answer_line` never raises on bad input; `serve` reads a binary stream until it ends and answers every line in order.
"""

import json
from collections.abc import Callable
from typing import IO, Any

from .cards import LEVEL, count_levels
from .deck import SEATS, commitment, deal
from .errors import BadCards, BadRules, EngineError, Malformed
from .json_shapes import fields, integer, items, seat_or_none, text
from .legal import legal_texts
from .observation import result_json, view_json
from .observe import observe
from .record import (
    IllegalAt,
    check_hands,
    read_clients,
    read_hand_texts,
    read_places,
    read_previous,
    read_record,
    read_roles,
    read_ruleset_fields,
    read_seed,
    replay,
)
from .rules import load_rules
from .settlement import settle
from .shapes import beats, follows, leads, parse_shape
from .state import State
from .steps.tribute import pay_tribute

Json = dict[str, Any]


def serve(source: IO[bytes], target: IO[bytes]) -> None:
    """Answer every line of `source` on `target`, flushed line by line, until the input ends."""
    for line in source:
        target.write(answer_line(line) + b"\n")
        target.flush()


def answer_line(line: bytes) -> bytes:
    """The answer to one line, without a line feed."""
    try:
        answer = ask(_parse(line))
    except RecursionError:
        answer = {"error": {"code": "malformed", "message": "nested too deeply"}}
    except EngineError as error:
        answer = {"error": _error_json(error)}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def ask(question: object) -> Json:
    """The answer to a parsed question. Raises EngineError."""
    if not isinstance(question, dict):
        raise Malformed("must be an object")
    op = question.get("op")
    if not isinstance(op, str) or op not in _OPS:
        raise Malformed(f"unknown op {op!r}")
    return _OPS[op](question)


def _parse(line: bytes) -> object:
    try:
        words = line.decode("utf-8")
        question = json.loads(words, parse_constant=_refuse_constant)
        # A lone surrogate can only come in through an escape, and no text may hold one.
        if "\\ud" in words.lower():
            json.dumps(question, ensure_ascii=False).encode()
    except ValueError as error:
        raise Malformed(str(error)) from None
    return question


def _refuse_constant(name: str) -> None:
    raise Malformed(f"{name} is no JSON")


def _error_json(error: EngineError) -> Json:
    found: Json = {"code": error.code, "message": error.message}
    if isinstance(error, BadRules):
        found["key"] = error.key
    if isinstance(error, IllegalAt):
        found["at"] = error.at
    return found


# --- one function an op ----------------------------------------------------------------------------------------------


def _rules(question: Json) -> Json:
    raw = fields(question, required=("op", "rules"), optional=("overrides",))
    return {"rules": load_rules(*read_ruleset_fields(raw)).to_json()}


def _deal(question: Json) -> Json:
    raw = fields(question, required=("op", "rules", "server_seed"), optional=("overrides", "clients", "first"))
    base = read_ruleset_fields(raw)
    seed = read_seed(raw["server_seed"])
    clients = ("",) * SEATS if raw["clients"] is None else read_clients(raw["clients"])
    first = 0 if raw["first"] is None else integer(raw["first"], 0, SEATS - 1)
    dealt = deal(load_rules(*base), seed, clients, first)
    return {"commit": commitment(seed), "hands": [list(hand) for hand in dealt.hands], "drawn": dealt.drawn}


def _beats(question: Json) -> Json:
    raw = fields(question, required=("op", "rules", "top", "play"), optional=("overrides", "special"))
    base = read_ruleset_fields(raw)
    special = False if raw["special"] is None else raw["special"]
    if not isinstance(special, bool):
        raise Malformed("special must be true or false")
    top_text, play_text = text(raw["top"]), text(raw["play"])
    rules = load_rules(*base)
    top, play = parse_shape(rules, top_text), parse_shape(rules, play_text)
    if not special and (top.special or play.special):
        raise BadCards("# may not occur")
    return {"beats": beats(rules, top, play)}


def _plays(question: Json) -> Json:
    raw = fields(question, required=("op", "rules", "hand"), optional=("overrides", "top", "special"))
    base = read_ruleset_fields(raw)
    tokens = tuple(text(token) for token in items(raw["hand"]))
    top_text = None if raw["top"] is None else text(raw["top"])
    special = None if raw["special"] is None else text(raw["special"])
    rules = load_rules(*base)
    (hand,) = check_hands(rules, [tokens])
    top = None if top_text is None else parse_shape(rules, top_text)
    counts = count_levels(hand)
    if special is not None:
        if special not in hand:
            raise BadCards("the special card is not in the hand")
        counts[LEVEL[special]] -= 1
    has_special = special is not None
    found = leads(rules, counts, has_special) if top is None else follows(rules, counts, has_special, top)
    return {"plays": [str(shape) for shape in found]}


def _settle(question: Json) -> Json:
    raw = fields(
        question,
        required=("op", "rules", "emperor", "places"),
        optional=("overrides", "guard", "solo", "guard_open", "multiplier", "room", "custom"),
    )
    base = read_ruleset_fields(raw)
    emperor, guard, solo, guard_open = read_roles(raw)
    places = read_places(raw["places"])
    multiplier = 1 if raw["multiplier"] is None else integer(raw["multiplier"], 1)
    room = 1 if raw["room"] is None else integer(raw["room"], 0)
    custom = [1] * SEATS if raw["custom"] is None else [integer(factor, 1) for factor in items(raw["custom"])]
    if len(custom) != SEATS:
        raise Malformed("custom must be five multipliers")
    settlement = settle(
        load_rules(*base),
        emperor=emperor,
        guard=guard,
        solo=solo,
        guard_open=guard_open,
        places=places,
        multiplier=multiplier,
        room=room,
        custom=custom,
    )
    return {
        "outcome": settlement.outcome,
        "points": list(settlement.points),
        "beans": list(settlement.beans),
        "rounding": settlement.rounding,
    }


def _tribute(question: Json) -> Json:
    raw = fields(question, required=("op", "rules", "previous", "hands"), optional=("overrides",))
    base = read_ruleset_fields(raw)
    previous = read_previous(raw["previous"])
    tokens = read_hand_texts(raw["hands"])
    rules = load_rules(*base)
    gifts, hands = pay_tribute(rules, previous, check_hands(rules, tokens))
    return {
        "gifts": [[gift.giver, gift.taker, gift.card] for gift in gifts],
        "hands": [list(hand) for hand in hands],
    }


def _replay(question: Json) -> Json:
    raw = fields(question, required=("op", "record"))
    return state_json(replay(read_record(raw["record"])))


def _view(question: Json) -> Json:
    raw = fields(question, required=("op", "record"), optional=("seat",))
    seat = seat_or_none(raw["seat"])
    return view_json(observe(replay(read_record(raw["record"])), seat))


def state_json(state: State) -> Json:
    """The whole truth as PROTOCOL writes it: for the referee and finished hands, never for a viewer at a table."""
    legal = {str(seat): legal_texts(observe(state, seat)) for seat in state.to_act}
    return {
        "step": state.step.value,
        "to_act": list(state.to_act),
        "legal": legal,
        "hands": [list(hand) for hand in state.hands],
        "crown": state.crown_at,
        "toll": list(state.toll),
        "emperor": state.emperor,
        "called": state.called,
        "guard": state.guard,
        "solo": state.solo.value if state.solo else None,
        "guard_open": state.guard_open,
        "public": state.public,
        "multiplier": state.multiplier,
        "rebels": list(state.rebels),
        "out": list(state.out),
        "top": {"seat": state.top.seat, "shape": str(state.top.shape)} if state.top else None,
        "result": result_json(state.result) if state.result else None,
    }


_OPS: dict[str, Callable[[Json], Json]] = {
    "rules": _rules,
    "deal": _deal,
    "beats": _beats,
    "plays": _plays,
    "settle": _settle,
    "tribute": _tribute,
    "replay": _replay,
    "view": _view,
}
