"""What a table's page sends, over the socket or as a plain form: field names to service calls.

Both ways give the same dictionary of texts, so a button works whether the socket is up or not. The answer is a stable
word why it was refused, or "" when it was done.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from accounts.models import Player
from games.services import chat, company, play, rematch, tables
from games.services.errors import Refused, told

CARDS_MOST = 64
WITH_CARDS = ("play", "call")


def texts(value: object) -> list[str]:
    """One field that may come once or several times."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and len(value) <= CARDS_MOST and all(isinstance(item, str) for item in value):
        return value
    return []


def action_text(fields: Mapping[str, Any]) -> str:
    """The action a form stands for: its button's value, for `play` with the ticked cards."""
    action = fields.get("action")
    if not isinstance(action, str):
        return ""
    if action in WITH_CARDS:
        return " ".join([action, *texts(fields.get("card"))])
    return action


def act(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> str:
    answer = play.submit(
        table_id=table_id,
        player=player,
        prompt=fields.get("prompt"),
        # a form without scripts cannot make up an id; its prompt alone keeps it from acting twice
        action_id=fields.get("id") or secrets.token_urlsafe(12),
        action=action_text(fields),
        now=now,
    )
    return "" if answer.ok else answer.message_key or answer.code


def _trustee(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    tables.set_trustee(table_id=table_id, player=player, on=str(fields.get("on", "1")) == "1", now=now)


def _ready(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    if fields.get("text"):  # the browser's share in the deal that may begin with this
        _contribute(table_id, player, fields, now)
    tables.ready(table_id=table_id, player=player, now=now)


def _leave(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    tables.leave(table_id=table_id, player=player, now=now)


def _sit(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    multiplier = _number(fields, "multiplier")
    tables.sit(
        table_id=table_id,
        player=player,
        seat=_number(fields, "seat"),
        multiplier=1 if multiplier is None else multiplier,
        replace=fields.get("replace") == "1",
        now=now,
    )


def _stake(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    multiplier = _number(fields, "multiplier")
    if multiplier is None:
        raise Refused("malformed", "multiplier")
    tables.set_multiplier(table_id=table_id, player=player, multiplier=multiplier, now=now)


def _bots(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    level = fields.get("level")
    add = _number(fields, "add")
    tables.set_bots(
        table_id=table_id,
        player=player,
        add=1 if add is None else add,
        level=level if isinstance(level, str) and level else None,
        now=now,
    )


def _contribute(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    text, commit = fields.get("text"), fields.get("commit")
    tables.contribute(
        table_id=table_id,
        player=player,
        text=text if isinstance(text, str) else "",
        commit=commit if isinstance(commit, str) and commit else None,
    )


def _remove(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    company.remove(table_id=table_id, player=player, seat=_seat(fields), now=now)


def _swap(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    company.ask_swap(table_id=table_id, player=player, seat=_seat(fields), now=now)


def _swap_yes(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    company.answer_swap(table_id=table_id, player=player, seat=_seat(fields), accept=True, now=now)


def _swap_no(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    company.answer_swap(table_id=table_id, player=player, seat=_seat(fields), accept=False, now=now)


def _chat(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    chat.say(table_id=table_id, player=player, text=fields.get("text"), now=now)


def _mute(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    chat.mute(table_id=table_id, player=player, other_id=_number(fields, "player") or 0, now=now)


def _rematch(table_id: str, player: Player, fields: Mapping[str, Any], now: datetime) -> None:
    rematch.again(table_id=table_id, player=player, now=now)


def _seat(fields: Mapping[str, Any]) -> int:
    """The seat a form names. Raises Refused("malformed")."""
    seat = _number(fields, "seat")
    if seat is None:
        raise Refused("malformed", "seat")
    return seat


def _number(fields: Mapping[str, Any], name: str) -> int | None:
    """A whole number of a form; None when the field is left out or empty. Raises Refused("malformed")."""
    text = fields.get(name)
    if text is None or text == "":
        return None
    try:
        return int(str(text))
    except ValueError:
        raise Refused("malformed", name) from None


_DONE_BY: dict[str, Callable[[str, Player, Mapping[str, Any], datetime], None]] = {
    "trustee": _trustee,
    "ready": _ready,
    "leave": _leave,
    "sit": _sit,
    "stake": _stake,
    "bots": _bots,
    "remove": _remove,
    "swap": _swap,
    "swap-yes": _swap_yes,
    "swap-no": _swap_no,
    "chat": _chat,
    "mute": _mute,
    "rematch": _rematch,
    "contribute": _contribute,
}


def perform(table_id: str, player: Player, do: str, fields: Mapping[str, Any], now: datetime) -> str:
    """Do what a form of the table's page asks for; "" when done, else the word why not."""
    if do == "act":
        return act(table_id, player, fields, now)
    call = _DONE_BY.get(do)
    if call is None:
        return "malformed"
    try:
        call(table_id, player, fields, now)
    except Refused as refused:
        return told(refused)
    return ""
