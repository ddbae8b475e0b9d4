"""The forms of the account pages. They check what people type and say what is wrong in one sentence."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, SetPasswordMixin, UserCreationForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.models.player import DIRECTIONS, NAME_LENGTH, THEMES
from accounts.services import names
from accounts.services.players import GUEST_NAME


def counted_name(request: HttpRequest | None, credentials: dict[str, Any] | None = None) -> str | None:
    """The name under which wrong passwords are counted: one name, however its letters are written."""
    name = (credentials or {}).get("username")
    if name is None and request is not None:
        name = request.POST.get("username")
    return Player.normalize_username(name).lower() if name else None


MISLEADING: dict[str, Any] = {
    "signs_only": _("名字里要有文字或者数字。"),
    "mixed": _("一个名字里不能混用长得一样的外文字母，请只用一种。"),
}
UNSEEN = {"null_characters_not_allowed": _("名字里有看不见的字符，请去掉再试。")}


class LoginForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _("名字或密码不对，请再试一次。"),
        "inactive": _("这个账号已经停用，请找管理员。"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].error_messages |= {"required": _("请填名字。"), **UNSEEN}
        self.fields["password"].error_messages["required"] = _("请填密码。")
        self.fields["password"].label = _("密码")


class NewAccountForm(UserCreationForm):
    """A name and a password for somebody new, or for a guest who stays; services save it, not the form."""

    password1, password2 = SetPasswordMixin.create_password_fields(_("密码"), _("再输一次密码"))

    class Meta:
        model = Player
        fields = ("username", "email")

    error_messages = {"password_mismatch": _("两次输入的密码不一样。")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.help_text = _("牌桌上大家看到的就是它，最多 16 个字，中文也行。")
        name.error_messages |= {
            "required": _("请填一个名字。"),
            **UNSEEN,
            "max_length": _("名字最多 %(limit)s 个字。") % {"limit": NAME_LENGTH},
        }
        name.widget.attrs["autocomplete"] = "username"
        email.label, email.required = _("邮箱（可以不填）"), False
        email.error_messages["invalid"] = _("这个邮箱地址不完整。")
        email.widget.attrs["autocomplete"] = "email"
        self.fields["password1"].help_text = _("至少 8 个字符，不要只用数字。")
        self.fields["password2"].help_text = ""
        for field in ("password1", "password2"):
            self.fields[field].error_messages["required"] = _("请填密码。")

    def clean_username(self) -> str:
        name = self.cleaned_data.get("username")
        if name and (why := names.why_misleading(name)):
            raise forms.ValidationError(MISLEADING[why], code=why)
        if name and name.startswith(GUEST_NAME):
            raise forms.ValidationError(_("以“游客”开头的名字留给游客，请换一个。"), code="reserved")
        if name and names.is_the_houses(name):
            raise forms.ValidationError(_("这样开头的名字不能用，请换一个。"), code="reserved")
        taken = super().clean_username()
        if name and not names.is_free(name, now=timezone.now()):
            raise forms.ValidationError(_("这个名字有人用了，或者和别人的太像，请换一个。"), code="unique")
        return taken


class PreferencesForm(forms.Form):
    theme = forms.ChoiceField(label=_("主题"), choices=list(THEMES.items()))
    direction = forms.ChoiceField(label=_("出牌方向"), choices=list(DIRECTIONS.items()))
    four_color = forms.BooleanField(
        label=_("四色牌"), required=False, help_text=_("黑桃黑、红桃红、梅花绿、方块蓝，花色一眼分清。")
    )


class TokenForm(forms.Form):
    label = forms.CharField(
        label=_("用途"),
        max_length=40,
        required=False,
        help_text=_("写给自己看的，比如“记分程序”。"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
