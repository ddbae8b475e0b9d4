"""A person with a phone: comes as a guest, stays with a name, and the browser finds nothing our own policy forbids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


def test_a_guest_stays_with_a_name_and_comes_back_with_his_password(chromium: Browser, site: Site) -> None:
    page = chromium.new_page(viewport=PHONE)
    page.goto(f"{site.url}/accounts/login/?next=/accounts/")
    page.get_by_role("button", name="先当游客玩").click()
    assert (page.locator("h1").text_content() or "").startswith("游客")
    page.get_by_role("link", name="留住账号").last.click()
    page.get_by_label("名字").fill("老王")
    page.get_by_label("密码", exact=True).fill("schöner Tag 7")
    page.get_by_label("再输一次密码").fill("schöner Tag 8")
    page.get_by_role("button", name="就这样定了").click()
    assert page.get_by_role("alert").text_content() == "两次输入的密码不一样。"
    assert page.get_by_label("名字").input_value() == "老王"
    page.get_by_label("密码", exact=True).fill("schöner Tag 7")
    page.get_by_label("再输一次密码").fill("schöner Tag 7")
    page.get_by_role("button", name="就这样定了").click()
    assert page.locator("h1").text_content() == "老王"
    assert page.locator(".beans").text_content() == "1000"
    page.get_by_role("button", name="退出", exact=True).click()
    page.goto(f"{site.url}/accounts/")
    page.get_by_label("名字").fill("老王")
    page.get_by_label("密码").fill("schöner Tag 7")
    page.get_by_role("button", name="登录").click()
    assert page.locator("h1").text_content() == "老王"
    page.context.close()


def test_no_page_breaks_our_own_policy_or_is_wider_than_a_phone(chromium: Browser, site: Site) -> None:
    make = "from accounts.models import Player; Player.objects.create_superuser('admin', password='schöner Tag 7')"
    site.manage("shell", "-c", make)
    page = chromium.new_page(viewport=PHONE)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("response", lambda answer: said.append(answer.url) if answer.status >= 400 else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{site.url}/accounts/login/?next=/accounts/")
    page.get_by_label("名字").fill("admin")
    page.get_by_label("密码").fill("schöner Tag 7")
    page.get_by_role("button", name="登录").click()
    for path in ("accounts/", "accounts/tokens/"):
        page.goto(f"{site.url}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    for path in ("", "accounts/account/", "accounts/posting/", "accounts/player/", "accounts/player/1/change/"):
        page.goto(f"{site.url}/admin/{path}")
        assert "保皇 管理" in page.title()
    page.context.close()
    assert said == []
