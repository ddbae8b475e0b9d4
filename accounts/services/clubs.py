"""What people do in a club: found it, let others in, give and take roles, leave, hand it over, archive it.

Every function locks the club's row first, so that of two who act at once the second sees what the first did, and
checks there who may do it. What cannot be done raises `ClubRefused` with a stable word. An archived club is read-only.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.models import Announcement, Club, ClubBan, JoinRequest, Membership, Player
from accounts.models.club import ANNOUNCEMENT_LENGTH, REASON_LENGTH
from accounts.signals import club_changed

OWNER, MANAGER, MEMBER = (role.value for role in Membership.Role)
RANK = {MEMBER: 1, MANAGER: 2, OWNER: 3}

CLUBS_MOST = 10
"""Clubs one person may own at a time, archived ones not counted."""
RESERVED = frozenset({"new", "join"})
"""Slugs that are pages of their own."""
SEEN_EVERY = timedelta(minutes=10)
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class ClubRefused(Exception):
    """It cannot be done. `code`: not_found, forbidden, archived, banned, closed, ask, guest, owner_stays, not_member,
    name_taken, slug_taken, too_many, empty."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def rank_of(role: str | None) -> int:
    """Roles in their order: 0 for a stranger."""
    return RANK.get(role or "", 0)


@contextmanager
def _locked(club: Club, *, archived: bool = False) -> Iterator[Club]:
    """The club's row under lock, in a transaction. Raises ClubRefused: not_found, archived."""
    with transaction.atomic():
        row = Club.objects.select_for_update().filter(pk=club.pk).first()
        if row is None:
            raise ClubRefused("not_found")
        if row.archived and not archived:
            raise ClubRefused("archived")
        yield row


def _role(club: Club, player: Player) -> str | None:
    return Membership.objects.filter(club=club, player=player).values_list("role", flat=True).first()


def require(club: Club, player: Player, least: str) -> str:
    """The player's role, if it is at least this one. Raises ClubRefused: not_found for strangers, else forbidden."""
    role = _role(club, player)
    if role is None:
        raise ClubRefused("not_found")
    if rank_of(role) < rank_of(least):
        raise ClubRefused("forbidden")
    return role


def _tell(club: Club) -> None:
    club_id = club.pk
    transaction.on_commit(lambda: club_changed.send(sender=Club, club_id=club_id))


def _new_invite() -> str:
    return secrets.token_urlsafe(12)


def _new_slug() -> str:
    for _attempt in range(60):
        slug = "".join(secrets.choice(_LETTERS) for _ in range(6))
        if not Club.objects.filter(slug=slug).exists():
            return slug
    raise RuntimeError("no free address for a club was found")


# --- the club itself


def create(
    *, by: Player, name: str, description: str = "", join: str = Club.Join.LINK, slug: str = "", now: datetime
) -> Club:
    """A new club with its founder as owner. Without a slug it gets a short one.

    Raises ClubRefused: guest, too_many, slug_taken, name_taken.
    """
    if by.is_guest:
        raise ClubRefused("guest")
    with transaction.atomic():
        # of two founders' clicks at once the second counts the first one's club
        Player.objects.select_for_update().get(pk=by.pk)
        if Club.objects.filter(owner=by, archived_at=None).count() >= CLUBS_MOST:
            raise ClubRefused("too_many")
        if slug and (slug in RESERVED or Club.objects.filter(slug=slug).exists()):
            raise ClubRefused("slug_taken")
        club = Club(
            slug=slug or _new_slug(),
            name=name,
            description=description,
            owner=by,
            join=join,
            invite=_new_invite(),
            created_at=now,
        )
        _save(club)
        Membership.objects.create(club=club, player=by, role=OWNER, joined_at=now, last_active=now)
    return club


def _save(club: Club) -> None:
    """Raises ClubRefused: name_taken, slug_taken."""
    others = Club.objects.filter(name__iexact=club.name, archived_at=None).exclude(pk=club.pk)
    if not club.archived and others.exists():
        raise ClubRefused("name_taken")
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        taken = "slug_taken" if Club.objects.filter(slug=club.slug).exclude(pk=club.pk).exists() else "name_taken"
        raise ClubRefused(taken) from error


def edit(*, club: Club, by: Player, name: str, description: str, join: str, default_variant: str) -> Club:
    """What managers may change. Raises ClubRefused: not_found, forbidden, archived, name_taken."""
    with _locked(club) as row:
        require(row, by, MANAGER)
        row.name, row.description, row.join, row.default_variant = name, description, join, default_variant
        _save(row)
    return row


