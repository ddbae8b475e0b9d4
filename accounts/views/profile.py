"""One's own page: name, beans, preferences, and the tokens for programs."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import selectors
from accounts.forms import PreferencesForm, TokenForm
from accounts.models import Player
from accounts.models.player import DEFAULT_PREFERENCES
from accounts.services import ledger, players, tokens


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    player = _player(request)
    form = PreferencesForm(request.POST or None, initial={**DEFAULT_PREFERENCES, **player.preferences})
    if request.method == "POST" and form.is_valid():
        players.set_preferences(player, form.cleaned_data)
        messages.success(request, _("已经保存。"))
        return redirect("accounts:profile")
    return render(request, "accounts/profile.html", {"form": form, "beans": ledger.balance(player)})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def token_list(request: HttpRequest) -> HttpResponse:
    """The list; a POST makes one more and shows its text in this one answer."""
    player = _player(request)
    form, text = TokenForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        text = tokens.make_token(player, form.cleaned_data["label"])
        form = TokenForm()
    context = {"form": form, "text": text, "tokens": selectors.live_tokens(player)}
    return render(request, "accounts/tokens.html", context)


@require_POST
@login_required
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    if not tokens.revoke_token(_player(request), token_id):
        raise Http404
    messages.success(request, _("令牌已作废。"))
    return redirect("accounts:tokens")


def _player(request: HttpRequest) -> Player:
    assert isinstance(request.user, Player)
    return request.user
