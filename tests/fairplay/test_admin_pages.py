"""Every page of the admin with hundreds of rows: it opens, costs no more than twenty queries, and moderating is for
moderators only."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Account, ApiToken, AuditEntry, Club, ClubBan, Player
from accounts.services import ledger
from games.models import (
    AppealLine,
    ChatMessage,
    Desertion,
    Hand,
    HandResult,
    Report,
    Sanction,
    Season,
    Signal,
    Table,
    Variant,
    VariantRevision,
)
from games.services import demo_rows, reports, sanctions
from tests.clubs.people import client_of
from tests.fairplay.people import boss, moderator, person, staff

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
ROWS = 300
MOST = 20
MANY: tuple[type[Model], ...] = (
    Account, ApiToken, AuditEntry, Club, Desertion, Hand, Player, Report, Sanction, Signal, Table, Variant,
)  # fmt: skip
"""Those of which the test makes so many rows; of the rest there are some, or they have no list."""


def fill() -> Player:
    """Everything three hundred times; the first admin."""
    call_command("load_presets", verbosity=0)
    demo_rows.make(people=ROWS, hands=ROWS * 16, now=NOW, days=60)
    people = list(Player.objects.order_by("pk"))
    hands = list(Hand.objects.order_by("pk")[:ROWS])
    by = boss()
    for row in people[:50]:
        ledger.settle_hand(hand_id=f"x{row.pk}", beans={row: 5, people[-1]: -5}, rounding=0)
    Club.objects.bulk_create(
        Club(slug=f"c{n}", name=f"会{n}", owner=people[n], invite=f"i{n}", created_at=NOW) for n in range(ROWS)
    )
    club = Club.objects.get(slug="c0")
    ClubBan.objects.bulk_create(ClubBan(club=club, player=people[n], by=by, at=NOW) for n in range(50))
    ApiToken.objects.bulk_create(ApiToken(player=people[n], digest=f"{n:064}") for n in range(ROWS))
    AuditEntry.objects.bulk_create(
        AuditEntry(at=NOW, by=by, action="x.y", target=f"accounts.player:{n}", reason="r") for n in range(ROWS)
    )
    Report.objects.bulk_create(
        Report(reporter=people[n], target=people[(n * 7 + 1) % ROWS], hand=hands[n], table_id=hands[n].table_id,
               scene=hands[n].pk, category="talk", text="骂人", at=NOW)
        for n in range(ROWS)
    )  # fmt: skip
    told = list(Report.objects.order_by("pk"))
    Sanction.objects.bulk_create(
        Sanction(
            player=people[n], kind="suspend", reason="x", by=by, at=NOW, until=NOW + timedelta(days=2), report=told[n]
        )
        for n in range(ROWS)
    )
    AppealLine.objects.bulk_create(
        AppealLine(sanction=row, author=row.player, text=f"第{n}句", at=NOW)
        for row in Sanction.objects.select_related("player")[:20]
        for n in range(20)
    )
    Signal.objects.bulk_create(
        Signal(kind="flow", player=people[n], other=people[(n + 1) % ROWS], strength=n, figures={"beans": 9},
               hands=[hand.pk for hand in hands[:20]], days=30, found_at=NOW)
        for n in range(ROWS)
    )  # fmt: skip
    Desertion.objects.bulk_create(
        Desertion(player=people[n], hand=hands[n], at=NOW, until=NOW, times=1) for n in range(ROWS)
    )
    for table in Table.objects.order_by("pk")[:5]:
        ChatMessage.objects.bulk_create(
            ChatMessage(table=table, author=people[0], seat=0, text="快点", at=NOW) for _ in range(60)
        )
    preset = VariantRevision.objects.select_related("variant").order_by("pk")[0]
    Variant.objects.bulk_create(
        Variant(slug=f"v{n}", name=f"规则{n}", club=club if n % 2 else None) for n in range(ROWS)
    )
    VariantRevision.objects.bulk_create(
        VariantRevision(variant=one, number=1, rules=preset.rules, created_by=by, created_at=NOW, published_at=NOW)
        for one in Variant.objects.filter(slug__startswith="v")
    )
    Season.objects.create(name="春", starts=NOW.date() + timedelta(days=300), ends=NOW.date() + timedelta(days=330))
    return by


def ours() -> list[type[Model]]:
    return [model for model in admin.site._registry if model._meta.app_label in ("accounts", "games")]


def addresses(model: type[Model]) -> list[str]:
    """The list, its search, each choice of its filters, and the pages of three rows."""
    name = f"{model._meta.app_label}_{model._meta.model_name}"
    start = reverse(f"admin:{name}_changelist")
    found = [start, f"{start}?q=a"]
    for row in [*model._default_manager.order_by("pk")[:2], *model._default_manager.order_by("-pk")[:1]]:
        found.append(reverse(f"admin:{name}_change", args=(quote(row.pk),)))
        found.append(reverse(f"admin:{name}_history", args=(quote(row.pk),)))
    return found


@pytest.mark.slow
def test_no_page_of_the_admin_costs_more_than_twenty_queries_however_many_rows() -> None:
    by = fill()
    client = client_of(by)
    for model in MANY:
        assert model._default_manager.count() >= ROWS, model
    client.get("/admin/")
    dear, failed = {}, {}
    pages = ["/admin/", "/admin/accounts/", "/admin/games/"]
    pages += [address for model in ours() for address in addresses(model)]
    row = Report.objects.order_by("pk")[0]
    pages += [f"/admin/games/report/{row.pk}/{act}/" for act in ("warn", "suspend", "dismiss")]
    talked = AppealLine.objects.order_by("pk")[0].sanction_id
    pages += [f"/admin/games/sanction/{talked}/{act}/" for act in ("answer", "lift", "change")]
    pages += [f"/admin/games/sanction/player/{row.target_id}/{act}/" for act in ("warn", "suspend")]
    pages += followed(client, row.target_id)
    for page in pages:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = client.get(page)
        if answer.status_code != 200:
            failed[page] = answer.status_code
        if len(queries) > MOST:
            dear[page] = len(queries)
    assert (failed, dear) == ({}, {})
    assert len(pages) > 80


def followed(client: Client, player: int) -> list[str]:
    """Every link of the pages of a player, a hand, a table, a posting, a report and a signal into the admin's lists."""
    hand = HandResult.objects.order_by("pk")[0].hand
    pages = [
        f"/admin/accounts/player/{player}/change/",
        f"/admin/games/hand/{quote(hand.pk)}/change/",
        f"/admin/games/table/{quote(hand.table_id)}/change/",
        f"/admin/games/report/{Report.objects.order_by('pk')[0].pk}/change/",
        f"/admin/games/signal/{Signal.objects.order_by('pk')[0].pk}/change/",
    ]
    found: set[str] = set()
    for page in pages:
        html = client.get(page).content.decode()
        found |= {
            link.replace("&amp;", "&") for link in re.findall(r'href="(/admin/(?:games|accounts)/[^"]*\?[^"]*)"', html)
        }
    return sorted(link for link in found if "_changelist_filters" not in link)


