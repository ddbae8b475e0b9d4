"""What is said about cards, plays, seats and events: short words for the table, in the language of the page.

Source strings are Chinese and go through gettext when called, so nothing here may be computed at import. The rules in
full sentences are another matter (`rule_words`).
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from games.engine.cards import BIG, CROWN, RANKS, SMALL, SWORD, Card
from games.render_frames import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.engine.observation import Event
    from games.engine.shapes import Shape

LEVEL_KEYS = (*RANKS, "w", "W")


def rank_word(rank: str) -> str:
    """As printed on the card: T is 10, the jokers are named."""
    if rank == "T":
        return "10"
    if rank == "w":
        return _("小王")
    if rank == "W":
        return _("大王")
    return rank


def card_word(card: Card, *, sword: bool = True, lang: str = "") -> str:
    """A card as it is read aloud: 红桃7, 皇牌大王. `sword`: whether the marked small joker means anything here; `lang`:
    the active language, for who knows it."""
    return _card_word(card, sword, lang or get_language() or "")


@lru_cache(maxsize=512)
def _card_word(card: Card, sword: bool, lang: str) -> str:
    if card == CROWN:
        return _("皇牌大王")
    if card == SWORD and sword:
        return _("侍卫牌小王")
    if card in (SMALL, SWORD, BIG):
        return rank_word(card[0])
    suit = {"S": _("黑桃"), "H": _("红桃"), "C": _("梅花"), "D": _("方块")}[card[1]]
    return _("%(suit)s%(rank)s") % {"suit": suit, "rank": rank_word(card[0])}


def shape_words(shape: Shape, lang: str = "") -> str:
    """A play in words: 4个8带1大王 (RULES §2). `lang`: the active language, for who knows it."""
    return _shape_words(shape, lang or get_language() or "")


@lru_cache(maxsize=8192)
def _shape_words(shape: Shape, lang: str) -> str:
    jokers = []
    if shape.special:
        jokers.append(_("特画"))
    if shape.big:
        jokers.append(_("%d大王") % shape.big)
    if shape.small:
        jokers.append(_("%d小王") % shape.small)
    if not shape.count:
        return _("、").join(jokers)
    rank = rank_word(shape.rank)
    plain = (
        _("单张%s") % rank
        if shape.count == 1 and not jokers
        else _("%(n)d个%(rank)s") % {"n": shape.count, "rank": rank}
    )
    return _("%(plain)s带%(jokers)s") % {"plain": plain, "jokers": "".join(jokers)} if jokers else plain


def place_word(place: int) -> str:
    """头客 二客 三客 二拉 大拉 for places 1 … 5."""
    return (_("头客"), _("二客"), _("三客"), _("二拉"), _("大拉"))[place - 1]


def role_word(role: str) -> str:
    """皇帝, 侍卫, 起义军."""
    return {"emperor": _("皇帝"), "guard": _("侍卫"), "rebel": _("起义军")}[role]


def signed(number: int) -> str:
    """Points with their sign; a true minus, so that figures stand in columns."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def names_words(names: Sequence[str]) -> str:
    """甲、乙、丙."""
    if len(names) < 2:
        return names[0] if names else ""
    return _("、").join(names)


REASONS = {
    "nobody": lambda: _("那里没有人。"),
    "removed": lambda: _("桌主请你离开了这一桌。"),
    "too_long": lambda: _("太长了，最多100个字。"),
    "too_fast": lambda: _("说得太快了，歇一下再说。"),
    "not_asked": lambda: _("现在没有轮到你。"),
    "stale_prompt": lambda: _("这个问题已经过去了，请看现在的局面。"),
    "too_late": lambda: _("时间到了，系统已替你出了。"),
    "no_hand": lambda: _("现在没有牌局。"),
    "not_seated": lambda: _("你不在这一桌。"),
    "too_many": lambda: _("点得太快了，稍等一下。"),
    "malformed": lambda: _("没有看懂这一步，请再试一次。"),
    "nonsense": lambda: _("没有看懂这一步，请再试一次。"),
    "illegal": lambda: _("现在不能这样出。"),
    "not_in_hand": lambda: _("这些牌不都在你手里。"),
    "no_shape": lambda: _("这些牌不能一起出：只能是同一点数，可以带王。"),
    "wrong_count": lambda: _("张数不对。"),
    "too_low": lambda: _("压不过桌上的牌。"),
    "joker_uncovered": lambda: _("桌上的王没有压住。"),
    "unbeatable": lambda: _("桌上的牌没有牌能压。"),
    "held_back": lambda: _("%s 只能最后一手一起出。"),
    "empty": lambda: _("点选要出的牌。"),
    "full": lambda: _("这一桌已经坐满了。"),
    "taken": lambda: _("这个座位已经有人了。"),
    "not_found": lambda: _("没有找到这一桌。"),
    "forbidden": lambda: _("只有开桌的人能这样做。"),
    "not_here": lambda: _("这一桌的比赛你不能打。有疑问请找裁判。"),
    "same_for_all": lambda: _("比赛里大家的倍数一样。"),
    "playing": lambda: _("这一局还没有打完，打完再来。"),
    "closed": lambda: _("这一桌已经散了。"),
    "too_few_beans": lambda: _("你的豆不够这一桌的入座数。在“游戏豆”页看看能不能领救济。"),
    "frozen": lambda: _("你的豆账户冻结了，不能坐有输赢的桌。有疑问请找管理员。"),
    "suspended": lambda: _("你现在不能上桌。原因、到什么时候、怎么申诉，都在“公平与处罚”页。"),
    "too_high": lambda: _("这个数太大了。"),
    "locked": lambda: _("这一局已经托管了四次，不能再取消。"),
}


