"""The admin of single revisions: what exactly a variant said at the time, in words, with what it changed. Read only."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as lazy

from games.admin.readonly import ReadOnlyAdmin
from games.engine.rules import load_rules
from games.models import VariantRevision
from games.rule_words import describe
from games.selectors import variants as selector


@admin.register(VariantRevision)
class VariantRevisionAdmin(ReadOnlyAdmin):
    class Media:
        css = {"all": ("css/admin-rules.css",)}

    list_display = ("variant", "number", "created_by", "created_at")
    list_display_links = ("variant", "number")
    list_filter = ("variant",)
    list_select_related = ("variant", "created_by")
    lookups = frozenset({"variant__id__exact"})
    fields = ("variant", "number", "created_by", "created_at", "changed", "in_words")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[VariantRevision]:
        return super().get_queryset(request).select_related("variant", "created_by")

    @admin.display(description=lazy("改动"))
    def changed(self, revision: VariantRevision) -> str:
        changes = [change for change in selector.history(revision.variant) if change.revision == revision.pk]
        return render_to_string("admin/games/variant/_revisions.html", {"changes": changes})

    @admin.display(description=lazy("规则"))
    def in_words(self, revision: VariantRevision) -> str:
        sections = describe(load_rules(revision.rules))
        return render_to_string("admin/games/variant/_preview.html", {"sections": sections})
