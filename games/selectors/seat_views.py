"""What one viewer sees of a table: his seat's observation of the hand and what everybody may know.

`table_view` reads the database, `live_view` only the newest snapshot of a table that is being watched; both build the
same value. Nothing that differs by what is hidden goes in: a reveal answer waiting for its moment changes the view of
the seat that gave it and no other (RULES §5.6).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from accounts.models import Player
from games import live, snapshots
from games.engine.observation import Observation, Step
from games.engine.observe import observe
from games.models import Table
from games.selectors import addresses, chat
from games.selectors.table_view_types import CARRIED, ResultRow, ResultView, SeatInfo, TableView
from games.snapshots import HandFacts, PlayerFacts, Snapshot, TableFacts

TRUSTEESHIPS = 3


def table_view(table_id: str, player: Player | None, now: datetime) -> TableView | None:
    """The table as this player, or a stranger, sees it now, read from the database.

    None if there is no such table, or if it is a club's and he is no member.
    """
    snapshot = _read(table_id)
    player_id = None if player is None else player.pk
    return None if snapshot is None or not may_see(snapshot, player_id) else view_of(snapshot, player_id)


def may_see(snapshot: Snapshot, player_id: int | None) -> bool:
    """Everybody with the link; a club's table is seen by its members and those who sit there."""
    if snapshot.members is None:
        return True
    return player_id is not None and (
        player_id in snapshot.members or any(seat.player_id == player_id for seat in snapshot.seats)
    )


def _read(table_id: str) -> Snapshot | None:
    table = Table.objects.filter(pk=table_id).first()
    return None if table is None else snapshots.take(table)


def watch(table_id: str) -> None:
    """Keep the table's newest snapshot in this process from now on."""
    snapshots.watch(table_id)


def unwatch(table_id: str) -> None:
    snapshots.unwatch(table_id)


def reload(table_id: str) -> bool:
    """Read a watched table from the database; False if there is no such table."""
    snapshot = _read(table_id)
    if snapshot is not None:
        snapshots.offer(snapshot)
    return snapshot is not None


def live_view(table_id: str, player_id: int | None) -> TableView | None:
    """The same view from the newest snapshot, without any database; None where the table is not watched or not his."""
    snapshot = snapshots.newest(table_id)
    return None if snapshot is None or not may_see(snapshot, player_id) else view_of(snapshot, player_id)


def is_hidden(table_id: str, player_id: int | None) -> bool:
    """Whether a watched table may not be shown to this player (any more)."""
    snapshot = snapshots.newest(table_id)
    return snapshot is not None and not may_see(snapshot, player_id)


def view_of(snapshot: Snapshot, player_id: int | None) -> TableView:
    """The view of a player, or of a spectator, at one moment of the table, with what he may read of its chat."""
    connected = live.connected(snapshot.table.id)
    seat = _seat_of(snapshot, player_id)
    host = player_id is not None and player_id == snapshot.table.host_id
    key = ("view", seat, host, connected)
    if key not in snapshot.memo:
        snapshot.memo[key] = _view(snapshot, seat, host, connected)
    view: TableView = snapshot.memo[key]
    lines = chat.lines_for(snapshot, player_id, seat)
    if not lines:
        return view
    if (key, player_id) not in snapshot.memo:
        snapshot.memo[key, player_id] = view.but(chat=lines).sharing(view.shared)
    view = snapshot.memo[key, player_id]
    return view


def _seat_of(snapshot: Snapshot, player_id: int | None) -> int | None:
    """The viewer's seat; None for a stranger and for someone who left this hand for good."""
    if player_id is None:
        return None
    seat = next((seat.number for seat in snapshot.seats if seat.player_id == player_id), None)
    hand = snapshot.hand
    if seat is None or (hand is not None and hand.players[seat].player_id == player_id and hand.trustees[seat].gone):
        return None
    return seat