def renew_invite(*, club: Club, by: Player) -> str:
    """A new invitation; the old link lets nobody in any more. Raises ClubRefused: not_found, forbidden, archived."""
    with _locked(club) as row:
        require(row, by, MANAGER)
        row.invite = _new_invite()
        row.save(update_fields=["invite"])
    return row.invite


def archive(*, club: Club, by: Player, now: datetime) -> None:
    """From now on the club can only be looked at. Twice is harmless. Raises ClubRefused: not_found, forbidden."""
    with _locked(club, archived=True) as row:
        require(row, by, OWNER)
        if not row.archived:
            row.archived_at = now
            row.save(update_fields=["archived_at"])
            _tell(row)


def restore(*, club: Club, by: Player) -> None:
    """An archived club lives again. Raises ClubRefused: not_found, forbidden, name_taken, too_many."""
    with _locked(club, archived=True) as row:
        require(row, by, OWNER)
        if row.archived:
            if Club.objects.filter(owner=by, archived_at=None).count() >= CLUBS_MOST:
                raise ClubRefused("too_many")
            row.archived_at = None
            _save(row)
            _tell(row)


# --- coming in


def by_invite(token: str) -> Club | None:
    """The club this invitation is for; None for one that is not valid (any more)."""
    return Club.objects.filter(invite=token).first() if token else None


def _may_come(club: Club, player: Player) -> None:
    if player.is_guest:
        raise ClubRefused("guest")
    if ClubBan.objects.filter(club=club, player=player).exists():
        raise ClubRefused("banned")
    if club.join == Club.Join.CLOSED:
        raise ClubRefused("closed")


def join_by_link(*, token: str, player: Player, now: datetime) -> Membership:
    """Become a member by the invitation; whoever is one stays what he is.

    Raises ClubRefused: not_found, archived, guest, banned, closed, ask (this club wants a request).
    """
    club = by_invite(token)
    if club is None:
        raise ClubRefused("not_found")
    with _locked(club) as row:
        if row.invite != token:
            raise ClubRefused("not_found")
        member = Membership.objects.filter(club=row, player=player).first()
        if member is not None:
            return member
        _may_come(row, player)
        if row.join != Club.Join.LINK:
            raise ClubRefused("ask")
        return _admit(row, player, now)


def _admit(club: Club, player: Player, now: datetime) -> Membership:
    JoinRequest.objects.filter(club=club, player=player).delete()
    member, _made = Membership.objects.get_or_create(
        club=club, player=player, defaults={"role": MEMBER, "joined_at": now, "last_active": now}
    )
    _tell(club)
    return member


def request(*, club: Club, player: Player, text: str = "", now: datetime) -> JoinRequest | None:
    """Ask to be let in; asking again changes nothing. None for a member, who needs no request.

    Raises ClubRefused: not_found (this club takes no requests), archived, guest, banned.
    """
    with _locked(club) as row:
        if _role(row, player) is not None:
            return None
        if row.join != Club.Join.REQUEST:
            raise ClubRefused("not_found")
        _may_come(row, player)
        wanted, _made = JoinRequest.objects.get_or_create(
            club=row, player=player, defaults={"text": text[:REASON_LENGTH], "at": now}
        )
        return wanted


def withdraw_request(*, club: Club, player: Player) -> None:
    """Not to want any more. Without a request nothing happens."""
    JoinRequest.objects.filter(club=club, player=player).delete()


def accept(*, club: Club, by: Player, player: Player, now: datetime) -> Membership:
    """Let in somebody who asked. Two managers at once make one member.

    Raises ClubRefused: not_found, forbidden, archived, not_member (he does not ask any more), guest, banned.
    """
    with _locked(club) as row:
        require(row, by, MANAGER)
        member = Membership.objects.filter(club=row, player=player).first()
        if member is not None:
            return member
        if not JoinRequest.objects.filter(club=row, player=player).exists():
            raise ClubRefused("not_member")
        if ClubBan.objects.filter(club=row, player=player).exists():
            raise ClubRefused("banned")
        return _admit(row, player, now)


def decline(*, club: Club, by: Player, player: Player) -> None:
    """Not to let in somebody who asked. Raises ClubRefused: not_found, forbidden, archived."""
    with _locked(club) as row:
        require(row, by, MANAGER)
        JoinRequest.objects.filter(club=row, player=player).delete()


# --- going, roles


def leave(*, club: Club, player: Player) -> None:
    """Go. Raises ClubRefused: not_found, archived, owner_stays (he hands it over or archives it first)."""
    with _locked(club) as row:
        if require(row, player, MEMBER) == OWNER:
            raise ClubRefused("owner_stays")
        Membership.objects.filter(club=row, player=player).delete()
        _tell(row)