MODERATED = ("report", "sanction", "signal", "desertion")


def rows() -> dict[str, Any]:
    target, reporter = person("当事人"), person("说的人")
    report = reports.report(reporter=reporter, target=target, category="talk", text="他骂人", now=NOW)
    sanction = sanctions.warn(player=target, reason="别骂人", by=moderator(), now=NOW)
    signal = Signal.objects.create(
        kind="meet", player=target, other=reporter, strength=5, figures={"together": 40}, days=30, found_at=NOW
    )
    return {"report": report, "sanction": sanction, "signal": signal}


@pytest.mark.parametrize("who, status", [("player", 302), ("staff", 403), ("moderator", 200), ("admin", 200)])
def test_moderating_is_for_moderators(who: str, status: int) -> None:
    made = rows()
    people = {"player": lambda: person("玩家"), "staff": lambda: staff("职员", "view_hand"), "admin": boss}
    client = client_of(moderator("另一个") if who == "moderator" else people[who]())
    pages = [f"/admin/games/{name}/" for name in MODERATED]
    pages += [f"/admin/games/{name}/{row.pk}/change/" for name, row in made.items()]
    pages += [f"/admin/games/report/{made['report'].pk}/{act}/" for act in ("warn", "suspend", "dismiss")]
    pages += [f"/admin/games/sanction/{made['sanction'].pk}/{act}/" for act in ("lift", "answer")]
    pages += [f"/admin/games/sanction/player/{made['report'].target_id}/{act}/" for act in ("warn", "suspend")]
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, status)
    if who == "staff":
        for page in pages[7:]:
            assert client.post(page, {"words": "x", "days": 3}).status_code == 403
        assert Sanction.objects.count() == 1
        assert Report.objects.get().status == "open"


