"""The questions before the first card, each as a plain sentence with its answers and what they cost or bring.

Everything is worked out from the viewer's own observation: which answers there are comes from the engine's `answers`,
the words from the rules in force. No answer is judged here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.actions import Action, Kind
from games.engine.observation import Observation, Solo, Step
from games.render_cards import table_card
from games.render_words import card_word

if TYPE_CHECKING:
    from games.engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: what is sent, what it is called, what it costs or brings."""

    value: str
    label: str
    price: str = ""
    main: bool = False
    card: SafeString | str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question with its answers; `together`: everybody is asked at the same time, unseen."""

    question: str
    note: str
    choices: tuple[Choice, ...]
    together: bool = False


def ask_of(obs: Observation, answers: tuple[Action, ...], names: tuple[str, ...], lang: str) -> Ask:
    """The question of the step the viewer is asked in; the play step is not one of these."""
    kinds = {action.kind for action in answers}
    match obs.step:
        case Step.CROWN:
            return _crown(obs, kinds, names)
        case Step.GRAB:
            return _grab(obs, kinds)
        case Step.CALL:
            return _call(obs, answers, lang)
        case Step.REVEAL:
            return _reveal(obs, kinds)
        case Step.REBEL:
            return _rebel(obs, kinds)
        case _:
            return _kick(obs, kinds)


def solo_price(rules: RuleSet) -> str:
    """What an open solo is played for (RULES §8)."""
    if rules.scoring.mode == "sum":
        return _("一打四：头客 +24，否则 −24")
    factor = rules.stakes.open_solo * rules.scoring.solo_factor
    return _("一打四，分数×%d") % factor if factor > 1 else _("一打四，输赢都归你")


def toll_words(obs: Observation) -> str:
    """What yielding costs now (RULES §5.2)."""
    first = not any(event.kind == "yield" for event in obs.log)
    match obs.rules.crown.toll:
        case "two_or_best":
            return _("第一家让位不用贴牌") if first else _("贴一张2，没有2就贴最大的一张（王除外）")
        case "two_or_none":
            return _("第一家让位不用贴牌") if first else _("贴一张2，没有2就不贴")
        case "best":
            return _("贴上最大的一张牌（皇牌、侍卫牌除外）")
        case "bottom":
            return _("垫上一张大王，没有就小王，再没有就2") if first else _("贴一张2，没有就小王，再没有就大王")
        case _:
            return _("不用贴牌")


def _crown(obs: Observation, kinds: set[Kind], names: tuple[str, ...]) -> Ask:
    assert obs.viewer is not None
    to = names[(obs.viewer + obs.rules.crown.step) % 5]
    by_sword = obs.rules.guard.by == "sword"
    choices = []
    if Kind.YIELD in kinds:
        choices.append(
            Choice(
                "yield",
                pgettext("button", "让位"),
                _("皇牌给 %(name)s；%(toll)s") % {"name": to, "toll": toll_words(obs)},
            )
        )
    if Kind.SOLO in kinds:
        choices.append(Choice("solo", pgettext("button", "明独"), solo_price(obs.rules)))
    if Kind.ACCEPT in kinds:
        more = _("贴牌也归你；") if obs.toll else ""
        helper = _("拿侍卫牌的人暗中帮你") if by_sword else _("叫一张牌，找侍卫帮你")
        choices.append(Choice("accept", pgettext("button", "当皇帝"), more + helper, main=True))
    if Kind.YIELD not in kinds and Kind.ACCEPT in kinds:
        note = _("这一次不能再让了。") if obs.forced or obs.last_lap else _("这里不能让位。")
    elif Kind.ACCEPT not in kinds:
        note = _("你没有三张一样的牌，当不了皇帝。")
    elif obs.forced:
        note = _("转过一圈没人当，从头再问。")
    elif obs.last_lap:
        note = _("最后一圈：都让位，这一局就作废。")
    else:
        note = ""
    return Ask(_("皇牌在你手里，当皇帝吗？"), note, tuple(choices))


def _grab(obs: Observation, kinds: set[Kind]) -> Ask:
    choices = [Choice("pass", pgettext("button", "不抢"), _("按原来的皇帝打"), main=Kind.SOLO not in kinds)]
    if Kind.SOLO in kinds:
        choices.append(Choice("solo", pgettext("button", "抢独"), solo_price(obs.rules)))
    if Kind.SOLO in kinds:
        note = _("五家一起答，答完才翻开。")
    else:
        note = _("五家一起答。要有四张一样的牌才能抢，你没有。")
    return Ask(_("要抢独吗？"), note, tuple(choices), together=True)


def _call(obs: Observation, answers: tuple[Action, ...], lang: str) -> Ask:
    choices = []
    for action in answers:
        card = action.cards[0]
        picture = mark_safe(table_card(card, False, lang))
        held = sum(own.rstrip("!") == card for own in obs.hand)
        price = pgettext("button", "明独") if action.opened else _("暗独") if held >= 4 else ""
        choices.append(Choice(str(action), _("叫%s") % card_word(card), price, card=picture))
    notes = [_("这第四张比大王还大。")] if obs.rules.guard.special else []
    if any(sum(own.rstrip("!") == action.cards[0] for own in obs.hand) >= 4 for action in answers):
        notes.append(_("叫自己有四张的，就是一打四。"))
    if any(action.opened for action in answers):
        notes.append(_("明独要亮出这四张。"))
    return Ask(_("叫哪张牌？拿第四张的人是你的侍卫"), "".join(notes), tuple(choices))


def _reveal(obs: Observation, kinds: set[Kind]) -> Ask:
    factor = obs.rules.stakes.open_guard
    if obs.own_solo is Solo.HIDDEN:
        hide = Choice("hide", pgettext("button", "暗独"), _("别人还不知道你是一个人"))
        open_ = Choice("open", pgettext("button", "明独"), solo_price(obs.rules))
        question, note = _("侍卫也是你自己：一打四。要亮明吗？"), ""
    else:
        hide = Choice("hide", pgettext("button", "暗保"), _("暗中帮皇帝，谁也不知道"))
        open_ = Choice(
            "open", pgettext("button", "明保"), _("身份公开，分数×%d") % factor if factor > 1 else _("身份公开")
        )
        question, note = _("你是侍卫，要亮明身份吗？"), ""
    choices = [hide, open_] if Kind.OPEN in kinds else [hide]
    if Kind.OPEN not in kinds:
        note = _("这里不能明独。")
    return Ask(question, note or _("别人只看到“等侍卫决定”。"), tuple(choices))


def _rebel(obs: Observation, kinds: set[Kind]) -> Ask:
    factor = obs.rules.stakes.rebellion
    choices = [Choice("pass", pgettext("button", "不反"), "", main=Kind.REBEL not in kinds)]
    if Kind.REBEL in kinds:
        choices.append(Choice("rebel", pgettext("button", "造反"), _("两家以上就成：分数×%d，侍卫现身") % factor))
        note = _("四家一起答，答完才翻开。只有一家反就不成，还露了身份。")
    else:
        note = _("四家一起答，谁也看不见。你是侍卫，不能造反。")
    return Ask(_("要造反吗？"), note, tuple(choices), together=True)


def _kick(obs: Observation, kinds: set[Kind]) -> Ask:
    factor = obs.rules.stakes.kick
    choices = [Choice("pass", pgettext("button", "不踢"), "", main=Kind.KICK not in kinds)]
    own_side = dict(obs.known).get(obs.viewer) if obs.viewer is not None else None
    rebels_asked = own_side is not None and own_side.value == "rebel"
    if Kind.KICK in kinds:
        price = _("三家里两家以上踢：分数×%d") % factor if rebels_asked else _("分数再×%d") % factor
        choices.append(Choice("kick", pgettext("button", "踢"), price))
    question = _("侍卫亮明了，要踢吗？") if rebels_asked else _("他们造反成功了，要踢回去吗？")
    return Ask(question, _("一起答，答完才翻开。"), tuple(choices), together=True)
