"""Everything the standings are made of, for other programs: JSON with all rows, CSV with the standings."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.utils.translation import gettext as _

from games.models import Event
from games.selectors import event_rows, events


def data(event: Event) -> dict[str, Any]:
    """The event, its entrants, the rows of closed rounds, the rulings, the standings. Fractions are texts."""
    rounds = event_rows.closed_rounds(event)
    rows, boards = event_rows.rows_of(event, rounds), event_rows.board_rows_of(event, rounds)
    started = event.started_at is not None
    return {
        "format": "baohuang-event/1",
        "event": {
            "id": event.id,
            "name": event.name,
            "format": event.format,
            "status": event.status,
            "rounds": event.rounds,
            "hands": event.hands,
            "rules": event.rules,
            "seed_commit": event.seed_commit,
            "seed": event.seed if started else None,
            "board_commits": event.board_commits,
            "board_secret": event.board_secret if event.over else None,
        },
        "entrants": [
            {"number": e.number, "name": e.player.username, "status": e.status, "why": e.why}
            for e in event.entrants.select_related("player").order_by("number")
        ],
        "rounds": [
            {
                "number": r.number,
                "seed": r.seed,
                "cost": r.cost,
                "repeats": r.repeats,
                "again": r.again,
                "clubmates": r.clubmates,
                "spread": r.spread,
                "closed": r.number in rounds,
            }
            for r in event.played_rounds.order_by("number")
        ],
        "rows": [
            {
                "round": r.round,
                "table": r.table,
                "seat": r.seat,
                "entrant": r.entrant,
                "net": r.net,
                "missed": r.missed,
            }
            for r in rows
        ],
        "boards": [
            {
                "round": b.round,
                "board": b.board,
                "table": b.table,
                "seat": b.seat,
                "entrant": b.entrant,
                "points": b.points,
                "missed": b.missed,
            }
            for b in boards
        ],
        "rulings": [
            {
                "entrant": r.entrant,
                "round": r.round,
                "penalty": str(r.penalty),
                "score": None if r.score is None else str(r.score),
                "net": r.net,
                "reason": r.reason,
            }
            for r in event_rows.rulings_of(event, rounds)
        ],
        "standings": [
            {"place": s.place, "entrant": s.entrant, "values": {str(name): str(number) for name, number in s.values}}
            for s in event_rows.standings_of(event)
        ],
    }


def table(event: Event) -> str:
    """The standings as their page shows them, as CSV with a head line for a spreadsheet; a name is never read as a
    formula."""
    columns, lines = events.standing_lines(event, None)
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow([_("名次"), _("号"), _("选手"), *columns])
    for line in lines:
        safe = f"'{line.name}" if line.name[:1] in "=+-@" else line.name
        write.writerow([line.place, line.number, safe, *line.values])
    return "\ufeff" + out.getvalue()
