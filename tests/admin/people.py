"""The kinds of people who may knock at the admin's door."""

from __future__ import annotations

from django.contrib.auth.models import Permission
from django.test import Client

from accounts.services.players import sign_up


def client_of(kind: str, *permissions: str) -> Client:
    """A browser of an `anonymous`, a `player`, `staff` with these permissions of games, or a `superuser`."""
    client = Client()
    if kind == "anonymous":
        return client
    person = sign_up(username=f"某{kind}", password=None)
    person.is_staff = kind != "player"
    person.is_superuser = kind == "superuser"
    person.save()
    for name in permissions:
        person.user_permissions.add(Permission.objects.get(codename=name, content_type__app_label="games"))
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client
