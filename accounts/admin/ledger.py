"""The beans in the admin: to be read and searched, never written; what may be done to them is in `bean_acts`."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.admin import bean_acts
from accounts.admin.links import list_of, page_of
from accounts.models import Account, Entry, Posting

SHOWN_ENTRIES = 50


class ReadOnly:
    """Nobody adds, changes or deletes here, the first admin included."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class EntryInline(ReadOnly, admin.TabularInline):
    model = Entry
    extra = 0
    can_delete = False
    fields = ("account", "amount")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("account__player", "posting")


class _WithActs(ReadOnly, admin.ModelAdmin):
    """Offers the pages of `bean_acts` to whoever may use them."""

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {**(extra_context or {}), "may_act": bean_acts.may(request)}
        return super().change_view(request, object_id, form_url, context)

    def _act(self, name: str, act: Any) -> URLPattern:
        def view(request: HttpRequest, key: int) -> HttpResponse:
            page: HttpResponse = act(request, self.admin_site, key)
            return page

        label = f"accounts_{self.opts.model_name}_{name}"
        return path(f"<int:key>/{name}/", self.admin_site.admin_view(view), name=label)


@admin.register(Account)
class AccountAdmin(_WithActs):
    list_display = ("__str__", "balance", "is_house", "frozen")
    list_select_related = ("player",)
    list_filter = (("code", admin.EmptyFieldListFilter), "frozen")
    search_fields = ("player__username", "code")
    ordering = ("-balance",)
    fields = readonly_fields = ("player_link", "code", "balance", "frozen", "newest", "all_postings")

    def get_urls(self) -> list[URLPattern]:
        acts = [self._act("grant", bean_acts.grant), self._act("freeze", bean_acts.freeze)]
        return [*acts, *super().get_urls()]

    @admin.display(boolean=True, description=_("庄家账户"))
    def is_house(self, account: Account) -> bool:
        return account.code is not None

    @admin.display(description=_("玩家"))
    def player_link(self, account: Account) -> SafeString | str:
        return page_of("accounts_player", account.player.pk, account.player) if account.player is not None else "—"

    @admin.display(description=_("全部的账"))
    def all_postings(self, account: Account) -> SafeString | str:
        if account.player_id is None:
            return "—"
        return list_of("accounts_posting", {"entries__account__player__id__exact": account.player_id}, _("看全部"))

    @admin.display(description=_("最近的账"))
    def newest(self, account: Account) -> SafeString:
        entries = account.entries.select_related("posting").order_by("-pk")[:SHOWN_ENTRIES]
        rows = (
            (
                reverse("admin:accounts_posting_change", args=(entry.posting_id,)),
                entry.posting.key,
                f"{entry.amount:+d}",
                entry.posting.created.strftime("%Y-%m-%d %H:%M"),
            )
            for entry in entries
        )
        return format_html("<ul>{}</ul>", format_html_join("", '<li><a href="{}">{}</a> {} · {}</li>', rows))


@admin.register(Posting)
class PostingAdmin(_WithActs):
    list_display = ("key", "reason", "hand_link", "memo", "created")
    list_filter = ("reason", "created")
    list_per_page = 50
    search_fields = ("key", "hand", "memo", "entries__account__player__username")
    date_hierarchy = "created"
    inlines = [EntryInline]
    fields = readonly_fields = ("key", "reason", "memo", "hand_link", "created")

    def get_urls(self) -> list[URLPattern]:
        return [self._act("reverse", bean_acts.reverse), *super().get_urls()]

    @admin.display(description=_("牌局"))
    def hand_link(self, posting: Posting) -> SafeString | str:
        return page_of("games_hand", posting.hand, posting.hand) if posting.hand else "—"

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """One player's postings, from his page."""
        return lookup == "entries__account__player__id__exact" or super().lookup_allowed(lookup, value, request)
