"""Columns and constraints of the games; what they mean is told where they are written (`games.services`)."""

from games.models.chat import ChatMessage
from games.models.fairplay import AppealLine, Desertion, LoginTrace, Report, Sanction, Signal
from games.models.hand import Hand, HandAction
from games.models.rating import Rating, RatingOffset
from games.models.result import HandResult, SeatResult
from games.models.season import RatingBook, Season
from games.models.stats import Tally
from games.models.table import Seat, Table
from games.models.tournament import (
    BoardResult,
    DirectorAct,
    Entrant,
    Event,
    EventRuling,
    Pairing,
    Round,
    RowResult,
)
from games.models.variant import Variant, VariantRevision

__all__ = [
    "AppealLine",
    "BoardResult",
    "ChatMessage",
    "Desertion",
    "DirectorAct",
    "Entrant",
    "Event",
    "EventRuling",
    "Hand",
    "HandAction",
    "HandResult",
    "LoginTrace",
    "Pairing",
    "Rating",
    "RatingBook",
    "RatingOffset",
    "Report",
    "Round",
    "RowResult",
    "Sanction",
    "Season",
    "Seat",
    "SeatResult",
    "Signal",
    "Table",
    "Tally",
    "Variant",
    "VariantRevision",
]
