"""Links between admin pages, by the names of their addresses, so that this app need not know whose pages they are."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString


def address_of(name: str, key: object) -> str:
    return reverse(f"admin:{name}", args=(quote(str(key)),))


def page_of(name: str, key: object, text: object) -> SafeString:
    """A link to a row's page; `name` is `app_model`."""
    return format_html('<a href="{}">{}</a>', address_of(f"{name}_change", key), text)


def list_of(name: str, filters: Mapping[str, object], text: object) -> SafeString:
    """A link to a list, filtered."""
    return format_html('<a href="{}?{}">{}</a>', reverse(f"admin:{name}_changelist"), urlencode(filters), text)
