"""Somebody leaves the table: the page goes home, and home does not lead back to a hand he has left for good."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Comes
from tests.browser.person import PHONE

pytestmark = pytest.mark.browser


def test_leaving_in_a_hand_goes_home_and_home_does_not_lead_back(somebody: Comes) -> None:
    person = somebody(PHONE)
    person.open_table("standard", clock="slow")
    table = person.page.url.removeprefix(person.address)
    person.page.get_by_role("button", name="菜单").first.click()
    person.page.get_by_text("离开这一桌").click()
    person.page.get_by_role("button", name="确定离开").click()
    person.page.wait_for_url(person.address + "/")
    assert person.page.locator("#start").is_visible()
    assert "这一局由系统替你打完，扣40分" in person.page.locator(".messages").inner_text()
    assert person.page.locator(f'a[href="{table}"]').count() == 0
    person.page.go_back()
    person.page.get_by_text("你在旁观").wait_for()
    assert person.problems == []