def test_a_moderator_answers_a_report_from_its_page_once() -> None:
    made = rows()
    client = client_of(moderator("另一个"))
    page = f"/admin/games/report/{made['report'].pk}/suspend/"
    for _ in range(2):
        assert client.post(page, {"words": "停三天", "days": "3"}, follow=False).status_code == 302
    row = Sanction.objects.get(kind="suspend")
    assert (row.player, row.reason, row.report) == (made["report"].target, "停三天", made["report"])
    assert client.post(page, {"words": "", "days": "3"}).status_code == 200
    assert client.post(page, {"words": "x", "days": "4"}).status_code == 200
    assert Report.objects.get().status == "done"
    client.post(f"/admin/games/sanction/{row.pk}/answer/", {"words": "看过了"})
    client.post(f"/admin/games/sanction/{row.pk}/lift/", {"words": "弄错了"})
    row.refresh_from_db()
    assert row.lifted_at is not None
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert actions >= {"player.suspend", "report.done", "appeal.answer", "player.lift"}


def test_many_are_let_be_or_marked_as_seen_at_once() -> None:
    made = rows()
    by = moderator("另一个")
    client = client_of(by)
    client.post("/admin/games/report/", {"action": "dismiss_selected", "_selected_action": [made["report"].pk]})
    client.post("/admin/games/signal/", {"action": "review_selected", "_selected_action": [made["signal"].pk]})
    assert (Report.objects.get().status, Report.objects.get().handled_by) == ("none", by)
    assert (Signal.objects.get().status, Signal.objects.get().reviewed_by) == ("seen", by)
    assert AuditEntry.objects.filter(by=by).count() == 2


def test_a_moderator_does_not_see_what_is_said_about_himself() -> None:
    by = moderator()
    row = reports.report(reporter=person("说的人"), target=by, category="talk", text="他骂人", now=NOW)
    client = client_of(by)
    assert "他骂人" not in client.get("/admin/games/report/").content.decode()
    assert "说的人" not in client.get("/admin/games/report/").content.decode()
    assert client.get(f"/admin/games/report/{row.pk}/change/").status_code == 302
    assert client.get(f"/admin/games/report/{row.pk}/dismiss/").status_code == 404


def test_nobody_writes_rows_of_fair_play_by_hand() -> None:
    client = client_of(boss())
    for name in MODERATED:
        assert client.get(f"/admin/games/{name}/add/").status_code == 403
    assert apps.get_model("games", "LoginTrace") not in admin.site._registry


def test_the_hidden_columns_cannot_be_guessed_through_the_lists() -> None:
    client = client_of(boss())
    for address in (
        "/admin/games/hand/?server_seed__startswith=a",
        "/admin/games/hand/?table__next_seed__startswith=a",
        "/admin/games/table/?next_seed__startswith=a",
        "/admin/games/report/?target__password__startswith=m",
        "/admin/games/signal/?player__email__startswith=m",
        "/admin/accounts/posting/?entries__account__player__password__startswith=m",
    ):
        assert client.get(address).status_code == 400, address
