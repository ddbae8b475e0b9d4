"""Rule variants are written here: made, published as a new immutable revision, retired and brought back.

A revision is only ever added. What a table plays is the copy it took when it opened, so nothing here changes a running
hand. These writes are rare and short and come from inside the admin's own transaction, so they do without the lock of
`writer.writing`: taken there, second, it could wait for a writer that waits for the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Club, Player
from games.engine.presets import PRESETS
from games.engine.rules import RuleSet, load_rules
from games.models import Variant, VariantRevision


class SlugTaken(ValueError):
    """A variant with this slug exists already."""


class BuiltIn(ValueError):
    """A built-in preset is the rulebook's own; copy it to change it."""


def named(rules: RuleSet | Mapping[str, Any], slug: str, name: str) -> dict[str, Any]:
    """The ruleset as it is stored: checked by the engine, complete, under the variant's own slug and name.

    Raises `BadRules`.
    """
    data = rules.to_json() if isinstance(rules, RuleSet) else dict(rules)
    return load_rules({**data, "id": slug, "name": name}).to_json()


def create(
    *,
    slug: str,
    name: str,
    rules: RuleSet | Mapping[str, Any],
    by: Player | None,
    club: Club | None = None,
    now: datetime,
) -> VariantRevision:
    """A new variant, of the site or of a club, with its first revision.

    Raises `BadRules`, or `SlugTaken` also for the slug of a preset.
    """
    stored = named(rules, slug, name)
    with transaction.atomic():
        # a club's variant must not stand under the id by which the engine knows a preset
        if slug in PRESETS or Variant.objects.filter(slug=slug).exists():
            raise SlugTaken(slug)
        variant = Variant.objects.create(slug=slug, name=name, club=club)
        return _add(variant, stored, by, now)


def publish(
    *, variant: Variant, rules: RuleSet | Mapping[str, Any], by: Player | None, now: datetime, name: str | None = None
) -> VariantRevision:
    """The rules as the variant's newest revision; the newest itself when nothing differs. Raises `BadRules`, `BuiltIn`.

    Locks the variant's row, so that two admins at once get two numbers. Tables that are open keep their own copy.
    """
    with transaction.atomic():
        locked = Variant.objects.select_for_update().get(pk=variant.pk)
        if locked.preset:
            raise BuiltIn(locked.slug)
        if name is not None and name != locked.name:
            locked.name = name
            locked.save(update_fields=["name"])
        return _publish(locked, named(rules, locked.slug, locked.name), by, now)


def retire(*, variant: Variant) -> None:
    """The variant is offered no more; tables, hands and revisions stay. Retiring twice is harmless."""
    Variant.objects.filter(pk=variant.pk).update(retired=True)


def unretire(*, variant: Variant) -> None:
    """The variant is offered again."""
    Variant.objects.filter(pk=variant.pk).update(retired=False)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What `load_presets` did: slugs made, slugs that got a new revision, slugs already as they should be."""

    made: tuple[str, ...]
    changed: tuple[str, ...]
    kept: tuple[str, ...]


def load_presets(*, now: datetime, presets: Mapping[str, Mapping[str, Any]] = PRESETS) -> Loaded:
    """Bring the built-in presets into the database; a changed preset becomes a new revision. Safe to run at any time.

    A retired preset stays retired. Raises `BadRules`, then nothing is written.
    """
    made: list[str] = []
    changed: list[str] = []
    kept: list[str] = []
    with transaction.atomic():
        for position, (slug, preset) in enumerate(presets.items()):
            stored = named(preset, slug, str(preset["name"]))
            wanted = {"name": stored["name"], "preset": True, "position": position}
            variant, new = Variant.objects.select_for_update().get_or_create(slug=slug, defaults=wanted)
            if not new and any(getattr(variant, column) != value for column, value in wanted.items()):
                Variant.objects.filter(pk=variant.pk).update(**wanted)
            before = variant.revisions.count()
            _publish(variant, stored, None, now)
            (made if new else kept if variant.revisions.count() == before else changed).append(slug)
    return Loaded(tuple(made), tuple(changed), tuple(kept))


def _publish(variant: Variant, stored: dict[str, Any], by: Player | None, now: datetime) -> VariantRevision:
    newest = variant.revisions.order_by("-number").first()
    if newest is not None and newest.rules == stored:
        return newest
    return _add(variant, stored, by, now, number=newest.number + 1 if newest else 1)


def _add(
    variant: Variant, stored: dict[str, Any], by: Player | None, now: datetime, number: int = 1
) -> VariantRevision:
    return VariantRevision.objects.create(
        variant=variant, number=number, rules=stored, created_by=by, created_at=now, published_at=now
    )
