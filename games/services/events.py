"""Setting up an event, and everything players do about it: enter, withdraw, check in. Directors do the same for them.

What the event does by itself is in `event_clock`; what its director does while it runs in `event_direction`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from accounts.models import Club, Membership, Player
from accounts.selectors_clubs import role_in
from games.bots import LEVELS
from games.engine.deck import SEED_BYTES, commitment
from games.engine.rules import load_rules
from games.models import Entrant, Event, Round, RowResult
from games.services import event_base, fairplay, table_setup
from games.services.errors import Refused
from games.services.writer import writing

HANDS = (5, 10, 15, 20)
ROUNDS_MOST = 50
LIMIT_MOST = 500
FAR = timedelta(days=5 * 366)
"""No event is further from the day on which it is made."""

Status, Why = Entrant.Status, Entrant.Why


@dataclass(frozen=True, slots=True)
class Times:
    """Whole seconds: a round, from the pairing to the cards, waiting for who is not there, between rounds."""

    round: int = 3600
    notice: int = 30
    grace: int = 120
    rest: int = 180


def board_seed(secret: str, round_number: int, board: int) -> bytes:
    """The seed of one board of a duplicate event, the same at every table."""
    material = b"".join(sha256(f"{secret}:{round_number}:{board}:{half}".encode()).digest() for half in (0, 1))
    assert len(material) == SEED_BYTES
    return material


def create(
    *,
    by: Player,
    club: Club | None,
    name: str,
    format: str,
    rounds: int,
    hands: int,
    rules: str,
    opens_at: datetime,
    starts_at: datetime,
    text: str = "",
    clock: Mapping[str, int] | None = None,
    times: Times | None = None,
    limit: int | None = None,
    check_in: int = 0,
    late_until: int = 0,
    ladder: bool = True,
    level: str = "beginner",
    now: datetime,
) -> Event:
    """A new event, open for entries from `opens_at` until `starts_at`, when it begins by itself.

    `rules` is the slug of a published variant or a preset. In duplicate the tribute is off and the commitments of all
    boards are made now. Raises BadRules, and Refused: forbidden, archived, malformed with the field.
    """
    if not event_base.may_run_events(club, by):
        raise Refused("forbidden")
    if club is not None and club.archived:
        raise Refused("archived")
    times = times or Times()
    name = " ".join(name.split())
    _check(bool(name) and len(name) <= 40, "name")
    _check(format in Event.Format.values, "format")
    _check(1 <= rounds <= ROUNDS_MOST, "rounds")
    _check(1 <= hands <= HANDS[-1], "hands")
    _check(limit is None or 2 <= limit <= LIMIT_MOST, "limit")
    _check(opens_at <= starts_at, "opens_at")
    _check(abs(starts_at - now) <= FAR and abs(opens_at - now) <= FAR, "starts_at")
    _check(0 <= late_until <= rounds and not (late_until and format == Event.Format.KNOCKOUT), "late_until")
    _check(0 <= check_in <= 7 * 86400, "check_in")
    _check(level in LEVELS, "level")
    _check(60 <= times.round <= 12 * 3600 and 0 <= times.notice <= 3600, "round")
    _check(0 <= times.grace <= 3600 and 0 <= times.rest <= 7 * 86400, "grace")
    revision, ruleset = table_setup.resolve(rules, {"tribute": "none"} if format == "duplicate" else None, club)
    seconds = table_setup.clock_of(clock)
    seed = secrets.token_hex(16)
    event = Event(
        name=name,
        text=text.strip()[:2000],
        club=club,
        created_by=by,
        created_at=now,
        format=format,
        rounds=rounds,
        hands=hands,
        revision=revision,
        preset=revision.variant.slug if revision else ruleset.id[:40],
        rules=ruleset.to_json(),
        clock_step=seconds.step,
        clock_play=seconds.play,
        clock_next=seconds.next,
        level=level,
        round_seconds=times.round,
        notice_seconds=times.notice,
        grace_seconds=times.grace,
        break_seconds=times.rest,
        opens_at=opens_at,
        starts_at=starts_at,
        limit=limit,
        check_in=check_in,
        late_until=late_until,
        ladder=ladder,
        seed=seed,
        seed_commit=sha256(seed.encode()).hexdigest(),
        next_at=starts_at,
    )
    if format == Event.Format.DUPLICATE:
        event.board_secret = secrets.token_hex(32)
        event.board_commits = [
            [commitment(board_seed(event.board_secret, r, b)) for b in range(1, hands + 1)]
            for r in range(1, rounds + 1)
        ]
    with writing():
        event.save(force_insert=True)
        event_base.note(event, by, "create", name, now)
    return event


def _check(fine: bool, field: str) -> None:
    if not fine:
        raise Refused("malformed", field)


def edit(
    *, event_id: str, by: Player, name: str, text: str, starts_at: datetime, limit: int | None, now: datetime
) -> None:
    """Change the announcement while entries are open. Raises Refused: not_found, forbidden, not_now, malformed."""
    with event_base.directed(event_id, by) as event:
        if event.status != Event.Status.ENTRIES:
            raise Refused("not_now")
        name = " ".join(name.split())
        _check(bool(name) and len(name) <= 40, "name")
        _check(limit is None or 2 <= limit <= LIMIT_MOST, "limit")
        _check(starts_at >= event.opens_at and abs(starts_at - now) <= FAR, "starts_at")
        event.name, event.text, event.limit = name, text.strip()[:2000], limit
        event.starts_at = event.next_at = starts_at
        _promote(event)
        event_base.save(event)
        event_base.note(event, by, "edit", name, now)


def rules_of(event: Event) -> Any:
    return load_rules(event.rules)


def entries_open(event: Event, now: datetime) -> bool:
    """Whether somebody can enter now, before the start or late."""
    if event.status == Event.Status.ENTRIES:
        return event.opens_at <= now
    return event.status == Event.Status.RUNNING and _next_round(event) <= event.late_until


def _next_round(event: Event) -> int:
    return event.played_rounds.count() + 1


def enter(*, event_id: str, player: Player, by: Player | None = None, now: datetime) -> Entrant:
    """Enter, or go on the waiting list where the event is full; whoever withdrew may come back while entries are open.

    `by` a director enters somebody, also before the window. Doing it twice changes nothing.
    Raises Refused: not_found (a club's event for strangers), forbidden, archived, not_now, full (late only).
    """
    with event_base.locked_event(event_id) as event:
        if by is not None:
            event_base.check_directs(event, by)
        if event.club is not None:
            if event.club.archived:
                raise Refused("archived")
            if role_in(event.club, player) is None:
                raise Refused("not_found")
        if not player.is_active:
            raise Refused("forbidden")
        fairplay.check_suspended(player, now)
        if not entries_open(event, now) and not (by is not None and event.status == Event.Status.ENTRIES):
            raise Refused("not_now")
        entrant = event.entrants.filter(player=player).first()
        if entrant is not None and entrant.status != Status.WITHDRAWN:
            return entrant
        if entrant is not None and by is None and entrant.why in (Why.DIRECTOR, Why.ACCOUNT):
            raise Refused("forbidden")
        full = event.limit is not None and event.entrants.filter(status=Status.ENTERED).count() >= event.limit
        if full and event.status == Event.Status.RUNNING:
            raise Refused("full")
        if entrant is None:
            last = event.entrants.order_by("-number").values_list("number", flat=True).first() or 0
            entrant = Entrant(event=event, player=player, number=last + 1, at=now, club_id=_club_of(event, player))
        entrant.status, entrant.why = (Status.WAITING if full else Status.ENTERED), Why.NONE
        entrant.save()
        event_base.save(event)
        if by is not None and by.pk != player.pk:
            event_base.note(event, by, "enter", player.username, now)
        return entrant


def _club_of(event: Event, player: Player) -> int | None:
    """In an open event everybody stands for the club he has belonged to longest."""
    if event.club_id is not None:
        return None
    joined = Membership.objects.filter(player=player, club__archived_at=None).order_by("joined_at", "pk")
    return joined.values_list("club_id", flat=True).first()


def withdraw(*, event_id: str, player: Player, by: Player | None = None, reason: str = "", now: datetime) -> None:
    """Withdraw for good (or until entering again while that is open). A bot plays the rest of a round in progress.

    Raises Refused: not_found, forbidden, not_entered, not_now.
    """
    with event_base.locked_event(event_id) as event:
        if by is not None:
            event_base.check_directs(event, by)
        entrant = event.entrants.filter(player=player).first()
        if entrant is None:
            raise Refused("not_entered")
        if event.over:
            raise Refused("not_now")
        if entrant.status == Status.WITHDRAWN:
            return
        put_out(event, entrant, Why.SELF if by is None else Why.DIRECTOR)
        event_base.save(event)
        if by is not None:
            event_base.note(event, by, "withdraw", f"{player.username} {reason}".strip(), now)


def lose(*, event_id: str, player: Player) -> None:
    """His account is gone: he is out, and whoever waits moves up. Nothing for who is out already or an event that is
    over. Raises Refused: not_found."""
    with event_base.locked_event(event_id) as event:
        entrant = event.entrants.filter(player=player).exclude(status=Status.WITHDRAWN).first()
        if entrant is not None and not event.over:
            put_out(event, entrant, Why.ACCOUNT)
            event_base.save(event)


def put_out(event: Event, entrant: Entrant, why: str) -> None:
    """Mark him as withdrawn, have a bot sit for him from the next hand on, move the waiting list up."""
    entrant.status, entrant.why, entrant.checked_in = Status.WITHDRAWN, why, False
    entrant.save()
    RowResult.objects.filter(entrant=entrant, pairing__closed_at__isnull=True).exclude(
        round__status=Round.Status.CLOSED
    ).update(here=False)
    _promote(event)


def _promote(event: Event) -> None:
    """While entries are open whoever waits longest takes a free place."""
    if event.status != Event.Status.ENTRIES:
        return
    waiting = event.entrants.filter(status=Status.WAITING).order_by("number")
    if event.limit is not None:
        free = max(0, event.limit - event.entrants.filter(status=Status.ENTERED).count())
        waiting = waiting[:free]
    for entrant in list(waiting):
        entrant.status = Status.ENTERED
        entrant.save()


def check_in_open(event: Event, now: datetime) -> bool:
    opens = event.starts_at - timedelta(seconds=event.check_in)
    return event.check_in > 0 and event.status == Event.Status.ENTRIES and now >= opens


def check_in(*, event_id: str, player: Player, by: Player | None = None, now: datetime) -> None:
    """Say that one is there. Raises Refused: not_found, forbidden, not_entered, not_now."""
    with event_base.locked_event(event_id) as event:
        if by is not None:
            event_base.check_directs(event, by)
        if not check_in_open(event, now) and not (by is not None and event.status == Event.Status.ENTRIES):
            raise Refused("not_now")
        entrant = event.entrants.filter(player=player).exclude(status=Status.WITHDRAWN).first()
        if entrant is None:
            raise Refused("not_entered")
        if not entrant.checked_in:
            entrant.checked_in = True
            entrant.save()
            event_base.save(event)