def _view(snapshot: Snapshot, seat: int | None, host: bool, connected: frozenset[int]) -> TableView:
    hand = snapshot.hand
    playing = hand is not None and hand.status == "active"
    veil = _veil(snapshot, seat)
    obs, seq = _observation(snapshot, seat), 0 if hand is None else hand.seq
    if veil:
        obs, seq = _veiled(snapshot, veil)
    mark = hand.trustees[seat] if playing and hand is not None and seat is not None else None
    common = snapshot.memo.get(("common", connected, veil))
    if common is None:
        common = snapshot.memo["common", connected, veil] = _common(snapshot, obs, connected, veil)
    view: TableView = common.but(
        seq=seq,
        viewer=seat,
        host=host,
        trustee=mark is not None and mark.on,
        can_take_back=mark is not None and mark.on and mark.count <= TRUSTEESHIPS,
        prompt=_prompt(hand, seat, obs) if playing and veil != "none" else None,
        obs=obs,
    )
    shared = snapshot.memo.get(("shared", connected, veil))
    if shared is None:
        carried = snapshot.carried.setdefault(("rendered", veil), {})
        shared = snapshot.memo["shared", connected, veil] = {CARRIED: carried}
    return view.sharing(shared)


def _common(snapshot: Snapshot, obs: Observation | None, connected: frozenset[int], veil: str) -> TableView:
    """What all see who see as much of the moment; `obs` is that of any of them."""
    table, hand = snapshot.table, snapshot.hand
    playing = hand is not None and hand.status == "active"
    if veil and playing:
        deadline, seconds = None, 0  # how long the table has been waiting tells what was played
    else:
        deadline, seconds = _deadline(table, hand, obs) if playing else _pause(table)
    seats = _seats(snapshot, connected, bool(veil))
    if veil == "none":
        hand = None
    return TableView(
        table=table.id,
        url=addresses.table(table.id),
        phase=table.status,
        preset=table.preset,
        rules=table.rules,
        room=table.room,
        clock_step=table.clock_step,
        clock_play=table.clock_play,
        clock_next=table.clock_next,
        public=table.public,
        number=table.number,
        hand=None if hand is None else hand.id,
        seq=0,
        viewer=None,
        host=False,
        trustee=False,
        can_take_back=False,
        seats=seats,
        prompt=None,
        deadline=deadline,
        seconds=seconds,
        obs=None,
        commit=None if hand is None else hand.commit,
        next_commit=None if table.status == "closed" else table.next_commit,
        result=None if veil else _result(snapshot),
        closed_because=table.closed_because,
        redeal=hand is not None and hand.redeal,
        hands_limit=table.hands_limit,
        event=table.event,
        watching=table.watching,
        veiled=bool(veil),
        spectators=len(connected - {seat.player_id for seat in snapshot.seats}),
        wait_for=table.wait_for,
        quick=table.quick,
        rematch=table.rematch,
        names=() if hand is None else tuple([_name_of(snapshot, occupant) for occupant in hand.players]),
    )


def _veil(snapshot: Snapshot, seat: int | None) -> str:
    """What keeps this viewer from seeing the moment: "trick", "after", "none", or nothing."""
    watching = snapshot.table.watching
    if seat is not None or watching == "live":
        return ""
    running = snapshot.hand is not None and snapshot.hand.status == "active"
    return watching if running or watching == "none" else ""


def _veiled(snapshot: Snapshot, veil: str) -> tuple[Observation | None, int]:
    """What a spectator behind the veil is shown of the hand: with a delay the hand as it stood before the running
    trick, folded from its log like any other moment; else nothing."""
    if veil != "trick" or snapshot.fold is None:
        return None, 0
    seq, state = snapshot.fold.before
    if "before" not in snapshot.memo:
        snapshot.memo["before"] = observe(state, None)
    return snapshot.memo["before"], seq


def _observation(snapshot: Snapshot, seat: int | None) -> Observation | None:
    """The seat's observation. Whoever took a seat after the hand sees that hand as a spectator."""
    hand, fold = snapshot.hand, snapshot.fold
    if hand is None or fold is None:
        return None
    if seat is not None and hand.players[seat].player_id != snapshot.seats[seat].player_id:
        seat = None
    key = ("obs", seat)
    if key not in snapshot.memo:
        obs = observe(fold.state, seat)
        if seat is not None and hand.pending == seat:
            obs = replace(obs, to_act=(), prompt=None)  # he has answered, and only he knows that he was asked
        snapshot.memo[key] = obs
    found: Observation = snapshot.memo[key]
    return found


