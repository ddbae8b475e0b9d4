"""Why a service said no: one exception, with a stable word the page or the API turns into a sentence.

Words: not_found, closed, archived, forbidden, not_here, same_for_all, not_seated, full, taken, playing, no_hand,
locked, malformed, too_high, bad_level, too_few_beans, frozen, nobody, removed, too_long, too_fast, suspended (the field
says until when).
Moves are answered by values instead (`games.services.play.Answer`), for a refused move is nothing out of the ordinary.
"""


class Refused(Exception):
    """The thing asked for cannot be done now. `code` is the stable word, `field` names what was wrong, if one thing."""

    def __init__(self, code: str, field: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.field = field


def told(refused: Refused) -> str:
    """The word as pages are told it: whoever may not play for now is told until when (`games.render_words.reason`)."""
    return f"{refused.code}:{refused.field}" if refused.code == "suspended" else refused.code


MESSAGES = {
    "archived": "This club has been archived.",
    "bad_level": "There is no bot of this level.",
    "bad_token": "This token is not valid.",
    "closed": "This table has broken up.",
    "nobody": "Nobody sits there.",
    "forbidden": "Only the host of the table may do this.",
    "frozen": "Your beans are frozen; ask the admin of the site.",
    "full": "There is no free seat.",
    "illegal": "This action is not allowed now.",
    "locked": "The trustee has taken over for the fourth time and plays this hand to its end.",
    "malformed": "The request is not of the right form.",
    "no_hand": "No hand is being played at this table.",
    "not_asked": "You are not being asked now.",
    "not_found": "There is no such thing here.",
    "not_here": "You do not play at this table of the event.",
    "same_for_all": "At an event everybody plays for the same.",
    "not_entered": "This player is not entered in the event.",
    "not_now": "This cannot be done at this stage of the event.",
    "not_over": "The hand is still being played.",
    "not_seated": "You do not sit at this table.",
    "playing": "A hand is being played.",
    "removed": "The host of this table has sent you away.",
    "stale_prompt": "That question is no longer open.",
    "suspended": "You may not sit down before the time in `field`; /fair/ says why and takes your answer.",
    "taken": "This seat is taken.",
    "too_few_beans": "You own fewer beans than this table asks for.",
    "too_fast": "You say too much at once; wait a little.",
    "too_few": "There are not enough entrants.",
    "too_high": "These stakes are too high to be written down.",
    "too_late": "The time was over.",
    "too_long": "This is too long.",
    "too_many_tables": "Too many tables were opened within an hour; wait before opening another.",
    "too_many": "Too many messages; slow down.",
    "unauthorized": "Log in, or send a token.",
    "csrf": "With a session every request needs Django's CSRF token; with a token of your own none.",
}
"""Plain sentences for programs, by code; what players read is chosen where pages are made."""


def message(code: str) -> str:
    return MESSAGES.get(code, MESSAGES["illegal"])
