"""What admin pages of the games have in common: nothing is edited by hand, nothing is deleted, lookups are listed.

Django lets anybody who may see a list filter it by any column of the model through the address
(`?server_seed__startswith=a`), shown or not. `ListedLookups` allows only what the page itself offers: without it the
hidden columns of a hand could be guessed letter by letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:
    BaseAdmin = admin.ModelAdmin[Any]
else:
    BaseAdmin = admin.ModelAdmin  # generic for the type checker only


class ListedLookups:
    """Only the lookups named in `lookups` may stand in a list's address."""

    lookups: frozenset[str] = frozenset()

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup in self.lookups


class ReadOnlyAdmin(ListedLookups, BaseAdmin):
    """Rows may be looked at by whoever has the view permission; services write them."""

    # no row is ever removed: results, postings and disputes point at them
    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def choice_lookups(*names: str) -> set[str]:
    """The lookups a list filter over a plain or yes-no column uses."""
    return {f"{name}__{kind}" for name in names for kind in ("exact", "isnull")}


def date_lookups(*names: str) -> set[str]:
    """The lookups a list filter over a time uses."""
    return {f"{name}__{kind}" for name in names for kind in ("gte", "lt", "isnull")}
