"""The admin of tables: who sits where, by which rules, which hands were played. Closing one is the only thing to do."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.admin.links import change_link, list_link, player_link
from games.admin.readonly import ReadOnlyAdmin, choice_lookups, date_lookups
from games.models import Hand, Seat, Table
from games.services.errors import Refused
from games.services.supervise import close_table

PUBLIC = (
    "id",
    "host",
    "revision",
    "preset",
    "rules",
    "clock_step",
    "clock_play",
    "clock_next",
    "room",
    "entry",
    "public",
    "club",
    "hands_limit",
    "status",
    "closed_because",
    "number",
    "next_commit",
    "created_at",
    "changed_at",
)
"""The columns an admin page may read: not the seed of the next deal, nor what was contributed to it."""

SHOWN_HANDS = 50


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ("id", "variant", "club", "host_link", "status", "who", "number", "public", "created_at")
    list_filter = ("status", "public", ("club", admin.RelatedOnlyFieldListFilter), "created_at")
    search_fields = ("id", "host__username", "seats__player__username", "club__name", "preset")
    lookups = frozenset(
        choice_lookups("status", "public")
        | date_lookups("created_at")
        | {"club__id__exact", "club__isnull", "host__id__exact", "seats__player__id__exact"}
    )
    list_per_page = 50
    show_full_result_count = False
    actions = ("close_selected",)
    readonly_fields = (
        "id",
        "variant",
        "rules_link",
        "club_link",
        "host_link",
        "status",
        "closed_because",
        "who",
        "clocks",
        "room",
        "entry",
        "public",
        "hands_limit",
        "number",
        "next_commit",
        "created_at",
        "changed_at",
        "hand_links",
        "more",
    )
    fields = readonly_fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        shown = super().get_queryset(request).select_related("host", "club").prefetch_related("seats__player")
        return shown.only(*PUBLIC, "host__username", "club__name")

    def has_close_permission(self, request: HttpRequest) -> bool:
        """Closing is no editing of rows: who may change tables may close one, and only through the service."""
        return request.user.has_perm("games.change_table")

    @admin.action(description=lazy("散掉所选的牌桌（正在打的不动）"), permissions=["close"])
    def close_selected(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        closed = 0
        for table in queryset:
            try:
                close_table(table_id=table.pk, now=timezone.now())
            except Refused:
                self.message_user(request, _("%s 正在打，打完才能散。") % table.pk, messages.WARNING)
                continue
            self.log_change(request, table, _("散桌"))
            closed += 1
        if closed:
            self.message_user(request, _("散了%d桌。") % closed, messages.SUCCESS)

    @admin.display(description=lazy("规则"))
    def variant(self, table: Table) -> str:
        return str(table.rules.get("name") or table.preset or "—")

    @admin.display(description=lazy("规则全文"))
    def rules_link(self, table: Table) -> SafeString:
        return format_html('<a href="/t/{}/rules/">{}</a>', table.pk, _("这一桌的规则"))

    @admin.display(description=lazy("五个座位"))
    def who(self, table: Table) -> SafeString:
        return format_html_join(_("、"), "{}", ((_who(seat),) for seat in table.seats.all()))

    @admin.display(description=lazy("桌主"), ordering="host__username")
    def host_link(self, table: Table) -> SafeString | str:
        return player_link(table.host)

    @admin.display(description=lazy("俱乐部"))
    def club_link(self, table: Table) -> SafeString | str:
        return change_link("club", table.club.pk, table.club, "accounts") if table.club is not None else "—"

    @admin.display(description=lazy("还有"))
    def more(self, table: Table) -> SafeString:
        links = [list_link("hand", {"table__id__exact": table.pk}, _("这一桌的全部牌局"))]
        links.append(list_link("report", {"table__id__exact": table.pk}, _("举报")))
        return format_html_join(" · ", "{}", ((link,) for link in links))

    @admin.display(description=lazy("秒数"))
    def clocks(self, table: Table) -> str:
        return _("答问%(step)s，出牌%(play)s，局间%(next)s") % {
            "step": table.clock_step,
            "play": table.clock_play,
            "next": table.clock_next,
        }

    @admin.display(description=lazy("打过的牌"))
    def hand_links(self, table: Table) -> SafeString:
        hands = Hand.objects.filter(table_id=table.pk).only("id", "number", "status").order_by("-number")[:SHOWN_HANDS]
        rows = ((change_link("hand", hand.pk, _("第%d局") % hand.number), hand.get_status_display()) for hand in hands)
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{} {}</li>", rows))


def _who(seat: Seat) -> SafeString | str:
    if seat.player is not None:
        return player_link(seat.player)
    return seat.bot or "—"