def _over(club: Club, by: Player, player: Player) -> str:
    """The other's role, if `by` is a manager and above it. Raises ClubRefused: not_found, forbidden, not_member."""
    own = require(club, by, MANAGER)
    role = _role(club, player)
    if role is None:
        raise ClubRefused("not_member")
    if rank_of(own) <= rank_of(role):
        raise ClubRefused("forbidden")
    return role


def remove(*, club: Club, by: Player, player: Player) -> None:
    """Send a member away; he may come back. Raises ClubRefused: not_found, forbidden, archived, not_member."""
    with _locked(club) as row:
        _over(row, by, player)
        Membership.objects.filter(club=row, player=player).delete()
        _tell(row)


def ban(*, club: Club, by: Player, player: Player, reason: str = "", now: datetime) -> None:
    """Send somebody away, member or not, and let him in no more. Twice is harmless.

    Raises ClubRefused: not_found, forbidden, archived.
    """
    with _locked(club) as row:
        own = require(row, by, MANAGER)
        if rank_of(own) <= rank_of(_role(row, player)):
            raise ClubRefused("forbidden")
        ClubBan.objects.get_or_create(
            club=row, player=player, defaults={"by": by, "reason": reason[:REASON_LENGTH], "at": now}
        )
        JoinRequest.objects.filter(club=row, player=player).delete()
        Membership.objects.filter(club=row, player=player).delete()
        _tell(row)


def unban(*, club: Club, by: Player, player: Player) -> None:
    """He may come again. Raises ClubRefused: not_found, forbidden, archived."""
    with _locked(club) as row:
        require(row, by, MANAGER)
        ClubBan.objects.filter(club=row, player=player).delete()


def set_role(*, club: Club, by: Player, player: Player, role: str) -> None:
    """The owner makes a manager or a member of somebody; the owner's own role moves by `hand_over` only.

    Raises ClubRefused: not_found, forbidden, archived, not_member.
    """
    with _locked(club) as row:
        require(row, by, OWNER)
        if role not in (MANAGER, MEMBER) or player.pk == by.pk:
            raise ClubRefused("forbidden")
        if not Membership.objects.filter(club=row, player=player).update(role=role):
            raise ClubRefused("not_member")


def hand_over(*, club: Club, by: Player, to: Player) -> None:
    """Make another member the owner; the owner before becomes a manager. Of two at once the second is refused.

    Raises ClubRefused: not_found, forbidden, archived, not_member, too_many (the other owns enough clubs).
    """
    with _locked(club) as row:
        require(row, by, OWNER)
        if to.pk == by.pk:
            return
        member = Membership.objects.filter(club=row, player=to, player__is_active=True).first()
        if member is None:
            raise ClubRefused("not_member")
        if Club.objects.filter(owner=to, archived_at=None).count() >= CLUBS_MOST:
            raise ClubRefused("too_many")
        # one owner a club is a constraint: the old one goes first
        Membership.objects.filter(club=row, player=by).update(role=MANAGER)
        Membership.objects.filter(pk=member.pk).update(role=OWNER)
        row.owner = to
        row.save(update_fields=["owner"])


def part_with_all(*, player: Player, now: datetime) -> None:
    """Before an account is closed: leave every club. A club nobody else is in is archived.

    Raises ClubRefused("owner_stays") while he owns a living club with other members, and then changes nothing.
    """
    with transaction.atomic():
        for owned in Club.objects.select_for_update().filter(owner=player, archived_at=None).order_by("pk"):
            if owned.memberships.exclude(player=player).exists():
                raise ClubRefused("owner_stays")
            owned.archived_at = now
            owned.save(update_fields=["archived_at"])
            _tell(owned)
        for member in Membership.objects.filter(player=player).exclude(role=OWNER).select_related("club"):
            member.delete()
            _tell(member.club)
        JoinRequest.objects.filter(player=player).delete()


# --- notices


def announce(*, club: Club, by: Player, text: str, now: datetime) -> Announcement:
    """Say something to all members. Raises ClubRefused: not_found, forbidden, archived, empty."""
    text = text.strip()[:ANNOUNCEMENT_LENGTH]
    with _locked(club) as row:
        require(row, by, MANAGER)
        if not text:
            raise ClubRefused("empty")
        return Announcement.objects.create(club=row, author=by, text=text, at=now)


def take_down(*, club: Club, by: Player, announcement_id: int) -> None:
    """Remove a notice. Raises ClubRefused: not_found, forbidden, archived."""
    with _locked(club) as row:
        require(row, by, MANAGER)
        Announcement.objects.filter(club=row, pk=announcement_id).delete()


def seen(*, member: Membership, now: datetime) -> None:
    """Note that the member is here, at most every ten minutes."""
    if now - member.last_active >= SEEN_EVERY:
        Membership.objects.filter(pk=member.pk, last_active__lt=now).update(last_active=now)
