"""The pages of fair play in English."""

from __future__ import annotations

import re

import pytest

from games.models import Desertion, Hand
from games.services import reports, sanctions
from tests.clubs.people import client_of
from tests.fairplay.people import boss
from tests.games.play_helpers import START, club

pytestmark = pytest.mark.django_db


NAMES = ("简体中文", "人", "站长", "保皇")


def chinese(html: str) -> list[str]:
    """What is left in Chinese of a page's body, but for names: of languages, people and the game."""
    body = re.sub(r"<(script|style|option)\b.*?</\1>", "", html.partition("<body")[2], flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", " ", body)
    return [word for word in re.findall(r"[\u4e00-\u9fff]+", text) if word not in NAMES]


def test_no_chinese_is_left_on_the_pages_of_fair_play() -> None:
    at = club(people=2)
    player, by = at.people[0], boss()
    row = sanctions.suspend(player=player, days=365, reason="shouting", by=by, now=START)
    sanctions.appeal(sanction_id=row.pk, player=player, text="sorry", now=START)
    Desertion.objects.create(player=player, hand=Hand.objects.get(), at=START, until=START, times=1)
    told = reports.report(reporter=at.people[1], target=player, category="talk", hand=at.hand(), now=START)
    left = {}
    for who, pages in (
        (player, ("/fair/", "/fair/notice/", f"/report/?table={at.id}")),
        (by, (f"/admin/games/report/{told.pk}/change/", f"/admin/games/sanction/{row.pk}/change/")),
    ):
        client = client_of(who)
        client.cookies["django_language"] = "en"
        left |= {page: found for page in pages if (found := chinese(client.get(page).content.decode()))}
    assert left == {}
