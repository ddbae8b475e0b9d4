"""What a moderator says to somebody: a warning, a suspension with an end; and the talk about it afterwards.

Every act needs the permission `games.moderate` and a reason, and is noted in its transaction. Nobody acts on himself.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import Player
from accounts.services import audit
from games.models import AppealLine, Report, Sanction, Seat, Table
from games.models.fairplay import TEXT_LENGTH
from games.services import finish, publish, reports, seats, tables
from games.services.errors import Refused
from games.services.writer import writing

DAYS = (1, 365)
"""The shortest and the longest suspension."""
TWICE = timedelta(minutes=10)
"""The same words to the same player so soon after are the same form sent twice."""
LINES_MOST = 5
"""Lines a player may write about a sanction before a moderator has answered."""


def warn(*, player: Player, reason: str, by: Player, report: Report | None = None, now: datetime) -> Sanction:
    """Have the player read these words, once. Raises Refused: forbidden, malformed (no or too long a text)."""
    return _give(Sanction.Kind.WARNING, player, reason, by, report, None, now)


def suspend(
    *, player: Player, days: int, reason: str, by: Player, report: Report | None = None, now: datetime
) -> Sanction:
    """Keep him from tables for so many days. A hand he plays is played to its end; then, and where none is on at once,
    his seats become free. Raises Refused: forbidden, malformed."""
    if type(days) is not int or not DAYS[0] <= days <= DAYS[1]:
        raise Refused("malformed", "days")
    made = _give(Sanction.Kind.SUSPENSION, player, reason, by, report, now + timedelta(days=days), now)
    free_seats(player, now)
    return made


def _give(
    kind: Sanction.Kind,
    player: Player,
    reason: str,
    by: Player,
    report: Report | None,
    until: datetime | None,
    now: datetime,
) -> Sanction:
    reports.check_moderator(by)
    if player.pk == by.pk or (report is not None and report.target_id != player.pk):
        raise Refused("forbidden")
    reason = _text(reason, "reason")
    with writing():
        if report is not None:
            # one answer of a kind to a report
            report = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
            known = report.sanctions.filter(kind=kind).first()
        else:
            same = Sanction.objects.filter(player=player, kind=kind, reason=reason, by=by)
            known = same.filter(at__gt=now - TWICE, at__lte=now).first()
        if known is not None:
            return known
        made = Sanction.objects.create(
            player=player, kind=kind, reason=reason, by=by, at=now, until=until, report=report
        )
        told = reason if until is None else f"{until:%Y-%m-%d %H:%M %Z} {reason}"
        action = "player.warn" if kind == Sanction.Kind.WARNING else "player.suspend"
        audit.note(by=by, action=action, target=player, reason=told, now=now)
        if report is not None:
            reports.close(reports=[report], by=by, acted=True, reason=reason, now=now)
    return made


def _text(text: str, field: str) -> str:
    text = text.strip()
    if not text or len(text) > TEXT_LENGTH or "\x00" in text:
        raise Refused("malformed", field)
    return text


def free_seats(player: Player, now: datetime) -> None:
    """Stand him up from every table on which no hand is; the others are told. Tables of events are the event's."""
    held = Seat.objects.filter(player=player, table__pairing=None).exclude(table__status=Table.Status.CLOSED)
    for key in held.values_list("table_id", flat=True):
        with tables.locked(key) as table:
            if table.status in (Table.Status.CLOSED, Table.Status.PLAYING):
                continue
            all_seats = tables.seats_of(table)
            own = next((seat for seat in all_seats if seat.player_id == player.pk), None)
            if own is None:
                continue
            seats.vacate(table, own)
            if not seats.people(all_seats):
                finish.close(table, Table.Reason.EMPTY, now)
                table.save()
                publish.table_changed(table)
                continue
            seats.pass_on_host(table, all_seats)
            tables.somebody_new(table)
            tables.changed(table, now)


def lift(*, sanction: Sanction, by: Player, reason: str, now: datetime) -> Sanction:
    """Take it back: a suspension ends at once. Once. Raises Refused: forbidden, malformed."""
    reports.check_moderator(by)
    if sanction.player_id == by.pk:
        raise Refused("forbidden")
    reason = _text(reason, "reason")
    with writing():
        row = Sanction.objects.select_for_update(of=("self",)).get(pk=sanction.pk)
        if row.lifted_at is None:
            row.lifted_at = now
            row.save(update_fields=["lifted_at"])
            audit.note(by=by, action="player.lift", target=row, reason=reason, now=now)
    return row


# --- what the player does


def unread(player: Player) -> Sanction | None:
    """The oldest word of a moderator he has not read. One query."""
    return Sanction.objects.filter(player=player, seen_at__isnull=True).order_by("at", "pk").first()


def acknowledge(*, sanction_id: int, player: Player, now: datetime) -> None:
    """He has read it; the first time counts. Raises Refused: not_found (another's too)."""
    with writing():
        if not Sanction.objects.filter(pk=sanction_id, player=player).exists():
            raise Refused("not_found")
        Sanction.objects.filter(pk=sanction_id, player=player, seen_at__isnull=True).update(seen_at=now)


def appeal(*, sanction_id: int, player: Player, text: str, now: datetime) -> AppealLine:
    """The player answers. Raises Refused: not_found, malformed, too_fast (so many lines, and no answer yet)."""
    text = _text(text, "text")
    with writing():
        row = Sanction.objects.select_for_update(of=("self",)).filter(pk=sanction_id, player=player).first()
        if row is None:
            raise Refused("not_found")
        newest = list(row.lines.order_by("-at", "-pk")[:LINES_MOST])
        if newest and not newest[0].moderator and newest[0].text == text:
            return newest[0]
        if len(newest) == LINES_MOST and not any(line.moderator for line in newest):
            raise Refused("too_fast")
        row.waiting = True
        row.save(update_fields=["waiting"])
        return AppealLine.objects.create(sanction=row, author=player, moderator=False, text=text, at=now)


def answer(*, sanction: Sanction, by: Player, text: str, now: datetime) -> AppealLine:
    """A moderator answers the player. Raises Refused: forbidden, malformed."""
    reports.check_moderator(by)
    if sanction.player_id == by.pk:
        raise Refused("forbidden")
    text = _text(text, "text")
    with writing():
        row = Sanction.objects.select_for_update(of=("self",)).get(pk=sanction.pk)
        last = row.lines.order_by("-at", "-pk").first()
        if last is not None and last.moderator and last.text == text:
            return last
        row.waiting = False
        row.save(update_fields=["waiting"])
        audit.note(by=by, action="appeal.answer", target=row, reason=text, now=now)
        return AppealLine.objects.create(sanction=row, author=by, moderator=True, text=text, at=now)
