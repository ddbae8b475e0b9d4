"""The forms of the club pages. What must hold whoever calls is checked again by the services."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from accounts.models.club import ANNOUNCEMENT_LENGTH, DESCRIPTION_LENGTH, NAME_LENGTH, REASON_LENGTH, SLUG_LENGTH

JOIN_WORDS = [
    (Club.Join.LINK, _("有邀请链接的人点开就能加入")),
    (Club.Join.REQUEST, _("谁都能看到名称和介绍、提出申请，管理员同意后加入")),
    (Club.Join.CLOSED, _("暂时不收新会员")),
]


class _AboutForm(forms.Form):
    """Name, description and the way in."""

    name = forms.CharField(
        label=_("名称"),
        min_length=2,
        max_length=NAME_LENGTH,
        help_text=_("最多 20 个字。"),
        error_messages={
            "required": _("请给俱乐部起个名字。"),
            "min_length": _("名称至少两个字。"),
            "max_length": _("名称最多 20 个字。"),
        },
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("介绍"),
        max_length=DESCRIPTION_LENGTH,
        required=False,
        help_text=_("写几句：在哪里、什么时候打、怎么打。可以不写。"),
        error_messages={"max_length": _("介绍最多 1000 个字。")},
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    join = forms.ChoiceField(
        label=_("怎么加入"), choices=JOIN_WORDS, widget=forms.RadioSelect, initial=Club.Join.LINK.value
    )

    def clean_name(self) -> str:
        return " ".join(str(self.cleaned_data["name"]).split())


class NewClubForm(_AboutForm):
    slug = forms.CharField(
        label=_("网址代号（可以不填）"),
        max_length=SLUG_LENGTH,
        min_length=3,
        required=False,
        help_text=_("俱乐部网址里的英文，例如 laoyou。不填就自动起一个，以后不能改。"),
        validators=[RegexValidator(r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", _("只能用小写字母、数字和短横线。"))],
        error_messages={"min_length": _("至少三个字符。"), "max_length": _("最多 30 个字符。")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_slug(self) -> str:
        return str(self.cleaned_data["slug"]).strip()


class ClubSettingsForm(_AboutForm):
    """`variants` are (slug, name) of what the club can play; a default that is retired by now stays until changed."""

    default_variant = forms.ChoiceField(
        label=_("常用规则"), required=False, help_text=_("在俱乐部开桌时，先选好的就是它。")
    )

    def __init__(self, *args: Any, variants: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["default_variant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("不指定")), *variants]


class AnnouncementForm(forms.Form):
    text = forms.CharField(
        label=_("写公告"),
        max_length=ANNOUNCEMENT_LENGTH,
        error_messages={"required": _("公告还没有写内容。"), "max_length": _("公告最多 2000 个字。")},
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class RequestForm(forms.Form):
    text = forms.CharField(
        label=_("留句话（可以不写）"),
        max_length=REASON_LENGTH,
        required=False,
        help_text=_("比如真实姓名、谁介绍来的。"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class BanForm(forms.Form):
    reason = forms.CharField(
        label=_("原因（只有管理员看得到）"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
