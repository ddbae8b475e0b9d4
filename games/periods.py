"""Weeks, months and days of the site's own clock, as the keys under which sums are kept (`Tally.period`)."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils import timezone

ALL_TIME = "all"


def day_of(moment: datetime) -> date:
    """The day in the site's time zone (`BAOHUANG_TIME_ZONE`), whatever the reader's."""
    return moment.astimezone(timezone.get_default_timezone()).date()


def week_key(day: date) -> str:
    """Weeks begin on Monday."""
    return f"w{day - timedelta(days=day.weekday())}"


def month_key(day: date) -> str:
    return f"m{day:%Y-%m}"


def keys_of(day: date, season: int | None) -> tuple[str, ...]:
    """Every period a hand of this day counts in."""
    always = (ALL_TIME, week_key(day), month_key(day))
    return always if season is None else (*always, f"s{season}")