def _prompt(hand: HandFacts | None, seat: int | None, obs: Observation | None) -> str | None:
    """The question this seat is asked, named so that no other hand at the table has a question of that name."""
    if hand is None or seat is None or obs is None or obs.prompt is None:
        return None
    mark = hand.trustees[seat]
    if mark.on and mark.count > TRUSTEESHIPS:
        return None
    return f"{hand.number}-{obs.prompt}"


def _deadline(table: TableFacts, hand: HandFacts | None, obs: Observation | None) -> tuple[datetime | None, int]:
    """The same for every viewer, whoever is asked."""
    if hand is None or obs is None:
        return None, 0
    if obs.step is Step.REVEAL:
        seconds = table.clock_reveal
    else:
        seconds = table.clock_play if obs.step is Step.PLAY else table.clock_step
    return hand.asked_at + timedelta(seconds=seconds), seconds


def _pause(table: TableFacts) -> tuple[datetime | None, int]:
    if table.wait_until is not None:
        return table.wait_until, (table.ready_seconds if table.wait_for == "ready" else table.fill_seconds) or 60
    return table.next_at, table.clock_next if table.next_at is not None else 0


def _seats(snapshot: Snapshot, connected: frozenset[int], veiled: bool) -> tuple[SeatInfo, ...]:
    """One and the same tuple from move to move as long as nothing in it changes."""
    hand = snapshot.hand
    # a mark that comes in the running trick says that somebody let his time pass
    playing = hand is not None and hand.status == "active" and not veiled
    marks = tuple([mark.on for mark in hand.trustees]) if playing and hand is not None else (False,) * 5
    key = (connected, marks, None if hand is None else hand.id)
    made_of, found = snapshot.carried.get(("seats", veiled), (None, ()))
    if made_of != key:
        found = tuple(
            SeatInfo(
                number=seat.number,
                name=seat.name,
                empty=seat.player_id is None and not seat.bot,
                bot=seat.bot,
                ready=seat.ready or seat.bot,
                connected=seat.bot or seat.player_id in connected,
                trustee=marks[seat.number],
                host=seat.player_id is not None and seat.player_id == snapshot.table.host_id,
                multiplier=seat.multiplier,
                swap_with=seat.swap_with,
                keeps=seat.keeps,
                player=seat.player_id,
                played=hand is None or hand.players[seat.number].player_id == seat.player_id,
            )
            for seat in snapshot.seats
        )
        snapshot.carried["seats", veiled] = key, found
    seats: tuple[SeatInfo, ...] = found
    return seats


def _name_of(snapshot: Snapshot, occupant: PlayerFacts) -> str:
    """Whoever played the seat; a bot that kept an entrant's place at an event goes by his name."""
    return occupant.name if occupant.player_id else snapshot.kept.get(occupant.name, occupant.name)


def _result(snapshot: Snapshot) -> ResultView | None:
    hand, fold, outcome = snapshot.hand, snapshot.fold, snapshot.outcome
    if hand is None or fold is None or outcome is None:
        return None
    if "result" not in snapshot.memo:
        rows = tuple(
            ResultRow(
                seat=seat,
                name=_name_of(snapshot, hand.players[seat]),
                role=row.role,
                place=row.place,
                points=row.points,
                beans=row.beans,
                left=fold.state.hands[seat],
            )
            for seat, row in enumerate(outcome.seats)
        )
        snapshot.memo["result"] = ResultView(
            outcome=outcome.outcome,
            solo=outcome.solo or None,
            multiplier=outcome.multiplier,
            rows=rows,
            scored=outcome.scored,
            record_url=addresses.record(hand.id),
            fair_url=addresses.fair(hand.id),
        )
    found: ResultView = snapshot.memo["result"]
    return found
