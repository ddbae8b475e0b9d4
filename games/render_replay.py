"""A moment of a finished hand → html fragments by element id: what changes from step to step.

The board is the table's own. The hand under it can only be looked at; all five at once are lists of ranks with counts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.engine.cards import CROWN
from games.render_cards import mini_card, mini_cards, stacks, table_card
from games.render_frames import frame
from games.render_log import counter_fragment, log_line
from games.render_pile import bar_fragment, names_of, pile_fragment
from games.render_result import decided
from games.render_seats import act_of, role_of, seat_fragments
from games.render_words import event_words, rank_word

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.observation import Observation
    from games.selectors.moments import Moment


QUICK = frozenset(("pass", "defer", "claim"))
"""What needs no time to be looked at when the hand plays by itself."""


def moment_fragments(moment: Moment, open_hands: bool, lang: str) -> dict[str, str]:
    """The bar, the board (or the five hands), what was told, the hand below, the counter."""
    return {
        "bar": bar_fragment(moment.view, lang),
        "board": _five(moment, lang) if open_hands else _board(moment, lang),
        "told": _told(moment, open_hands),
        "below": "" if open_hands else _below(moment, lang),
        "counter": counter_fragment(moment.view, lang),
    }


def address(moment: Moment, at: int, seat: int, open_hands: bool) -> str:
    """The address of another moment, seat or way of looking."""
    query = {"at": at, "seat": seat} | ({"open": 1} if open_hands else {})
    return f"/hands/{escape(moment.hand)}/replay/?{urlencode(query)}"


def words_of(moment: Moment) -> str:
    """What happened at this moment, in a line or two."""
    names = names_of(moment.view)
    told = moment.log[slice(*moment.told)]
    if moment.result is not None:
        return _("这一局结束。") + decided(moment.result)
    said = [event_words(event, names) for event in (*(() if moment.at else moment.gifts), *told)]
    return _("；").join(([] if moment.at else [_("牌发好了")]) + [words for words in said if words])


def story(moment: Moment, open_hands: bool, lang: str, *, here: bool = True) -> str:
    """The lines of the whole hand, each a way to its moment; `here`: where the moment itself is marked."""
    names = names_of(moment.view)
    mark = ' aria-current="step"' if here else ""
    start = escape(address(moment, 0, moment.seat, open_hands))
    lines = [f'<li class="deal" data-at="0"{"" if moment.at else mark}><a href="{start}">{_("牌发好了")}</a></li>']
    events = (*((gift, 0) for gift in moment.gifts), *zip(moment.log, moment.reached, strict=True))
    for event, at in events:
        line = log_line(event, names, lang)
        if line:
            words = line[line.index(">") + 1 : -len("</li>")]
            to = escape(address(moment, at, moment.seat, open_hands))
            now = mark if at == moment.at and at else ""
            lines.append(f'{line[: line.index(">")]} data-at="{at}"{now}><a href="{to}">{words}</a></li>')
    return "".join(lines)


def _told(moment: Moment, open_hands: bool) -> str:
    """The line above the buttons; it carries what the page's script must know of the moment."""
    return frame(
        "_told.html",
        words=words_of(moment),
        moment=moment,
        slow=any(event.kind not in QUICK for event in moment.log[slice(*moment.told)]),
        open_hands=open_hands,
    )


def _board(moment: Moment, lang: str) -> str:
    seats = "".join(seat_fragments(moment.view, lang).values())
    return f'<div id="board" class="board">{seats}<div class="middle">{pile_fragment(moment.view, lang)}</div></div>'


def _below(moment: Moment, lang: str) -> str:
    """The hand of the seat that looks."""
    obs = moment.seen[moment.seat]
    piles = stacks(obs.hand, obs.special)
    inner = "".join([_stack(key, cards, obs.called, obs.rules.guard.by == "sword", lang) for key, cards in piles])
    label = escape(_("%(name)s的牌") % {"name": moment.view.seats[moment.seat].name})
    return f'<div id="hand" class="hand" role="img" aria-label="{label}：{_read_aloud(obs)}">{inner}</div>'


@lru_cache(maxsize=1024)
def _stack(key: str, cards: tuple[Card, ...], called: Card | None, sword: bool, lang: str) -> str:
    inner = "".join(
        table_card(card, sword, lang, "special" if key == "#" else "called" if card.rstrip("!") == called else "")
        for card in cards
    )
    n = len(cards)
    return f'<div class="stack n{min(n, 9)}" data-key="{key}"><small class="count">{n}</small>{inner}</div>'


def _five(moment: Moment, lang: str) -> str:
    """All five hands, in the order of play from the seat that looks."""
    rows = [_open_hand(moment, (moment.seat + i) % 5, lang) for i in range(5)]
    return frame("_five.html", rows=rows)


def _open_hand(moment: Moment, seat: int, lang: str) -> dict[str, object]:
    obs = moment.seen[seat]  # what a seat is, it knows itself
    return {
        "name": moment.view.seats[seat].name,
        "seat": seat,
        "asked": seat in obs.to_act,
        "lying": obs.top is not None and obs.top.seat == seat,
        "crown": mark_safe(mini_cards((CROWN,), obs.rules.guard.by == "sword", lang) if obs.crown_at == seat else ""),
        "role": mark_safe(role_of(obs, seat, lang)),
        "act": mark_safe(act_of(obs, seat, lang)),
        "count": len(obs.hand),
        "aloud": _read_aloud(obs),
        "cards": mark_safe("".join([_group(group, obs, lang) for _key, group in stacks(obs.hand, obs.special)])),
    }


def _group(cards: tuple[Card, ...], obs: Observation, lang: str) -> str:
    """Cards of one rank: one of them, how many there are, and how many of these are the called card."""
    called = [card for card in cards if card.rstrip("!") == obs.called]
    number = f"<b>×{len(cards)}</b>" if len(cards) > 1 else ""
    mark = f"<small>{_('叫')}{len(called)}</small>" if called else ""
    first = called[0] if called else cards[0]
    return f"<li>{mini_card(first, obs.rules.guard.by == 'sword', lang)}{number}{mark}</li>"


def _read_aloud(obs: Observation) -> str:
    said = [(_("特画") if key == "#" else rank_word(key), len(cards)) for key, cards in stacks(obs.hand, obs.special)]
    return _("、").join(_("%(name)s %(n)d张") % {"name": name, "n": n} for name, n in said) or _("没有牌了")
