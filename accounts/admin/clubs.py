"""Clubs in the admin: found by name, with their members; what changes in a club is its own people's business."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.admin.ledger import ReadOnly
from accounts.admin.links import list_of
from accounts.models import Club, ClubBan, Membership

MEMBERS_SHOWN = 100


class MembershipInline(ReadOnly, admin.TabularInline):
    model = Membership
    extra = 0
    can_delete = False
    fields = ("player", "role", "joined_at", "last_active")
    ordering = ("-last_active",)
    max_num = MEMBERS_SHOWN

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("player", "club")


class BanInline(ReadOnly, admin.TabularInline):
    model = ClubBan
    fk_name = "club"
    extra = 0
    can_delete = False
    fields = ("player", "by", "reason", "at")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("player", "by", "club")


@admin.register(Club)
class ClubAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "slug", "owner", "join", "members", "created_at", "archived_at")
    list_filter = ("join", ("archived_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("name", "slug", "owner__username", "memberships__player__username")
    date_hierarchy = "created_at"
    fields = ("name", "slug", "owner", "description", "join", "default_variant", "created_at", "archived_at", "links")
    readonly_fields = ("links",)
    list_per_page = 50
    inlines = (MembershipInline, BanInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        return super().get_queryset(request).annotate(count=Count("memberships", distinct=True))

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """The invitation must not be guessed letter by letter through the address of the list."""
        return not lookup.startswith("invite") and super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("有关的"))
    def links(self, club: Club) -> SafeString:
        """Its rows in the lists of the games."""
        lists = (("table", "club", _("牌桌")), ("hand", "table__club", _("打过的牌局")), ("variant", "club", _("规则")))
        links = ((list_of(f"games_{name}", {f"{path}__id__exact": club.pk}, words),) for name, path, words in lists)
        return format_html_join(" · ", "{}", links)

    @admin.display(description=_("人数"), ordering="count")
    def members(self, club: Club) -> int:
        return int(getattr(club, "count", 0))
