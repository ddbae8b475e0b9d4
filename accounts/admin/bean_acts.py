"""The three things an admin can do to beans, each on a page of its own that asks for a reason.

The pages call `accounts.services.bean_admin`; the admin's own forms cannot write a balance. A grant's page carries
a key made when it was opened, so that the form sent twice moves beans once.
"""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from accounts.models import Account, Player, Posting
from accounts.services import bean_admin
from accounts.services.bean_admin import MOST, PERMISSION, BeanRefused

REFUSED: dict[str, Any] = {
    "reason": lazy("请写清楚为什么。"),
    "amount": lazy("数目不对。"),
    "reversal": lazy("这一笔本身就是冲正，不能再冲。需要的话另外发豆。"),
    "house": lazy("这是庄家账户，不上桌，没有什么可冻结的。"),
}


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=lazy("为什么"),
        max_length=200,
        widget=forms.TextInput(attrs={"size": 60, "autocomplete": "off"}),
        help_text=lazy("记进管理记录；冲正和发豆的原因，账户的主人也看得到。"),
        error_messages={"required": lazy("请写清楚为什么。")},
    )


class GrantForm(ReasonForm):
    amount = forms.IntegerField(
        label=lazy("多少豆"), min_value=-MOST, max_value=MOST, help_text=lazy("要收回就写负数。")
    )
    key = forms.RegexField(r"\A[A-Za-z0-9_-]{8,40}\Z", widget=forms.HiddenInput)
    field_order = ("amount", "reason", "key")

    def clean_amount(self) -> int:
        amount = int(self.cleaned_data["amount"])
        if amount == 0:
            raise forms.ValidationError(_("数目不对。"))
        return amount


def may(request: HttpRequest) -> bool:
    user = request.user
    return isinstance(user, Player) and user.is_active and user.is_staff and user.has_perm(PERMISSION)


def _admin_of(request: HttpRequest) -> Player:
    if not may(request):
        raise PermissionDenied
    assert isinstance(request.user, Player)
    return request.user


def _page(
    request: HttpRequest, site: Any, title: str, form: forms.Form, subject: Any, facts: list[Any]
) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": title,
        "form": form,
        "subject": subject,
        "facts": facts,
        "opts": subject._meta,
    }
    return TemplateResponse(request, "admin/accounts/act.html", context)


def _account(key: int) -> Account:
    account = Account.objects.select_related("player").filter(pk=key).first()
    if account is None:
        raise Http404
    return account


def grant(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Give beans to the owner of an account, or take some back."""
    by, account = _admin_of(request), _account(key)
    if account.player is None:
        raise Http404
    form = GrantForm(request.POST or None, initial={"key": secrets.token_urlsafe(16)})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        bean_admin.grant(
            player=account.player,
            amount=data["amount"],
            key=data["key"],
            by=by,
            reason=data["reason"],
            now=timezone.now(),
        )
        messages.success(request, _("%(who)s：%(beans)+d 豆。") % {"who": account, "beans": data["amount"]})
        return redirect("admin:accounts_account_change", account.pk)
    facts = [(_("账户"), account), (_("余额（豆）"), account.balance)]
    return _page(request, site, _("发豆或收回"), form, account, facts)


def freeze(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Freeze an account, or thaw a frozen one. The form says which, so that a stale page undoes nothing."""
    by, account = _admin_of(request), _account(key)
    on = not account.frozen
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = request.POST.get("on", "1" if on else "0") == "1"
        try:
            bean_admin.freeze(account=account, on=wanted, by=by, reason=form.cleaned_data["reason"], now=timezone.now())
        except BeanRefused as refused:
            messages.error(request, REFUSED[refused.code])
        else:
            messages.success(request, _("%s 已经冻结。") % account if wanted else _("%s 已经解冻。") % account)
        return redirect("admin:accounts_account_change", account.pk)
    facts = [(_("账户"), account), (_("余额（豆）"), account.balance)]
    title = _("冻结账户：不能坐有输赢的桌，不能领救济") if on else _("解冻账户")
    return _page(request, site, title, form, account, facts)


def reverse(request: HttpRequest, site: Any, key: int) -> HttpResponse:
    """Take a posting back."""
    by = _admin_of(request)
    posting = Posting.objects.filter(pk=key).first()
    if posting is None:
        raise Http404
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            done = bean_admin.reverse(posting=posting, by=by, reason=form.cleaned_data["reason"], now=timezone.now())
        except BeanRefused as refused:
            messages.error(request, REFUSED[refused.code])
            return redirect("admin:accounts_posting_change", posting.pk)
        messages.success(request, _("已经冲正。"))
        return redirect("admin:accounts_posting_change", done.pk)
    entries = posting.entries.select_related("account__player")
    facts = [(_("唯一键"), posting.key), *((entry.account, f"{-entry.amount:+d}") for entry in entries)]
    return _page(request, site, _("冲正：每个账户这样变"), form, posting, facts)
