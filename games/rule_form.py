"""The form of a ruleset, generated from the engine's table of keys: types, choices and bounds come from `SPECS`.

What contradicts itself is decided by the engine alone; its refusal is shown beside the field it names, in words of
`rule_words_errors`. `rule_fields` serves a plain form and the admin's model form alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import new_class
from typing import Any, TypeVar, cast

from django import forms
from django.forms.renderers import get_default_renderer
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from games.engine.cards import RANKS
from games.engine.errors import BadRules
from games.engine.rule_specs import SPECS, Spec
from games.engine.rules import RuleSet, load_rules
from games.rule_words import FIELDS, GROUPS, flat
from games.rule_words_cards import rank_name
from games.rule_words_errors import explain

COPIES = 16
F = TypeVar("F", bound=forms.BaseForm)


def field_name(key: str) -> str:
    """The form field of a dotted key: `crown.toll` is `crown__toll`."""
    return key.replace(".", "__")


class LabelledInputs(forms.MultiWidget):
    """Several small inputs in one field, each with a word before it."""

    def __init__(self, widgets: Mapping[str, forms.Widget], labels: Mapping[str, Any]) -> None:
        super().__init__(dict(widgets))
        self.names = tuple(widgets)
        self.labels = labels

    def decompress(self, value: Any) -> list[Any]:
        return [(value or {}).get(name) for name in self.names]

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        renderer = renderer or get_default_renderer()
        inner = self.get_context(name, value, attrs)["widget"]["subwidgets"]
        return format_html(
            '<div class="labelled-inputs">{}</div>',
            format_html_join(
                "",
                '<label class="labelled-input"><span>{}</span> {}</label>',
                (
                    (self.labels[key], mark_safe(renderer.render(widget["template_name"], {"widget": widget})))
                    for key, widget in zip(self.names, inner, strict=True)
                ),
            ),
        )


class RemovedField(forms.MultiValueField):
    """`deck.removed`: one number a rank, empty or 0 for none taken out."""

    def __init__(self, **kwargs: Any) -> None:
        numbers = {rank: forms.IntegerField(min_value=0, max_value=COPIES, required=False) for rank in RANKS}
        widget = LabelledInputs(
            {rank: forms.NumberInput(attrs={"min": 0, "max": COPIES, "inputmode": "numeric"}) for rank in RANKS},
            {rank: rank_name(rank) for rank in RANKS},
        )
        super().__init__(tuple(numbers.values()), widget=widget, require_all_fields=False, required=False, **kwargs)

    def compress(self, data_list: list[int | None]) -> dict[str, int]:
        return {rank: n for rank, n in zip(RANKS, data_list, strict=False) if n}


class CoverField(forms.MultiValueField):
    """`play.cover`: for each joker a list of covers, one a line."""

    def __init__(self, **kwargs: Any) -> None:
        boxes = {joker: forms.Textarea(attrs={"rows": 3, "cols": 12, "spellcheck": "false"}) for joker in "wW"}
        widget = LabelledInputs(boxes, {"w": _("管小王"), "W": _("管大王")})
        fields = tuple(forms.CharField(required=False, max_length=2000) for _joker in "wW")
        super().__init__(fields, widget=widget, require_all_fields=False, required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {joker: "\n".join(covers) for joker, covers in value.items()}
        return value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)

    def compress(self, data_list: list[str]) -> dict[str, list[str]]:
        texts = data_list or ["", ""]
        return {joker: text.replace(",", " ").split() for joker, text in zip("wW", texts, strict=True)}


class RanksField(forms.MultipleChoiceField):
    """`guard.callable`: ranks to tick; cleans to the text of the ticked ones, low to high."""

    widget = forms.CheckboxSelectMultiple

    def prepare_value(self, value: Any) -> Any:
        return list(value) if isinstance(value, str) else value

    def clean(self, value: Any) -> str:
        ticked = super().clean(value)
        return "".join(rank for rank in (*RANKS, "w", "W") if rank in ticked)


def rule_fields() -> dict[str, forms.Field]:
    """A form field for every key of a ruleset but id and name, by field name, in the order of `SPECS`."""
    return {field_name(key): _field(key, spec) for key, spec in SPECS.items()}


def _field(key: str, spec: Spec) -> forms.Field:
    words = FIELDS[key]
    common: dict[str, Any] = {"label": words.label, "help_text": words.help}
    choices = [(value, words.choices[value]) for value in spec.choices] if words.choices and spec.choices else []
    match spec.type:
        case "bool":
            return forms.BooleanField(required=False, **common)
        case "int" if choices:
            return forms.TypedChoiceField(choices=choices, coerce=int, **common)
        case "int":
            return forms.IntegerField(min_value=spec.low, max_value=spec.high, **common)
        case "choice":
            return forms.ChoiceField(choices=choices, required="" not in spec.choices, **common)
        case "ranks":
            ranks = [(str(rank), rank_name(str(rank))) for rank in spec.choices]
            return RanksField(choices=ranks, required=False, **common)
        case "removed":
            return RemovedField(**common)
        case "cover":
            return CoverField(**common)
    raise AssertionError(spec.type)


def initial_of(rules: RuleSet) -> dict[str, Any]:
    """What the form shows for a ruleset."""
    return {field_name(key): value for key, value in flat(rules.to_json()).items() if key in SPECS}


def groups() -> list[tuple[Any, tuple[str, ...]]]:
    """Headings with their field names, for fieldsets."""
    out = []
    for group, title in GROUPS.items():
        names = tuple(field_name(key) for key in SPECS if group_of(key) == group)
        if names:
            out.append((title, names))
    return out


def group_of(key: str) -> str:
    """The heading a key stands under: its first part, or `scoring` for the loose ones at the end."""
    first = key.split(".")[0]
    return first if first in GROUPS else "scoring"


def assemble(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Cleaned form data as a ruleset's JSON, without id and name."""
    data: dict[str, Any] = {}
    for key in SPECS:
        *parents, leaf = key.split(".")
        holder = data
        for parent in parents:
            holder = holder.setdefault(parent, {})
        holder[leaf] = cleaned[field_name(key)]
    return data


class RuleFormMixin:
    """`clean` for a form that has `rule_fields`: the engine's verdict beside the field it names; `rules` if valid."""

    rules: RuleSet | None = None

    def check_rules(self: Any, cleaned: Mapping[str, Any]) -> None:
        """Sets `rules`, or adds the engine's refusal to its field."""
        if any(field_name(key) not in cleaned for key in SPECS):
            return  # a field is wrong by itself; that is said already
        try:
            self.rules = load_rules(assemble(cleaned))
        except BadRules as error:
            name = field_name(error.key)
            self.add_error(name if name in self.fields else None, explain(error))


class _RuleForm(RuleFormMixin, forms.Form):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.check_rules(cleaned)
        return cleaned


def with_rule_fields(base: type[F]) -> type[F]:
    """The form class with a declared field for every key."""
    return cast(
        type[F], new_class(base.__name__.strip("_"), (base,), exec_body=lambda body: body.update(rule_fields()))
    )


RuleForm = with_rule_fields(_RuleForm)
"""A form of all keys of a ruleset; `form.rules` is the checked value once `is_valid()`."""
