"""The admin of hands: finished ones with cards and log; of a hand in progress only that it is being played.

While a hand runs not even an admin sees a card, the deal, the seed, or an answer of it (RULES §5.6: a held answer
would name the guard). The pages read the columns listed in `PUBLIC` and nothing else; what a finished hand shows comes
from `finished.py`, whose query leaves running hands out.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.admin.finished import finished
from games.admin.links import change_link, list_link
from games.admin.readonly import ReadOnlyAdmin, choice_lookups, date_lookups
from games.models import Hand

PUBLIC = ("id", "table", "number", "status", "room", "players", "redeal", "started_at", "ended_at", "commit", "rules")
"""The columns an admin page may read of any hand: known to everybody at its table while it is played."""


@admin.register(Hand)
class HandAdmin(ReadOnlyAdmin):
    list_display = ("id", "table_link", "club", "number", "variant", "status", "who", "started_at", "ended_at")
    list_filter = ("status", ("table__club", admin.RelatedOnlyFieldListFilter), "started_at")
    search_fields = ("id", "table__id", "result__seats__player__username")
    lookups = frozenset(
        choice_lookups("status")
        | date_lookups("started_at")
        | {"table__id__exact", "table__club__id__exact", "table__club__isnull", "result__seats__player__id__exact"}
    )
    show_full_result_count = False
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hand]:
        return super().get_queryset(request).only(*PUBLIC, "table__club__name").select_related("table__club")

    def get_fields(self, request: HttpRequest, obj: Hand | None = None) -> tuple[str, ...]:
        known = ("id", "table_link", "club", "number", "variant", "room", "status", "started_at", "who", "commit")
        return (*known, "ended_at", "links", "played") if obj is not None and obj.over else known

    def get_readonly_fields(self, request: HttpRequest, obj: Hand | None = None) -> tuple[str, ...]:
        return self.get_fields(request, obj)

    @admin.display(description=lazy("牌桌"))
    def table_link(self, hand: Hand) -> SafeString:
        return change_link("table", hand.table_id, hand.table_id)

    @admin.display(description=lazy("规则"))
    def variant(self, hand: Hand) -> str:
        return str(hand.rules.get("name") or hand.rules.get("id") or "—")

    @admin.display(description=lazy("五个座位"))
    def who(self, hand: Hand) -> SafeString:
        names = ((_seat_link(seat),) for seat in hand.players)
        return format_html_join(_("、"), "{}", names)

    @admin.display(description=lazy("俱乐部"))
    def club(self, hand: Hand) -> str:
        return str(hand.table.club or "—")

    @admin.display(description=lazy("还有"))
    def links(self, hand: Hand) -> SafeString:
        """What belongs to a hand that is over."""
        links = [
            list_link("posting", {"q": hand.pk}, _("豆账"), "accounts"),
            list_link("report", {"hand__id__exact": hand.pk}, _("举报")),
            format_html('<a href="{}">{}</a>', reverse("games:hand", args=(hand.pk,)), _("玩家看到的页面")),
        ]
        return format_html_join(" · ", "{}", ((link,) for link in links))

    @admin.display(description=lazy("牌和经过"))
    def played(self, hand: Hand) -> str | SafeString:
        story = finished(hand.pk)
        if story is None:
            return format_html("<p>{}</p>", _("还没有打完。"))
        context: dict[str, Any] = {"story": story}
        return render_to_string("admin/games/hand/_finished.html", context)


def _seat_link(seat: dict[str, Any]) -> SafeString | str:
    name = str(seat.get("name") or "—")
    return change_link("player", seat["player"], name, "accounts") if seat.get("player") else name
