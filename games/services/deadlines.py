"""When something must happen at a table: pure functions of what is stored.

Every deadline counts from the moment its question was asked and is absolute, so a restart changes none. How long a
bot or a trustee waits is drawn from the hand's public id, the question and the seat alone: not from cards, and not
from how much there is to choose (RULES §5).
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from django.conf import settings

from games.engine.observation import Step
from games.models import Hand, Table

TRUSTEESHIPS = 3
"""How often in one hand a seat may be taken back from the trustee (RULES §8.7)."""


def length_of(table: Table, step: Step) -> int:
    """Whole seconds a question of this step stays open."""
    if step is Step.REVEAL:
        return table.clock_reveal
    return table.clock_play if step is Step.PLAY else table.clock_step


def deadline(table: Table, hand: Hand, step: Step) -> datetime:
    """When a person's time for the open question is over."""
    return hand.asked_at + timedelta(seconds=length_of(table, step))


def waiting_time(hand: Hand, seat: int) -> timedelta:
    """How long a bot or trustee of this seat thinks about the open question."""
    low, high = settings.BOT_SECONDS
    draw = random.Random(f"{hand.id}:{hand.asked_seq}:{seat}").uniform(low, high)
    return timedelta(seconds=draw)


def acts_at(table: Table, hand: Hand, step: Step, seat: int) -> datetime:
    """When the server acts for this asked seat if nobody else has.

    In the reveal step that is the end of the fixed time, whoever is asked and whatever has been answered (RULES §5.6).
    """
    end = deadline(table, hand, step)
    if step is Step.REVEAL or not plays_itself(hand, seat):
        return end
    return min(end, hand.asked_at + waiting_time(hand, seat))


def is_bot(hand: Hand, seat: int) -> bool:
    return hand.players[seat]["player"] is None


def under_trustee(hand: Hand, seat: int) -> bool:
    return bool(hand.trustees[seat]["on"])


def plays_itself(hand: Hand, seat: int) -> bool:
    """Whether nobody is waited for at this seat: a bot sits there, or the trustee."""
    return is_bot(hand, seat) or under_trustee(hand, seat)


def can_take_back(hand: Hand, seat: int) -> bool:
    """Whether the person may end the trusteeship: not after the fourth, not after leaving (RULES §8.7)."""
    mark = hand.trustees[seat]
    return bool(mark["on"]) and mark["count"] <= TRUSTEESHIPS and not mark["gone"]
