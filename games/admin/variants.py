"""The admin of rule variants: a form generated from the ruleset, with the rules page of it beside, live.

Saving publishes a new revision through `services.variants`. The built-in presets are the rulebook's own: they can be
looked at, copied and retired, not edited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_POST

from accounts.models import Player
from games.admin.readonly import BaseAdmin, ListedLookups, choice_lookups
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.rules import RuleSet, load_rules
from games.models import Variant
from games.rule_form import RuleForm, RuleFormMixin, groups, initial_of, with_rule_fields
from games.rule_words import describe, one_line
from games.selectors import variants as selector
from games.services import variants as service

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Variant]
else:
    ModelForm = forms.ModelForm  # generic for the type checker only


class _VariantForm(RuleFormMixin, ModelForm):
    class Meta:
        model = Variant
        fields = ("slug", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and (newest := self.instance.revisions.order_by("-number").first()):
            self.initial.update(initial_of(load_rules(newest.rules)))
        if "slug" in self.fields:
            self.fields["slug"].help_text = _("网址里用的英文代号，小写字母、数字和短横线，以后不能改。")
            self.fields["slug"].validators.append(
                RegexValidator(r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", _("只能用小写字母、数字和短横线。"))
            )

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if slug in PRESETS:
            raise forms.ValidationError(_("这个代号是内置规则的，请换一个。"))
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.check_rules(cleaned)
        return cleaned


VariantForm = with_rule_fields(_VariantForm)


@admin.register(Variant)
class VariantAdmin(ListedLookups, BaseAdmin):
    class Media:
        css = {"all": ("css/admin-rules.css",)}

    form = VariantForm
    list_display = ("name", "slug", "club", "in_one_line", "newest", "kind", "state")
    list_filter = ("retired", "preset", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club",)
    search_fields = ("name", "slug", "club__name")
    lookups = frozenset(choice_lookups("retired", "preset") | {"club__id__exact", "club__isnull"})
    ordering = ("retired", "position", "slug")
    actions = ("retire_selected", "unretire_selected")
    change_form_template = "admin/games/variant/change_form.html"

    # --- rights: a preset is not edited, nothing is deleted

    def has_change_permission(self, request: HttpRequest, obj: Variant | None = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj is not None and obj.preset)

    def has_delete_permission(self, request: HttpRequest, obj: Variant | None = None) -> bool:
        return False

    # --- the list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Variant]:
        return super().get_queryset(request).prefetch_related(selector.newest_first())

    @admin.display(description=lazy("规则"))
    def in_one_line(self, variant: Variant) -> str:
        rules = _newest_rules(variant)
        return one_line(rules) if rules else "—"

    @admin.display(description=lazy("版本"))
    def newest(self, variant: Variant) -> str:
        revisions = variant.revisions.all()
        return str(revisions[0].number) if revisions else "—"

    @admin.display(description=lazy("来源"))
    def kind(self, variant: Variant) -> str:
        return _("内置") if variant.preset else _("自定")

    @admin.display(description=lazy("状态"))
    def state(self, variant: Variant) -> str:
        return _("已停用") if variant.retired else _("使用中")

    @admin.action(description=lazy("停用所选的规则（开着的牌桌不受影响）"), permissions=["change"])
    def retire_selected(self, request: HttpRequest, queryset: QuerySet[Variant]) -> None:
        for variant in queryset:
            service.retire(variant=variant)
            self.log_change(request, variant, _("停用"))
        self.message_user(request, _("已停用。"), messages.SUCCESS)

    @admin.action(description=lazy("恢复使用所选的规则"), permissions=["change"])
    def unretire_selected(self, request: HttpRequest, queryset: QuerySet[Variant]) -> None:
        for variant in queryset:
            service.unretire(variant=variant)
            self.log_change(request, variant, _("恢复使用"))
        self.message_user(request, _("已恢复使用。"), messages.SUCCESS)

    # --- the form

    def get_fieldsets(self, request: HttpRequest, obj: Variant | None = None) -> Any:
        if obj is None:
            return [(None, {"fields": ("slug", "name")}), *self._groups()]
        history = (lazy("版本"), {"fields": ("revisions_table",)})
        head = (None, {"fields": ("name", "slug", "kind", "state", "copy_link")})
        if not self.has_change_permission(request, obj):
            return [head, (lazy("规则"), {"fields": ("in_words",)}), history]
        return [head, *self._groups(), history]

    def _groups(self) -> list[tuple[Any, dict[str, Any]]]:
        return [(title, {"fields": names}) for title, names in groups()]

    def get_readonly_fields(self, request: HttpRequest, obj: Variant | None = None) -> tuple[str, ...]:
        shown = ("kind", "state", "copy_link", "in_words", "revisions_table")
        return shown if obj is None else ("slug", *shown)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        slug = request.GET.get("from", DEFAULT_PRESET)
        source = selector.offer(slug)
        rules = source.rules if source else load_rules(slug if slug in PRESETS else DEFAULT_PRESET)
        return initial_of(rules)

    def save_model(self, request: HttpRequest, obj: Variant, form: Any, change: bool) -> None:
        now, by = timezone.now(), request.user
        assert isinstance(by, Player)  # only people come this far
        if change:
            revision = service.publish(variant=obj, rules=form.rules, by=by, now=now, name=form.cleaned_data["name"])
        else:
            revision = service.create(slug=obj.slug, name=form.cleaned_data["name"], rules=form.rules, by=by, now=now)
            obj.pk = revision.variant_id
            obj._state.adding = False
        self.message_user(request, _("现在是第%(n)s版。") % {"n": revision.number}, messages.INFO)

    @admin.display(description=lazy("复制"))
    def copy_link(self, variant: Variant) -> SafeString:
        address = reverse("admin:games_variant_add") + f"?from={variant.slug}"
        return format_html('<a href="{}">{}</a>', address, _("照这个做一种新的规则"))

    @admin.display(description=lazy("规则"))
    def in_words(self, variant: Variant) -> str:
        rules = _newest_rules(variant)
        return render_to_string("admin/games/variant/_preview.html", {"sections": describe(rules)}) if rules else "—"

    @admin.display(description=lazy("版本"))
    def revisions_table(self, variant: Variant) -> str:
        return render_to_string("admin/games/variant/_revisions.html", {"changes": selector.history(variant)})

    # --- the live preview

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.preview))
        return [path("preview/", view, name="games_variant_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest) -> HttpResponse:
        """The rules page of what the form holds now, or what is wrong with it. Writes nothing."""
        if not (self.has_add_permission(request) or super().has_change_permission(request)):
            raise PermissionDenied
        form = RuleForm(request.POST)
        context: dict[str, Any] = {}
        if form.is_valid() and form.rules is not None:
            context["sections"] = describe(form.rules)
        else:
            context["errors"] = [
                (form.fields[name].label if name in form.fields else "", message)
                for name, found in form.errors.items()
                for message in found
            ]
        return HttpResponse(render_to_string("admin/games/variant/_preview.html", context))


def _newest_rules(variant: Variant) -> RuleSet | None:
    revisions = variant.revisions.all()
    return load_rules(revisions[0].rules) if revisions else None
