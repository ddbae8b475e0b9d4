"""A club's own rules: the list, one in words, the form by which managers make and change them.

The form is the one of the admin, made from the engine's table of keys; what is saved is a revision that stays.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.services import clubs
from accounts.views.club_access import Visit, for_members
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.rules import load_rules
from games.models import Variant
from games.new_table import choices_of_variants
from games.rule_form import RuleFormMixin, groups, initial_of, with_rule_fields
from games.rule_words import describe, one_line
from games.selectors import variants
from games.services import club_variants


class _ClubVariantForm(RuleFormMixin, forms.Form):
    name = forms.CharField(
        label=lazy("规则的名称"),
        max_length=20,
        error_messages={"required": lazy("请给规则起个名字。"), "max_length": lazy("名称最多 20 个字。")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.check_rules(cleaned)
        return cleaned

    def sections(self) -> list[tuple[Any, list[forms.BoundField], bool]]:
        """Heading, fields, and whether something in it is wrong."""
        return [
            (title, [self[name] for name in names], any(self[name].errors for name in names))
            for title, names in groups()
        ]


ClubVariantForm = with_rule_fields(_ClubVariantForm)


@require_safe
@for_members()
def variant_list(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The club's own rules, and from what a new one can be made."""
    own = variants.of_club(visit.club)
    context = {
        "here": "variants",
        "visit": visit,
        "club": visit.club,
        "listed": [{"offer": offer, "line": one_line(offer.rules)} for offer in own],
        "sources": [(slug, rules.name or slug) for slug, rules in choices_of_variants(visit.club)],
    }
    return render(request, "clubs/variants.html", context)


@require_safe
@for_members()
def variant(request: HttpRequest, visit: Visit, variant_slug: str) -> HttpResponse:
    """One of the club's rules in words, with what every revision changed."""
    row = _own(visit, variant_slug)
    offer = variants.offer(row.slug, visit.player)
    if offer is None:
        raise Http404
    context = {
        "here": "variants",
        "visit": visit,
        "club": visit.club,
        "offer": offer,
        "line": one_line(offer.rules),
        "sections": describe(offer.rules),
        "changes": variants.history(row),
        "usual": visit.club.default_variant == row.slug,
    }
    return render(request, "clubs/variant.html", context)


def _own(visit: Visit, slug: str) -> Variant:
    return get_object_or_404(Variant, club=visit.club, slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members(clubs.MANAGER)
def variant_new(request: HttpRequest, visit: Visit) -> HttpResponse:
    """New rules, starting from others. `preview` shows them in words and saves nothing."""
    wanted = request.GET.get("from", "")
    source = variants.offer(wanted, visit.player)
    rules = source.rules if source else load_rules(wanted if wanted in PRESETS else DEFAULT_PRESET)
    form = ClubVariantForm(request.POST or None, initial=initial_of(rules))
    if request.method == "POST" and form.is_valid() and form.rules is not None and "preview" not in request.POST:
        revision = club_variants.create(
            club=visit.club, by=visit.player, name=form.cleaned_data["name"], rules=form.rules, now=timezone.now()
        )
        messages.success(request, _("新规则可以用了。"))
        return redirect("games:club_variant", slug=visit.club.slug, variant_slug=revision.variant.slug)
    return _variant_form(request, visit, form)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members(clubs.MANAGER)
def variant_edit(request: HttpRequest, visit: Visit, variant_slug: str) -> HttpResponse:
    """Change rules; what is saved is a new revision, and open tables keep the one they began with."""
    row = _own(visit, variant_slug)
    offer = variants.offer(row.slug, visit.player)
    if offer is None:
        raise Http404
    form = ClubVariantForm(request.POST or None, initial={**initial_of(offer.rules), "name": offer.name})
    if request.method == "POST" and form.is_valid() and form.rules is not None and "preview" not in request.POST:
        revision = club_variants.publish(
            club=visit.club,
            slug=row.slug,
            by=visit.player,
            name=form.cleaned_data["name"],
            rules=form.rules,
            now=timezone.now(),
        )
        messages.success(request, _("现在是第%(n)s版。") % {"n": revision.number})
        return redirect("games:club_variant", slug=visit.club.slug, variant_slug=row.slug)
    return _variant_form(request, visit, form, offer)


def _variant_form(request: HttpRequest, visit: Visit, form: Any, offer: variants.Offer | None = None) -> HttpResponse:
    rules = form.rules if form.is_bound and form.is_valid() else None
    context = {
        "here": "variants",
        "visit": visit,
        "club": visit.club,
        "form": form,
        "offer": offer,
        "preview": describe(rules) if rules is not None else None,
    }
    return render(request, "clubs/variant_form.html", context, status=422 if form.errors else 200)


@require_POST
@for_members(clubs.MANAGER)
def variant_retire(request: HttpRequest, visit: Visit, variant_slug: str) -> HttpResponse:
    """Offer the rules no more, or with `on=1` again."""
    retired = request.POST.get("on") != "1"
    club_variants.retire(club=visit.club, slug=variant_slug, by=visit.player, retired=retired)
    messages.success(request, _("已停用。") if retired else _("已恢复使用。"))
    return redirect("games:club_variants", slug=visit.club.slug)


urlpatterns = [
    path("clubs/<slug:slug>/variants/", variant_list, name="club_variants"),
    path("clubs/<slug:slug>/variants/new", variant_new, name="club_variant_new"),
    path("clubs/<slug:slug>/variants/<slug:variant_slug>/", variant, name="club_variant"),
    path("clubs/<slug:slug>/variants/<slug:variant_slug>/edit", variant_edit, name="club_variant_edit"),
    path("clubs/<slug:slug>/variants/<slug:variant_slug>/retire", variant_retire, name="club_variant_retire"),
]
