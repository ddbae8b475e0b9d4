"""A table as it stands at one moment, in a real browser with the real page and style sheets but without a server:
for what must hold of sizes, places and colours. The view is made from a state of the engine (`tests.web.views`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.safestring import mark_safe

from games import render
from tests.browser.person import SCRIPT, Size
from tests.site import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from games.selectors.table_view_types import TableView

ADDRESS = "http://table.test"
KINDS = {".css": "text/css", ".svg": "image/svg+xml"}


def page_of(view: TableView) -> str:
    request = RequestFactory().get(view.url)
    request.user = AnonymousUser()
    html = {name: mark_safe(text) for name, text in render.fragments(view).items()}
    html["seats"] = mark_safe("".join(html[name] for name in render.SEAT_IDS))
    return render_to_string("games/table.html", {"view": view, "html": html, "now_ms": 0}, request)


def still(browser: Browser, view: TableView, size: Size, theme: Literal["light", "dark"] = "dark") -> Page:
    """A page showing this view; whoever asks closes its context."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, is_mobile=size[0] < 900
    )
    page = context.new_page()
    page.add_init_script(SCRIPT)
    document = page_of(view)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        kind = KINDS.get(path[path.rfind(".") :])
        if path == view.url:
            route.fulfill(body=document, content_type="text/html; charset=utf-8")
        elif kind and path.startswith(settings.STATIC_URL):
            name = path.removeprefix(settings.STATIC_URL)
            route.fulfill(body=(ROOT / "static" / name).read_text(encoding="utf-8"), content_type=kind)
        else:  # nothing moves here
            route.fulfill(body="", content_type="text/javascript")

    page.route("**/*", answer)
    page.goto(ADDRESS + view.url)
    return page
