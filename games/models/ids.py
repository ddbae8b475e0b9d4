"""Public ids of tables and hands: random, url-safe, nothing to count and nothing to guess."""

import secrets

LENGTH = 12


def new_id() -> str:
    """A fresh id of 12 url-safe characters (72 bits)."""
    return secrets.token_urlsafe(9)
