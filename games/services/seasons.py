"""When a season begins and ends: the soft reset of the ratings, and the boards that become final.

Both happen with the first hand that is counted after the day, so that no clock is needed and the order of hands and
seasons is a stored fact: `opened_after` and `closed_after` name the hand before. Between that day and that hand
nothing can change a board.
"""

from __future__ import annotations

from datetime import date

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games import rating
from games.models import Rating, RatingBook, Season, Tally


def turn(book: RatingBook, day: date) -> Season | None:
    """Close the season that is over, open the one that has come; the season in which a hand of this day counts.

    The caller holds the lock of the book. A season none of whose days saw a hand is never opened.
    """
    current = Season.objects.filter(opened_after__isnull=False, closed_after__isnull=True).first()
    if current is not None and current.ends < day:
        _close(current, book.last)
        current = None
    if current is None:
        current = Season.objects.filter(opened_after__isnull=True, starts__lte=day, ends__gte=day).first()
        if current is not None:
            _open(current, book.last)
    return current


def _open(season: Season, after: int) -> None:
    season.opened_after = after
    season.save(update_fields=["opened_after"])
    rows = list(Rating.objects.order_by("pk"))
    for row in rows:
        reset = rating.soft_reset(row.standing, season.keep / 100)
        row.value, row.experience, row.variance = reset.value, reset.experience, reset.variance
    Rating.objects.bulk_update(rows, ["value", "experience", "variance"], batch_size=200)


def _close(season: Season, after: int) -> None:
    """Who has an account then is on the final boards, with the rating of that moment, for good."""
    season.closed_after = after
    season.save(update_fields=["closed_after"])
    rows = Tally.objects.filter(period=season.period)
    rows.update(
        final_value=_rating("value"),
        final_variance=_rating("variance"),
        final_rated=_rating("hands"),
    )
    ranked = Q(player__is_guest=False, player__is_active=True)
    Tally.objects.filter(pk__in=rows.filter(ranked).values("pk")).update(final=True)


def _rating(column: str) -> Subquery:
    query: QuerySet[Rating] = Rating.objects.filter(player_id=OuterRef("player_id"))
    return Subquery(query.annotate(wanted=F(column)).values("wanted")[:1])
