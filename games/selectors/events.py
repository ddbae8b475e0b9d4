"""Reading events: which there are for somebody, one with the right to it, its entries, rounds, standings, ladder.

Only values leave; nothing is written. Standings come from `event_rows`, worded by `event_words`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import Club, Player
from games import event_words
from games.models import BoardResult, Entrant, Event, Round, RowResult, Season, Table
from games.selectors import event_boards, event_rows
from games.tournament.rows import places, worths
from games.tournament.standings import Standing
from games.tournament.values import shown

SHOWN = 50
AHEAD = 3


UNCOUNTED = "—"


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat of a table of a round. `entrant` is None for a bot; `served` the part (in percent) others played."""

    seat: int
    entrant: int | None
    name: str
    net: int
    worth: str
    place: int
    here: bool
    missed: bool
    served: int
    mine: bool


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A hand of a table: its number, its id (empty while nobody may look at it), the points by seat."""

    board: int
    hand: str
    points: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TableLine:
    number: int
    table: str
    state: str  # "paired", "playing", "closed"
    hands: int
    seats: tuple[SeatLine, ...]
    boards: tuple[BoardLine, ...] = ()
    mine: bool = False
    watch: bool = True

    @property
    def uncounted(self) -> bool:
        """The table is done and no hand of it counted (where its boards were read, or there are none)."""
        points = [one for board in self.boards for _name, one in board.points]
        return self.state == "closed" and (not self.hands or (bool(points) and set(points) == {UNCOUNTED}))


@dataclass(frozen=True, slots=True)
class RoundView:
    row: Round
    tables: tuple[TableLine, ...]
    spread: str
    cost: str
    left: int


@dataclass(frozen=True, slots=True)
class StandingLine:
    place: int
    number: int
    name: str
    player: int
    values: tuple[str, ...]
    why: tuple[str, ...]
    standing: Standing = field(repr=False)
    mine: bool = False
    out: str = ""


def visible(player: Player | None) -> QuerySet[Event]:
    """The events that are there for this player."""
    if player is not None and player.is_staff:
        return Event.objects.all()
    seen = Q(club=None)
    if player is not None:
        seen |= Q(club__memberships__player=player) | Q(entrants__player=player)
    return Event.objects.filter(seen).distinct()


def listed(player: Player | None, club: Club | None = None) -> dict[str, list[Event]]:
    """Running, coming and past events, with `people` counted: who is in it, and who has left it but played."""
    found = visible(player)
    if club is not None:
        found = found.filter(club=club)
    ids = list(found.order_by("-starts_at").values_list("pk", flat=True)[:SHOWN])
    gone = Entrant.objects.filter(event=OuterRef("pk"), status=Entrant.Status.WITHDRAWN)
    played = gone.filter(Exists(RowResult.objects.filter(entrant=OuterRef("pk"))))
    left = Subquery(played.order_by().values("event").annotate(n=Count("pk")).values("n"))
    rows = (
        Event.objects.filter(pk__in=ids)
        .select_related("club")
        .annotate(people=Count("entrants", filter=~Q(entrants__status="withdrawn")) + Coalesce(left, 0))
        .order_by("-starts_at")
    )
    made: dict[str, list[Event]] = {"running": [], "entries": [], "over": []}
    for event in rows:
        made["over" if event.over else str(event.status)].append(event)
    made["entries"].reverse()
    return made


def ahead(club: Club) -> list[Event]:
    """What is on or coming in a club, the next first; a few. One query."""
    rows = club.events.filter(status__in=(Event.Status.RUNNING, Event.Status.ENTRIES))
    return list(rows.order_by("starts_at")[:AHEAD])


def names_of(event: Event) -> dict[int, str]:
    return dict(event.entrants.values_list("number", "player__username"))


def entrant_of(event: Event, player: Player | None) -> Entrant | None:
    return None if player is None else event.entrants.filter(player=player).first()


def entries_of(event: Event) -> list[Entrant]:
    """Entered first, then who waits, then who is out."""
    order = {"entered": 0, "waiting": 1, "withdrawn": 2}
    rows = event.entrants.select_related("player", "club")
    return sorted(rows, key=lambda entrant: (order[entrant.status], entrant.number))


def own_table(event: Event, player: Player | None, shown: RoundView | None = None) -> tuple[Round, TableLine] | None:
    """The table at which the player plays in the round that is on; `shown` is that round, if it was read already."""
    if player is None:
        return None
    row = (
        RowResult.objects.filter(round__event=event, entrant__player=player)
        .exclude(round__status=Round.Status.CLOSED)
        .select_related("round", "pairing", "entrant")
        .first()
    )
    if row is None or event.over or row.entrant is None or row.entrant.status != Entrant.Status.ENTERED:
        return None
    read = shown is not None and shown.row.pk == row.round_id
    tables = shown.tables if shown is not None and read else tables_of(event, row.round, player)
    line = next(table for table in tables if table.number == row.pairing.number)
    return row.round, line


def tables_of(event: Event, round: Round, player: Player | None, *, boards: bool = False) -> tuple[TableLine, ...]:
    """The tables of a round. Three queries, two more with the hands."""
    pairings = {pairing.pk: pairing for pairing in round.pairings.order_by("number")}
    tables = dict(Table.objects.filter(pairing__round=round).values_list("pairing_id", "pk"))
    rows: dict[int, list[RowResult]] = {pk: [] for pk in pairings}
    for row in RowResult.objects.filter(round=round).select_related("entrant__player").order_by("seat"):
        rows[row.pairing_id].append(row)
    hands = _boards(round) if boards else {}
    secret = event.format == Event.Format.DUPLICATE and round.status != Round.Status.CLOSED and not event.over
    made = []
    for pk, pairing in pairings.items():
        seats = _seats(rows[pk], player)
        mine = any(seat.mine for seat in seats)
        state = "closed" if pairing.closed_at else ("playing" if pk in tables else "paired")
        made.append(
            TableLine(
                pairing.number,
                tables.get(pk, ""),
                state,
                pairing.hands,
                seats,
                tuple(hands.get(pk, ())),
                mine,
                mine or not secret,
            )
        )
    return tuple(made)


def _seats(rows: list[RowResult], player: Player | None) -> tuple[SeatLine, ...]:
    nets = [row.net for row in rows]
    if len(rows) != event_rows.SEATS:
        return ()
    made = []
    for row, worth, place in zip(rows, worths(nets), places(nets), strict=True):
        who = None if row.entrant is None else row.entrant.player
        moves = row.own + row.served
        made.append(
            SeatLine(
                row.seat,
                None if row.entrant is None else row.entrant.number,
                _("机器人") if who is None else who.username,
                row.net,
                shown(worth),
                place,
                row.here,
                row.missed,
                round(100 * row.served / moves) if moves and who is not None else 0,
                player is not None and who is not None and who.pk == player.pk,
            )
        )
    return tuple(made)


def rounds_of(event: Event, number: int, player: Player | None) -> list[tuple[int, int, SeatLine]]:
    """What an entrant made of each closed round: its number, the table's, his seat. One query."""
    rows = RowResult.objects.filter(
        pairing__rows__entrant__number=number, round__event=event, round__status=Round.Status.CLOSED
    )
    at: dict[tuple[int, int], list[RowResult]] = {}
    for row in rows.select_related("round", "pairing", "entrant__player").order_by("round__number", "seat"):
        at.setdefault((row.round.number, row.pairing.number), []).append(row)
    return [(*where, seat) for where, found in at.items() for seat in _seats(found, player) if seat.entrant == number]


