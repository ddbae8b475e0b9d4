"""The line above a page that calls a player to his table of an event: `{% load events %}{% event_call %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from games.selectors import events

register = template.Library()


@register.inclusion_tag("events/_call.html", takes_context=True)
def event_call(context: dict[str, Any]) -> dict[str, Any]:
    waits, call = events.summons(getattr(context.get("request"), "user", None), timezone.now())
    return {"waits": waits, "call": call, "csrf_token": context.get("csrf_token")}
