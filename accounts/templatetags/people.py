"""A player's picture: the first letter of his name on a colour drawn from the whole name. No uploads, no requests."""

from __future__ import annotations

import zlib

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
COLOURS = 8


@register.simple_tag
def avatar(name: str) -> SafeString:
    """Decoration only: the name always stands beside it."""
    colour = zlib.crc32(name.encode()) % COLOURS
    return format_html('<span class="avatar av-{}" aria-hidden="true">{}</span>', colour, name[:1].upper())
