"""Changing the password, and setting a new one by a link sent by e-mail.

Whoever asks for a link gets one answer, whether the address is known or not, and the mail goes out beside the answer,
so that its time tells nothing either.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.entry import TooManyFromHere, count
from accounts.forms_settings import ChangePasswordForm, ForgottenForm, NewPasswordForm
from accounts.models import Player
from accounts.services import limits
from accounts.views.session import stopped
from accounts.views.settings import PASSWORD_TRIES_PER_HOUR

log = logging.getLogger(__name__)

RESETS_PER_HOUR = 20
"""Links one network may ask for in an hour."""
RESETS_PER_ADDRESS = 5
"""… and so many for one address: nobody fills another's mailbox."""


@method_decorator(never_cache, name="dispatch")
class Change(LoginRequiredMixin, auth_views.PasswordChangeView):
    """The other sessions end with the old password; this browser goes on under a new key."""

    form_class = ChangePasswordForm
    template_name = "accounts/setting.html"
    success_url = reverse_lazy("accounts:profile")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        user = request.user
        if isinstance(user, Player):
            if not user.has_usable_password():
                return redirect("accounts:claim" if user.is_guest else "accounts:forgotten")
            if request.method == "POST" and not limits.allow(
                "settings-password", str(user.pk), limit=PASSWORD_TRIES_PER_HOUR
            ):
                return stopped(request, _("密码试的次数太多，请过一小时再试。"))
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        intro = _("改了以后，别的设备都要用新密码重新登录。")
        return super().get_context_data(**kwargs) | {"title": _("改密码"), "intro": intro, "button": _("改密码")}

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("密码改好了。"))
        return super().form_valid(form)


@method_decorator(never_cache, name="dispatch")
class Forgotten(auth_views.PasswordResetView):
    """Asks for the address; the answer is the same for every one."""

    form_class = ForgottenForm
    template_name = "accounts/forgotten.html"
    email_template_name = "accounts/mail_reset.txt"
    subject_template_name = "accounts/mail_reset_subject.txt"
    success_url = reverse_lazy("accounts:forgotten_sent")

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            count("reset", self.request, RESETS_PER_HOUR)
        except TooManyFromHere:
            return stopped(self.request, _("这个网络一小时内要的链接太多，请过一会儿再试。"))
        address = form.cleaned_data["email"].lower()
        if limits.allow("reset-to", address, limit=RESETS_PER_ADDRESS):
            self._send(form)
        return redirect(self.success_url)

    def _send(self, form: Any) -> None:
        options = {
            "domain_override": self.request.get_host(),
            "use_https": self.request.is_secure(),
            "token_generator": self.token_generator,
            "from_email": settings.DEFAULT_FROM_EMAIL,
            "email_template_name": self.email_template_name,
            "subject_template_name": self.subject_template_name,
        }
        language = get_language()

        def send() -> None:
            try:
                with override(language):
                    form.save(**options)
            except Exception:
                # no address in the log: that something failed is all an admin needs to look
                log.exception("a mail with a link for a new password could not be sent")

        if not settings.MAIL_BESIDE:
            send()
            return

        def beside() -> None:
            from django.db import connections

            send()
            connections.close_all()

        threading.Thread(target=beside, name="mail", daemon=True).start()


@method_decorator(never_cache, name="dispatch")
class ForgottenSent(auth_views.PasswordResetDoneView):
    template_name = "accounts/forgotten_sent.html"


@method_decorator(never_cache, name="dispatch")
class Renew(auth_views.PasswordResetConfirmView):
    """The page behind the link: a new password, once."""

    form_class = NewPasswordForm
    template_name = "accounts/renew.html"
    success_url = reverse_lazy("accounts:login")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("密码改好了，请用新密码登录。"))
        return super().form_valid(form)
