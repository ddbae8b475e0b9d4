"""Moving beans: the only writer of ledger entries.

Beans are whole numbers and only move between accounts by a posting whose entries sum to 0. Every posting has a key
that says what it pays for; asking again with the same key gives the first posting back and moves nothing.
The balance of a player may fall below 0: a lost hand is a lost hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.models import Account, Entry, Player, Posting
from accounts.services.bulk import BulkInsert, renumber

AccountRef = Account

ROUNDING: Final = "rounding"
PENALTY: Final = "penalty"
ISSUE: Final = "issue"
BOTS: Final = "bots"
HOUSE: Final = (ROUNDING, PENALTY, ISSUE, BOTS)

WELCOME_BEANS: Final = 1000
# leaving for good costs 40 points, so 40 times the room's beans a point (RULES §8.6)
PENALTY_POINTS: Final = 40


class UnbalancedPosting(ValueError):
    """The entries of a posting do not sum to 0, or are not whole numbers."""


def player_account(player: Player) -> Account:
    """The player's account, opened at the first need."""
    return Account.objects.get_or_create(player=player)[0]


def house_account(code: str) -> Account:
    """One of the house's own accounts. Raises ValueError for a code the house does not know."""
    if code not in HOUSE:
        raise ValueError(f"the house has no account {code!r}")
    return Account.objects.get_or_create(code=code)[0]


def balance(player: Player) -> int:
    """What the player owns, in beans; 0 before his account is opened."""
    return Account.objects.filter(player=player).values_list("balance", flat=True).first() or 0


def post(
    *, key: str, reason: str, amounts: Mapping[AccountRef, int], memo: str = "", hand: str | None = None
) -> Posting:
    """Write one balanced posting and move the balances with it; amounts in beans, zeros are left out.

    Raises UnbalancedPosting. With a key that exists already the first posting is returned and nothing is written.
    May be called inside another transaction: all or nothing with it. Lock: the account rows, in the order of their
    ids; of two callers with one key the second waits for the first and then finds its posting.
    """
    for account, amount in amounts.items():
        if type(amount) is not int:
            raise UnbalancedPosting(f"{key}: {amount!r} for {account} is not a whole number")
    if sum(amounts.values()) != 0:
        raise UnbalancedPosting(f"{key}: entries sum to {sum(amounts.values())}")
    moved = {account.pk: amount for account, amount in amounts.items() if amount}
    with transaction.atomic():
        list(Account.objects.select_for_update().filter(pk__in=moved).order_by("pk"))
        first = Posting.objects.filter(key=key).first()
        if first is not None:
            return first
        try:
            with transaction.atomic():
                posting = Posting.objects.create(key=key, reason=reason, memo=memo, hand=hand)
        except IntegrityError:
            # only callers who touch different accounts can meet here with one key
            return Posting.objects.get(key=key)
        Entry.objects.bulk_create(Entry(posting=posting, account_id=pk, amount=moved[pk]) for pk in sorted(moved))
        for pk in sorted(moved):
            Account.objects.filter(pk=pk).update(balance=F("balance") + moved[pk])
    return posting


def reverse(posting: Posting, *, memo: str) -> Posting:
    """Take a posting back by its opposite; a second time does nothing more."""
    amounts = {entry.account: -entry.amount for entry in posting.entries.select_related("account")}
    return post(key=f"reverse:{posting.pk}", reason="reverse", amounts=amounts, memo=memo, hand=posting.hand)


def grant(player: Player, amount: int, key: str, reason: str) -> Posting:
    """Issue beans to a player; a negative amount takes them back out of the world."""
    return post(key=key, reason=reason, amounts={house_account(ISSUE): -amount, player_account(player): amount})


def welcome(player: Player) -> Posting:
    """The beans everybody starts with; given once."""
    return grant(player, WELCOME_BEANS, f"welcome:{player.pk}", "welcome")


def settle_hand(*, hand_id: str, beans: Mapping[Player, int], rounding: int, bots: int | None = None) -> Posting:
    """Pay out a finished hand, once: what each person won or lost, and what rounding left over (RULES §8).

    The bots' seats share the house's account for bots. Their part is what is missing to 0; when `bots` is given it
    must be exactly that, or UnbalancedPosting is raised.
    """
    rest = -(sum(beans.values()) + rounding)
    if bots is not None and bots != rest:
        raise UnbalancedPosting(f"hand:{hand_id}: bots {bots}, but {rest} are missing to 0")
    amounts = {player_account(player): amount for player, amount in beans.items()}
    amounts[house_account(ROUNDING)] = rounding
    amounts[house_account(BOTS)] = rest
    return post(key=f"hand:{hand_id}", reason="hand", amounts=amounts, hand=hand_id)


def settle_many(hands: Iterable[tuple[str, datetime, Mapping[int, int]]]) -> None:
    """Post hands by the thousand: of each its id, when it ended, and the beans by account id, which sum to 0.

    For hands that were never settled: a key that exists already is refused by the database. Needs a transaction.
    """
    number = Posting.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    postings = BulkInsert(Posting, ("id", "key", "reason", "memo", "hand", "created"))
    entries = BulkInsert(Entry, ("posting_id", "account_id", "amount"))
    moved: dict[int, int] = {}
    for hand_id, at, amounts in hands:
        if sum(amounts.values()) != 0:
            raise UnbalancedPosting(f"hand:{hand_id}: entries sum to {sum(amounts.values())}")
        number += 1
        postings.add(number, f"hand:{hand_id}", "hand", "", hand_id, at)
        for account, amount in amounts.items():
            if amount:
                entries.add(number, account, amount)
                moved[account] = moved.get(account, 0) + amount
    postings.flush()
    entries.flush()
    renumber(Posting, Entry)
    for account, amount in sorted(moved.items()):
        Account.objects.filter(pk=account).update(balance=F("balance") + amount)


def penalty(*, hand_id: str, player: Player, points: int = PENALTY_POINTS, room: int) -> Posting:
    """What leaving a hand for good costs (RULES §8.6): points × room beans to the house, once a hand and player."""
    beans = points * room
    return post(
        key=f"penalty:{hand_id}:{player.pk}",
        reason="penalty",
        amounts={player_account(player): -beans, house_account(PENALTY): beans},
        hand=hand_id,
    )
