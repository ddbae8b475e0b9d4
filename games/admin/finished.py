"""A hand that is over, in words for the admin: what was dealt, who was what, and every action with its source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from games.engine.actions import Kind, parse_action
from games.engine.cards import parse_card, sort_cards
from games.engine.errors import EngineError
from games.models import Hand, HandAction, HandResult
from games.render_words import card_word, names_words, place_word, role_word, signed

ANSWERS = {
    Kind.ACCEPT: lambda: _("当皇帝"),
    Kind.YIELD: lambda: _("让位"),
    Kind.SOLO: lambda: _("明独"),
    Kind.PASS: lambda: _("过"),
    Kind.CALL: lambda: _("叫 %s"),
    Kind.OPEN: lambda: _("亮明"),
    Kind.HIDE: lambda: _("不亮"),
    Kind.REBEL: lambda: _("造反"),
    Kind.KICK: lambda: _("踢"),
    Kind.PLAY: lambda: _("出 %s"),
    Kind.DEFER: lambda: _("让牌"),
    Kind.CLAIM: lambda: _("申请接风"),
}


@dataclass(frozen=True, slots=True)
class SeatStory:
    """One seat of a finished hand; role, place and points are empty where the hand was void or not scored."""

    number: int
    name: str
    cards: str
    role: str = ""
    place: str = ""
    points: str = ""
    beans: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the log."""

    number: int
    name: str
    words: str
    text: str
    source: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Story:
    """All of a finished hand."""

    seats: tuple[SeatStory, ...]
    steps: tuple[Step, ...]
    seed: str
    commit: str
    multiplier: int | None
    scored: bool | None


def finished(hand_id: str) -> Story | None:
    """The story of a hand that is over; None for a hand in progress, whose secret columns are not even read."""
    hand = Hand.objects.exclude(status=Hand.Status.ACTIVE).filter(pk=hand_id).first()
    if hand is None:
        return None
    names = [str(seat.get("name") or _("座位%d") % (i + 1)) for i, seat in enumerate(hand.players)]
    result = HandResult.objects.prefetch_related("seats").filter(hand_id=hand_id).first()
    rows = {row.seat: row for row in result.seats.all()} if result else {}
    seats = []
    for i, tokens in enumerate(hand.deal["hands"]):
        row = rows.get(i)
        more: dict[str, Any] = {}
        if row is not None:
            more = {"role": role_word(row.role), "place": place_word(row.place)}
            more |= {"points": signed(row.points), "beans": signed(row.beans)}
        seats.append(SeatStory(i + 1, names[i], cards_words(tokens), **more))
    steps = tuple(
        Step(row.seq, names[row.seat], action_words(row.text), row.text, row.get_source_display(), row.at)
        for row in HandAction.objects.filter(hand_id=hand_id).order_by("seq")
    )
    return Story(
        tuple(seats),
        steps,
        hand.server_seed,
        hand.commit,
        result.multiplier if result else None,
        result.scored if result else None,
    )


def cards_words(tokens: list[str]) -> str:
    """Cards in canonical order, equal ones counted: 皇牌大王、大王、红桃7×2."""
    counts: dict[str, int] = {}
    for card in sort_cards(parse_card(token) for token in tokens):
        word = card_word(card)
        counts[word] = counts.get(word, 0) + 1
    return names_words([word if n == 1 else f"{word}×{n}" for word, n in counts.items()])


def action_words(text: str) -> str:
    """An action of the log in words; the text itself where it does not read."""
    try:
        action = parse_action(text)
    except EngineError:
        return text
    words = ANSWERS[action.kind]()
    if action.cards:
        words = words % cards_words(list(action.cards))
    return _("%s，亮出四张") % words if action.opened else words
