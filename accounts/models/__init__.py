"""The tables of the accounts app."""

from accounts.models.audit import AuditEntry
from accounts.models.block import Block
from accounts.models.club import Announcement, Club, ClubBan, JoinRequest, Membership
from accounts.models.ledger import Account, Entry, Posting
from accounts.models.name import ReservedName
from accounts.models.player import Player
from accounts.models.token import ApiToken

__all__ = [
    "Account",
    "Announcement",
    "ApiToken",
    "AuditEntry",
    "Block",
    "Club",
    "ClubBan",
    "Entry",
    "JoinRequest",
    "Membership",
    "Player",
    "Posting",
    "ReservedName",
]
