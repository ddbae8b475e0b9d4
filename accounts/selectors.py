"""Reading accounts: whose tokens are alive, and whether the ledger is whole."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Sum, Value
from django.db.models.functions import Coalesce

from accounts.models import Account, ApiToken, Club, Entry, Membership, Player, Posting


def live_tokens(player: Player) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(player=player, revoked=None)


def may_see_history(viewer: Player | None, player: Player) -> bool:
    """Whether this viewer (None: nobody logged in) may see the list of the player's hands and his statistics."""
    return _shown(viewer, player, player.shows_history)


def may_see_profile(viewer: Player | None, player: Player) -> bool:
    """Whether this viewer may see more of the player's page than his name."""
    return _shown(viewer, player, player.shows_profile)


def may_see_online(viewer: Player | None, player: Player) -> bool:
    """Whether this viewer may see that the player is here now."""
    return _shown(viewer, player, player.shows_online)


def _shown(viewer: Player | None, player: Player, word: str) -> bool:
    """No query but for what is shown to the club: then one."""
    if viewer is not None and viewer.pk == player.pk:
        return True
    if not player.is_active or word == Player.Shown.NOBODY:
        return False
    if word == Player.Shown.EVERYONE:
        return True
    return viewer is not None and bool(clubs_in_common(viewer, player)[:1])


def clubs_in_common(one: Player, other: Player) -> QuerySet[Club]:
    """Living clubs both belong to, by name."""
    return Club.objects.filter(
        Exists(Membership.objects.filter(club=OuterRef("pk"), player=one)),
        Exists(Membership.objects.filter(club=OuterRef("pk"), player=other)),
        archived_at=None,
    ).order_by("name", "pk")


@dataclass(frozen=True, slots=True)
class LedgerReport:
    accounts: int
    postings: int
    entries: int
    total: int
    faults: tuple[str, ...]

    @property
    def balanced(self) -> bool:
        return not self.faults


def ledger_report() -> LedgerReport:
    """Everything check_ledger looks at: postings sum to 0, balances equal their entries, the whole is 0."""
    faults: list[str] = []
    crooked = Posting.objects.annotate(left=Sum("entries__amount")).exclude(left=0).exclude(left=None)
    faults += [f"posting {posting.key}: entries sum to {posting.left:+d}" for posting in crooked.order_by("pk")]
    wrong = (
        Account.objects.annotate(summed=Coalesce(Sum("entries__amount"), Value(0)))
        .exclude(summed=F("balance"))
        .order_by("pk")
    )
    faults += [f"account {account}: balance {account.balance}, entries sum to {account.summed}" for account in wrong]
    counted = Entry.objects.aggregate(count=Count("pk"), total=Coalesce(Sum("amount"), Value(0)))
    balances = Account.objects.aggregate(count=Count("pk"), total=Coalesce(Sum("balance"), Value(0)))
    if balances["total"]:
        faults.append(f"all balances together: {balances['total']:+d} instead of 0")
    return LedgerReport(
        accounts=balances["count"],
        postings=Posting.objects.count(),
        entries=counted["count"],
        total=counted["total"],
        faults=tuple(faults),
    )
