"""One's own beans: how many, where they came from and went, and relief for whoever has few left."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Player
from accounts.selectors_beans import statement
from accounts.services import relief

REASONS: dict[str, Any] = {
    "welcome": lazy("见面礼"),
    "hand": lazy("一局牌"),
    "penalty": lazy("中途离开"),
    "relief": lazy("救济"),
    "reverse": lazy("冲正"),
    "admin": lazy("管理员调整"),
    "close": lazy("注销账号"),
}
WHY_NOT: dict[str, Any] = {
    "frozen": lazy("你的豆账户冻结了，不能领。有疑问请找管理员。"),
    "done": lazy("今天已经领过了，明天再来。"),
    "enough": lazy("你的豆还够，不用领。"),
}


@never_cache
@login_required
@require_safe
def beans(request: HttpRequest) -> HttpResponse:
    """`GET /beans/`: the balance, the relief and a page of the statement."""
    assert isinstance(request.user, Player)
    asked = request.GET.get("before", "")
    before = int(asked) if asked.isdecimal() and len(asked) < 19 else None
    page = statement(request.user, before)
    help_ = relief.standing(request.user, timezone.now())
    return render(
        request,
        "beans/statement.html",
        {
            "page": page,
            "lines": [(line, REASONS.get(line.reason, _("其他"))) for line in page.lines],
            "deeper": before is not None,
            "relief": help_,
            "why_not": WHY_NOT.get(help_.code, ""),
        },
    )


@never_cache
@require_POST
@login_required
def take_relief(request: HttpRequest) -> HttpResponse:
    """`POST /beans/relief/`: today's relief, once."""
    assert isinstance(request.user, Player)
    try:
        relief.claim(request.user, timezone.now())
    except relief.ReliefRefused as refused:
        messages.error(request, WHY_NOT[refused.code])
    else:
        messages.success(request, _("领到 %(beans)s 豆。") % {"beans": relief.BEANS})
    return redirect("beans:statement")