def _boards(round: Round) -> dict[int, list[BoardLine]]:
    grouped: dict[tuple[int, int], list[BoardResult]] = {}
    results = BoardResult.objects.filter(pairing__round=round).select_related("entrant__player")
    for row in results.order_by("pairing_id", "board", "seat"):
        grouped.setdefault((row.pairing_id, row.board), []).append(row)
    hidden: dict[int, bool] = {}
    made: dict[int, list[BoardLine]] = {}
    for (pairing_id, board), rows in grouped.items():
        if board not in hidden:
            hidden[board] = event_boards.hides_hand(pairing_id, board)
        points = tuple(
            (
                _("机器人") if row.entrant is None else row.entrant.player.username,
                UNCOUNTED if row.points is None else f"{row.points:+d}",
            )
            for row in rows
        )
        made.setdefault(pairing_id, []).append(BoardLine(board, "" if hidden[board] else rows[0].hand_id, points))
    return made


def round_view(event: Event, round: Round, player: Player | None, *, boards: bool = False) -> RoundView:
    tables = tables_of(event, round, player, boards=boards)
    return RoundView(
        round,
        tables,
        shown(Fraction(round.spread)),
        shown(Fraction(round.cost)),
        sum(table.state != "closed" for table in tables),
    )


def columns(event: Event, lines: tuple[Standing, ...]) -> list[str]:
    return [event_words.criterion(name) for name, _value in lines[0].values] if lines else []


