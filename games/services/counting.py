"""What one finished hand adds to sums and ratings: arithmetic on rows, without a query.

The running site (`ratings`) and the recount from the beginning (`recount`) both use these functions, in the same order
of the same numbers; that is why their floats are equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from games import rating
from games.models import HandResult, SeatResult
from games.models.stats import ANY_PRESET, SITE
from games.periods import day_of, keys_of
from games.rating import Judged, Standing

COLUMNS = (
    "hands",
    "wins",
    "draws",
    "firsts",
    "points",
    "beans",
    "rated",
    "emperor_hands",
    "emperor_wins",
    "emperor_points",
    "guard_hands",
    "guard_wins",
    "guard_points",
    "rebel_hands",
    "rebel_wins",
    "rebel_points",
    "solo_hands",
    "solo_wins",
    "solo_points",
)
"""The columns of `Tally` that add up, in the order of `Sums`."""

Sums = list[int]
Key = tuple[int, int, str, str]
"""Player, scope, period, preset."""

_PLACE = {name: place for place, name in enumerate(COLUMNS)}


def why_unrated(result: HandResult) -> HandResult.Unrated:
    """Why this hand changes no rating; NONE when it does."""
    if not result.scored:
        return HandResult.Unrated.UNSCORED
    return HandResult.Unrated.BOTS if result.bots >= rating.BOTS_UNRATED else HandResult.Unrated.NONE


def judge(
    result: HandResult,
    seats: Sequence[SeatResult],
    standing: Callable[[int], Standing],
    offset: float,
) -> Judged:
    """The hand as the rating sees it; `seats` in the order of the table, `standing` by a player's id."""
    return rating.judge(
        [rating.bot(seat.level) if seat.player_id is None else standing(seat.player_id) for seat in seats],
        places=[seat.place for seat in seats],
        emperor=result.emperor,
        guard=result.guard,
        open_solo=result.solo == "open",
        offset=offset,
    )


def increments(result: HandResult, seat: SeatResult) -> Iterator[tuple[int, int]]:
    """What the seat adds, as (place in COLUMNS, number); zeros are left out. The sign of its points says who won."""
    won = int(seat.points > 0)
    yield _PLACE["hands"], 1
    if won:
        yield _PLACE["wins"], 1
    elif seat.points == 0:
        yield _PLACE["draws"], 1
    if seat.place == 1:
        yield _PLACE["firsts"], 1
    if seat.points:
        yield _PLACE["points"], seat.points
    if seat.beans:
        yield _PLACE["beans"], seat.beans
    if not result.unrated:
        yield _PLACE["rated"], 1
    roles = [seat.role]
    if result.solo and seat.role == SeatResult.Role.EMPEROR:
        roles.append("solo")
    for role in roles:
        first = _PLACE[f"{role}_hands"]
        yield first, 1
        if won:
            yield first + 1, 1
        if seat.points:
            yield first + 2, seat.points


def places(result: HandResult) -> list[tuple[int, str, str]]:
    """Where a hand counts, as (scope, period, preset): with a player before them these are the keys of tallies."""
    scopes = (SITE,) if result.club_id is None else (SITE, result.club_id)
    presets = (ANY_PRESET,) if result.preset == ANY_PRESET else (ANY_PRESET, result.preset)
    periods = keys_of(day_of(result.ended_at), result.season_id)
    return [(scope, period, preset) for scope in scopes for period in periods for preset in presets]
