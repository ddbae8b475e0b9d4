"""One's own settings, a page each: name, e-mail, privacy, blocks, sessions, one's data, closing the account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.forms import MISLEADING
from accounts.forms_settings import CloseForm, EmailForm, NameForm, PrivacyForm
from accounts.models import Player
from accounts.selectors_export import everything
from accounts.services import blocks, closing, limits, names, privacy, sessions
from accounts.views.session import stopped

EXPORTS_PER_HOUR = 10
PASSWORD_TRIES_PER_HOUR = 20

NAME_REFUSED: dict[str, Any] = {
    "guest": lazy("你现在是游客，先留住账号，那时一起起名字。"),
    "too_soon": lazy("还没到可以再改的时候。"),
    "same": lazy("这就是你现在的名字。"),
    "invalid": lazy("名字只能用文字、数字和 @ . + - _，中间不留空格。"),
    **MISLEADING,
    "house": lazy("这样开头的名字不能用，请换一个。"),
    "taken": lazy("这个名字有人用了，或者和别人的太像，请换一个。"),
}
CLOSING_REFUSED: dict[str, Any] = {
    "owner": lazy("你还是一个俱乐部的会长：先把俱乐部转给别的会员，再注销。"),
    "playing": lazy("你有一局牌还没打完，打完再注销。"),
    "staff": lazy("管理员的账号不能自己注销。"),
}

View = Callable[..., HttpResponse]


def mine(view: View) -> View:
    """For the logged-in player's own pages: he is passed to the view; no cache keeps them."""

    @never_cache
    @sensitive_post_parameters()
    @login_required
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        assert isinstance(request.user, Player)
        return view(request, request.user, *args, **kwargs)

    wrapper.__doc__ = view.__doc__
    return wrapper


def _page(request: HttpRequest, form: Any, **words: Any) -> HttpResponse:
    return render(request, "accounts/setting.html", {"form": form, **words})


def _guessing(request: HttpRequest, player: Player) -> HttpResponse | None:
    """Who has found an open browser shall not try passwords for ever."""
    if request.method != "POST" or not player.has_usable_password():
        return None
    if limits.allow("settings-password", str(player.pk), limit=PASSWORD_TRIES_PER_HOUR):
        return None
    return stopped(request, _("密码试的次数太多，请过一小时再试。"))


@require_http_methods(["GET", "POST"])
@mine
def name(request: HttpRequest, player: Player) -> HttpResponse:
    if player.is_guest:
        return redirect("accounts:claim")
    now = timezone.now()
    due = names.may_change_at(player)
    form = NameForm(request.POST or None, initial={"name": player.username})
    if request.method == "POST" and form.is_valid():
        try:
            names.change(player=player, name=form.cleaned_data["name"], now=now)
        except names.NameRefused as refused:
            form.add_error("name", NAME_REFUSED[refused.code])
        else:
            messages.success(request, _("现在你叫 %(name)s。") % {"name": player.username})
            return redirect("accounts:profile")
    days, kept = names.CHANGE_EVERY.days, names.RESERVED_FOR.days
    return _page(
        request,
        form,
        title=_("改名字"),
        intro=_("%(days)s 天里能改一次。原来的名字给你留 %(kept)s 天，别人用不了。") % {"days": days, "kept": kept},
        button=_("改成这个"),
        closed=_("上次改名还不久，%(day)s 以后可以再改。") % {"day": timezone.localtime(due).strftime("%Y-%m-%d")}
        if due is not None and now < due
        else "",
    )


@require_http_methods(["GET", "POST"])
@mine
def email(request: HttpRequest, player: Player) -> HttpResponse:
    if player.is_guest:
        return redirect("accounts:claim")
    if (answer := _guessing(request, player)) is not None:
        return answer
    form = EmailForm(request.POST or None, player=player, initial={"email": player.email})
    if request.method == "POST" and form.is_valid():
        sessions.change_email(player=player, email=form.cleaned_data["email"])
        messages.success(request, _("已经保存。"))
        return redirect("accounts:profile")
    return _page(request, form, title=_("邮箱"), button=_("保存"))


@require_http_methods(["GET", "POST"])
@mine
def private(request: HttpRequest, player: Player) -> HttpResponse:
    initial = {field: getattr(player, field) for field in privacy.FIELDS}
    form = PrivacyForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        privacy.choose(player=player, choices=form.cleaned_data)
        messages.success(request, _("已经保存。"))
        return redirect("accounts:profile")
    return _page(
        request,
        form,
        title=_("隐私"),
        intro=_("排行榜上的名字和成绩大家都能看到；这里决定别的。") + _("登录时记下什么、留多久，写在“公平与处罚”页。"),
        button=_("保存"),
    )


@require_safe
@mine
def block_list(request: HttpRequest, player: Player) -> HttpResponse:
    """Whom one has blocked or muted."""
    return render(request, "accounts/blocks.html", {"blocks": blocks.of(player)})


@require_POST
@mine
def everywhere(request: HttpRequest, player: Player) -> HttpResponse:
    """Log out of every browser and end every token. A guest would not find back, so he cannot."""
    if player.is_guest:
        return redirect("accounts:claim")
    sessions.end_all(player=player, now=timezone.now())
    logout(request)
    messages.success(request, _("所有设备都退出了，程序令牌也都作废了。"))
    return redirect("accounts:login")


@require_POST
@mine
def export(request: HttpRequest, player: Player) -> HttpResponse:
    """One JSON file with everything that is held about this player."""
    if not limits.allow("export", str(player.pk), limit=EXPORTS_PER_HOUR):
        return stopped(request, _("刚下载过几次了，请过一小时再来。"))
    now = timezone.now()
    answer = JsonResponse(everything(player, now), json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="baohuang-{now:%Y-%m-%d}.json"'
    return answer


@require_http_methods(["GET", "POST"])
@mine
def close(request: HttpRequest, player: Player) -> HttpResponse:
    """Close the account, after the password once more."""
    if (answer := _guessing(request, player)) is not None:
        return answer
    form = CloseForm(request.POST or None, player=player)
    if request.method == "POST" and form.is_valid():
        try:
            closing.close(player=player, now=timezone.now())
        except closing.ClosingRefused as refused:
            form.add_error(None, CLOSING_REFUSED[refused.code])
        else:
            logout(request)
            messages.success(request, _("账号注销了。谢谢你来打牌。"))
            return redirect("/")
    return _page(
        request,
        form,
        title=_("注销账号"),
        intro=_(
            "注销以后不能再登录，豆归零，俱乐部都退出；打过的牌局还在，名字换成“已注销”。"
            "原来的名字 %(kept)s 天以后别人才能用。想留一份数据，请先下载。"
        )
        % {"kept": names.RESERVED_FOR.days},
        button=_("注销"),
        danger=True,
    )
