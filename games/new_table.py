"""The form of a new table: a variant, a few options laid over it, the clock, the company.

Every option can be left as the variant has it; what is chosen becomes `overrides`. Whether the whole contradicts itself
is for the engine to say; its refusal is shown beside the option it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games.engine.errors import BadRules
from games.engine.presets import PRESETS
from games.engine.rules import RuleSet, load_rules
from games.rule_words import one_line
from games.rule_words_errors import explain
from games.selectors import variants

KEEP = ("", _("照规则"))

OPTIONS: Mapping[str, tuple[Any, str, Mapping[str, tuple[Any, Any]]]] = {
    "cover": (
        _("烤牌"),
        "play.cover",
        {
            "no": (_("没有"), {"w": ["W"], "W": []}),
            "yes": (_("烤牌"), {"w": ["W", "ww"], "W": ["WW", "www"]}),
        },
    ),
    "hold_back": (_("憋牌"), "play.hold_back", {"no": (_("没有"), ""), "3": (_("憋3"), "3"), "6": (_("憋6"), "6")}),
    "rebellion": (_("造反"), "stakes.rebellion", {"no": (_("没有"), 0), "2": (_("×2"), 2)}),
    "kick": (_("踢"), "stakes.kick", {"no": (_("没有"), 0), "2": (_("×2"), 2)}),
    "grab": (
        _("抢独"),
        "solo.grab",
        {"no": (_("没有"), "none"), "any": (_("都能抢"), "any"), "quad": (_("四张一样才能抢"), "quad")},
    ),
    "tribute": (_("进贡"), "tribute", {"no": (_("没有"), "none"), "yes": (_("进贡"), "standard")}),
    "removed": (
        _("少用几种牌"),
        "deck.removed",
        {
            "no": (_("全用"), {}),
            "345": (_("不要3、4、5"), {"3": 16, "4": 16, "5": 16}),
            "3456": (_("不要3到6"), {"3": 16, "4": 16, "5": 16, "6": 16}),
        },
    ),
    "scoring": (
        _("怎么算分"),
        "scoring.mode",
        {
            "sum": (_("名次和"), "sum"),
            "places": (_("名次分"), "places"),
            "outcome": (_("只看输赢"), "outcome"),
            "outcome_home": (_("皇帝要头客"), "outcome_home"),
        },
    ),
}
"""Field → label, key of the ruleset, and its values by name: (words, value)."""

CLOCKS: Mapping[str, tuple[Any, Mapping[str, int]]] = {
    "fast": (_("快：10秒"), {"step": 10, "play": 10, "next": 15}),
    "": (_("普通：20秒"), {}),
    "slow": (_("慢：40秒"), {"step": 30, "play": 40, "next": 40}),
    "easy": (_("很慢：90秒"), {"step": 60, "play": 90, "next": 90}),
}


def choices_of_variants(club: Club | None = None) -> list[tuple[str, RuleSet]]:
    """What a table can be opened with, in a club also its own; the engine's presets while none of the site's are loaded
    into the database."""
    offers = variants.offered(club)
    presets = [] if any(not offer.own for offer in offers) else [(slug, load_rules(slug)) for slug in PRESETS]
    return [(offer.slug, offer.rules) for offer in offers] + presets


def _deep(key: str, value: Any) -> dict[str, Any]:
    first, _dot, rest = key.partition(".")
    return {first: {rest: value} if rest else value}


class NewTableForm(forms.Form):
    """`overrides`, `clock` and `hands` hold what the service wants once the form is valid; `club` is where it opens."""

    def __init__(self, *args: Any, club: Club | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.variants = choices_of_variants(club)
        self.fields["rules"] = forms.ChoiceField(
            label=_("规则"),
            choices=[(slug, rules.name or slug) for slug, rules in self.variants],
            error_messages={"required": _("先选一种规则。"), "invalid_choice": _("这种规则现在不能开桌，请换一种。")},
        )
        for name, (label, _key, values) in OPTIONS.items():
            options = [KEEP, *((value, words) for value, (words, _meant) in values.items())]
            self.fields[name] = forms.ChoiceField(label=label, choices=options, required=False)
        self.fields["clock"] = forms.ChoiceField(
            label=_("每手时间"), choices=[(name, words) for name, (words, _clock) in CLOCKS.items()], required=False
        )
        self.fields["bots"] = forms.TypedChoiceField(
            label=_("机器人"), choices=[(str(n), str(n)) for n in range(5)], coerce=int, required=False
        )
        self.fields["hands"] = forms.TypedChoiceField(
            label=_("打几局"),
            choices=[("", _("不限")), ("4", "4"), ("8", "8"), ("16", "16")],
            coerce=int,
            required=False,
            empty_value=None,
        )
        self.fields["room"] = forms.TypedChoiceField(
            label=_("游戏豆倍数"),
            choices=[("1", "×1"), ("2", "×2"), ("5", "×5"), ("10", "×10")],
            coerce=int,
            required=False,
        )
        self.fields["entry"] = forms.TypedChoiceField(
            label=_("入座最少豆"),
            choices=[("0", _("不限")), ("200", "200"), ("1000", "1000"), ("5000", "5000"), ("20000", "20000")],
            coerce=int,
            required=False,
        )
        self.fields["watching"] = forms.ChoiceField(
            label=_("旁观"),
            choices=[
                ("trick", _("晚一圈")),
                ("after", _("打完再看")),
                ("none", _("不让旁观")),
                ("live", _("随打随看")),
            ],
            required=False,
        )
        self.fields["ready_seconds"] = forms.TypedChoiceField(
            label=_("准备限时"),
            choices=[("0", _("不限")), ("30", _("30秒")), ("60", _("60秒"))],
            coerce=int,
            required=False,
        )
        self.fields["substitutes"] = forms.BooleanField(
            label=_("有人中途离开，由机器人顶替，打完不散桌"), required=False
        )
        self.fields["public"] = forms.BooleanField(label=_("公开：大厅里谁都能看到、坐下"), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.overrides: dict[str, Any] = {}
        for name, (_label, key, values) in OPTIONS.items():
            if data.get(name):
                for first, value in _deep(key, values[data[name]][1]).items():
                    if isinstance(value, dict) and "." in key:
                        self.overrides.setdefault(first, {}).update(value)
                    else:
                        self.overrides[first] = value
        self.clock = dict(CLOCKS[data.get("clock") or ""][1])
        rules = dict(self.variants).get(data.get("rules", ""))
        if rules is not None:
            try:
                load_rules(rules.to_json(), self.overrides)
            except BadRules as error:
                self.refused(error)
        return data

    def refused(self, error: BadRules) -> None:
        """Show the engine's refusal beside the option that it names."""
        by_key = {key: name for name, (_label, key, _values) in OPTIONS.items()}
        self.add_error(by_key.get(error.key, "rules"), explain(error))

    def presets(self) -> list[dict[str, Any]]:
        """The variants as the page shows them: name, one line, whether chosen."""
        chosen = self["rules"].value() or ""
        return [
            {"slug": slug, "name": rules.name or slug, "line": one_line(rules), "chosen": slug == chosen}
            for slug, rules in self.variants
        ]

    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in OPTIONS]

    def company(self) -> list[forms.BoundField]:
        return [self[name] for name in ("bots", "clock", "hands", "room", "entry", "watching", "ready_seconds")]

    @property
    def options_used(self) -> bool:
        """Whether any option differs from the variant, so that the page shows them opened."""
        return any(self[name].value() or self[name].errors for name in OPTIONS)
