"""The statement of one's beans and the admin's pages about beans, asked by everybody."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import Account, AuditEntry, Player, Posting
from accounts.selectors_beans import PAGE
from accounts.services import ledger
from accounts.services.players import sign_up
from tests.clubs.people import client_of, person

pytestmark = pytest.mark.django_db


def lines(html: str) -> list[tuple[str, int, int]]:
    """Reason, amount and balance after, line by line."""
    found = re.findall(r'<li class="bean-line.*?</li>', html, re.DOTALL)
    texts = [re.sub(r"<[^>]+>", " ", line).split() for line in found]
    return [(words[0], int(words[1].replace("−", "-")), int(words[words.index("余") + 1])) for words in texts]


def test_the_statement_has_every_posting_with_the_balance_after_it_over_all_pages() -> None:
    player = person("安")
    amounts = [(-1) ** n * (n + 1) for n in range(2 * PAGE)]
    for n, amount in enumerate(amounts):
        ledger.settle_hand(hand_id=f"h{n}", beans={player: amount}, rounding=0)
    client, url, seen = client_of(player), "/beans/", []
    for _ in range(4):
        html = client.get(url).content.decode()
        seen += lines(html)
        more = re.search(r'rel="next" href="(\?before=\d+)"', html)
        if more is None:
            break
        url = "/beans/" + more[1]
    expected, balance = [("见面礼", 1000, 1000)], 1000
    for amount in amounts:
        balance += amount
        expected.append(("一局牌", amount, balance))
    assert seen == expected[::-1]
    assert 'href="/hands/h3/"' in client.get("/beans/?before=40").content.decode()


def test_the_page_says_that_beans_are_no_money_and_offers_relief_only_where_it_is_due() -> None:
    player = person("安")
    client = client_of(player)
    html = client.get("/beans/").content.decode()
    assert "没有真钱" in html
    assert "/beans/relief/" not in html
    ledger.grant(player, -900, "lost", "test")
    assert "领救济 500 豆" in client.get("/beans/").content.decode()
    for said in ("领到 500 豆", "今天已经领过了"):
        assert said in client.post("/beans/relief/", follow=True).content.decode()
    assert ledger.balance(player) == 600


def test_beans_are_ones_own_business() -> None:
    for client in (client_of(None),):
        for answer in (client.get("/beans/"), client.post("/beans/relief/")):
            assert answer.status_code == 302
            assert answer.headers["Location"].startswith("/accounts/login/")
    ann, bob = person("安"), person("波")
    ledger.grant(ann, 77, "gift", "admin")
    assert "+77" not in client_of(bob).get("/beans/").content.decode()
    assert client_of(ann).get("/beans/relief/").status_code == 405
    assert "no-store" in client_of(ann).get("/beans/").headers["Cache-Control"]


def test_a_long_statement_costs_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    player = person("安")
    for n in range(PAGE + 5):
        ledger.grant(player, 1, f"g{n}", "admin")
    client = client_of(player)
    with django_assert_max_num_queries(10):
        client.get("/beans/")


def test_a_page_before_no_posting_is_empty_and_nonsense_is_ignored() -> None:
    client = client_of(person("安"))
    assert lines(client.get("/beans/?before=1").content.decode()) == []
    for nonsense in ("x", "-3", "9" * 30, "٣"):
        assert client.get(f"/beans/?before={nonsense}").status_code == 200


# --- the admin


def staff(name: str, *permissions: str, superuser: bool = False) -> Client:
    player = sign_up(username=name, password=None)
    player.is_staff, player.is_superuser = True, superuser
    player.save()
    for codename in permissions:
        permission = Permission.objects.get(codename=codename, content_type__app_label="accounts")
        player.user_permissions.add(permission)
    return client_of(Player.objects.get(pk=player.pk))


def test_the_admin_gives_takes_back_and_freezes_by_pages_that_ask_why() -> None:
    player = person("安")
    account = Account.objects.get(player=player)
    base = f"/admin/accounts/account/{account.pk}"
    client = staff("管", superuser=True)
    assert f"{base}/grant/" in client.get(f"{base}/change/").content.decode()
    page = client.get(f"{base}/grant/").content.decode()
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key is not None
    form = {"amount": "40", "reason": "奖品", "key": key[1]}
    assert client.post(f"{base}/grant/", form | {"reason": ""}).status_code == 200
    assert ledger.balance(player) == 1000
    for _ in range(2):
        assert client.post(f"{base}/grant/", form).status_code == 302
    assert ledger.balance(player) == 1040
    for on in ("1", "1"):
        client.post(f"{base}/freeze/", {"reason": "查", "on": on})
    assert Account.objects.get(pk=account.pk).frozen
    posting = Posting.objects.get(key=f"admin:{key[1]}")
    for _ in range(2):
        client.post(f"/admin/accounts/posting/{posting.pk}/reverse/", {"reason": "错了"})
    assert ledger.balance(player) == 1000
    acts = list(AuditEntry.objects.order_by("pk").values_list("action", "by__username"))
    assert acts == [("beans.grant", "管"), ("beans.freeze", "管"), ("beans.reverse", "管")]
    html = client.get("/admin/accounts/auditentry/").content.decode()
    assert "奖品" in html


@pytest.mark.parametrize(
    "who, code",
    [("anonymous", 302), ("player", 302), ("looks", 403), ("acts", 200)],
)
def test_only_who_may_manage_beans_opens_the_pages_that_do(who: str, code: int) -> None:
    player = person("安")
    account, posting = Account.objects.get(player=player), Posting.objects.get(key=f"welcome:{player.pk}")
    client = {
        "anonymous": lambda: client_of(None),
        "player": lambda: client_of(player),
        "looks": lambda: staff("工", "view_account", "view_posting"),
        "acts": lambda: staff("工", "view_account", "view_posting", "manage_beans"),
    }[who]()
    urls = [
        f"/admin/accounts/account/{account.pk}/grant/",
        f"/admin/accounts/account/{account.pk}/freeze/",
        f"/admin/accounts/posting/{posting.pk}/reverse/",
    ]
    assert [client.get(url).status_code for url in urls] == [code] * 3
    if code != 200:
        form = {"amount": "5", "reason": "mine", "key": "x" * 16, "on": "1"}
        assert [client.post(url, form).status_code for url in urls] == [code] * 3
        assert not AuditEntry.objects.exists()
        assert ledger.balance(player) == 1000


def test_no_form_of_the_admin_writes_a_balance_a_posting_or_the_audit() -> None:
    client = staff("管", superuser=True)
    account = Account.objects.get(player=person("安"))
    posting = Posting.objects.latest("pk")
    for url in (
        "/admin/accounts/account/add/",
        "/admin/accounts/posting/add/",
        "/admin/accounts/auditentry/add/",
        f"/admin/accounts/account/{account.pk}/delete/",
        f"/admin/accounts/posting/{posting.pk}/delete/",
    ):
        assert client.post(url, {"balance": "9"}).status_code == 403, url
    assert client.post(f"/admin/accounts/account/{account.pk}/change/", {"balance": "9"}).status_code == 403
    assert Account.objects.get(pk=account.pk).balance == 1000


def test_the_lists_of_the_admin_cost_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    client = staff("管", superuser=True)
    for n in range(20):
        player = person(f"人{n}")
        ledger.grant(player, 1, f"g{n}", "admin")
    account = Account.objects.get(player=player)
    for url in (
        "/admin/accounts/account/",
        f"/admin/accounts/account/{account.pk}/change/",
        "/admin/accounts/posting/",
        "/admin/accounts/auditentry/",
    ):
        with django_assert_max_num_queries(20):
            assert client.get(url).status_code == 200


# --- tables


def test_the_form_of_a_new_table_asks_for_an_entry() -> None:
    player = person("安")
    client = client_of(player)
    page = client.get("/new").content.decode()
    assert 'name="entry"' in page
    form = {"rules": "lianzhong-simple", "bots": "0", "room": "1", "entry": "1000", "clock": ""}
    url = client.post("/new", form).headers["Location"]
    other = person("波")
    ledger.grant(other, -1, "lost", "test")
    said = client_of(other).post(f"{url}sit", follow=True).content.decode()
    assert "你的豆不够这一桌的入座数" in said
    answer = client.post("/new", form | {"entry": "5000"})
    assert answer.status_code == 422
    assert "你的豆不够这一桌的入座数" in answer.content.decode()


def test_the_menu_of_the_table_sets_ones_own_multiplier() -> None:
    player = person("安")
    client = client_of(player)
    url = client.post("/new", {"rules": "lianzhong-simple", "bots": "0", "room": "1", "clock": ""}).headers["Location"]
    assert f'action="{url}stake"' in client.get(url).content.decode()
    client.post(f"{url}stake", {"multiplier": "5"})
    assert client.get(f"/api{url.replace('/t/', '/tables/').rstrip('/')}").json()["seats"][0]["multiplier"] == 5
    assert f'action="{url}stake"' not in client_of(None).get(url).content.decode()
