"""Reading clubs: who is what in them, which ones somebody belongs to, which ones can be asked.

`role_in` is the one answer to whether somebody may see what is a club's; everything private asks it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When

from accounts.models import Announcement, Club, ClubBan, JoinRequest, Membership, Player

SHOWN = 100


@dataclass(frozen=True, slots=True)
class ClubLine:
    """A club in a list. `role` is empty for one that is only offered; `requests` counts who waits, for managers."""

    pk: int
    slug: str
    name: str
    description: str
    role: str
    members: int
    archived: bool
    requests: int = 0
    asked: bool = False


def role_in(club: Club | int, player: Player | int | None) -> str | None:
    """What the player is in the club: "owner", "manager", "member"; None for everybody else."""
    if player is None:
        return None
    club_id = club if isinstance(club, int) else club.pk
    player_id = player if isinstance(player, int) else player.pk
    return Membership.objects.filter(club_id=club_id, player_id=player_id).values_list("role", flat=True).first()


def membership(slug: str, player: Player) -> Membership | None:
    """The player's membership in the club of this slug, with the club; None for strangers and clubs there are not."""
    return Membership.objects.select_related("club").filter(club__slug=slug, player=player).first()


def member_ids(club_id: int) -> frozenset[int]:
    """The ids of all members."""
    return frozenset(Membership.objects.filter(club_id=club_id).values_list("player_id", flat=True))


def is_banned(club: Club, player: Player) -> bool:
    return ClubBan.objects.filter(club=club, player=player).exists()


def has_asked(club: Club, player: Player) -> bool:
    return JoinRequest.objects.filter(club=club, player=player).exists()


def clubs_of(player: Player, *, archived: bool = False) -> list[ClubLine]:
    """The clubs the player belongs to, living ones (or the archived ones), by name. One query."""
    rows = (
        Membership.objects.filter(player=player, club__archived_at__isnull=not archived)
        .select_related("club")
        .annotate(
            members=Count("club__memberships", distinct=True),
            requests=Count("club__requests", distinct=True),
        )
        .order_by("club__name", "club_id")
    )
    return [
        ClubLine(
            pk=row.club_id,
            slug=row.club.slug,
            name=row.club.name,
            description=row.club.description,
            role=row.role,
            members=row.members,
            archived=row.club.archived,
            requests=row.requests if row.role != Membership.Role.MEMBER else 0,
        )
        for row in rows
    ]


def clubs_to_ask(player: Player) -> list[ClubLine]:
    """Living clubs that take requests and in which the player is neither member nor banned. One query."""
    rows = (
        Club.objects.filter(join=Club.Join.REQUEST, archived_at=None)
        .annotate(
            members=Count("memberships", distinct=True),
            asked=Exists(JoinRequest.objects.filter(club=OuterRef("pk"), player=player)),
        )
        .exclude(Exists(Membership.objects.filter(club=OuterRef("pk"), player=player)))
        .exclude(Exists(ClubBan.objects.filter(club=OuterRef("pk"), player=player)))
        .order_by("-members", "name")[:SHOWN]
    )
    return [
        ClubLine(club.pk, club.slug, club.name, club.description, "", club.members, False, asked=club.asked)
        for club in rows
    ]


def members_of(club: Club, *, search: str = "") -> QuerySet[Membership]:
    """The members, owner and managers first, then whoever was here last; their names may be searched."""
    order = Case(
        When(role=Membership.Role.OWNER, then=Value(0)),
        When(role=Membership.Role.MANAGER, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    rows = Membership.objects.filter(club=club).select_related("player")
    if search:
        rows = rows.filter(Q(player__username__icontains=search))
    return rows.order_by(order, "-last_active", "pk")


def requests_of(club: Club) -> list[JoinRequest]:
    """Who waits to be let in, the longest waiting first."""
    return list(JoinRequest.objects.filter(club=club).select_related("player")[:SHOWN])


def bans_of(club: Club) -> list[ClubBan]:
    return list(ClubBan.objects.filter(club=club).select_related("player", "by")[:SHOWN])


def announcements_of(club: Club, *, most: int = 10) -> list[Announcement]:
    """The newest notices first."""
    return list(Announcement.objects.filter(club=club).select_related("author")[:most])
