"""The rules to read: the list of variants, one variant in full, the rules of one table, and how the game is played.

With htmx the fragment alone is answered (`#rules`), for the panel beside the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.models import Player
from games.engine.cards import parse_card
from games.engine.presets import PRESETS
from games.engine.rules import RuleSet, load_rules
from games.render_cards import mini_cards
from games.rule_words import Difference, describe, differences, one_line
from games.rule_words_cards import Section
from games.selectors import variants


@dataclass(frozen=True, slots=True)
class RulesPage:
    """What a rules page shows; `slug` is empty for a table's own rules."""

    name: str
    slug: str
    line: str
    sections: tuple[Section, ...]
    differences: tuple[Difference, ...] = ()
    table: str = ""
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list."""

    slug: str
    name: str
    preset: bool
    line: str


def _player(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every variant a table can be opened with, one line each."""
    offers = [(offer.slug, offer.name, offer.preset, offer.rules) for offer in variants.offered()]
    if not offers:  # nothing loaded into the database yet: the engine's own presets can be played all the same
        offers = [(slug, preset["name"], True, load_rules(slug)) for slug, preset in PRESETS.items()]
    listed = [Listed(slug, name, preset, one_line(rules)) for slug, name, preset, rules in offers]
    return render(request, "rules/index.html", {"listed": listed})


@require_safe
def variant(request: HttpRequest, slug: str) -> HttpResponse:
    """One variant's newest rules in words; retired ones can still be read."""
    offer = variants.offer(slug, _player(request))
    if offer is not None:
        return _page(request, _rules_page(offer.rules, offer.name, slug=slug, retired=offer.retired))
    if slug not in PRESETS:
        raise Http404
    rules = load_rules(slug)
    return _page(request, _rules_page(rules, rules.name, slug=slug))


@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The rules one table plays by, with what differs from the preset said first."""
    rules = variants.table_rules(table_id, _player(request))
    if rules is None:
        raise Http404
    return _page(request, _rules_page(rules, rules.name or rules.id, table=table_id))


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """How 保皇 is played, for somebody who has never seen it."""
    return render(request, "rules/learn.html", {"show": _pictures()})


def _rules_page(rules: RuleSet, name: str, *, slug: str = "", table: str = "", retired: bool = False) -> RulesPage:
    return RulesPage(name, slug, one_line(rules), describe(rules), differences(rules), table, retired)


def _page(request: HttpRequest, page: RulesPage) -> HttpResponse:
    template = "rules/_rules.html" if request.headers.get("HX-Request") == "true" else "rules/rules.html"
    response = render(request, template, {"page": page})
    patch_vary_headers(response, ["HX-Request"])
    return response


def _pictures() -> dict[str, SafeString]:
    """Small cards for the page that teaches, by the name the template uses."""
    lang = get_language() or ""
    shown = {
        "crown": "W!",
        "sword": "w!",
        "big": "W",
        "small": "w",
        "one": "8S",
        "four": "7S 7H 7C 7D",
        "four_higher": "8S 8S 8H 8D",
        "hung": "w 7S 7H 7C",
        "hung_higher": "W 8S 8H 8D",
        "triple": "9C 9C 9C",
        "fourth": "9C",
    }
    # the markup is made of constants by `render_cards`
    return {
        name: mark_safe(mini_cards(tuple(parse_card(token) for token in text.split()), True, lang))
        for name, text in shown.items()
    }


urlpatterns = [
    path("rules/", index, name="rules"),
    path("rules/<slug:slug>/", variant, name="rules_variant"),
    path("t/<str:table_id>/rules/", table, name="table_rules"),
    path("learn/", learn, name="learn"),
]