def standing_lines(
    event: Event, player: Player | None, upto: int | None = None
) -> tuple[list[str], list[StandingLine]]:
    """The heads of the columns and a line for everybody."""
    found = event_rows.standings_of(event, upto)
    people = {e.number: e for e in event.entrants.select_related("player")}
    names = {number: entrant.player.username for number, entrant in people.items()}
    lines = [
        StandingLine(
            line.place,
            line.entrant,
            names[line.entrant],
            people[line.entrant].player_id,
            tuple(event_words.value(name, number) for name, number in line.values),
            tuple(event_words.why(line, names)),
            line,
            player is not None and people[line.entrant].player_id == player.pk,
            str(Entrant.Why(people[line.entrant].why).label) if people[line.entrant].status == "withdrawn" else "",
        )
        for line in found
    ]
    return columns(event, found), lines


CROSS_MOST = 60
"""With more people a square of everybody against everybody grows past use: then only who met is listed."""


@dataclass(frozen=True, slots=True)
class CrossLine:
    """By place: who, and the places of those he met with how often; `cells` is the whole row, empty in a crowd."""

    name: str
    number: int
    met: tuple[tuple[int, int], ...]
    cells: tuple[str, ...]


def crosstable(event: Event) -> list[CrossLine]:
    """How often each met each of the others, by place."""
    order = [line.entrant for line in event_rows.standings_of(event)]
    names, places = names_of(event), {number: place for place, number in enumerate(order, 1)}
    met: dict[int, Counter[int]] = {number: Counter() for number in order}
    for tables in event_rows.past_of(event):
        for table in tables:
            people = [number for number in table if number in places]
            for one in people:
                met[one].update(places[other] for other in people if other != one)
    made = []
    for place, number in enumerate(order, 1):
        times = met[number]
        cells: tuple[str, ...] = ()
        if len(order) <= CROSS_MOST:
            cells = tuple("·" if at == place else str(times[at] or "") for at in range(1, len(order) + 1))
        made.append(CrossLine(names[number], number, tuple(sorted(times.items())), cells))
    return made


@dataclass(frozen=True, slots=True)
class LadderLine:
    place: int
    name: str
    player: int
    points: int
    events: int
    best: int


def season_of(now: datetime, season_id: int | None) -> Season | None:
    if season_id is not None:
        return Season.objects.filter(pk=season_id).first()
    day = now.date()
    return Season.objects.filter(starts__lte=day, ends__gte=day).first() or Season.objects.first()


def ladder(season: Season, club: Club | None) -> list[LadderLine]:
    """积分 over a season's finished events: one for having played, one for everybody who finished behind."""
    events = Event.objects.filter(
        status=Event.Status.FINISHED,
        ladder=True,
        club=club,
        ended_at__date__gte=season.starts,
        ended_at__date__lte=season.ends,
    )
    points: Counter[int] = Counter()
    played: Counter[int] = Counter()
    best: dict[int, int] = {}
    names: dict[int, str] = {}
    found = list(events.order_by("ended_at"))
    entrants: dict[str, dict[int, Player]] = {event.pk: {} for event in found}
    for entrant in Entrant.objects.filter(event__in=found).select_related("player"):
        entrants[entrant.event_id][entrant.number] = entrant.player
    for event_id, lines in event_rows.standings_of_many(found).items():
        people = entrants[event_id]
        for line in lines:
            player = people[line.entrant]
            names[player.pk] = player.username
            points[player.pk] += len(lines) - line.place + 1
            played[player.pk] += 1
            best[player.pk] = min(line.place, best.get(player.pk, line.place))
    order = sorted(points, key=lambda pk: (-points[pk], best[pk], names[pk]))
    return [
        LadderLine(1 + sum(points[o] > points[pk] for o in order), names[pk], pk, points[pk], played[pk], best[pk])
        for pk in order
    ]
