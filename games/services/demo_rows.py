"""Writing invented evenings into an empty database: players, clubs, tables, hands, results, beans, ratings, seasons.

The hands have no cards and no log and are marked so (`Hand.demo`): nothing can fold them, and `refold` says how many
it left out. Everything else is as after played hands: the ledger balances, and `recompute_ratings --check` agrees.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection

from accounts.models import Account, Membership, Player
from accounts.services import clubs, ledger, players
from accounts.services.bulk import BulkInsert
from games.engine.presets import preset_ids
from games.engine.rules import RuleSet, load_rules
from games.models import Hand, HandResult, RatingOffset, Season, Seat, SeatResult, Table, Tally
from games.models.ids import new_id
from games.periods import day_of
from games.services import demo, ratings
from games.services.demo import Evening, Person, Played
from games.services.recount import Recount
from games.services.writer import writing

CLUBS = ("海滨保皇会", "老街牌友", "周五晚上", "泉城五人行", "烟台山下")
QUARTER = timedelta(days=91)
TRUSTEES = json.dumps([{"on": False, "count": 0, "gone": False}] * 5)
NO_CARDS = json.dumps({"hands": [[]] * 5, "drawn": None})


class RealAccounts(Exception):
    """There are people in this database."""


@dataclass(frozen=True, slots=True)
class Made:
    players: int
    clubs: int
    tables: int
    hands: int


def make(*, people: int, hands: int, now: datetime, seed: int = 1, days: int = 365, password: str = "") -> Made:
    """Fill an empty database. Raises RealAccounts when anybody or any hand is in it. One transaction."""
    rng = random.Random(seed)
    with writing():
        if Player.objects.exists() or Hand.objects.exists():
            raise RealAccounts
        everybody = demo.people(_sign_up(people, now, days, password), rng)
        made_clubs = _found_clubs(everybody, now, days, rng)
        rules = {preset: load_rules(preset) for preset in preset_ids()}
        evenings = list(demo.evenings(everybody, made_clubs, preset_ids(), hands, now, days, rng))
        tables = _write_tables(evenings)
        seasons = _make_seasons(now, days)
        _write_hands(evenings, tables, rules, seasons, rng)
    return Made(people, len(made_clubs), len(evenings), sum(len(evening.ends) for evening in evenings))


def _sign_up(count: int, now: datetime, days: int, password: str) -> list[int]:
    made = [players.sign_up(username=name, password=None).pk for name in demo.names(count)]
    if password:
        example = Player()
        example.set_password(password)
        Player.objects.filter(pk__in=made).update(password=example.password)
    Player.objects.filter(pk__in=made).update(date_joined=now - timedelta(days=days + 1))
    return made


def _found_clubs(
    everybody: Sequence[Person], now: datetime, days: int, rng: random.Random
) -> list[tuple[int, Sequence[Person]]]:
    """Clubs of the more eager ones; none when there are too few people to fill a table."""
    found: list[tuple[int, Sequence[Person]]] = []
    size = min(60, len(everybody) // 3)
    if size < 6:
        return found
    since = now - timedelta(days=days)
    for number, name in enumerate(CLUBS, start=1):
        members = rng.sample(list(everybody), size)
        owner = Player.objects.get(pk=members[0].key)
        club = clubs.create(by=owner, name=name, slug=f"demo-{number}", now=since)
        Membership.objects.bulk_create(
            Membership(club=club, player_id=member.key, joined_at=since, last_active=now) for member in members[1:]
        )
        found.append((club.pk, members))
    return found


def _write_tables(evenings: Sequence[Evening]) -> list[str]:
    names = (
        "id host_id preset rules clock_step clock_play clock_next clock_reveal room public club_id status"
        " closed_because number next_seed next_commit created_at changed_at"
    )
    tables = BulkInsert(Table, names.split())
    seats = BulkInsert(Seat, ("table_id", "number", "player_id", "bot", "level"))
    rules = {preset: json.dumps(load_rules(preset).to_json()) for preset in preset_ids()}
    ids = []
    for evening in evenings:
        ids.append(new_id())
        host = next(person for person in evening.people if person is not None)
        tables.add(
            *(ids[-1], host.key, evening.preset, rules[evening.preset], 15, 25, 20, 8, evening.room),
            *(not evening.club, evening.club or None, Table.Status.CLOSED, Table.Reason.EMPTY, len(evening.ends)),
            *("", "", evening.began, evening.ends[-1]),
        )
        for number, occupant in enumerate(_occupants(evening)):
            seats.add(ids[-1], number, occupant["player"], occupant["bot"], occupant["level"])
    tables.flush()
    seats.flush()
    return ids


def _occupants(evening: Evening) -> list[dict[str, Any]]:
    bots = iter(demo.BOT_NAMES)
    return [
        {"player": person.key, "name": "", "bot": "", "level": "", "multiplier": 1}
        if person is not None
        else {"player": None, "name": (name := next(bots)), "bot": name, "level": demo.LEVEL, "multiplier": 1}
        for person in evening.people
    ]


def _make_seasons(now: datetime, days: int) -> list[Season]:
    """Quarters, as many as there are hands for; two thirds of the last one are over."""
    today = day_of(now)
    starts = [today - timedelta(days=60) - QUARTER * back for back in (3, 2, 1, 0)]
    held = [start for start in starts if start + QUARTER > today - timedelta(days=days)]
    return [
        Season.objects.create(name=f"第{number}赛季", starts=start, ends=start + QUARTER - timedelta(days=1))
        for number, start in enumerate(held, start=1)
    ]


class _Counting:
    """Seasons and ratings beside the hands, as the running site would have kept them."""

    def __init__(self, seasons: Sequence[Season]) -> None:
        self.count = Recount()
        self._coming = list(seasons)
        self._current: Season | None = None

    def season_of(self, day: date, last: int) -> Season | None:
        if self._current is not None and self._current.ends < day:
            self.count.close(self._current)
            Season.objects.filter(pk=self._current.pk).update(closed_after=last)
            self._current = None
        while self._coming and self._coming[0].ends < day:
            self._coming.pop(0)
        if self._current is None and self._coming and self._coming[0].starts <= day:
            self._current = self._coming.pop(0)
            self.count.open(self._current)
            Season.objects.filter(pk=self._current.pk).update(opened_after=last)
        return self._current


def _write_hands(
    evenings: Sequence[Evening],
    tables: Sequence[str],
    rules: dict[str, RuleSet],
    seasons: Sequence[Season],
    rng: random.Random,
) -> None:
    ordered = sorted((end, i, n) for i, evening in enumerate(evenings) for n, end in enumerate(evening.ends, start=1))
    counting = _Counting(seasons)
    accounts = dict(Account.objects.filter(player__isnull=False).values_list("player_id", "pk"))
    house = {code: ledger.house_account(code).pk for code in (ledger.ROUNDING, ledger.BOTS)}
    names = dict(Player.objects.values_list("pk", "username"))
    shown = {preset: json.dumps(ruleset.to_json()) for preset, ruleset in rules.items()}
    writer = _HandWriter(tables, names, shown)

    def settlements() -> Iterator[tuple[str, datetime, dict[int, int]]]:
        for order, (end, which, number) in enumerate(ordered, start=1):
            evening = evenings[which]
            played = demo.play(evening, rules[evening.preset], rng)
            result, seats = _result(evening, played, order, end)
            result.season = counting.season_of(day_of(end), order - 1)
            changes = counting.count.count(result, seats)
            writer.add(which, number, evening, result, seats, changes)
            if played.scored:
                beans = {accounts[seat.player_id]: seat.beans for seat in seats if seat.player_id is not None}
                bots = sum(seat.beans for seat in seats if seat.player_id is None)
                yield result.pk, end, beans | {house[ledger.ROUNDING]: result.rounding, house[ledger.BOTS]: bots}

    ledger.settle_many(settlements())
    writer.flush()
    book = ratings.locked_book()
    book.last = len(ordered)
    book.save(update_fields=["last"])
    _write_counted(counting.count)


def _result(evening: Evening, played: Played, order: int, end: datetime) -> tuple[HandResult, list[SeatResult]]:
    scored = played.scored
    result = HandResult(
        hand_id=new_id(),
        scored=scored,
        emperor=played.emperor,
        guard=played.guard,
        solo=played.solo or "",
        guard_open=played.guard_open,
        multiplier=played.multiplier,
        outcome=played.sums.outcome,
        rounding=played.sums.rounding if scored else 0,
        ended_at=end,
        order=order,
        preset=evening.preset,
        club_id=evening.club or None,
        public=not evening.club,
    )
    seats = []
    for seat, occupant in enumerate(_occupants(evening)):
        role = "emperor" if seat == played.emperor else "guard" if seat == played.guard else "rebel"
        seats.append(
            SeatResult(
                seat=seat,
                player_id=occupant["player"],
                bot=occupant["bot"],
                level=occupant["level"],
                role=role,
                place=played.places[seat],
                points=played.sums.points[seat] if scored else 0,
                beans=played.sums.beans[seat] if scored else 0,
            )
        )
    return result, seats


class _HandWriter:
    """The rows of hands, results and seats, sent by the thousand and in this order."""

    HAND = (
        "id table_id number rules room players first deal server_seed clients commit status seq asked_at trustees"
        " started_at ended_at demo"
    )
    RESULT = (
        "hand_id scored emperor guard solo guard_open multiplier outcome rounding cleared ended_at order preset club_id"
        " public season_id bots unrated"
    )
    SEAT = "result_id seat player_id bot role place points beans level order rating rating_change"
    EVERY = 4000

    def __init__(self, tables: Sequence[str], names: dict[int, str], rules: dict[str, str]) -> None:
        self._tables, self._names, self._rules = tables, names, rules
        self._hands = BulkInsert(Hand, self.HAND.split())
        self._results = BulkInsert(HandResult, self.RESULT.split())
        self._seats = BulkInsert(SeatResult, self.SEAT.split())
        self._players: dict[int, str] = {}
        self._waiting = 0

    def add(
        self,
        which: int,
        number: int,
        evening: Evening,
        result: HandResult,
        seats: Sequence[SeatResult],
        changes: Sequence[tuple[float, float] | None],
    ) -> None:
        if which not in self._players:
            occupants = [{**o, "name": o["name"] or self._names[o["player"]]} for o in _occupants(evening)]
            self._players[which] = json.dumps(occupants)
        began = evening.began if number == 1 else evening.ends[number - 2]
        status = Hand.Status.DONE if result.scored else Hand.Status.UNSCORED
        self._hands.add(
            *(result.pk, self._tables[which], number, self._rules[evening.preset], evening.room, self._players[which]),
            *(0, NO_CARDS, "", "[]", "", status, 0, began, TRUSTEES, began, result.ended_at, True),
        )
        self._results.add(
            *(result.pk, result.scored, result.emperor, result.guard, result.solo, result.guard_open),
            *(result.multiplier, result.outcome, result.rounding, "[]", result.ended_at, result.order, result.preset),
            *(result.club_id, result.public, result.season_id, result.bots, result.unrated),
        )
        for seat, change in zip(seats, changes, strict=True):
            self._seats.add(
                *(result.pk, seat.seat, seat.player_id, seat.bot, seat.role, seat.place, seat.points, seat.beans),
                *(seat.level, result.order, *(change or (None, None))),
            )
        self._waiting += 1
        if self._waiting >= self.EVERY:
            self.flush()

    def flush(self) -> None:
        self._hands.flush()
        self._results.flush()
        self._seats.flush()
        self._waiting = 0


def _write_counted(count: Recount) -> None:
    ratings.save_ratings([ratings.row_of(player, standing) for player, standing in sorted(count.standings.items())])
    RatingOffset.objects.bulk_create(
        RatingOffset(preset=preset, solo=solo, value=value) for (preset, solo), value in sorted(count.offsets.items())
    )
    ratings.add_up(count.sums)
    quote = connection.ops.quote_name
    finals = [
        (value, variance, hands, period, player)
        for period, by_player in count.finals.items()
        for player, (value, variance, hands) in by_player.items()
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {quote(Tally._meta.db_table)} SET final_value = %s, final_variance = %s, final_rated = %s"
            " WHERE period = %s AND player_id = %s",
            finals,
        )
    Tally.objects.filter(period__in=list(count.finals)).update(final=True)
