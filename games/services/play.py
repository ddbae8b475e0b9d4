"""The life of one move: the only place where an action of a hand is taken and written.

A person's action comes through `submit`, everything the server does for a seat (a bot's move, the trustee's, a
timeout's default) through `act_where_due`. Both go one way: lock the table, fold the hand, let the engine judge, add
one row to the log and change one row of the hand.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

from games import history
from games.bots import choose
from games.bots.trustee import default_action
from games.engine.actions import Action, Kind, parse_action
from games.engine.errors import EngineError, IllegalAction
from games.engine.observation import Step
from games.engine.observe import observe
from games.history import Fold, Logged
from games.models import Hand, HandAction, Table
from games.services import deadlines, finish, kept, publish, rows
from games.services.writer import writing

ID_LENGTH = 64
PROMPT_LENGTH = 32
TEXT_LENGTH = 400

Source = HandAction.Source

_CLOCKS = ("clock_step", "clock_play", "clock_reveal", "clock_next")
_locked_table = rows.OneRow(
    # what a move in the middle of a hand needs of its table; the last one reads the whole row
    lambda key: (
        Table.objects.select_for_update()
        .only("status", "number", "version", "next_at", *_CLOCKS)
        .filter(pk=key)
        .order_by()
    ),
    "a table",
)
_playing = rows.OneRow(
    lambda key: (
        Hand.objects.defer("rules", "deal", "server_seed", "clients", "previous")
        .filter(table_id=key, status=Hand.Status.ACTIVE)
        .order_by()
    ),
    "a table",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a submitted action. `code` is a word of PROTOCOL ("Playing by program") when `ok` is false;
    `message_key` says more exactly why the engine refused an illegal one."""

    ok: bool
    seq: int
    code: str = ""
    message_key: str = ""


def prompt_of(hand_number: int, asked_seq: int) -> str:
    """The name of a question at a table: no two hands share one, so an answer to an old hand is stale in the next."""
    return f"{hand_number}-{asked_seq}"


def submit(
    *, table_id: str, player: object, prompt: object, action_id: object, action: object, now: datetime
) -> Answer:
    """Take a person's action at a table, once.

    `player` is the session's user (the seat is looked up from him), `prompt` the question he answers, `action_id` a
    text of his own under which the same action may be sent again, `action` an Action or its text. Refusals in this
    order: malformed, not_seated, no_hand, not_asked, stale_prompt, too_late, illegal. An id that was accepted before
    is answered as before and does nothing.

    1. Lock the table's row (on SQLite: the process's one writer and an IMMEDIATE transaction).
    2. If the time is over, the timeout's action is taken instead of this one.
    3. In the reveal step the action is kept as `pending` until the step's fixed time is over.
    4. Else it is logged, the hand's row moves on, and after the last one the hand is settled, all in one transaction.
    Pushed after commit: a poke to the table.
    """
    if not _well_formed(prompt, action_id, action):
        return Answer(False, 0, "malformed")
    assert isinstance(action_id, str)
    player_id = getattr(player, "pk", None)
    with writing(), kept.move(table_id) as rows_kept:
        table, hand = rows_kept or (_locked_table.get(table_id), None)
        if table is None or player_id is None:
            return Answer(False, 0, "not_seated")
        hand = hand or active_hand(table)
        if hand is None:
            seated = table.seats.filter(player_id=player_id).exists()
            return _answer_after_the_hand(table, player_id, action_id) if seated else Answer(False, 0, "not_seated")
        seat = seat_of(hand, player_id)
        if seat is None:
            return Answer(False, hand.seq, "not_seated")
        fold = history.fold_of(hand)
        known = _answered_before(hand, fold, seat, action_id)
        if known is not None:
            return known
        step = fold.state.step
        if not _is_asked(hand, fold, seat):
            return Answer(False, hand.seq, "not_asked")
        if prompt != prompt_of(hand.number, fold.state.asked_at):
            return Answer(False, hand.seq, "stale_prompt")
        if now >= deadlines.deadline(table, hand, step):
            act_where_due(table, hand, fold, now)
            return Answer(False, hand.seq, "too_late")
        try:
            given = action if isinstance(action, Action) else parse_action(str(action))
            after = fold.then(given, Logged(seat, str(given), Source.PLAYER, action_id))
        except IllegalAction as error:
            return Answer(False, hand.seq, "illegal", error.reason)
        except EngineError as error:
            return Answer(False, hand.seq, "illegal", error.code)
        if step is Step.REVEAL:
            _keep_pending(table, hand, fold, seat, given, action_id)
            return Answer(True, hand.seq)
        if deadlines.under_trustee(hand, seat):
            hand.trustees[seat]["on"] = False
        _log(hand, after, now)
        _move_on(table, hand, after, now)
        return Answer(True, after.seq)


def _well_formed(prompt: object, action_id: object, action: object) -> bool:
    return (
        isinstance(prompt, str)
        and len(prompt) <= PROMPT_LENGTH
        and isinstance(action_id, str)
        and 1 <= len(action_id) <= ID_LENGTH
        and "\x00" not in action_id
        and (isinstance(action, Action) or (isinstance(action, str) and len(action) <= TEXT_LENGTH))
    )


def active_hand(table: Table) -> Hand | None:
    """The hand being played at a locked table, without what only a cold fold needs."""
    if table.status != Table.Status.PLAYING:
        return None
    return _playing.get(table.id)


def seat_of(hand: Hand, player_id: int) -> int | None:
    """The seat the player holds in this hand; None after he has left it for good."""
    for seat, occupant in enumerate(hand.players):
        if occupant["player"] == player_id:
            return None if hand.trustees[seat]["gone"] else seat
    return None


