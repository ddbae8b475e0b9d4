"""The admin of hands and tables: nothing of a hand in progress leaks to anybody, all of a finished one is there."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.admin.links import change_link
from games.engine.deck import SEED_BYTES
from games.models import Hand, HandAction, Table
from games.services.errors import Refused
from games.services.supervise import close_table
from tests.admin.people import client_of
from tests.games.play_helpers import Club, at_step, club

pytestmark = pytest.mark.django_db

HANDS = "/admin/games/hand/"
TABLES = "/admin/games/table/"

SECRET = {
    "deal": {"hands": [["W!", "w!"], ["9C"], [], [], []], "drawn": 3},
    "server_seed": "ab" * SEED_BYTES,
    "clients": ["geheim", "", "", "", ""],
    "pending": {"seat": 4, "text": "open"},
    "previous": {"emperor": 4},
    "seq": 999,
    "asked_seq": 998,
    "version": 997,
    "trustees": [{"on": True, "count": 3, "gone": False}] * 5,
}
"""Other values for every column of a running hand that its pages must not depend on."""


def url(kind: str, key: str, page: str = "change") -> str:
    return reverse(f"admin:games_{kind}_{page}", args=(quote(key),))


def addresses(at: Club) -> list[str]:
    """Every admin page on which a hand in progress or its table could show."""
    hand = at.hand()
    return [
        HANDS,
        f"{HANDS}?q={hand.pk}",
        f"{HANDS}?status__exact=active",
        f"{HANDS}?table__id__exact={at.id}",
        f"{HANDS}?o=-1.2.3.4.5.6.7",
        url("hand", hand.pk),
        url("hand", hand.pk, "history"),
        TABLES,
        f"{TABLES}?q={at.id}",
        f"{TABLES}?status__exact=playing",
        url("table", at.id),
        url("table", at.id, "history"),
        f"/admin/autocomplete/?app_label=games&model_name=hand&field_name=table&term={hand.pk}",
        "/admin/",
        "/admin/games/",
    ]


def read(client: Client, at: Club) -> dict[str, tuple[int, str]]:
    """Status and text of every page, without what changes from answer to answer anyway."""
    pages = {}
    for address in addresses(at):
        answer = client.get(address)
        text = answer.content.decode()
        pages[address] = (answer.status_code, re.sub(r'(csrfmiddlewaretoken" value=")[^"]*', r"\1", text))
    return pages


@pytest.mark.parametrize(
    "rules, step",
    [
        ("lianzhong-simple", "crown"),
        ("lianzhong-simple", "reveal"),
        ("weihai", "grab"),
        ("special", "call"),
        ("lianzhong-simple", "rebel"),
        ("lianzhong-simple", "play"),
    ],
)
def test_no_admin_page_depends_on_what_is_hidden_in_a_running_hand(rules: str, step: str) -> None:
    at = club(rules, people=1)
    at.play(at_step(step))
    hand = at.hand()
    boss = client_of("superuser")
    before = read(boss, at)
    assert before[url("hand", hand.pk)][0] == 200
    Hand.objects.filter(pk=hand.pk).update(**SECRET)
    Table.objects.filter(pk=at.id).update(
        next_seed="cd" * SEED_BYTES, contributions={"0": "geheim"}, previous={"emperor": 2}, previous_seats=["x"] * 5
    )
    HandAction.objects.filter(hand=hand).delete()
    HandAction.objects.create(hand=hand, seq=1, seat=2, text="rebel", source="player", at=at.now)
    assert read(boss, at) == before


def test_the_pages_of_a_running_hand_name_neither_seed_nor_cards_nor_answers() -> None:
    at = club("lianzhong-simple", people=1)
    at.play(at_step("play"))
    hand, table = at.hand(), at.row()
    text = "".join(page for _status, page in read(client_of("superuser"), at).values())
    text = text.replace(hand.pk, "").replace(table.pk, "")
    assert hand.server_seed not in text
    assert table.next_seed not in text
    for word in ("发到的牌", "红桃", "黑桃", "大王", "侍卫牌小王", ">play ", "W!", "w!"):
        assert word not in text, word


HIDDEN_LOOKUPS = {
    HANDS: [
        f"{column}__{kind}"
        for column in ("server_seed", "deal", "clients", "pending", "previous", "trustees", "seq", "version", "players")
        for kind in ("startswith", "contains", "isnull", "exact", "gt")
    ]
    + ["server_seed", "actions__text__startswith", "actions__text", "table__next_seed__startswith"],
    TABLES: [f"next_seed__{kind}" for kind in ("startswith", "contains", "regex", "gt")]
    + ["next_seed", "hands__server_seed__startswith", "contributions__0", "hands__pending", "seats__player__password"],
    "/admin/games/variantrevision/": ["tables__next_seed__startswith", "created_by__password__startswith"],
    "/admin/games/variant/": ["revisions__tables__next_seed__startswith"],
}


@pytest.mark.parametrize("page", HIDDEN_LOOKUPS)
def test_no_hidden_column_can_be_guessed_at_through_the_address(page: str) -> None:
    club("lianzhong-simple", people=1)
    boss = client_of("superuser")
    for lookup in HIDDEN_LOOKUPS[page]:
        answer = boss.get(f"{page}?{lookup}=a")
        assert answer.status_code == 400 or "e=1" in answer.get("Location", ""), lookup


class TestAFinishedHand(TestCase):
    """The hand is played once for all of these; only its ids are kept."""

    @classmethod
    def setUpTestData(cls) -> None:
        at = club("lianzhong-simple", people=1)
        cls.hand_id, cls.table_id = at.play_hand().pk, at.id

    def setUp(self) -> None:
        self.hand = Hand.objects.get(pk=self.hand_id)
        self.boss = client_of("superuser")

    def test_it_shows_cards_log_and_result(self) -> None:
        html = self.boss.get(url("hand", self.hand_id)).content.decode()
        for word in ("皇牌大王", "侍卫牌小王", "头客", "机器人", self.hand.server_seed):
            assert word in html
        assert html.count("<code>play ") == self.hand.actions.filter(text__startswith="play ").count()

    def test_neither_hand_nor_table_can_be_changed_added_or_deleted(self) -> None:
        for kind, key in (("hand", self.hand_id), ("table", self.table_id)):
            assert self.boss.post(url(kind, key), {"number": "5"}).status_code == 403
            assert self.boss.post(url(kind, key, "delete"), {"post": "yes"}).status_code == 403
            assert self.boss.get(f"/admin/games/{kind}/add/").status_code == 403
            assert "delete_selected" not in self.boss.get(f"/admin/games/{kind}/").content.decode()

    def test_the_page_of_its_table_links_to_it(self) -> None:
        html = self.boss.get(url("table", self.table_id)).content.decode()
        assert url("hand", self.hand_id) in html
        assert "人0" in html

    def test_no_page_asks_more_than_twenty_questions(self) -> None:
        for address in (HANDS, url("hand", self.hand_id), TABLES, url("table", self.table_id)):
            with CaptureQueriesContext(connection) as asked:
                assert self.boss.get(address).status_code == 200
            assert len(asked) <= 20, address

    def test_the_list_asks_no_more_for_more_rows(self) -> None:
        counts = []
        for more in (3, 0):
            with CaptureQueriesContext(connection) as asked:
                self.boss.get(HANDS)
            counts.append(len(asked))
            for n in range(more):
                row = Hand.objects.get(pk=self.hand_id)
                row.pk, row.number = f"copy{n}", row.number + 1 + n
                row.save(force_insert=True)
        assert counts[0] == counts[1]


# --- closing a table


def test_an_admin_closes_a_table_without_a_hand_and_everybody_at_it_is_told() -> None:
    at = club("lianzhong-simple", people=1, ready=False)
    client_of("superuser").post(TABLES, {"action": "close_selected", "_selected_action": [at.id]})
    row = at.row()
    assert (row.status, row.closed_because, row.next_at) == ("closed", "admin", None)
    assert at.view(0).phase == "closed"
    close_table(table_id=at.id, now=at.now)
    assert at.row().version == row.version


def test_a_table_with_a_hand_in_progress_is_left_alone() -> None:
    at = club("lianzhong-simple", people=1)
    before = at.row().version
    html = client_of("superuser").post(TABLES, {"action": "close_selected", "_selected_action": [at.id]}, follow=True)
    assert "正在打，打完才能散。" in html.content.decode()
    assert (at.row().status, at.row().version) == ("playing", before)
    with pytest.raises(Refused):
        close_table(table_id="nowhere", now=at.now)


def test_who_may_only_look_at_tables_cannot_close_one() -> None:
    at = club("lianzhong-simple", people=1, ready=False)
    client = client_of("staff", "view_table")
    assert "close_selected" not in client.get(TABLES).content.decode()
    client.post(TABLES, {"action": "close_selected", "_selected_action": [at.id]})
    assert at.row().status != "closed"


def test_an_id_that_the_admin_could_misread_leads_to_its_page() -> None:
    """Ids are drawn at random, and in one of some hundred stand three signs that the admin takes for another one."""
    row = Table.objects.get(pk=club(people=1, ready=False).id)
    row.pk = "-3GPGg_3FmSK"
    row.save(force_insert=True)
    (address,) = re.findall(r'href="([^"]+)"', change_link("table", row.pk, "x"))
    answer = client_of("superuser").get(address)
    assert answer.status_code == 200
    assert row.pk in answer.content.decode()
