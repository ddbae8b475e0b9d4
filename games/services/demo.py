"""Invented evenings of a busy site: who met whom, when, by which rules, and how the hands ended. No query, no card.

Players differ in how often they play and how well; a table keeps its five for some hands; points and beans follow from
the places by the rules of the preset (RULES §8), as they would after a played hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.engine.observation import Solo
from games.engine.rules import RuleSet
from games.engine.settlement import Settlement, settle

HOMES = ("青岛", "烟台", "威海", "潍坊", "济南", "淄博", "日照", "临沂", "东营", "泰安")
CALLED = (
    *("老王", "小李", "老张", "小刘", "老陈", "小杨", "老赵", "小周", "老孙", "小吴", "大徐", "小朱", "老马", "小胡"),
    *("老郭", "小林", "老何", "小高", "老罗", "小郑", "大梁", "小谢", "老宋", "小唐", "老许", "小邓", "老韩", "小冯"),
    *("大曹", "小彭", "老曾", "小肖", "老田", "小董", "老潘", "小袁", "老于", "小蒋", "老蔡", "小余", "大杜", "小叶"),
    *("老程", "小魏", "老苏", "小吕", "老丁", "小任", "老卢", "小姚"),
)
BOT_NAMES = ("机器人甲", "机器人乙", "机器人丙", "机器人丁")
LEVEL = "beginner"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody invented; `key` is whatever the caller knows him by."""

    key: int
    strength: float
    zeal: float


@dataclass(frozen=True, slots=True)
class Evening:
    """One table: its five seats (None is a bot), its rules, the club or 0, and when each of its hands ended."""

    number: int
    people: tuple[Person | None, ...]
    preset: str
    club: int
    room: int
    began: datetime
    ends: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """How one hand ended."""

    emperor: int
    guard: int | None
    solo: Solo | None
    guard_open: bool
    multiplier: int
    places: tuple[int, ...]
    scored: bool
    sums: Settlement


def names(count: int) -> list[str]:
    """That many different names."""
    plain = [f"{home}{called}" for called in CALLED for home in HOMES]
    return [plain[i % len(plain)] + (str(i // len(plain) + 1) if i >= len(plain) else "") for i in range(count)]


def people(keys: Sequence[int], rng: random.Random) -> list[Person]:
    """How well and how often each of them plays: some every evening, most now and then."""
    return [Person(key, rng.gauss(0, 0.6), rng.paretovariate(1.3)) for key in keys]


def evenings(
    everybody: Sequence[Person],
    clubs: Sequence[tuple[int, Sequence[Person]]],
    presets: Sequence[str],
    hands: int,
    now: datetime,
    days: int,
    rng: random.Random,
) -> Iterator[Evening]:
    """Tables over the last days with so many hands together, all of them ended before now."""
    liked = [1 / (place + 1) for place in range(len(presets))]
    left, number = hands, 0
    while left > 0:
        number += 1
        length = min(left, rng.randint(4, 24))
        left -= length
        club, members = rng.choice(clubs) if clubs and rng.random() < 0.35 else (0, everybody)
        bots = rng.choices((0, 1, 2, 4), (70, 12, 8, 10))[0]
        seated: list[Person | None] = [*_meet(members, 5 - bots, rng), *[None] * bots]
        rng.shuffle(seated)
        ends, moment = [], now - timedelta(days=days * rng.random() ** 1.5, minutes=240 * rng.random())
        began = moment = min(moment, now - timedelta(minutes=10 * length + 1))
        for _ in range(length):
            moment += timedelta(seconds=rng.randint(180, 540))
            ends.append(moment)
        preset = rng.choices(presets, liked)[0]
        room = rng.choices((1, 2, 5), (80, 15, 5))[0]
        yield Evening(number, tuple(seated), preset, club, room, began, tuple(ends))


def _meet(members: Sequence[Person], count: int, rng: random.Random) -> list[Person]:
    chosen: dict[int, Person] = {}
    while len(chosen) < count:
        for person in rng.choices(members, [member.zeal for member in members], k=count):
            if len(chosen) < count:
                chosen[person.key] = person
    return list(chosen.values())


def play(evening: Evening, rules: RuleSet, rng: random.Random) -> Played:
    """One hand of these five: the stronger side tends to leave first, and the guard helps less than the emperor."""
    emperor = rng.randrange(5)
    solo = rng.choices((None, Solo.HIDDEN, Solo.OPEN), (94, 4, 2))[0]
    guard = None if solo else rng.choice([seat for seat in range(5) if seat != emperor])
    form = []
    for seat, person in enumerate(evening.people):
        strength = person.strength if person is not None else -0.5
        lead = 0.9 if seat == emperor else 0.25 if seat == guard else 0.0
        form.append(rng.gauss(strength + lead, 1.0))
    order = sorted(range(5), key=lambda seat: -form[seat])
    places = tuple(order.index(seat) + 1 for seat in range(5))
    guard_open = guard is not None and rng.random() < 0.08
    multiplier = rng.choices((1, 2, 4), (82, 14, 4))[0]
    sums = settle(
        rules,
        emperor=emperor,
        guard=guard,
        solo=solo,
        guard_open=guard_open,
        places=places,
        multiplier=multiplier,
        room=evening.room,
    )
    return Played(emperor, guard, solo, guard_open, multiplier, places, rng.random() > 0.004, sums)