def _is_asked(hand: Hand, fold: Fold, seat: int) -> bool:
    if seat not in fold.state.to_act:
        return False
    if hand.pending is not None and hand.pending["seat"] == seat:
        return False
    return not deadlines.under_trustee(hand, seat) or deadlines.can_take_back(hand, seat)


def _answered_before(hand: Hand, fold: Fold, seat: int, action_id: str) -> Answer | None:
    if hand.pending is not None and hand.pending["seat"] == seat and hand.pending["id"] == action_id:
        return Answer(True, hand.seq)
    row = fold.row_of(seat, action_id)
    return None if row is None else _accepted(row, fold.log[row - 1].text)


def _accepted(row: int, text: str) -> Answer:
    """The answer an accepted action got: a reveal answer was acknowledged one step before it was logged."""
    return Answer(True, row - 1 if text in (Kind.OPEN, Kind.HIDE) else row)


def _answer_after_the_hand(table: Table, player_id: int, action_id: str) -> Answer:
    """Between hands: an id the finished hand accepted is answered as before, anything else finds no hand."""
    hand = Hand.objects.filter(table_id=table.id, number=table.number).only("id", "players", "trustees").first()
    seat = None if hand is None else seat_of(hand, player_id)
    if hand is not None and seat is not None:
        row = HandAction.objects.filter(hand=hand, seat=seat, action_id=action_id).first()
        if row is not None:
            return _accepted(row.seq, row.text)
    return Answer(False, 0, "no_hand")


def _keep_pending(table: Table, hand: Hand, fold: Fold, seat: int, action: Action, action_id: str) -> None:
    """Store the reveal answer durably without letting anything else move (RULES §5.6)."""
    hand.pending = {"seat": seat, "action": str(action), "id": action_id}
    hand.version += 1
    hand.save(update_fields=["pending", "version"])
    publish.move_made(table, hand, fold)


def act_where_due(table: Table, hand: Hand, fold: Fold, now: datetime) -> Fold:
    """Do for every asked seat whose moment has come what the server does for it; `table` and `hand` are locked.

    Takes nothing when nothing is due, so it may be called any number of times.
    """
    moved = False
    while not fold.state.over:
        step = fold.state.step
        moments = sorted((deadlines.acts_at(table, hand, step, seat), seat) for seat in fold.state.to_act)
        at, seat = moments[0]
        if at > now:
            break
        fold = _act_for(hand, fold, step, seat, now)
        hand.pending = None
        if fold.state.asked_at != hand.asked_seq:
            hand.asked_at, hand.asked_seq = now, fold.state.asked_at
        moved = True
    if moved:
        _move_on(table, hand, fold, now)
    return fold


def _act_for(hand: Hand, fold: Fold, step: Step, seat: int, now: datetime) -> Fold:
    """One action the server takes for a seat, logged with its source."""
    action_id = ""
    if hand.pending is not None and hand.pending["seat"] == seat:
        action, source, action_id = parse_action(hand.pending["action"]), Source.PLAYER, hand.pending["id"]
    else:
        obs = observe(fold.state, seat)
        if deadlines.is_bot(hand, seat):
            # fresh chance from the operating system: nobody can compute a bot's choice from what is public
            action, source = choose(hand.players[seat]["level"], obs, random.Random()), Source.BOT
        elif hand.trustees[seat].get("bot"):  # he left for good, and the table has bots play on
            action, source = choose(hand.trustees[seat]["bot"], obs, random.Random()), Source.BOT
        elif deadlines.under_trustee(hand, seat):
            action, source = default_action(obs), Source.TRUSTEE
        else:
            action, source = default_action(obs), Source.TIMEOUT
            if step is not Step.REVEAL:  # a mark there would show who the guard is (RULES §8.7)
                begin_trusteeship(hand, seat)
    after = fold.then(action, Logged(seat, str(action), source, action_id))
    _log(hand, after, now)
    return after


def begin_trusteeship(hand: Hand, seat: int) -> None:
    """Mark the seat as played by the trustee; each time it begins counts (RULES §8.7). The caller saves the hand."""
    mark = hand.trustees[seat]
    if not mark["on"]:
        mark["on"] = True
        mark["count"] += 1


def _log(hand: Hand, after: Fold, now: datetime) -> None:
    entry = after.log[-1]
    row = HandAction(
        hand_id=hand.id,
        seq=after.seq,
        seat=entry.seat,
        text=entry.text,
        source=entry.source,
        action_id=entry.action_id,
        at=now,
    )
    rows.insert(row, ("hand_id", "seq", "seat", "text", "source", "action_id", "at"))


def _move_on(table: Table, hand: Hand, fold: Fold, now: datetime) -> None:
    """Bring the hand's row to where its log stands, and settle it when that was the end."""
    hand.seq = fold.seq
    if fold.state.over:
        history.remember(fold)
        if table.get_deferred_fields():
            table = Table.objects.get(pk=table.pk)
        finish.finish_hand(table, hand, fold, now)
        return
    if fold.state.asked_at != hand.asked_seq:
        hand.asked_at, hand.asked_seq = now, fold.state.asked_at
    save_position(table, hand, fold)
    publish.move_made(table, hand, fold)
    kept.keep(table, hand)


def save_position(table: Table, hand: Hand, fold: Fold) -> None:
    """Write where the hand stands and when something must happen next."""
    hand.version += 1
    hand.due_at = next_moment(table, hand, fold)
    rows.update(hand, ("seq", "asked_at", "asked_seq", "due_at", "pending", "trustees", "version"))


def next_moment(table: Table, hand: Hand, fold: Fold) -> datetime:
    """The earliest moment at which the server acts for an asked seat."""
    step = fold.state.step
    return min(deadlines.acts_at(table, hand, step, seat) for seat in fold.state.to_act)
