"""Ratings and sums from the beginning, by nothing but the stored results and the order of hands and seasons.

`recompute` writes what it comes to, `check` only compares. Both hold the book's lock, so no hand ends meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db import connection

from games import rating
from games.models import HandResult, Rating, RatingBook, RatingOffset, Season, SeatResult, Tally
from games.rating import Standing
from games.services import ratings
from games.services.counting import COLUMNS, Key, Sums, increments, judge, places, why_unrated
from games.services.writer import writing

CHUNK = 2000
SHOWN_DIFFERENCES = 50

Final = tuple[float | None, float | None, int | None]
"""Value, variance and rated hands of a player when a season closed; None without a rated hand."""
Change = tuple[float, float] | None
"""A seat's rating after a hand and what the hand changed; None where nothing was rated."""


class Recount:
    """Everything that follows from the hands counted so far, in memory."""

    def __init__(self) -> None:
        self.hands = 0
        self.standings: dict[int, Standing] = {}
        self.offsets: dict[tuple[str, bool], float] = {}
        self.sums: dict[Key, Sums] = {}
        self.finals: dict[str, dict[int, Final]] = {}

    def count(self, result: HandResult, seats: Sequence[SeatResult]) -> list[Change]:
        """The next hand, whose `season` is known; sets its `bots` and `unrated`."""
        self.hands += 1
        result.bots = sum(seat.player_id is None for seat in seats)
        result.unrated = why_unrated(result)
        if result.scored:
            self._add(result, seats)
        if result.unrated:
            return [None] * len(seats)
        return self._rate(result, seats)

    def _add(self, result: HandResult, seats: Sequence[SeatResult]) -> None:
        where = places(result)
        for seat in seats:
            if seat.player_id is None:
                continue
            added = tuple(increments(result, seat))
            for rest in where:
                key = (seat.player_id, *rest)
                row = self.sums.get(key)
                if row is None:
                    row = self.sums[key] = [0] * len(COLUMNS)
                for place, number in added:
                    row[place] += number

    def _rate(self, result: HandResult, seats: Sequence[SeatResult]) -> list[Change]:
        which = (result.preset, bool(result.solo))
        judged = judge(result, seats, self.standing, self.offsets.get(which, 0.0))
        self.offsets[which] = judged.offset
        changes: list[Change] = []
        for seat, after in zip(seats, judged.standings, strict=True):
            if seat.player_id is None:
                changes.append(None)
                continue
            changes.append((after.value, after.value - self.standing(seat.player_id).value))
            self.standings[seat.player_id] = after
        return changes

    def standing(self, player: int) -> Standing:
        return self.standings.get(player) or Standing()

    def open(self, season: Season) -> None:
        """The soft reset."""
        for player, standing in self.standings.items():
            self.standings[player] = rating.soft_reset(standing, season.keep / 100)

    def close(self, season: Season) -> None:
        """The ratings with which the season's players stand on its final boards."""
        self.finals[season.period] = {
            player: (standing.value, standing.variance, standing.hands) for player, standing in self.standings.items()
        }

    def final(self, key: Key) -> Final:
        return self.finals.get(key[2], {}).get(key[0], (None, None, None))


@dataclass
class Report:
    """What was counted, and what is stored otherwise."""

    hands: int = 0
    players: int = 0
    tallies: int = 0
    differences: int = 0
    lines: list[str] = field(default_factory=list)

    def differs(self, line: str) -> None:
        self.differences += 1
        if len(self.lines) < SHOWN_DIFFERENCES:
            self.lines.append(line)


@dataclass
class _Seats:
    """Changes of seats and results that are stored otherwise, to be written in the end."""

    seats: list[tuple[float | None, float | None, int]] = field(default_factory=list)
    results: list[tuple[int, str, str]] = field(default_factory=list)


def check() -> Report:
    """Compare everything that follows from the stored results with what is stored. Writes nothing."""
    with writing():
        ratings.locked_book()
        report = Report()
        unnumbered = HandResult.objects.filter(order__isnull=True).count()
        if unnumbered:
            report.differs(f"{unnumbered} results are not counted")
        count, _found = _recount(report)
        _compare(count, report)
    return report


def recompute() -> Report:
    """Make ratings, offsets, sums and the ratings beside each result what the stored results come to.

    The boards of closed seasons stay as they became final. Results that were never counted get their numbers first,
    in the order in which their hands ended.
    """
    with writing():
        book = ratings.locked_book()
        _number(book)
        report = Report()
        count, found = _recount(report)
        _compare(count, report)
        if report.differences:
            _write(count, found)
    return report


def never_counted() -> bool:
    """Whether there are results from before hands were counted."""
    return HandResult.objects.filter(order__isnull=True).exists()


def _number(book: RatingBook) -> None:
    """Numbers for the results that have none, with what their tables and hands say of them."""
    rows = HandResult.objects.filter(order__isnull=True).select_related("hand__table").order_by("ended_at", "pk")
    for row in list(rows):
        book.last += 1
        table = row.hand.table
        HandResult.objects.filter(pk=row.pk).update(
            order=book.last,
            preset=table.preset or row.hand.rules.get("id", ""),
            club_id=table.club_id,
            public=table.public,
        )
        for seat, occupant in enumerate(row.hand.players):
            row.seats.filter(seat=seat).update(order=book.last, level=occupant["level"])
    book.save(update_fields=["last"])


