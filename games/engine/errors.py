"""What can be wrong with a question to the engine: one class per kind of fault, each with a stable code.

The sentence a player reads is chosen elsewhere from the code; the message here is for programmers and logs.
"""


class EngineError(ValueError):
    """Base of all faults. `code` is the word of PROTOCOL ("malformed", "bad_rules", "bad_cards", "illegal")."""

    code = "error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Malformed(EngineError):
    """The question itself is not of the right form."""

    code = "malformed"


class BadRules(EngineError):
    """A ruleset contradicts itself (RULES §3). `key` is the dotted path of the key at fault."""

    code = "bad_rules"

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.reason = message


class BadCards(EngineError):
    """Not a card, not a shape, or more copies than the deck has."""

    code = "bad_cards"


class IllegalAction(EngineError):
    """A well-formed action that this seat may not take now. `reason` is a stable word such as `not_asked`."""

    code = "illegal"

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason
