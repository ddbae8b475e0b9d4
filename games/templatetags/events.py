"""The line above a page that calls a player to his table of an event: `{% load events %}{% event_call %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from games.selectors import event_calls

register = template.Library()


@register.inclusion_tag("events/_call.html", takes_context=True)
def event_call(context: dict[str, Any], here: str = "") -> dict[str, Any]:
    """`here` is the table of the page, if it is one's: nobody is called to where he is."""
    waits, call = event_calls.summons(getattr(context.get("request"), "user", None), timezone.now(), here)
    return {"waits": waits, "call": call, "here": here, "csrf_token": context.get("csrf_token")}
