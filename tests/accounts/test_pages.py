"""The account pages, asked as a browser asks them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import ApiToken, Player
from accounts.services import ledger, players

pytestmark = pytest.mark.django_db
GOOD = "schöner Tag 7"


@pytest.fixture
def ann() -> Player:
    return players.sign_up(username="安娜", password=GOOD)


def page(client: Client, name: str, **data: str) -> str:
    answer = client.post(reverse(name), data) if data else client.get(reverse(name))
    assert answer.status_code == 200
    return answer.content.decode()


def test_signing_up_makes_an_account_and_logs_it_in(client: Client) -> None:
    answer = client.post(
        reverse("accounts:signup"), {"username": "老王", "password1": GOOD, "password2": GOOD, "next": "/rules/"}
    )
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/")
    assert client.session["_auth_user_id"] == str(Player.objects.get(username="老王").pk)


@pytest.mark.parametrize(
    "typed, said",
    [
        ({"username": ""}, "请填一个名字。"),
        ({"username": "老 王"}, "中间不留空格"),
        ({"username": "一" * 17}, "名字最多 16 个字。"),
        ({"username": "游客1234"}, "留给游客"),
        ({"username": "安娜"}, "已经有人用了"),
        ({"password2": "something else"}, "两次输入的密码不一样。"),
        ({"password1": "7x9q", "password2": "7x9q"}, "8 个字符"),
        ({"email": "a@"}, "这个邮箱地址不完整。"),
    ],
)
def test_a_refused_sign_up_says_why_and_keeps_what_was_typed(
    client: Client, ann: Player, typed: dict[str, str], said: str
) -> None:
    form = {"username": "老王", "email": "w@example.org", "password1": GOOD, "password2": GOOD} | typed
    html = page(client, "accounts:signup", **form)
    assert said in html
    for field in ("username", "email"):
        if form[field]:
            assert f'value="{form[field]}"' in html
    assert Player.objects.count() == 1


def test_two_accounts_cannot_differ_by_capitals_only(client: Client) -> None:
    players.sign_up(username="Anna", password=GOOD)
    html = page(client, "accounts:signup", username="aNNa", password1=GOOD, password2=GOOD)
    assert html.count("已经有人用了") == 1


def test_logging_in_goes_where_one_wanted_to_go_but_never_to_another_site(client: Client, ann: Player) -> None:
    for wanted, got in (("/t/abc/", "/t/abc/"), ("https://evil.example/", "/"), ("//evil.example/", "/")):
        client.logout()
        form = {"username": "安娜", "password": GOOD, "next": wanted}
        answer = client.post(reverse("accounts:login"), form)
        assert answer.headers["Location"] == got


def test_a_wrong_password_and_an_unknown_name_are_told_alike(client: Client, ann: Player) -> None:
    said = "名字或密码不对，请再试一次。"
    assert said in page(client, "accounts:login", username="安娜", password="wrong")
    html = page(client, "accounts:login", username="nobody", password="wrong")
    assert said in html
    assert 'value="nobody"' in html


def test_a_name_is_found_whatever_its_capitals(client: Client) -> None:
    players.sign_up(username="Anna", password=GOOD)
    answer = client.post(reverse("accounts:login"), {"username": "aNNA", "password": GOOD})
    assert answer.status_code == 302


def test_guessing_at_one_name_stops_and_the_rest_of_the_club_still_gets_in(client: Client, ann: Player) -> None:
    players.sign_up(username="Bob", password=GOOD)
    for turn in range(10):
        name = "Bob" if turn % 2 else "bOB"
        answer = client.post(reverse("accounts:login"), {"username": name, "password": "wrong"})
    assert answer.status_code == 429
    assert "15 分钟后再试" in answer.content.decode()
    answer = client.post(reverse("accounts:login"), {"username": "Bob", "password": GOOD})
    assert answer.status_code == 429
    answer = client.post(reverse("accounts:login"), {"username": "安娜", "password": GOOD})
    assert answer.status_code == 302


def test_one_press_makes_a_guest_who_stays_the_same_on_the_next_press(client: Client) -> None:
    for _ in range(2):
        answer = client.post(reverse("accounts:guest"), {"next": "/rules/"})
        assert answer.headers["Location"] == "/rules/"
    assert Player.objects.filter(is_guest=True).count() == 1


def test_nobody_becomes_a_guest_or_leaves_by_a_mere_link(client: Client, ann: Player) -> None:
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    for name in ("accounts:guest", "accounts:logout"):
        assert client.get(reverse(name)).status_code == 405
    assert "_auth_user_id" in client.session


def test_one_address_cannot_make_guests_without_end(client: Client, settings: Settings) -> None:
    settings.GUESTS_PER_HOUR = 2
    codes = [Client().post(reverse("accounts:guest")).status_code for _ in range(3)]
    assert codes == [302, 302, 429]
    assert Player.objects.count() == 2


def test_one_address_cannot_make_accounts_without_end(settings: Settings) -> None:
    settings.SIGNUPS_PER_HOUR = 1
    forms = [{"username": name, "password1": GOOD, "password2": GOOD} for name in ("a", "b")]
    codes = [Client().post(reverse("accounts:signup"), form).status_code for form in forms]
    assert codes == [302, 429]


def test_a_guest_who_claims_stays_logged_in_and_keeps_his_beans(client: Client) -> None:
    client.post(reverse("accounts:guest"))
    guest = Player.objects.get()
    assert guest.username in page(client, "accounts:claim")
    answer = client.post(reverse("accounts:claim"), {"username": "老王", "password1": GOOD, "password2": GOOD})
    assert answer.headers["Location"] == reverse("accounts:profile")
    html = page(client, "accounts:profile")
    assert "老王" in html
    assert "1000" in html
    assert Player.objects.get().pk == guest.pk


def test_signing_up_as_a_guest_leads_to_claiming(client: Client) -> None:
    client.post(reverse("accounts:guest"))
    assert client.get(reverse("accounts:signup")).headers["Location"] == reverse("accounts:claim")


def test_a_guest_may_log_in_to_an_account_he_has(client: Client, ann: Player) -> None:
    client.post(reverse("accounts:guest"))
    assert client.get(reverse("accounts:login")).status_code == 200
    client.post(reverse("accounts:login"), {"username": "安娜", "password": GOOD})
    assert client.session["_auth_user_id"] == str(ann.pk)


@pytest.mark.parametrize("name", ["accounts:profile", "accounts:claim", "accounts:tokens"])
def test_a_stranger_is_sent_to_log_in_first(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer.headers["Location"] == f"{reverse('accounts:login')}?next={reverse(name)}"


@pytest.mark.parametrize("name", ["accounts:profile", "accounts:tokens", "accounts:login", "accounts:signup"])
def test_pages_about_oneself_are_kept_by_no_cache(client: Client, ann: Player, name: str) -> None:
    if name in {"accounts:profile", "accounts:tokens"}:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    assert "no-store" in client.get(reverse(name)).headers["Cache-Control"]


def test_preferences_are_saved_and_shown_again(client: Client, ann: Player) -> None:
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    form = {"theme": "dark", "direction": "clockwise", "four_color": "on"}
    assert client.post(reverse("accounts:profile"), form).status_code == 302
    html = page(client, "accounts:profile")
    assert '<option value="dark" selected>' in html
    assert '<option value="clockwise" selected>' in html
    assert re.search(r'name="four_color"[^>]*checked', html)


def test_a_token_is_shown_once_works_and_is_revoked(client: Client, ann: Player) -> None:
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    found = re.search(r"bh_[\w-]{43}", page(client, "accounts:tokens", label="score board"))
    assert found
    assert players.check_token(found[0]) == ann
    listed = page(client, "accounts:tokens")
    assert "score board" in listed
    assert found[0] not in listed
    revoke = reverse("accounts:token_revoke", args=[ApiToken.objects.get().pk])
    assert client.post(revoke).status_code == 302
    assert players.check_token(found[0]) is None
    assert client.post(revoke).status_code == 404


def test_nobody_revokes_the_token_of_another(client: Client, ann: Player) -> None:
    text = players.make_token(ann, "")
    bob = players.sign_up(username="波", password=None)
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(reverse("accounts:token_revoke", args=[ApiToken.objects.get().pk])).status_code == 404
    assert players.check_token(text) == ann


def test_the_forms_ask_for_a_csrf_token(ann: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    form = {"username": "安娜", "password": GOOD}
    refused = strict.post(reverse("accounts:login"), form)
    assert refused.status_code == 403
    assert refused.templates[0].name == "403_csrf.html"


def test_every_page_carries_the_policy_and_names_its_own_socket(client: Client) -> None:
    headers = client.get(reverse("accounts:login")).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "connect-src 'self' ws://testserver" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_the_language_is_chinese_until_this_browser_chooses_another(client: Client) -> None:
    answer = client.get(reverse("accounts:login"), headers={"accept-language": "en"})
    assert answer.headers["Content-Language"] == "zh-hans"
    client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert client.get(reverse("accounts:login")).headers["Content-Language"] == "en"


def test_the_beans_in_the_admin_can_be_read_and_searched_and_not_written(admin_client: Client, ann: Player) -> None:
    ledger.grant(ann, 5, "gift:1", "gift")
    assert "保皇 管理" in admin_client.get(reverse("admin:index")).content.decode()
    for model in ("account", "posting"):
        changelist = admin_client.get(reverse(f"admin:accounts_{model}_changelist"), {"q": "安娜"})
        assert changelist.status_code == 200
        assert "1 " in changelist.content.decode() or "gift:1" in changelist.content.decode()
        assert admin_client.get(reverse(f"admin:accounts_{model}_add")).status_code == 403
    row = ledger.player_account(ann)
    shown = admin_client.get(reverse("admin:accounts_account_change", args=[row.pk]))
    assert shown.status_code == 200
    assert "1005" in shown.content.decode()
    assert admin_client.post(reverse("admin:accounts_account_change", args=[row.pk]), {"balance": 9}).status_code == 403
    assert admin_client.post(reverse("admin:accounts_account_delete", args=[row.pk])).status_code == 403
    assert ledger.balance(ann) == 1005


def test_an_admin_finds_a_player_and_cannot_delete_him(admin_client: Client, ann: Player) -> None:
    found = admin_client.get(reverse("admin:accounts_player_changelist"), {"q": "安娜"}).content.decode()
    assert f"/accounts/player/{ann.pk}/change/" in found
    assert admin_client.get(reverse("admin:accounts_player_change", args=[ann.pk])).status_code == 200
    assert admin_client.post(reverse("admin:accounts_player_delete", args=[ann.pk]), {"post": "yes"}).status_code == 403
