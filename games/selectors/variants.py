"""Rule variants are read here: what is offered, the newest revision of one, the history with what changed.

Reading never writes. A ruleset leaves as the engine's checked value, never as loose JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Prefetch, Q

from accounts.models import Club, Player
from games.engine.errors import BadRules
from games.engine.rules import RuleSet, load_rules
from games.models import Table, Variant, VariantRevision
from games.rule_words import Difference, differences
from games.selectors import access


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant that a table can be opened with, and its newest rules."""

    slug: str
    name: str
    preset: bool
    revision: int
    number: int
    rules: RuleSet
    retired: bool = False
    own: bool = False  # a club's own


@dataclass(frozen=True, slots=True)
class Change:
    """One revision of a variant with what it changed from the one before; `changes` is empty for the first."""

    revision: int
    number: int
    at: datetime
    by: str
    changes: tuple[Difference, ...]
    current: bool


def newest_first() -> Prefetch[Any]:
    """Revisions of many variants in one query, newest first."""
    return Prefetch("revisions", queryset=VariantRevision.objects.order_by("variant_id", "-number"))


def offered(club: Club | None = None) -> tuple[Offer, ...]:
    """Every variant that is not retired, in the order of the list; a club's own come first there. Two queries."""
    theirs = Q(club=None) | Q(club=club)
    variants = Variant.objects.filter(theirs, retired=False).prefetch_related(newest_first())
    variants = variants.order_by(F("club_id").asc(nulls_last=True), "position", "slug")
    return tuple(offer for offer in map(_offer, variants) if offer is not None)


def offer(slug: str, player: Player | None = None) -> Offer | None:
    """The variant of this slug with its newest rules, retired ones too; None when there is none for this player."""
    variant = Variant.objects.filter(slug=slug).prefetch_related(newest_first()).first()
    if variant is None or not access.may_see_variant(variant, player):
        return None
    return _offer(variant)


def of_club(club: Club) -> tuple[Offer, ...]:
    """The club's own variants, retired ones last. Two queries."""
    variants = (
        Variant.objects.filter(club=club).prefetch_related(newest_first()).order_by("retired", "position", "name")
    )
    return tuple(offer for offer in map(_offer, variants) if offer is not None)


def current_revision(slug: str) -> VariantRevision | None:
    """The newest revision of a variant of the site that is not retired, None when there is none."""
    return (
        VariantRevision.objects.select_related("variant")
        .filter(variant__slug=slug, variant__retired=False, variant__club=None)
        .order_by("-number")
        .first()
    )


def table_rules(table_id: str, player: Player | None = None) -> RuleSet | None:
    """The ruleset a table plays by, with its changes; None when there is no such table for this player."""
    if not access.may_see_table(table_id, player):
        return None
    rules = Table.objects.filter(pk=table_id).values_list("rules", flat=True).first()
    return load_rules(rules) if rules is not None else None


def history(variant: Variant) -> tuple[Change, ...]:
    """All revisions, newest first, each with the keys it changed. One query."""
    rows = list(variant.revisions.select_related("created_by").order_by("-number"))
    out = []
    for i, row in enumerate(rows):
        older = rows[i + 1] if i + 1 < len(rows) else None
        out.append(
            Change(
                revision=row.pk,
                number=row.number,
                at=row.created_at,
                by=str(row.created_by) if row.created_by else "",
                changes=_changes(row, older),
                current=i == 0,
            )
        )
    return tuple(out)


def _offer(variant: Variant) -> Offer | None:
    revisions = list(variant.revisions.all())
    if not revisions:
        return None
    newest = revisions[0]
    rules = load_rules(newest.rules)
    own = variant.club_id is not None
    return Offer(variant.slug, variant.name, variant.preset, newest.pk, newest.number, rules, variant.retired, own)


def _changes(row: VariantRevision, older: VariantRevision | None) -> tuple[Difference, ...]:
    if older is None:
        return ()
    try:
        return differences(load_rules(row.rules), load_rules(older.rules))
    except BadRules:  # written by an older version of the engine with other keys: there is nothing to compare
        return ()
