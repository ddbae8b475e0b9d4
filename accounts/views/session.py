"""Coming in and going out: log-in, log-out, sign-up, guests, and a guest who stays."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout as end_session
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts.entry import TooManyFromHere, count, enter, enter_as_guest
from accounts.forms import LoginForm, NewAccountForm
from accounts.models import Player
from accounts.services import players


def next_address(request: HttpRequest) -> str:
    """Where the visitor wanted to go, if that is one of our own pages; else the home page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else settings.LOGIN_REDIRECT_URL


class Login(LoginView):
    """Django's own log-in, with our form and page. A guest may log in to an account he has elsewhere."""

    authentication_form = LoginForm
    template_name = "accounts/login.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if isinstance(request.user, Player) and not request.user.is_guest:
            return redirect(next_address(request))
        return super().dispatch(request, *args, **kwargs)


def locked_out(request: HttpRequest, original: HttpResponse | None, credentials: Any = None) -> HttpResponse:
    """Instead of the log-in's answer, after too many wrong passwords for one name from one address."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    message = _("密码错的次数太多，请 %(minutes)s 分钟后再试。") % {"minutes": minutes}
    return stopped(request, message)


def stopped(request: HttpRequest, message: str) -> HttpResponse:
    """A page that says why nothing was done and what to do next."""
    return render(request, "accounts/stopped.html", {"message": message}, status=429)


def too_many(request: HttpRequest) -> HttpResponse:
    return stopped(request, _("这个网络一小时内新来的人太多，请过一会儿再试。"))


@never_cache
@csrf_protect
@sensitive_post_parameters()
def signup(request: HttpRequest) -> HttpResponse:
    """A new account. A guest keeps what he has by claiming instead."""
    if isinstance(request.user, Player):
        return redirect("accounts:claim" if request.user.is_guest else next_address(request))
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            count("signup", request, settings.SIGNUPS_PER_HOUR)
            player = players.sign_up(**_account(form))
        except TooManyFromHere:
            return too_many(request)
        except players.NameTaken:
            form.add_error("username", _("这个名字已经有人用了。"))
        else:
            enter(request, player)
            return redirect(next_address(request))
    return render(request, "accounts/signup.html", {"form": form, "next": request.GET.get("next", "")})


@require_POST
@never_cache
def guest(request: HttpRequest) -> HttpResponse:
    """Play without an account, with one press."""
    if not request.user.is_authenticated:
        try:
            enter_as_guest(request)
        except TooManyFromHere:
            return too_many(request)
    return redirect(next_address(request))


@never_cache
@csrf_protect
@sensitive_post_parameters()
@login_required
def claim(request: HttpRequest) -> HttpResponse:
    """A guest takes a name and a password, and stays who he is."""
    assert isinstance(request.user, Player)
    if not request.user.is_guest:
        return redirect("accounts:profile")
    wanted = bool(request.GET.get("next"))
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            player = players.claim_guest(request.user, **_account(form))
        except players.NameTaken:
            form.add_error("username", _("这个名字已经有人用了。"))
        except players.AlreadyClaimed:
            return redirect("accounts:profile")
        else:
            # the new password ends every session of the guest; this browser goes on with a new one
            enter(request, player)
            messages.success(request, _("账号已经是你的了，打过的牌和豆都在。"))
            return redirect(next_address(request) if wanted else "accounts:profile")
    return render(request, "accounts/claim.html", {"form": form})


@require_POST
@csrf_protect
def logout(request: HttpRequest) -> HttpResponse:
    """End the session of this browser."""
    end_session(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


def _account(form: NewAccountForm) -> dict[str, str]:
    data = form.cleaned_data
    return {"username": data["username"], "password": data["password1"], "email": data["email"]}
