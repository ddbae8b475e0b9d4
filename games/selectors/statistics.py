"""A player's sums over all time, by role and by preset, and his rating, for his profile. Two queries and the names."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import Rating, Tally
from games.models.stats import ANY_PRESET, SITE
from games.periods import ALL_TIME
from games.rating import PROVISIONAL, Standing, wilson_lower
from games.selectors import preset_names
from games.selectors.leaderboards import LEAST_HANDS

ROLES = ("emperor", "guard", "rebel", "solo")


@dataclass(frozen=True, slots=True)
class Figures:
    """Hands, how many were won, and points."""

    hands: int
    wins: int
    points: int

    @property
    def share(self) -> float | None:
        """Won, in per cent; None without hands."""
        return 100 * self.wins / self.hands if self.hands else None

    @property
    def sure_share(self) -> float | None:
        """The Wilson lower bound in per cent; None with too few hands for a board."""
        return 100 * wilson_lower(self.wins, self.hands) if self.hands >= LEAST_HANDS else None

    @property
    def average(self) -> float | None:
        """Points a hand."""
        return self.points / self.hands if self.hands else None


@dataclass(frozen=True, slots=True)
class Line:
    """One preset, or all of them together (empty slug). `roles` is emperor, guard, rebel, and of the emperor's hands
    the solo ones."""

    preset: str
    name: str
    total: Figures
    roles: dict[str, Figures]
    draws: int
    firsts: int
    beans: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """`total` is None before the first scored hand, `standing` before the first rated one."""

    standing: Standing | None
    total: Line | None
    presets: tuple[Line, ...]
    provisional: int = PROVISIONAL


def of_player(player_id: int, viewer_id: int | None = None) -> Statistics:
    """What the player has done on the whole site. Rules of clubs are named to himself only; others see them summed."""
    rows = {
        row.preset: row
        for row in Tally.objects.filter(player_id=player_id, scope=SITE, period=ALL_TIME).order_by("-hands", "preset")
    }
    row = Rating.objects.filter(player_id=player_id).first()
    slugs = set(rows) - {ANY_PRESET}
    site = preset_names.of_site() if slugs else {}
    names = preset_names.of(slugs) if slugs and viewer_id == player_id else site
    total = rows.pop(ANY_PRESET, None)
    return Statistics(
        row.standing if row else None,
        _line(total, "") if total else None,
        tuple(_line(found, names[slug]) for slug, found in rows.items() if slug in names),
    )


def _line(row: Tally, name: str) -> Line:
    return Line(
        preset=row.preset,
        name=name,
        total=Figures(row.hands, row.wins, row.points),
        roles={
            "emperor": Figures(row.emperor_hands, row.emperor_wins, row.emperor_points),
            "guard": Figures(row.guard_hands, row.guard_wins, row.guard_points),
            "rebel": Figures(row.rebel_hands, row.rebel_wins, row.rebel_points),
            "solo": Figures(row.solo_hands, row.solo_wins, row.solo_points),
        },
        draws=row.draws,
        firsts=row.firsts,
        beans=row.beans,
    )
