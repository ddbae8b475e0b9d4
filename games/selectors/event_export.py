"""Everything the standings are made of, for other programs: JSON with all rows, CSV with the standings."""

from __future__ import annotations

import csv
import io
from typing import Any

from games.models import Event
from games.selectors import event_rows, events
from games.tournament.values import shown


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
    """The standings as CSV with a head line, for a spreadsheet; a name is never read as a formula."""
    names = events.names_of(event)
    found = event_rows.standings_of(event)
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(["place", "number", "name", *(str(name) for name, _v in (found[0].values if found else ()))])
    for line in found:
        name = names[line.entrant]
        safe = f"'{name}" if name[:1] in "=+-@" else name
        write.writerow([line.place, line.entrant, safe, *(shown(number) for _n, number in line.values)])
    return "\ufeff" + out.getvalue()
