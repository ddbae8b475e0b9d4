"""Telling the moderators about somebody; one's own page of warnings, suspensions and waits, with the answers to them.

What a reported person sees is the same as before: nothing here or elsewhere depends on it. Everything works without a
script.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Player
from games.models import Hand, Report, Table
from games.models.fairplay import TEXT_LENGTH
from games.selectors import access, fairplay
from games.services import reports, sanctions
from games.services.errors import Refused

WHY_NOT: dict[str, Any] = {
    "too_fast": lazy("你今天举报得太多了，先等等。已经收到的我们都会看。"),
    "malformed": lazy("没有看懂，请再写一次。"),
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What a report is about: whom one may name, and the hand or table that goes with it."""

    people: dict[int, str]
    hand: Hand | None = None
    table: Table | None = None
    back: str = "/"


class ReportForm(forms.Form):
    """Whom, what, and in one's own words."""

    target = forms.TypedChoiceField(
        label=lazy("谁"), coerce=int, widget=forms.RadioSelect, error_messages={"required": lazy("请选是谁。")}
    )
    category = forms.ChoiceField(
        label=lazy("什么事"),
        choices=Report.Category.choices,
        widget=forms.RadioSelect,
        error_messages={"required": lazy("请选是什么事。")},
    )
    text = forms.CharField(
        label=lazy("说说经过（可以不写）"),
        max_length=TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(self, *args: Any, scene: Scene, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].choices = list(scene.people.items())  # type: ignore[attr-defined]
        if len(scene.people) == 1:
            self.fields["target"].initial = next(iter(scene.people))


class AppealForm(forms.Form):
    text = forms.CharField(
        label=lazy("写给管理员"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": lazy("请写几句。")},
    )


def _player(request: HttpRequest) -> Player:
    assert isinstance(request.user, Player)
    return request.user


def _scene(request: HttpRequest, player: Player) -> Scene:
    """From `hand`, `table` or `player` in the address; what this player may not see is not there."""
    if key := request.GET.get("hand", ""):
        hand = Hand.objects.defer("deal", "server_seed", "clients", "pending", "previous").filter(pk=key[:40]).first()
        if hand is None or not hand.over or hand.demo or not access.may_see_hand(hand, player.pk):
            raise Http404
        return Scene(fairplay.people_of(hand, player), hand=hand, back=f"/hands/{hand.pk}/")
    if key := request.GET.get("table", ""):
        if not access.may_see_table(key[:40], player):
            raise Http404
        table = Table.objects.get(pk=key[:40])
        return Scene(fairplay.people_at(table, player), table=table, back=f"/t/{table.pk}/")
    target = Player.objects.filter(username__iexact=request.GET.get("player", ""), is_active=True).first()
    if target is None or target.pk == player.pk:
        raise Http404
    return Scene({target.pk: target.username}, back=f"/players/{target.username}/")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """`/report/?hand=ID`, `?table=ID` or `?player=NAME`."""
    player = _player(request)
    scene = _scene(request, player)
    form = ReportForm(request.POST or None, scene=scene)
    if request.method == "POST" and form.is_valid():
        target = Player.objects.get(pk=form.cleaned_data["target"])
        hand = scene.hand or (fairplay.newest_hand(scene.table, target) if scene.table is not None else None)
        try:
            reports.report(
                reporter=player,
                target=target,
                category=form.cleaned_data["category"],
                text=form.cleaned_data["text"],
                hand=hand,
                table=scene.table,
                now=timezone.now(),
            )
        except Refused as refused:
            form.add_error(None, WHY_NOT[refused.code])
        else:
            return render(request, "fairplay/thanks.html", {"back": scene.back, "target": target})
    status = 422 if form.is_bound else 200
    return render(request, "fairplay/report.html", {"form": form, "scene": scene}, status=status)


@never_cache
@login_required
@require_safe
def own(request: HttpRequest) -> HttpResponse:
    """`GET /fair/`: until when one may not play and why, what moderators said, and the answers."""
    now = timezone.now()
    player = _player(request)
    return render(request, "fairplay/own.html", {"page": fairplay.standing(player, now), "form": AppealForm()})


@never_cache
@login_required
@require_safe
def notice(request: HttpRequest) -> HttpResponse:
    """`GET /fair/notice/`: the oldest word of a moderator that was not read, as a page of its own."""
    found = sanctions.unread(_player(request))
    if found is None:
        return redirect(_next(request))
    return render(request, "fairplay/notice.html", {"sanction": found, "next": _next(request)})


def _next(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if ours and wanted.startswith("/") else "/"


@never_cache
@require_POST
@login_required
def read(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """`POST /fair/ID/read`."""
    try:
        sanctions.acknowledge(sanction_id=sanction_id, player=_player(request), now=timezone.now())
    except Refused:
        raise Http404 from None
    return redirect(_next(request))


@never_cache
@require_POST
@login_required
def appeal(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """`POST /fair/ID/appeal` with `text`."""
    player, form = _player(request), AppealForm(request.POST)
    if not fairplay.has_sanction(player, sanction_id):
        raise Http404
    if not form.is_valid():
        messages.error(request, "".join(str(fault) for fault in form.errors["text"]))
        return redirect("games:fair_play")
    try:
        sanctions.appeal(sanction_id=sanction_id, player=player, text=form.cleaned_data["text"], now=timezone.now())
    except Refused as refused:
        full = refused.code == "too_fast"
        messages.error(request, _("等管理员答复以后再写。") if full else WHY_NOT["malformed"])
    else:
        messages.success(request, _("管理员会看到，答复写在这一页。"))
    return redirect("games:fair_play")


urlpatterns = [
    path("report/", report, name="report"),
    path("fair/", own, name="fair_play"),
    path("fair/notice/", notice, name="fair_notice"),
    path("fair/<int:sanction_id>/read", read, name="fair_read"),
    path("fair/<int:sanction_id>/appeal", appeal, name="fair_appeal"),
]
