"""People of these tests: somebody who reports, somebody reported, a stranger, moderators with and without the right."""

from __future__ import annotations

from django.contrib.auth.models import Permission

from accounts.models import Player
from accounts.services.players import sign_up


def person(name: str) -> Player:
    return sign_up(username=name, password=None)


def staff(name: str, *permissions: str) -> Player:
    """Somebody who may enter the admin, with these permissions of the games."""
    made = person(name)
    made.is_staff = True
    made.save()
    for codename in permissions:
        made.user_permissions.add(Permission.objects.get(codename=codename, content_type__app_label="games"))
    return Player.objects.get(pk=made.pk)


def moderator(name: str = "管事") -> Player:
    return staff(name, "moderate")


def boss(name: str = "站长") -> Player:
    made = person(name)
    made.is_staff = made.is_superuser = True
    made.save()
    return made
