"""Passwords, sessions, privacy: what people do with their accounts, over the pages."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from accounts.selectors import may_see_history, may_see_online, may_see_profile
from accounts.services import blocks, clubs, privacy
from accounts.services.players import make_token, sign_up
from tests.clubs.people import cast, client_of, person
from tests.people.browsing import BETTER, GOOD, logged_in, text, with_password

pytestmark = pytest.mark.django_db


# --- passwords and sessions


def test_the_session_gets_a_new_key_at_log_in_claim_and_change_of_password() -> None:
    client = Client()
    client.post("/accounts/guest/")
    keys = [client.session.session_key]
    client.post("/accounts/claim/", {"username": "安娜", "password1": GOOD, "password2": GOOD})
    keys.append(client.session.session_key)
    form = {"old_password": GOOD, "new_password1": BETTER, "new_password2": BETTER}
    assert client.post("/accounts/password/", form).status_code == 302
    keys.append(client.session.session_key)
    client.post("/accounts/logout/")
    client.post("/accounts/login/", {"username": "安娜", "password": BETTER})
    keys.append(client.session.session_key)
    assert len(set(keys)) == 4
    assert None not in keys
    assert logged_in(client)


def test_another_password_ends_the_other_sessions_and_a_wrong_one_changes_nothing() -> None:
    player, client = with_password()
    other = Client()
    other.post("/accounts/login/", {"username": "安娜", "password": GOOD})
    form = {"old_password": "wrong", "new_password1": BETTER, "new_password2": BETTER}
    assert "密码不对" in text(client, "/accounts/password/", form)
    assert logged_in(other)
    client.post("/accounts/password/", form | {"old_password": GOOD})
    assert (logged_in(client), logged_in(other)) == (True, False)
    assert Player.objects.get(pk=player.pk).check_password(BETTER)


def test_logging_out_everywhere_ends_every_session_and_token() -> None:
    player, client = with_password()
    other, token = Client(), make_token(player)
    other.post("/accounts/login/", {"username": "安娜", "password": GOOD})
    assert client.get("/accounts/everywhere/").status_code == 405
    client.post("/accounts/everywhere/")
    assert not logged_in(client)
    assert not logged_in(other)
    assert Client().get("/accounts/", HTTP_AUTHORIZATION=f"Bearer {token}").status_code == 401
    client.post("/accounts/login/", {"username": "安娜", "password": GOOD})
    assert logged_in(client)


def test_a_guest_is_not_logged_out_everywhere_for_he_would_not_find_back() -> None:
    client = Client()
    client.post("/accounts/guest/")
    assert client.post("/accounts/everywhere/").headers["Location"] == "/accounts/claim/"
    assert logged_in(client)


def test_passwords_are_not_guessed_at_an_open_browser_for_ever() -> None:
    _player, client = with_password()
    form = {"password": "wrong", "sure": "on"}
    codes = [client.post("/accounts/close/", form).status_code for _ in range(21)]
    assert codes == [200] * 20 + [429]


def test_a_forgotten_password_is_renewed_by_the_link_once_and_every_session_ends() -> None:
    _player, client = with_password(email="anna@example.org")
    asker = Client()
    asker.post("/accounts/forgotten/", {"email": "ANNA@example.org"})
    assert [message.to for message in mail.outbox] == [["anna@example.org"]]
    link = re.search(r"http://testserver(/accounts/renew/\S+)", mail.outbox[0].body)
    assert link is not None
    page = asker.get(link[1], follow=True)
    form = {"new_password1": BETTER, "new_password2": BETTER}
    done = asker.post(page.redirect_chain[-1][0], form, follow=True)
    assert "密码改好了，请用新密码登录" in done.content.decode()
    assert not logged_in(client)
    assert "这个链接用过了" in asker.get(link[1], follow=True).content.decode()
    assert client.post("/accounts/login/", {"username": "安娜", "password": BETTER}).status_code == 302


def test_nobody_learns_from_the_answer_whether_an_address_has_an_account() -> None:
    with_password(email="anna@example.org")
    sign_up(username="波", password=None, email="bob@example.org")
    answers = []
    for address in ("anna@example.org", "nobody@example.org", "bob@example.org"):
        answer = Client().post("/accounts/forgotten/", {"email": address})
        answers.append((answer.status_code, answer.headers["Location"], answer.content))
    assert len(set(answers)) == 1
    assert len(mail.outbox) == 1


def test_nobody_fills_anothers_mailbox() -> None:
    with_password(email="anna@example.org")
    codes = {Client().post("/accounts/forgotten/", {"email": "anna@example.org"}).status_code for _ in range(7)}
    assert (codes, len(mail.outbox)) == ({302}, 5)


def test_the_address_is_changed_with_the_password_only() -> None:
    player, client = with_password()
    assert "密码不对" in text(client, "/accounts/email/", {"email": "new@example.org", "password": "wrong"})
    client.post("/accounts/email/", {"email": "new@example.org", "password": GOOD})
    assert Player.objects.get(pk=player.pk).email == "new@example.org"


def test_the_name_is_changed_on_its_page_and_then_the_page_says_when_again() -> None:
    player, client = with_password()
    assert "太像" in text(client, "/accounts/name/", {"name": sign_up(username="波", password=None).username})
    assert "现在你叫 安静" in text(client, "/accounts/name/", {"name": "安静"})
    again = timezone.localdate() + timedelta(days=30)
    assert again.isoformat() in text(client, "/accounts/name/")
    assert Player.objects.get(pk=player.pk).username == "安静"
    assert "太像" in text(Client(), "/accounts/signup/", {"username": "安娜", "password1": GOOD, "password2": GOOD})


@pytest.mark.parametrize("url", ["name", "email", "privacy", "blocks", "password", "close", "everywhere", "export"])
def test_settings_are_for_the_logged_in_only_and_kept_by_no_cache(url: str) -> None:
    address = f"/accounts/{url}/"
    method = "post" if url in ("everywhere", "export") else "get"
    answer = getattr(Client(), method)(address)
    assert answer.headers["Location"].startswith("/accounts/login/")
    _player, client = with_password()
    assert "no-store" in getattr(client, method)(address).headers["Cache-Control"]


# --- privacy and the page of a player


@pytest.mark.parametrize("may", [may_see_profile, may_see_history, may_see_online])
def test_what_is_shown_is_shown_to_those_the_player_chose(may: Any) -> None:
    people = cast()
    player, field = people["member"], may.__name__.replace("may_see", "shows")
    seen = {}
    for word in ("everyone", "club", "nobody"):
        privacy.choose(player=player, choices={field: word})
        viewers = {"self": player, "clubmate": people["other"], "stranger": people["stranger"], "anonymous": None}
        seen[word] = [name for name, viewer in viewers.items() if may(viewer, player)]
    assert seen == {
        "everyone": ["self", "clubmate", "stranger", "anonymous"],
        "club": ["self", "clubmate"],
        "nobody": ["self"],
    }


def test_an_archived_club_joins_nobody() -> None:
    people = cast()
    privacy.choose(player=people["member"], choices={"shows_profile": "club"})
    clubs.archive(club=people.club, by=people["owner"], now=timezone.now())
    assert not may_see_profile(people["other"], people["member"])


def test_the_page_of_a_player_shows_what_he_lets_be_seen() -> None:
    people = cast()
    player, url = people["member"], f"/players/{people['member'].username}/"
    mate, anonymous = client_of(people["other"]), client_of(None)
    assert people.club.name in text(mate, url)
    assert people.club.name not in text(anonymous, url)
    assert "战绩" in text(anonymous, url)
    privacy.choose(player=player, choices={"shows_history": "nobody"})
    assert 'id="statistics"' not in text(mate, url)
    assert 'id="statistics"' in text(client_of(player), url)
    privacy.choose(player=player, choices={"shows_profile": "nobody"})
    answer = mate.get(url)
    assert (answer.status_code, "主页不公开" in answer.content.decode()) == (403, True)
    assert people.club.name not in answer.content.decode()
    assert client_of(player).get(url).status_code == 200
    assert anonymous.get("/players/无此人/").status_code == 404


def test_the_page_of_a_player_costs_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    people = cast()
    privacy.choose(player=people["member"], choices={"shows_profile": "club", "shows_history": "club"})
    client = client_of(people["other"])
    with django_assert_max_num_queries(20):
        assert client.get(f"/players/{people['member'].username}/").status_code == 200


def test_blocking_is_a_press_on_the_others_page_and_he_never_learns_of_it() -> None:
    ann, bob = person("安"), person("波")
    client, other = client_of(ann), client_of(bob)
    before = text(other, "/players/安/")
    assert "取消拉黑" in text(client, "/players/波/relation", {"do": "block"})
    assert blocks.blocked_pairs([ann.pk, bob.pk])
    mask = re.compile(r'csrfmiddlewaretoken" value="[^"]+"|X-CSRFToken": "[^"]+"')
    assert mask.sub("", text(other, "/players/安/")) == mask.sub("", before)
    assert "波" in text(client, "/accounts/blocks/")
    client.post("/players/波/relation", {"do": "unblock", "back": "list"})
    assert not blocks.blocked_pairs([ann.pk, bob.pk])
    assert client.post("/players/波/relation", {"do": "kick"}).status_code == 404
    assert client_of(None).post("/players/波/relation", {"do": "block"}).status_code == 302
    assert "不能拉黑自己" in text(client, "/players/安/relation", {"do": "block"})