def reason(code: str, rank: str = "") -> str:
    """One plain sentence for a refusal's code; `rank` is the held-back rank. Unknown codes get a general sentence.

    `suspended:` may be followed by the moment until when, in ISO form.
    """
    code, _colon, until = code.partition(":")
    if until and code == "suspended":
        when = localtime(datetime.fromisoformat(until)).strftime("%Y-%m-%d %H:%M")
        return _("%s 以前你不能上桌。原因和怎么申诉在“公平与处罚”页（你的名字 → 公平与处罚）。") % when
    text = REASONS.get(code, REASONS["illegal"])()
    return text % rank_word(rank) if "%s" in text else text


PLAYED, PASSED = gettext_noop("%(name)s：%(words)s"), gettext_noop("%s：过")


def event_words(event: Event, names: Sequence[str], lang: str = "") -> str:
    """One line of the hand's log, empty for events that say nothing new. `names` are the five seats' names, `lang` is
    the active language, for who knows it."""
    lang = lang or get_language() or ""
    name = names[event.seat] if event.seat is not None else ""
    if event.kind == "play" and event.shape:
        return phrase(PLAYED, lang) % {"name": name, "words": shape_words(event.shape, lang)}
    if event.kind == "pass":
        return phrase(PASSED, lang) % name
    cards = names_words([card_word(card, lang=lang) for card in event.cards])
    n = event.number
    match event.kind:
        case "gift":
            return _("%(name)s 进贡 %(cards)s 给 %(to)s") % {"name": name, "cards": cards, "to": names[n]}
        case "accept":
            return _("%s 要当皇帝") % name
        case "yield":
            return _("%(name)s 让位，贴 %(cards)s") % {"name": name, "cards": cards} if cards else _("%s 让位") % name
        case "forced":
            return _("没人当皇帝，从头再问一圈")
        case "solo":
            return _("%s 宣布明独，一打四") % name
        case "grab":
            return _("%s 抢独") % name
        case "emperor":
            return _("%s 是皇帝") % name
        case "call":
            return _("%(name)s 叫 %(cards)s") % {"name": name, "cards": cards}
        case "call_open":
            return _("%s 亮出四张，明独") % name
        case "open":
            return _("%s 亮明身份") % name
        case "unopened":
            return _("没有人亮明身份")
        case "rebel":
            return _("%s 造反") % name
        case "rebellion":
            return _("造反成功，分数×%d") % n
        case "no_rebellion":
            return _("造反没有成")
        case "shown":
            return _("%s 的身份公开了") % name
        case "kick":
            return _("%s 踢") % name
        case "kicked":
            return _("踢成了，分数×%d") % n
        case "play":
            return _("%(name)s：%(words)s") % {"name": name, "words": cards}
        case "defer":
            return _("%s：让牌") % name
        case "claim":
            return _("%s：申请接风") % name
        case "trick":
            return _("%s 赢了这一轮") % name
        case "windfall":
            return _("%s 接风") % name
        case "out":
            return _("%(name)s 出完了，%(place)s") % {"name": name, "place": place_word(n)}
        case "cleared":
            return _("%s 被清3") % name
        case "done":
            return _("这一局结束")
        case "void":
            return _("没有皇帝，这一局作废，重新发牌")
        case _:
            return ""
