"""Words and figures of boards, statistics and histories for templates, those of the accounts app too."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _

from games.rating import Standing
from games.render_words import place_word, role_word, signed
from games.selectors import statistics

register = template.Library()
register.filter("signed", lambda number: signed(int(number)))
register.filter("place_word", place_word)


@register.filter
def role_name(role: str, solo: str = "") -> str:
    """皇帝, 侍卫, 起义军; an emperor alone is 独保."""
    return _("独保") if role == "solo" or (solo and role == "emperor") else role_word(role)


@register.filter
def percent(share: float | None) -> str:
    """A share in per cent without decimals; a dash for none."""
    return "—" if share is None else f"{share:.0f}%"


@register.filter
def average(value: float | None) -> str:
    """Points a hand with sign and two decimals; a dash for none."""
    if value is None:
        return "—"
    text = f"{abs(value):.2f}"
    return text if float(text) == 0 else f"+{text}" if value > 0 else f"−{text}"


@register.filter
def rating_word(standing: Standing | None) -> str:
    """1534 ± 40, or 定级中 while there are too few hands."""
    if standing is None or standing.provisional:
        return _("定级中")
    return f"{standing.shown} ± {standing.uncertainty}"


@register.inclusion_tag("boards/_statistics.html", takes_context=True)
def player_statistics(context: dict[str, Any], player: Any) -> dict[str, Any]:
    """The statistics of a player for his profile page: `{% load boards %}{% player_statistics player %}`.

    Whether the viewer may see them is decided where the tag is used. Four queries at most.
    """
    viewer = context["request"].user
    return {"statistics": statistics.of_player(player.pk, viewer.pk), "player": player, "mine": viewer.pk == player.pk}
