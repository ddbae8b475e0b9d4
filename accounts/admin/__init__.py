"""What an admin sees of people and beans."""

from accounts.admin import audit, clubs, ledger, people

__all__ = ["audit", "clubs", "ledger", "people"]