def _recount(report: Report) -> tuple[Recount, _Seats]:
    count, found = Recount(), _Seats()
    events = _season_events(count)
    for result, seats in counted_hands():
        assert result.order is not None
        while events and events[0][0] < result.order:
            events.pop(0)[1]()
        before = (result.bots, result.unrated)
        changes = count.count(result, seats)
        if before != (result.bots, result.unrated):
            report.differs(f"hand {result.pk}: stored {before}, counted {(result.bots, result.unrated)}")
            found.results.append((result.bots, result.unrated, result.pk))
        for seat, change in zip(seats, changes, strict=True):
            wanted = change or (None, None)
            if (seat.rating, seat.rating_change) != wanted:
                report.differs(
                    f"hand {result.pk} seat {seat.seat}: stored {seat.rating} {seat.rating_change}, counted {wanted}"
                )
                found.seats.append((*wanted, seat.pk))
    for _after, event in events:
        event()
    report.hands, report.players, report.tallies = count.hands, len(count.standings), len(count.sums)
    return count, found


def _season_events(count: Recount) -> list[tuple[int, Callable[[], None]]]:
    """What seasons did, each with the number of the hand after which it happened; a close before the next open."""
    events: list[tuple[int, int, Any, Callable[[], None]]] = []
    for season in Season.objects.filter(opened_after__isnull=False):
        assert season.opened_after is not None
        events.append((season.opened_after, 1, season.starts, lambda season=season: count.open(season)))  # type: ignore[misc]
        if season.closed_after is not None:
            events.append((season.closed_after, 0, season.starts, lambda season=season: count.close(season)))  # type: ignore[misc]
    # with no hand between them a season still opens before it closes
    events.sort(key=lambda event: (event[0], event[2], -event[1]))
    return [(event[0], event[3]) for event in events]


def counted_hands() -> Iterator[tuple[HandResult, list[SeatResult]]]:
    """All counted results with their five seats, in the order in which the hands ended."""
    last = HandResult.objects.order_by("-order").values_list("order", flat=True).first() or 0
    fields = ("hand_id", "scored", "emperor", "guard", "solo", "ended_at", "order", "preset", "club_id", "season_id")
    for start in range(0, last, CHUNK):
        window = {"order__gt": start, "order__lte": start + CHUNK}
        results = HandResult.objects.filter(**window).only(*fields, "bots", "unrated").order_by("order")
        rows = SeatResult.objects.filter(**{f"result__{name}": value for name, value in window.items()})
        rows = rows.order_by("result__order", "seat")
        seats = {result: list(group) for result, group in groupby(rows, key=lambda row: row.result_id)}
        for result in results:
            yield result, seats.get(result.pk, [])


def _compare(count: Recount, report: Report) -> None:
    stored = {row.player_id: row.standing for row in Rating.objects.all()}
    for player in sorted(stored.keys() | count.standings.keys()):
        if stored.get(player) != count.standings.get(player):
            report.differs(f"player {player}: stored {stored.get(player)}, counted {count.standings.get(player)}")
    offsets = {(row.preset, row.solo): row.value for row in RatingOffset.objects.all()}
    if offsets != count.offsets:
        report.differs(f"offsets: stored {offsets}, counted {count.offsets}")
    names = ("player_id", "scope", "period", "preset", *COLUMNS, "final_value", "final_variance", "final_rated")
    seen = 0
    for row in Tally.objects.values_list(*names).iterator(chunk_size=CHUNK):
        key: Key = row[:4]
        sums = count.sums.get(key)
        seen += sums is not None
        if sums is None or list(row[4:-3]) != sums or tuple(row[-3:]) != count.final(key):
            report.differs(f"sums {key}: stored {row[4:]}, counted {sums} {count.final(key)}")
    if seen != len(count.sums):
        report.differs(f"{len(count.sums) - seen} sums are missing")


def _write(count: Recount, found: _Seats) -> None:
    Rating.objects.exclude(pk__in=list(count.standings)).delete()
    ratings.save_ratings([ratings.row_of(player, standing) for player, standing in sorted(count.standings.items())])
    RatingOffset.objects.all().delete()
    RatingOffset.objects.bulk_create(
        RatingOffset(preset=preset, solo=solo, value=value) for (preset, solo), value in sorted(count.offsets.items())
    )
    final = {season.period for season in Season.objects.filter(closed_after__isnull=False)}
    Tally.objects.exclude(period__in=final).delete()
    ratings.add_up({key: row for key, row in count.sums.items() if key[2] not in final})
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {quote(SeatResult._meta.db_table)} SET rating = %s, rating_change = %s WHERE id = %s", found.seats
        )
        cursor.executemany(
            f"UPDATE {quote(HandResult._meta.db_table)} SET bots = %s, unrated = %s WHERE hand_id = %s", found.results
        )
