"""A new table: what may be asked for, what is refused, and the row with its five seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q

from accounts.models import Club, Player
from games.bots import LEVELS, NAMES
from games.engine.errors import BadRules
from games.engine.rules import RuleSet, load_rules
from games.models import Seat, Table, Variant, VariantRevision
from games.services import (
    club_seats,
    dealing,
    fairplay,
    publish,
    stakes,
    waiting,
)
from games.services.errors import Refused
from games.services.writer import writing

SECONDS = {"step": (1, 3600), "play": (1, 3600), "next": (0, 3600)}
"""Bounds of a table's clock, in seconds."""
READY_SECONDS = (10, 600)
"""Bounds of a ready check, in seconds; 0 for none."""
ROOM_MOST = 1_000_000
ENTRY_MOST = 1_000_000_000
MULTIPLIER_MOST = 100
NAME_MOST = 40
"""Characters in the id and the name of a table's rules."""
BEANS_MOST = 2**62
"""No settlement may come to more beans than a column can hold."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds for an answer before play, for a play, and between two hands."""

    step: int
    play: int
    next: int


def default_clock() -> Clock:
    return Clock(settings.STEP_SECONDS, settings.PLAY_SECONDS, settings.NEXT_SECONDS)


def open_table(
    *,
    player: Player,
    rules: str | Mapping[str, Any] | VariantRevision,
    overrides: Mapping[str, Any] | None = None,
    clock: Mapping[str, int] | None = None,
    room: int = 1,
    public: bool = False,
    bots: int = 0,
    level: str = "beginner",
    hands: int | None = None,
    multiplier: int = 1,
    club: Club | None = None,
    entry: int = 0,
    watching: str = Table.Watching.LIVE,
    substitutes: bool = False,
    ready_seconds: int = 0,
    quick: bool = False,
    fill_seconds: int | None = None,
    now: datetime,
) -> Table:
    """A new table; whoever opens it sits in seat 0 and is its host.

    `rules`: the slug of a variant or a preset's id, a published revision, or a whole ruleset. `clock` may give any of
    `step`, `play`, `next` in seconds. `room` multiplies the beans, `hands` ends the table after so many.
    Whoever sits down must own `entry` beans.
    `watching` is what those who look on see of a running hand (Table.Watching), `substitutes` lets a bot play on for
    whoever leaves (else RULES §8.7), `ready_seconds` frees the seats of those who are not ready so long after the
    table was full. `quick` and `fill_seconds` are quick match's.
    A table of a `club` is its members' alone, never public, and may be played by the club's own variants.
    Raises BadRules, and Refused with `malformed`, `bad_level`, `too_high` and the field, `not_found`, `archived`,
    `too_few_beans`, `frozen`, `suspended`.
    """
    revision, ruleset = resolve(rules, overrides, club)
    _check_names(ruleset)
    seconds = clock_of(clock)
    if level not in LEVELS:
        raise Refused("bad_level", "level")
    check_whole("room", room, 0, ROOM_MOST)
    check_whole("bots", bots, 0, 4)
    check_whole("multiplier", multiplier, 1, MULTIPLIER_MOST)
    if hands is not None:
        check_whole("hands", hands, 1, 1_000_000)
    check_whole("entry", entry, 0, ENTRY_MOST)
    if watching not in Table.Watching.values:
        raise Refused("malformed", "watching")
    if ready_seconds != 0:
        check_whole("ready_seconds", ready_seconds, *READY_SECONDS)
    _check_stakes(ruleset, room)
    table = Table(
        host=player,
        revision=revision,
        preset=revision.variant.slug if revision else ruleset.id[:40],
        rules=ruleset.to_json(),
        overrides=dict(overrides or {}),
        clock_step=seconds.step,
        clock_play=seconds.play,
        clock_next=seconds.next,
        clock_reveal=settings.REVEAL_SECONDS,
        room=room,
        entry=entry,
        public=public and club is None,
        club=club,
        level=level,
        hands_limit=hands,
        watching=watching,
        substitutes=substitutes,
        ready_seconds=ready_seconds,
        quick=quick,
        fill_seconds=fill_seconds,
        created_at=now,
        changed_at=now,
    )
    dealing.prepare_next_seed(table)
    with writing():
        fairplay.check(player, now)
        if club is not None:
            club_seats.check_opening(club, player)
        stakes.check_sitting(table, player)
        table.save(force_insert=True)
        seats = [Seat(table=table, number=number) for number in range(5)]
        seats[0].player, seats[0].multiplier = player, multiplier
        for seat, name in zip(seats[1 : bots + 1], NAMES, strict=False):
            seat.bot, seat.level, seat.ready = name, level, True
        Seat.objects.bulk_create(seats)
        waiting.arrange(table, seats, now)
        table.save(update_fields=["wait_for", "wait_until"])
        publish.table_changed(table)
    return table


def resolve(
    rules: str | Mapping[str, Any] | VariantRevision, overrides: Mapping[str, Any] | None, club: Club | None
) -> tuple[VariantRevision | None, RuleSet]:
    """The revision that is meant, if it is a published one, and the ruleset with the overrides laid over it.

    Raises BadRules.
    """
    if isinstance(rules, VariantRevision):
        return rules, load_rules(rules.rules, overrides)
    if not isinstance(rules, str):
        return None, load_rules(rules, overrides)
    known = Variant.objects.filter(Q(club=None) | Q(club=club), slug=rules)
    published = VariantRevision.objects.select_related("variant").filter(
        variant__in=known.filter(retired=False), published_at__isnull=False
    )
    revision = published.order_by("-number").first()
    if revision is not None:
        return revision, load_rules(revision.rules, overrides)
    if known.filter(retired=True).exists():
        raise BadRules("rules", f"{rules!r} is retired")
    return None, load_rules(rules, overrides)


def clock_of(clock: Mapping[str, int] | None) -> Clock:
    """What is given over the site's clock. Raises Refused("malformed") with the field."""
    given = dict(clock or {})
    default = default_clock()
    values = {name: given.pop(name, getattr(default, name)) for name in SECONDS}
    if given:
        raise Refused("malformed", f"clock.{next(iter(given))}")
    for name, (low, high) in SECONDS.items():
        check_whole(f"clock.{name}", values[name], low, high)
    return Clock(**values)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raises Refused("malformed") with the field's name for anything but a whole number within these bounds."""
    if type(value) is not int or not low <= value <= high:
        raise Refused("malformed", name)


def _check_names(rules: RuleSet) -> None:
    """What everybody reads in lists and titles is short and can be shown: a ruleset may come from anywhere."""
    for key, text in (("id", rules.id), ("name", rules.name)):
        if len(text) > NAME_MOST or not text.isprintable():
            raise BadRules(key, f"must be at most {NAME_MOST} characters that can be shown")


def _check_stakes(rules: RuleSet, room: int) -> None:
    """Refuse stakes whose worst hand could not be written down."""
    stakes = rules.stakes
    factor = stakes.open_guard * max(1, stakes.rebellion) * max(1, stakes.kick) * stakes.open_solo
    if 24 * factor * rules.scoring.solo_factor * max(1, room) * MULTIPLIER_MOST**5 > BEANS_MOST:
        raise Refused("too_high", "room")
