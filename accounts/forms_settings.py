"""The forms of one's own settings: name, e-mail, privacy, closing. What may be done is for the services to say."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.utils.translation import gettext_lazy as _

from accounts.forms import UNSEEN
from accounts.models import Player
from accounts.models.player import NAME_LENGTH


def _password(label: Any, autocomplete: str = "current-password") -> forms.CharField:
    return forms.CharField(
        label=label,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
        error_messages={"required": _("请填密码。")},
    )


class WithPassword(forms.Form):
    """Asks for the password again, of whoever has one."""

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if player.has_usable_password():
            self.fields["password"] = _password(_("现在的密码"))

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.player.check_password(password):
            raise forms.ValidationError(_("密码不对。"), code="password")
        return password


class NameForm(forms.Form):
    name = forms.CharField(
        label=_("新名字"),
        max_length=NAME_LENGTH,
        help_text=_("最多 16 个字，中文也行。"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("请填一个名字。"),
            "max_length": _("名字最多 %(limit)s 个字。") % {"limit": NAME_LENGTH},
            **UNSEEN,
        },
    )


class EmailForm(WithPassword):
    email = forms.EmailField(
        label=_("邮箱"),
        required=False,
        help_text=_("只用来找回密码，别人看不到。留空就是不用邮箱。"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"invalid": _("这个邮箱地址不完整。")},
    )


class CloseForm(WithPassword):
    sure = forms.BooleanField(label=_("我知道注销以后找不回来"), error_messages={"required": _("请先打勾，再按注销。")})


class PrivacyForm(forms.Form):
    shows_profile = forms.ChoiceField(label=_("谁能看我的主页"), choices=Player.Shown.choices)
    shows_history = forms.ChoiceField(label=_("谁能看我的牌局和战绩"), choices=Player.Shown.choices)
    shows_online = forms.ChoiceField(label=_("谁能看到我在线"), choices=Player.Shown.choices)


class ChangePasswordForm(PasswordChangeForm):
    error_messages = {
        "password_mismatch": _("两次输入的密码不一样。"),
        "password_incorrect": _("密码不对。"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_fields(self)
        self.fields["old_password"].label = _("现在的密码")


class NewPasswordForm(SetPasswordForm):
    error_messages = {"password_mismatch": _("两次输入的密码不一样。")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_fields(self)


def _name_fields(form: forms.Form) -> None:
    form.fields["new_password1"].label = _("新密码")
    form.fields["new_password1"].help_text = _("至少 8 个字符，不要只用数字。")
    form.fields["new_password2"].label = _("再输一次密码")
    for field in form.fields.values():
        field.error_messages["required"] = _("请填密码。")


class ForgottenForm(PasswordResetForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("注册时留的邮箱")
        self.fields["email"].error_messages |= {
            "invalid": _("这个邮箱地址不完整。"),
            "required": _("请填邮箱。"),
        }
