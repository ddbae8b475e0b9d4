"""Players and their tokens in the admin: found by name, put out of use rather than deleted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.admin.links import address_of, list_of, page_of
from accounts.models import ApiToken, Player
from accounts.services import audit
from accounts.services.tokens import revoke_token

RELATED: tuple[tuple[str, str, Any], ...] = (
    ("accounts_posting", "entries__account__player__id__exact", _("豆账")),
    ("games_hand", "result__seats__player__id__exact", _("打过的牌局")),
    ("games_table", "seats__player__id__exact", _("坐着的桌")),
    ("games_table", "host__id__exact", _("开过的桌")),
    ("games_report", "target__id__exact", _("被举报")),
    ("games_report", "reporter__id__exact", _("举报别人")),
    ("games_sanction", "player__id__exact", _("警告与停赛")),
    ("games_signal", "player__id__exact", _("可疑迹象")),
    ("games_desertion", "player__id__exact", _("中途离开")),
)
"""Lists in which a player has rows, by the names of their addresses: what a list of the games holds is theirs."""


class PlayerForm(UserChangeForm):
    """Asks why, as every act of an admin is noted with its reason."""

    why = forms.CharField(
        label=_("为什么"),
        max_length=200,
        help_text=_("记进管理记录。"),
        widget=forms.TextInput(attrs={"size": 60, "autocomplete": "off"}),
        error_messages={"required": _("请写清楚为什么。")},
    )


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    form = PlayerForm
    list_display = ("username", "beans", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff", "date_joined")
    list_select_related = ("bean_account",)
    search_fields = ("username", "email")
    date_hierarchy = "date_joined"
    list_per_page = 50
    ordering = ("-date_joined",)
    readonly_fields = ("is_guest", "date_joined", "last_login", "closed_at", "name_changed_at", "links", "in_clubs")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("玩家"), {"fields": ("email", "is_guest", "preferences", "in_clubs", "links")}),
        (_("权限"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("时间"), {"fields": ("last_login", "date_joined", "name_changed_at", "closed_at")}),
        (None, {"fields": ("why",)}),
    )

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        assert isinstance(request.user, Player)
        changed = ", ".join(name for name in form.changed_data if name != "why")
        reason = f"{form.cleaned_data.get('why', '')} ({changed})" if change else "—"
        action = "player.change" if change else "player.add"
        audit.note(by=request.user, action=action, target=obj, reason=reason, now=timezone.now())

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Setting somebody's password is an act like any other: noted when it was done."""
        answer = super().user_change_password(request, id, form_url)
        if request.method == "POST" and answer.status_code == 302 and isinstance(request.user, Player):
            player = Player.objects.filter(pk=id).first()
            if player is not None:
                audit.note(by=request.user, action="player.password", target=player, reason="—", now=timezone.now())
        return answer

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: hands and beans of a player stay. `is_active` puts an account out of use."""
        return False

    @admin.display(description=_("游戏豆"), ordering="bean_account__balance")
    def beans(self, player: Player) -> SafeString | str:
        account = getattr(player, "bean_account", None)
        return "—" if account is None else page_of("accounts_account", account.pk, account.balance)

    @admin.display(description=_("俱乐部"))
    def in_clubs(self, player: Player) -> SafeString | str:
        rows = player.memberships.select_related("club")
        links = ((page_of("accounts_club", row.club_id, row.club), row.get_role_display()) for row in rows)
        return format_html_join(" · ", "{} {}", links) or "—"

    @admin.display(description=_("有关的"))
    def links(self, player: Player) -> SafeString:
        """His rows in the other lists."""
        if player.pk is None:
            return format_html("{}", "—")
        found = [list_of(name, {lookup: player.pk}, words) for name, lookup, words in RELATED]
        found.append(list_of("accounts_auditentry", {"q": f"accounts.player:{player.pk}"}, _("管理记录")))
        for name, words in (("warn", _("警告")), ("suspend", _("停赛"))):
            found.append(format_html('<a href="{}">{}</a>', address_of(f"games_sanction_{name}", player.pk), words))
        return format_html_join(" · ", "{}", ((link,) for link in found))


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    list_display = ("player", "label", "created", "last_used", "revoked")
    list_filter = (("revoked", admin.EmptyFieldListFilter),)
    list_select_related = ("player",)
    search_fields = ("player__username", "label")
    fields = ("player", "label", "created", "last_used", "revoked")
    readonly_fields = ("player", "label", "created", "last_used", "revoked")
    actions = ("revoke_selected",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A token is put out of use; that it was there stays known."""
        return False

    @admin.action(description=_("作废所选的令牌"), permissions=["change"])
    def revoke_selected(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        assert isinstance(request.user, Player)
        now, count = timezone.now(), 0
        for token in queryset.filter(revoked=None).select_related("player"):
            with transaction.atomic():
                if revoke_token(token.player, token.pk):
                    audit.note(by=request.user, action="token.revoke", target=token, reason="", now=now)
                    count += 1
        self.message_user(request, _("作废了%d个。") % count, messages.SUCCESS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A token's text is shown to its owner only, so only he makes one."""
        return False
