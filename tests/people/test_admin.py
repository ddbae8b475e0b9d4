"""What an admin changes about a player is noted, with who did it and why."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry, Player
from tests.clubs.people import client_of, person

pytestmark = pytest.mark.django_db


def test_an_admin_says_why_he_changes_an_account_and_it_is_noted() -> None:
    player, admin = person("安"), person("管")
    admin.is_staff = admin.is_superuser = True
    admin.save()
    client = client_of(admin)
    url = f"/admin/accounts/player/{player.pk}/change/"
    form = {"username": "安", "email": "", "preferences": "{}", "why": ""}
    assert client.post(url, form).status_code == 200
    assert Player.objects.get(pk=player.pk).is_active
    assert client.post(url, form | {"why": "本人来电话要求停用"}).status_code == 302
    assert not Player.objects.get(pk=player.pk).is_active
    note = AuditEntry.objects.get()
    assert (note.by, note.action, note.label) == (admin, "player.change", "安")
    assert note.reason.startswith("本人来电话要求停用 (")
    assert "is_active" in note.reason


def test_nobody_but_staff_opens_it() -> None:
    player = person("安")
    assert client_of(player).get(f"/admin/accounts/player/{player.pk}/change/").status_code == 302
