"""A club's own rules: its managers make them, publish new revisions, retire them and bring them back.

The rights are checked under the lock of the club's row; the writing is done by `services.variants`, which keeps every
revision. Raises `ClubRefused` (not_found, forbidden, archived, too_many) and `BadRules`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction

from accounts.models import Club, Player
from accounts.services import clubs
from games.engine.rules import RuleSet
from games.models import Variant, VariantRevision
from games.services import variants

VARIANTS_MOST = 30
"""Variants a club may have, retired ones counted."""
SLUG_LENGTH = 40


@contextmanager
def _managed(club: Club, by: Player) -> Iterator[Club]:
    with transaction.atomic():
        row = Club.objects.select_for_update().filter(pk=club.pk).first()
        if row is None:
            raise clubs.ClubRefused("not_found")
        clubs.require(row, by, clubs.MANAGER)
        if row.archived:
            raise clubs.ClubRefused("archived")
        yield row


def _of(club: Club, slug: str) -> Variant:
    variant = Variant.objects.filter(club=club, slug=slug).first()
    if variant is None:
        raise clubs.ClubRefused("not_found")
    return variant


def create(*, club: Club, by: Player, name: str, rules: RuleSet, now: datetime) -> VariantRevision:
    """A new variant of the club under a slug of its own."""
    with _managed(club, by) as row:
        if Variant.objects.filter(club=row).count() >= VARIANTS_MOST:
            raise clubs.ClubRefused("too_many")
        slug = f"{row.slug}-{secrets.token_hex(3)}"[:SLUG_LENGTH]
        return variants.create(slug=slug, name=name, rules=rules, by=by, club=row, now=now)


def publish(*, club: Club, slug: str, by: Player, name: str, rules: RuleSet, now: datetime) -> VariantRevision:
    """The rules as the variant's newest revision; tables that are open keep theirs."""
    with _managed(club, by) as row:
        return variants.publish(variant=_of(row, slug), rules=rules, by=by, now=now, name=name)


def retire(*, club: Club, slug: str, by: Player, retired: bool) -> None:
    """Offer the variant no more, or again."""
    with _managed(club, by) as row:
        variant = _of(row, slug)
        if retired:
            variants.retire(variant=variant)
        else:
            variants.unretire(variant=variant)
