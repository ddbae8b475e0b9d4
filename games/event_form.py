"""The form by which an event is set up: what most evenings need comes first, the rest has a value that fits."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games.models import Event
from games.new_table import CLOCKS, choices_of_variants
from games.services.events import HANDS, LIMIT_MOST, ROUNDS_MOST, Times

FORMATS = (
    ("swiss", _("瑞士移位：每轮强对强，尽量不重逢")),
    ("rotation", _("排位轮转：事先排好，尽量人人见面")),
    ("knockout", _("淘汰：每桌前两名和最好的第三名晋级")),
    ("duplicate", _("复式：各桌打同样的牌，同座位相比")),
)
WINDOW = "%Y-%m-%dT%H:%M"


def _when(label: Any) -> forms.DateTimeField:
    return forms.DateTimeField(
        label=label,
        input_formats=[WINDOW, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WINDOW),
        error_messages={"required": _("请写时间。"), "invalid": _("时间这样写：2026-03-06 20:00。")},
    )


def _minutes(label: Any, low: int, high: int, start: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=low, max_value=high, initial=start)


class EventForm(forms.Form):
    """`arguments` holds what `events.create` wants once the form is valid."""

    name = forms.CharField(label=_("名称"), max_length=40, error_messages={"required": _("比赛要有一个名称。")})
    format = forms.ChoiceField(label=_("赛制"), choices=FORMATS, widget=forms.RadioSelect, initial="swiss")
    rules = forms.ChoiceField(label=_("规则"))
    rounds = forms.IntegerField(label=_("轮数"), min_value=1, max_value=ROUNDS_MOST, initial=4)
    hands = forms.TypedChoiceField(
        label=_("每轮局数"), choices=[(n, n) for n in (1, 2, 3, *HANDS)], coerce=int, initial=5
    )
    starts_at = _when(_("开赛时间"))
    opens_at = _when(_("开始报名"))
    text = forms.CharField(
        label=_("通知（可以不写）"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    limit = forms.IntegerField(
        label=_("人数上限（可以不写）"), min_value=2, max_value=LIMIT_MOST, required=False,
        help_text=_("满了以后报名的人排在候补，有人退出就补上。"),
    )  # fmt: skip
    check_in = _minutes(_("开赛前几分钟起签到（0：不用签到）"), 0, 10000, 0)
    late_until = forms.IntegerField(label=_("可以补报到第几轮（0：不补报）"), min_value=0, max_value=50, initial=0)
    clock = forms.ChoiceField(label=_("每手时间"), choices=[(n, w) for n, (w, _c) in CLOCKS.items()], required=False)
    round_minutes = _minutes(_("每轮最多几分钟"), 1, 720, 60)
    grace_minutes = _minutes(_("等人几分钟，然后机器人先坐"), 0, 60, 2)
    break_minutes = _minutes(_("两轮之间休息几分钟"), 0, 10000, 3)
    ladder = forms.BooleanField(label=_("计入赛季积分"), required=False, initial=True)

    def __init__(self, *args: Any, club: Club | None = None, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = self.fields["rules"]
        assert isinstance(rules, forms.ChoiceField)
        rules.choices = [(slug, ruleset.name or slug) for slug, ruleset in choices_of_variants(club)]
        if club is not None and club.default_variant in dict(rules.choices):
            self.initial.setdefault("rules", club.default_variant)
        start = timezone.localtime(now + timedelta(hours=1)).replace(second=0, microsecond=0)
        self.initial.setdefault("starts_at", start)
        self.initial.setdefault("opens_at", timezone.localtime(now).replace(second=0, microsecond=0))

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of `events.create`."""
        data = self.cleaned_data
        return {
            **{name: data[name] for name in ("name", "format", "rules", "rounds", "hands", "starts_at", "opens_at")},
            **{name: data[name] for name in ("text", "limit", "late_until", "ladder")},
            "check_in": data["check_in"] * 60,
            "clock": dict(CLOCKS[data["clock"] or ""][1]),
            "times": Times(
                round=data["round_minutes"] * 60, grace=data["grace_minutes"] * 60, rest=data["break_minutes"] * 60
            ),
        }


class EditForm(forms.Form):
    """What may be changed while entries are open."""

    name = forms.CharField(label=_("名称"), max_length=40)
    starts_at = _when(_("开赛时间"))
    limit = forms.IntegerField(label=_("人数上限（可以不写）"), min_value=2, max_value=LIMIT_MOST, required=False)
    text = forms.CharField(
        label=_("通知（可以不写）"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class RulingForm(forms.Form):
    """A penalty or an adjusted score."""

    number = forms.IntegerField(label=_("选手号码"), min_value=1)
    round = forms.IntegerField(label=_("轮次（整场扣分可以不写）"), min_value=1, required=False)
    penalty = forms.DecimalField(label=_("扣多少分"), min_value=0, max_digits=6, decimal_places=2, required=False)
    score = forms.DecimalField(label=_("场分改为"), max_digits=6, decimal_places=2, required=False)
    net = forms.IntegerField(label=_("净得分改为"), min_value=-1_000_000, max_value=1_000_000, required=False)
    reason = forms.CharField(label=_("原因"), max_length=200)


def edit_initial(event: Event) -> dict[str, Any]:
    start = timezone.localtime(event.starts_at)
    return {"name": event.name, "text": event.text, "limit": event.limit, "starts_at": start}
