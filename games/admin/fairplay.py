"""Moderating: the queue of reports, what was said to players and their answers, signals to look at, seats left.

Rows are read here; what a moderator does goes through `services` from the pages of `fair_acts`. One permission,
`games.moderate`, opens all of it, and nobody sees a report or signal about himself.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models import Player
from games.admin import fair_acts
from games.admin.links import change_link, list_link, player_link
from games.admin.readonly import ReadOnlyAdmin, choice_lookups, date_lookups
from games.models import ChatMessage, Desertion, Report, Sanction, Signal
from games.services import reports, signals

SHOWN_LINES = 30

FIGURES: dict[str, Any] = {
    "together": lazy("一起打的局"),
    "open_together": lazy("公开桌上一起打的局"),
    "hands": lazy("前一位在公开桌上的局"),
    "other_hands": lazy("后一位在公开桌上的局"),
    "expected": lazy("碰巧的话大约几局"),
    "beans": lazy("净流过去的豆"),
    "moved": lazy("来回一共的豆"),
    "opposed": lazy("做对手的局"),
    "spared": lazy("能便宜压住却放过他的次数"),
    "chances": lazy("这样的机会一共"),
    "rest_spared": lazy("放过别的对手的次数"),
    "rest_chances": lazy("对别的对手的机会"),
    "habit": lazy("按他的习惯会放过的比例"),
    "devices": lazy("相同的网络加浏览器"),
    "networks": lazy("相同的网络"),
}
MEANING: dict[str, Any] = {
    Signal.Kind.MEET: lazy("公开桌上碰到的次数是碰巧的几倍。好朋友约好一起来也会这样。"),
    Signal.Kind.FLOW: lazy("净流豆数离零几个标准差。水平差得多也会这样。"),
    Signal.Kind.HELP: lazy("放过这个对手比放过别人多出几个标准差，和机器人会不会压比较。"),
    Signal.Kind.DEVICE: lazy("从同一个网络、同样的浏览器登录过，又在公开桌上同桌的局数。夫妻、网吧也会这样。"),
    Signal.Kind.NETWORK: lazy("从同一个网络登录过，又在公开桌上同桌的局数。一个单位、一个小区也会这样。"),
}

SHORT: dict[str, Any] = {
    Signal.Kind.MEET: lazy("%(together)d局，碰巧约%(expected)d局"),
    Signal.Kind.FLOW: lazy("%(opposed)d局，%(beans)d豆"),
    Signal.Kind.HELP: lazy("%(chances)d次放过%(spared)d次"),
    Signal.Kind.DEVICE: lazy("公开桌上%(open_together)d局"),
    Signal.Kind.NETWORK: lazy("公开桌上%(open_together)d局"),
}


class Moderated(ReadOnlyAdmin):
    """Seen by moderators and by nobody else."""

    list_per_page = 50

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(reports.PERMISSION)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(reports.PERMISSION)

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(reports.PERMISSION)

    def _act(self, where: str, name: str, act: Any) -> URLPattern:
        def view(request: HttpRequest, key: int) -> HttpResponse:
            page: HttpResponse = act(request, self.admin_site, key)
            return page

        label = f"games_{self.opts.model_name}_{name}"
        return path(f"{where}<int:key>/{name}/", self.admin_site.admin_view(view), name=label)


def act_link(name: str, key: int, words: str) -> SafeString:
    return format_html('<a class="button" href="{}">{}</a>', reverse(f"admin:games_{name}", args=(key,)), words)


@admin.register(Report)
class ReportAdmin(Moderated):
    list_display = ("at", "category", "target_link", "against", "reporter_link", "hand_link", "status", "handled_by")
    list_display_links = ("at", "category")
    list_filter = ("status", "category", "at", ("hand", admin.EmptyFieldListFilter))
    lookups = frozenset(
        choice_lookups("status", "category")
        | date_lookups("at")
        | {"hand__isempty", "target__id__exact"}
        | {"reporter__id__exact", "table__id__exact", "hand__id__exact"}
    )
    search_fields = ("target__username", "reporter__username", "text", "=hand__id", "=table__id")
    ordering = ("-status", "-at")
    date_hierarchy = None
    list_select_related = ("target", "reporter", "handled_by")
    actions = ("dismiss_selected",)
    fields = readonly_fields = (
        "category", "text", "at", "target_link", "against", "reporter_link", "by_reporter", "hand_link", "table_link",
        "said", "answers", "status", "handled_by", "handled_at", "acts",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        shown = super().get_queryset(request).exclude(target_id=request.user.pk)
        return shown.select_related("target", "reporter", "handled_by").annotate(
            open_against=Count(
                "target__reports_about", filter=Q(target__reports_about__status=Report.Status.OPEN), distinct=True
            ),
            all_against=Count("target__reports_about", distinct=True),
        )

    def get_urls(self) -> list[URLPattern]:
        acts = [
            self._act("", "warn", fair_acts.warn_for),
            self._act("", "suspend", fair_acts.suspend_for),
            self._act("", "dismiss", fair_acts.dismiss),
        ]
        return [*acts, *super().get_urls()]

    @admin.action(description=lazy("所选的不用处理"), permissions=["moderate"])
    def dismiss_selected(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        assert isinstance(request.user, Player)
        # counted columns of the list are nothing to lock rows by
        rows = Report.objects.filter(pk__in=list(queryset.values_list("pk", flat=True)))
        closed = reports.close(
            reports=rows, by=request.user, acted=False, reason=_("看过了，不用处理"), now=timezone.now()
        )
        self.message_user(request, _("结了%d条。") % closed, messages.SUCCESS)

    @admin.display(description=lazy("被举报的人"), ordering="target__username")
    def target_link(self, row: Report) -> SafeString:
        return player_link(row.target)

    @admin.display(description=lazy("对他的举报（待处理/一共）"), ordering="open_against")
    def against(self, row: Report) -> SafeString:
        counts = f"{getattr(row, 'open_against', 0)} / {getattr(row, 'all_against', 0)}"
        return list_link("report", {"target__id__exact": row.target_id}, counts)

    @admin.display(description=lazy("举报人"), ordering="reporter__username")
    def reporter_link(self, row: Report) -> SafeString:
        return player_link(row.reporter)

    @admin.display(description=lazy("他还举报过"))
    def by_reporter(self, row: Report) -> SafeString:
        count = Report.objects.filter(reporter_id=row.reporter_id).count()
        return list_link("report", {"reporter__id__exact": row.reporter_id}, _("一共%d条") % count)

    @admin.display(description=lazy("牌局"))
    def hand_link(self, row: Report) -> SafeString | str:
        return change_link("hand", row.hand_id, row.hand_id) if row.hand_id else "—"

    @admin.display(description=lazy("牌桌"))
    def table_link(self, row: Report) -> SafeString | str:
        return change_link("table", row.table_id, row.table_id) if row.table_id else "—"

    @admin.display(description=lazy("他在这一桌说的话"))
    def said(self, row: Report) -> SafeString | str:
        if row.table_id is None:
            return "—"
        lines = ChatMessage.objects.filter(table_id=row.table_id, author_id=row.target_id, at__lte=row.at)
        newest = list(reversed(lines.order_by("-pk")[:SHOWN_LINES]))
        if not newest:
            return "—"
        rows = ((timezone.localtime(line.at).strftime("%m-%d %H:%M"), line.text) for line in newest)
        return format_html("<ul>{}</ul>", format_html_join("", "<li><small>{}</small> {}</li>", rows))

    @admin.display(description=lazy("给过的警告与停赛"))
    def answers(self, row: Report) -> SafeString | str:
        rows = list(Sanction.objects.filter(player_id=row.target_id)[:SHOWN_LINES])
        if not rows:
            return "—"
        found = ((change_link("sanction", one.pk, one), f"{one.at:%Y-%m-%d}", one.reason) for one in rows)
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{} {} {}</li>", found))

    @admin.display(description=lazy("怎么处理"))
    def acts(self, row: Report) -> SafeString | str:
        names = [("report_warn", _("警告")), ("report_suspend", _("停赛"))]
        if row.status == Report.Status.OPEN:
            names.append(("report_dismiss", _("不用处理")))
        return format_html_join(" ", "{}", ((act_link(name, row.pk, words),) for name, words in names))


@admin.register(Sanction)
class SanctionAdmin(Moderated):
    list_display = ("at", "kind", "player_", "until", "reason", "state", "waiting", "by")
    list_display_links = ("at", "kind")
    list_filter = ("waiting", "kind", "at", ("lifted_at", admin.EmptyFieldListFilter))
    lookups = frozenset(
        choice_lookups("waiting", "kind") | date_lookups("at") | {"lifted_at__isempty", "player__id__exact"}
    )
    search_fields = ("player__username", "by__username", "reason", "lines__text")
    ordering = ("-waiting", "-at")
    list_select_related = ("player", "by")
    fields = readonly_fields = (
        "kind", "player_", "reason", "at", "until", "by", "report_link", "seen_at", "lifted_at", "state", "talk",
        "acts",
    )  # fmt: skip

    def get_urls(self) -> list[URLPattern]:
        acts = [
            self._act("", "lift", fair_acts.lift),
            self._act("", "answer", fair_acts.answer),
            self._act("player/", "warn", fair_acts.warn),
            self._act("player/", "suspend", fair_acts.suspend),
        ]
        return [*acts, *super().get_urls()]

    @admin.display(description=lazy("玩家"), ordering="player__username")
    def player_(self, row: Sanction) -> SafeString:
        return player_link(row.player)

    @admin.display(description=lazy("举报"))
    def report_link(self, row: Sanction) -> SafeString | str:
        return change_link("report", row.report_id, row.report) if row.report_id else "—"

    @admin.display(description=lazy("现在"))
    def state(self, row: Sanction) -> str:
        if row.lifted_at is not None:
            return _("已撤销")
        if row.until is not None:
            return _("停赛中") if row.until > timezone.now() else _("已期满")
        return _("看过了") if row.seen_at is not None else _("还没看")

    @admin.display(description=lazy("往来"))
    def talk(self, row: Sanction) -> str | SafeString:
        lines = list(row.lines.select_related("author"))
        return render_to_string("admin/games/sanction/_talk.html", {"lines": lines}) if lines else "—"

    @admin.display(description=lazy("怎么处理"))
    def acts(self, row: Sanction) -> SafeString | str:
        names = [("sanction_answer", _("答复他"))]
        if row.lifted_at is None:
            names.append(("sanction_lift", _("撤销")))
        return format_html_join(" ", "{}", ((act_link(name, row.pk, words),) for name, words in names))


@admin.register(Signal)
class SignalAdmin(Moderated):
    list_display = ("kind_", "strength", "player_", "other_", "in_short", "day", "status")
    list_filter = ("status", "kind", "found_at")
    lookups = frozenset(choice_lookups("status", "kind") | date_lookups("found_at") | {"player__id__exact"})
    search_fields = ("player__username", "other__username")
    list_select_related = ("player", "other", "reviewed_by")
    actions = ("review_selected",)
    fields = readonly_fields = (
        "kind", "meaning", "player_", "other_", "strength", "table", "hand_links", "histories", "days", "found_at",
        "status", "reviewed_by", "reviewed_at", "acts",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Signal]:
        shown = super().get_queryset(request).exclude(player_id=request.user.pk).exclude(other_id=request.user.pk)
        return shown.select_related("player", "other", "reviewed_by")

    @admin.action(description=lazy("所选的看过了"), permissions=["moderate"])
    def review_selected(self, request: HttpRequest, queryset: QuerySet[Signal]) -> None:
        assert isinstance(request.user, Player)
        count = signals.review(rows=list(queryset), by=request.user, now=timezone.now())
        self.message_user(request, _("记下了%d条。") % count, messages.SUCCESS)

    @admin.display(description=lazy("玩家"), ordering="player__username")
    def player_(self, row: Signal) -> SafeString:
        return player_link(row.player)

    @admin.display(description=lazy("和谁"), ordering="other__username")
    def other_(self, row: Signal) -> SafeString:
        return player_link(row.other)

    @admin.display(description=lazy("数字"))
    def in_short(self, row: Signal) -> SafeString:
        figures: dict[str, float] = defaultdict(float, row.figures)
        return format_html('<span class="nowrap">{}</span>', SHORT[row.kind] % figures)

    @admin.display(description=lazy("种类"), ordering="kind")
    def kind_(self, row: Signal) -> SafeString:
        return format_html('<span class="nowrap">{}</span>', row.get_kind_display())

    @admin.display(description=lazy("算出的时间"), ordering="found_at")
    def day(self, row: Signal) -> str:
        return _("%(day)s，%(days)d天") % {"day": f"{timezone.localtime(row.found_at):%Y-%m-%d}", "days": row.days}

    @admin.display(description=lazy("数字"))
    def table(self, row: Signal) -> SafeString:
        lines = ((FIGURES[name], f"{value:g}") for name, value in _figures(row))
        return format_html("<table>{}</table>", format_html_join("", "<tr><th>{}</th><td>{}</td></tr>", lines))

    @admin.display(description=lazy("强度是什么"))
    def meaning(self, row: Signal) -> str:
        return f"{MEANING[row.kind]} {_('这只是线索，要人看了牌才算。')}"

    @admin.display(description=lazy("可以看的牌局"))
    def hand_links(self, row: Signal) -> SafeString:
        keys = [str(key) for key in row.hands]
        return format_html_join(" · ", "{}", ((change_link("hand", key, key),) for key in keys))

    @admin.display(description=lazy("一起打的牌局"))
    def histories(self, row: Signal) -> SafeString:
        address = reverse("games:player_hands", args=(row.player.username,))
        return format_html('<a href="{}?with={}">{}</a>', address, row.other.username, _("看历史"))

    @admin.display(description=lazy("怎么处理"))
    def acts(self, row: Signal) -> SafeString:
        names = [(row.player, "warn", _("警告")), (row.player, "suspend", _("停赛"))]
        names += [(row.other, "warn", _("警告")), (row.other, "suspend", _("停赛"))]
        links = ((act_link(f"sanction_{name}", who.pk, f"{words}：{who}"),) for who, name, words in names)
        return format_html_join(" ", "{}", links)


def _figures(row: Signal) -> list[tuple[str, float]]:
    return [(name, value) for name, value in row.figures.items() if name in FIGURES]


@admin.register(Desertion)
class DesertionAdmin(Moderated):
    list_display = ("at", "player_", "hand_link", "times", "until")
    list_filter = ("at", "times")
    lookups = frozenset(choice_lookups("times") | date_lookups("at") | {"player__id__exact"})
    search_fields = ("player__username", "=hand__id")
    list_select_related = ("player",)
    fields = readonly_fields = ("at", "player_", "hand_link", "times", "until")

    @admin.display(description=lazy("玩家"), ordering="player__username")
    def player_(self, row: Desertion) -> SafeString:
        return player_link(row.player)

    @admin.display(description=lazy("牌局"))
    def hand_link(self, row: Desertion) -> SafeString:
        return change_link("hand", row.hand_id, row.hand_id)
