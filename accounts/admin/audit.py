"""What admins did, to be read and searched; nobody writes here by hand."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin.ledger import ReadOnly
from accounts.models import AuditEntry


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("at", "by", "action", "label", "reason")
    list_filter = ("action", ("by", admin.RelatedOnlyFieldListFilter), "at")
    list_select_related = ("by",)
    search_fields = ("by__username", "label", "target", "reason")
    date_hierarchy = "at"
    list_per_page = 50
    fields = ("at", "by", "action", "target", "label", "reason")
