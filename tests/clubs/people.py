"""A club with somebody in every relation to it, for tests that ask everything of everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.test import Client

from accounts.models import Club, Player
from accounts.services import clubs
from accounts.services.players import make_guest, sign_up

NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def person(name: str) -> Player:
    return sign_up(username=name, password=None)


def client_of(player: Player | None) -> Client:
    """A browser in which this player is logged in; of nobody when None."""
    client = Client()
    if player is not None:
        client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


@dataclass
class Cast:
    """The club and its people; `asking` waits to be let in."""

    club: Club
    people: dict[str, Player]

    def __getitem__(self, role: str) -> Player:
        return self.people[role]

    def fresh(self) -> Club:
        return Club.objects.get(pk=self.club.pk)

    def again(self, join: str | None = None) -> Cast:
        """The same rows as objects of a test's own, perhaps with another way in."""
        if join is not None:
            Club.objects.filter(pk=self.club.pk).update(join=join)
        found = Player.objects.in_bulk([player.pk for player in self.people.values()])
        return Cast(self.fresh(), {name: found[player.pk] for name, player in self.people.items()})

    def role(self, name: str) -> str | None:
        row = self.club.memberships.filter(player=self.people[name]).first()
        return row.role if row else None


def enter(club: Club, player: Player) -> None:
    """Make somebody a member by the service, whatever the way in."""
    join = club.join
    Club.objects.filter(pk=club.pk).update(join="link")
    clubs.join_by_link(token=Club.objects.get(pk=club.pk).invite, player=player, now=NOW)
    Club.objects.filter(pk=club.pk).update(join=join)


def cast(join: str = "link", slug: str = "laoyou") -> Cast:
    """Owner, manager, member, another member, a stranger, somebody banned, somebody who asks, a guest."""
    people = {
        name: person(f"{slug}-{name}"[:16])
        for name in ("owner", "manager", "member", "other", "stranger", "banned", "asking")
    }
    people["guest"] = make_guest()
    club = clubs.create(by=people["owner"], name=f"老友 {slug}", slug=slug, join="request", now=NOW)
    clubs.request(club=club, player=people["asking"], text="老王介绍来的", now=NOW)
    for name in ("manager", "member", "other", "banned"):
        enter(club, people[name])
    clubs.set_role(club=club, by=people["owner"], player=people["manager"], role="manager")
    clubs.ban(club=club, by=people["owner"], player=people["banned"], reason="吵架", now=NOW)
    Club.objects.filter(pk=club.pk).update(join=join)
    return Cast(Club.objects.get(pk=club.pk), people)
