"""What a moderator can do, each on a page of its own: warn, suspend, let it be, take back, answer.

The pages call `games.services`; a form sent twice does its work once where a report or an answer names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models import Player
from games.models import Report, Sanction
from games.models.fairplay import TEXT_LENGTH
from games.services import reports, sanctions
from games.services.errors import Refused

REFUSED: dict[str, Any] = {
    "forbidden": lazy("不能处理和自己有关的事。"),
    "malformed": lazy("没有看懂，请再写一次。"),
}


class WordsForm(forms.Form):
    words = forms.CharField(
        label=lazy("对他说的话"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 60}),
        help_text=lazy("他会原样看到，也记进管理记录。不要写出是谁举报的。"),
    )


class SuspendForm(WordsForm):
    days = forms.TypedChoiceField(label=lazy("停多久"), coerce=int, choices=())
    field_order = ("days", "words")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"].choices = [(n, _("%d天") % n) for n in (1, 3, 7, 14, 30, 90, 365)]  # type: ignore[attr-defined]


class NoteForm(forms.Form):
    words = forms.CharField(
        label=lazy("为什么"),
        max_length=TEXT_LENGTH,
        widget=forms.TextInput(attrs={"size": 60, "autocomplete": "off"}),
        help_text=lazy("只记进管理记录，玩家看不到。"),
    )


Do = Callable[[Player, dict[str, Any]], Any]


def _page(
    request: HttpRequest,
    site: Any,
    title: str,
    form: forms.Form,
    subject: Model,
    facts: Sequence[Any],
    do: Do,
    done: str,
) -> HttpResponse:
    """The form, or what it asks for and back to the subject's page."""
    by = _moderator(request)
    if request.method == "POST" and form.is_valid():
        try:
            do(by, form.cleaned_data)
        except Refused as refused:
            messages.error(request, REFUSED[refused.code])
        else:
            messages.success(request, done)
        if isinstance(subject, Player):
            return redirect(f"{reverse('admin:games_sanction_changelist')}?player__id__exact={subject.pk}")
        return redirect(f"admin:{subject._meta.app_label}_{subject._meta.model_name}_change", quote(subject.pk))
    context = {
        **site.each_context(request),
        "title": title,
        "form": form,
        "subject": subject,
        "facts": facts,
        "opts": subject._meta,
    }
    return TemplateResponse(request, "admin/accounts/act.html", context)


def _moderator(request: HttpRequest) -> Player:
    user = request.user
    if not (isinstance(user, Player) and user.is_active and user.is_staff and user.has_perm(reports.PERMISSION)):
        raise PermissionDenied
    return user


def _report(request: HttpRequest, key: int) -> Report:
    by = _moderator(request)
    return get_object_or_404(Report.objects.select_related("target", "reporter").exclude(target=by), pk=key)


def _warn(request: HttpRequest, site: Any, subject: Model, player: Player, report: Report | None) -> HttpResponse:
    def do(by: Player, data: dict[str, Any]) -> None:
        sanctions.warn(player=player, reason=data["words"], by=by, report=report, now=timezone.now())

    facts = [(_("玩家"), player), *_about(report)]
    form = WordsForm(request.POST or None)
    return _page(request, site, _("警告：他下次来先看到这些话"), form, subject, facts, do, _("已经警告。"))


def _suspend(request: HttpRequest, site: Any, subject: Model, player: Player, report: Report | None) -> HttpResponse:
    def do(by: Player, data: dict[str, Any]) -> None:
        sanctions.suspend(
            player=player, days=data["days"], reason=data["words"], by=by, report=report, now=timezone.now()
        )

    facts = [(_("玩家"), player), *_about(report)]
    form = SuspendForm(request.POST or None, initial={"days": 3})
    return _page(request, site, _("停赛：到期以前不能上桌"), form, subject, facts, do, _("已经停赛。"))


def _about(report: Report | None) -> list[tuple[str, Any]]:
    return [] if report is None else [(_("举报"), report.get_category_display()), (_("说明"), report.text or "—")]


def warn_for(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Warn the one a report is about."""
    row = _report(request, key)
    return _warn(request, site, row, row.target, row)


def suspend_for(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Suspend the one a report is about."""
    row = _report(request, key)
    return _suspend(request, site, row, row.target, row)


def dismiss(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Nothing is to be done about a report."""
    row = _report(request, key)

    def do(by: Player, data: dict[str, Any]) -> None:
        reports.close(reports=[row], by=by, acted=False, reason=data["words"], now=timezone.now())

    facts = [(_("玩家"), row.target), *_about(row)]
    return _page(request, site, _("不用处理"), NoteForm(request.POST or None), row, facts, do, _("已经结了。"))


def _players_page(request: HttpRequest, key: int) -> Player:
    _moderator(request)
    return get_object_or_404(Player, pk=key)


def warn(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Warn a player without a report, from a signal or his page."""
    player = _players_page(request, key)
    return _warn(request, site, player, player, None)


def suspend(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Suspend a player without a report."""
    player = _players_page(request, key)
    return _suspend(request, site, player, player, None)


def _sanction(request: HttpRequest, key: int) -> Sanction:
    _moderator(request)
    return get_object_or_404(Sanction.objects.select_related("player"), pk=key)


def lift(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Take a warning or suspension back."""
    row = _sanction(request, key)

    def do(by: Player, data: dict[str, Any]) -> None:
        sanctions.lift(sanction=row, by=by, reason=data["words"], now=timezone.now())

    facts = [(_("玩家"), row.player), (_("对他说的话"), row.reason)]
    return _page(request, site, _("撤销"), NoteForm(request.POST or None), row, facts, do, _("已经撤销。"))


def answer(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Answer the player."""
    row = _sanction(request, key)

    def do(by: Player, data: dict[str, Any]) -> None:
        sanctions.answer(sanction=row, by=by, text=data["words"], now=timezone.now())

    talk = [(_("管理员") if line.moderator else row.player, line.text) for line in row.lines.all()]
    facts = [(_("玩家"), row.player), (_("对他说的话"), row.reason), *talk]
    return _page(request, site, _("答复他"), WordsForm(request.POST or None), row, facts, do, _("已经答复。"))
