"""The pages that explain: every variant, every preset, a table's own rules, and how the game is played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.services.players import sign_up
from games.engine.presets import preset_ids
from games.engine.rules import load_rules
from games.services import table_setup, variants
from tests.admin.test_rule_words import CHINESE
from tests.admin.test_variants import NOW, ours

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    return Client()


@pytest.fixture
def table() -> str:
    variants.load_presets(now=NOW)
    player = sign_up(username="老王", password=None)
    overrides = {"play": {"hold_back": "6"}}
    return table_setup.open_table(player=player, rules="lianzhong-simple", overrides=overrides, now=NOW).pk


@pytest.mark.parametrize("loaded", [True, False])
def test_the_list_shows_all_nine_presets_loaded_or_not(browser: Client, loaded: bool) -> None:
    if loaded:
        variants.load_presets(now=NOW)
    html = browser.get("/rules/").content.decode()
    for preset in preset_ids():
        assert f'href="/rules/{preset}/"' in html
        assert load_rules(preset).name in html


def test_a_clubs_own_variant_is_listed_until_it_is_retired_and_readable_ever_after(browser: Client) -> None:
    variants.load_presets(now=NOW)
    revision = ours()
    assert "老年大学" in browser.get("/rules/").content.decode()
    assert 'href="/new?rules=ours"' in browser.get("/rules/ours/").content.decode()
    variants.retire(variant=revision.variant)
    assert "老年大学" not in browser.get("/rules/").content.decode()
    html = browser.get("/rules/ours/").content.decode()
    assert "已经停用" in html
    assert "/new?rules=ours" not in html


@pytest.mark.parametrize("preset", preset_ids())
def test_every_preset_has_a_page_with_one_heading(browser: Client, preset: str) -> None:
    html = browser.get(f"/rules/{preset}/").content.decode()
    assert html.count("<h1") == 1
    assert "先出完牌的先走" in html


def test_htmx_gets_the_fragment_alone(browser: Client) -> None:
    answer = browser.get("/rules/home/", headers={"HX-Request": "true"})
    assert answer.content.decode().startswith('<div id="rules"')
    assert "<html" not in answer.content.decode()
    assert "HX-Request" in answer["Vary"]


def test_a_tables_rules_say_first_what_is_different(browser: Client, table: str) -> None:
    html = browser.get(f"/t/{table}/rules/").content.decode()
    assert "憋牌：憋6（平常：没有）" in html
    assert html.index("和平常不同的地方") < html.index("用什么牌")
    assert f'href="/t/{table}/"' in html


@pytest.mark.parametrize("address", ["/rules/nonsense/", "/t/nowhere/rules/", "/rules/home/x/"])
def test_what_does_not_exist_is_not_found(browser: Client, address: str) -> None:
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/rules/", "/rules/home/", "/learn/"])
def test_reading_pages_take_no_post(browser: Client, address: str) -> None:
    assert browser.post(address).status_code == 405


def test_the_lesson_shows_cards_and_ends_with_the_way_to_a_table(browser: Client) -> None:
    html = browser.get("/learn/").content.decode()
    assert html.count('class="minis') >= 10
    assert "去打一局" in html
    assert html.count("<h1") == 1


def test_no_page_carries_inline_script_or_style(browser: Client, table: str) -> None:
    for address in ("/rules/", "/rules/special/", f"/t/{table}/rules/", "/learn/"):
        html = browser.get(address).content.decode()
        assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son[a-z]+=", html), address


def test_in_english_the_text_of_the_pages_is_english(browser: Client) -> None:
    browser.cookies["django_language"] = "en"
    for address in ("/rules/home/", "/learn/"):
        html = browser.get(address).content.decode()
        main = html[html.index("<h1") : html.index("</main>")]
        visible = re.sub(r"<h1.*?</h1>|<[^>]*>", "", main)  # a preset's name is a name
        assert not CHINESE.search(visible.replace("\u3000", "")), address


def test_the_pages_ask_little(browser: Client, table: str, django_assert_max_num_queries: Any) -> None:
    for address in ("/rules/", "/rules/home/", f"/t/{table}/rules/", "/learn/"):
        with django_assert_max_num_queries(4):
            browser.get(address)
