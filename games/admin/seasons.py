"""The admin of seasons: planned ones are edited freely, of a running one the name and the last day, of a closed one the
name. Who wins is not decided here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.admin.readonly import BaseAdmin, ListedLookups
from games.models import Season
from games.periods import day_of


@admin.register(Season)
class SeasonAdmin(ListedLookups, BaseAdmin):
    list_display = ("name", "starts", "ends", "keep", "state", "boards")
    fields = ("name", "starts", "ends", "keep", "state", "boards")

    def get_readonly_fields(self, request: HttpRequest, obj: Season | None = None) -> tuple[str, ...]:
        told = ("state", "boards")
        if obj is None or obj.opened_after is None:
            return told
        return (*told, "starts", "keep") if not obj.final else (*told, "starts", "keep", "ends")

    def has_delete_permission(self, request: HttpRequest, obj: Season | None = None) -> bool:
        """A season that has moved ratings is part of their history."""
        unopened = obj is None or obj.opened_after is None
        return unopened and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """No deleting of many: it would not ask each season whether it has begun."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    @admin.display(description=lazy("状态"))
    def state(self, season: Season) -> str:
        if season.pk is None:
            return "—"
        if season.final:
            return _("已结束，榜已定")
        today = day_of(timezone.now())
        if season.ends < today:
            return _("已结束")
        return _("进行中") if season.starts <= today else _("未开始")

    @admin.display(description=lazy("排行榜"))
    def boards(self, season: Season) -> str | SafeString:
        if season.pk is None:
            return "—"
        return format_html('<a href="/boards/?period={}">{}</a>', season.period, _("看榜"))
