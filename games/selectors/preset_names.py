"""What rules are called in lists: the site's own variants, and those of a club for its members."""

from __future__ import annotations

from django.db.models import Q

from games.engine.presets import PRESETS
from games.models import Variant


def of_site(club_id: int | None = None) -> dict[str, str]:
    """Name by slug, in the order of the lists; with a club's id its own too. Retired ones are still called something.

    One query. Before any variant is loaded these are the engine's presets.
    """
    mine = Q(club__isnull=True) if club_id is None else Q(club__isnull=True) | Q(club_id=club_id)
    names = dict(Variant.objects.filter(mine).values_list("slug", "name"))
    return names or {slug: preset["name"] for slug, preset in PRESETS.items()}


def of(slugs: set[str]) -> dict[str, str]:
    """Names of just these, whoever's they are. One query."""
    names = dict(Variant.objects.filter(slug__in=slugs).values_list("slug", "name"))
    return {slug: names.get(slug) or PRESETS.get(slug, {}).get("name", slug) for slug in slugs}
