"""What a client may answer, read from the frames it was sent: by regular expressions from html, from the JSON view.

The html carries all a page needs to offer the right buttons, so it is enough for a client too. No rule is known here
but how a shape's text (RULES §2) picks cards of a hand.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any

PROMPT = re.compile(r' id="prompt" class="([^"]*)"[^>]*? data-kind="(\w+)"([^>]*)>')
NAME = re.compile(r' data-prompt="([^"]+)"')
LEGAL = re.compile(r' data-legal="([^"]*)"')
BUTTON = re.compile(r' name="action" value="([^"]+)"')
HAND = ' id="hand" class="hand"'
STACK = re.compile(r' id="stack-(\w+)"')
CARD = re.compile(r' data-card="([^"]+)"')
STEP = re.compile(r"\bstep-(\w+)")
NOTICE = re.compile(r'<p id="notice"[^>]* data-code="([^"]*)"')
UNSEEN = frozenset(("grab", "reveal", "rebel", "kick"))
"""Steps in which an answer shows to nobody before all have answered (RULES §5)."""


@dataclass(slots=True)
class Asked:
    """A question to one seat, and all it may answer: action texts, plays by shape."""

    prompt: str
    step: str
    answers: list[str]

    @property
    def unseen(self) -> bool:
        return self.step in UNSEEN


@dataclass(slots=True)
class Seen:
    """What one seat knows of its table. `seq` stays -1 for html, which does not carry it; `stacks` is the hand as html
    has it, by rank."""

    asked: Asked | None = None
    hand: list[str] = field(default_factory=list)
    stacks: dict[str, list[str]] = field(default_factory=dict)
    special: str | None = None
    hand_id: str | None = None
    seq: int = -1
    over: bool = False


def read_html(text: str, seen: Seen) -> str:
    """Bring `seen` up to date with a frame of fragments; the code of the refusal it tells of, else ""."""
    found = PROMPT.search(text)
    if found:
        look, kind, more = found.groups()
        seen.over = kind in ("between", "closed")
        name = NAME.search(more)
        if name is None:
            seen.asked = None
        else:
            end = text.find('hx-swap-oob="', found.end())
            buttons = BUTTON.findall(text, found.end(), end if end >= 0 else len(text))
            step = STEP.search(look)
            shapes = LEGAL.search(more)
            plays = [f"play {shape}" for shape in shapes[1].split()] if shapes else []
            answers = [value for value in buttons if value != "play"]
            seen.asked = Asked(name[1], step[1] if step else "play", answers + plays)
    if HAND in text:
        seen.stacks = {}
    _before, *stacks = STACK.split(text)  # key, what follows it, key, …
    if stacks:
        for key, html in zip(stacks[::2], stacks[1::2], strict=True):
            seen.stacks[key] = CARD.findall(html)
        seen.hand = [card for cards in seen.stacks.values() for card in cards]
        seen.special = next(iter(seen.stacks.get("special", ())), None)
    refusal = NOTICE.match(text)
    return refusal[1] if refusal else ""


def read_json(message: dict[str, Any], seen: Seen) -> None:
    """Bring `seen` up to date with a message `view` (PROTOCOL)."""
    view, seat = message["view"], message["seat"]
    seen.hand_id, seen.seq = message["hand"], message["seq"]
    if view is None:
        return
    seen.over = view["step"] in ("done", "void")
    held = view["hands"][seat]
    seen.hand = held if isinstance(held, list) else []
    seen.special = view["called"]
    legal = view["legal"].get(str(seat), [])
    seen.asked = Asked(message["prompt"], view["step"], legal) if message["prompt"] and legal else None


def choose(seen: Seen, rng: random.Random) -> str:
    """One of the answers as a whole action: a play half of the time where passing is allowed too."""
    assert seen.asked is not None
    answers = seen.asked.answers
    if seen.asked.step == "play" and answers[0] == "pass" and len(answers) > 1 and rng.random() < 0.5:
        return "pass"
    answer = rng.choice(answers)
    if not answer.startswith("play "):
        return answer
    return " ".join(["play", *cards_of(answer[5:], seen.hand, seen.special)])


def cards_of(shape: str, hand: list[str], special: str | None) -> list[str]:
    """Cards of the hand that make this shape: unmarked jokers before marked ones, twos where the rank runs out."""
    rest = sorted(hand, key=lambda card: (card == special, card.endswith("!")))
    chosen: list[str] = []
    for sign in shape:
        if sign == "#":
            card = special
        else:
            card = next((card for card in rest if card[0] == sign), None)
            card = card or next((card for card in rest if card[0] == "2"), None)
        if card is None or card not in rest:
            raise LookupError(f"no {sign} for {shape} in the hand")
        rest.remove(card)
        chosen.append(card)
    return chosen


def act_html(asked: Asked, action: str, number: str) -> str:
    """The form the page would send for this action."""
    word, *cards = action.split() if action.startswith("play ") else [action]
    return json.dumps({"do": "act", "prompt": asked.prompt, "id": number, "action": word, "card": cards})


def act_json(asked: Asked, action: str, number: str) -> str:
    return json.dumps({"type": "act", "id": number, "prompt": asked.prompt, "action": action})
