"""The ruleset in the players' language: a label and help for every key, and the rules in force as plain sentences.

`describe` is what a rules page shows, `one_line` what a list shows, `differences` what a table changed from its preset.
Source strings are Chinese and go through gettext; the words are chosen from the ruleset's values alone, never from the
name of a variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.engine.presets import PRESETS
from games.engine.rules import RuleSet, load_rules
from games.rule_words_cards import Section, cards_words, either, joined, rank_name, ranks_words, times
from games.rule_words_play import beating, ending, hold_back, passing, shapes
from games.rule_words_score import beans, clear_threes, scoring, tribute
from games.rule_words_start import cards, deal, declarations, emperor, grab, guard

Text = str | Promise


@dataclass(frozen=True, slots=True)
class FieldWords:
    """What a person reads about one key of the ruleset; `choices` names every value where they are a closed list."""

    label: Text
    help: Text
    choices: Mapping[object, Text] | None = None


YES_NO: Mapping[object, Text] = {True: lazy("是"), False: lazy("否")}

GROUPS: Mapping[str, Text] = {
    "": lazy("名称"),
    "deck": lazy("牌和发牌"),
    "crown": lazy("谁当皇帝"),
    "guard": lazy("侍卫"),
    "solo": lazy("独"),
    "stakes": lazy("加倍"),
    "play": lazy("出牌"),
    "scoring": lazy("结束、算分、进贡"),
}
"""Headings of the form; a key belongs to the group of its first part, other top keys to `scoring` but id and name."""

FIELDS: Mapping[str, FieldWords] = {
    "id": FieldWords(lazy("代号"), lazy("网址里用的英文代号，小写字母、数字和短横线。")),
    "name": FieldWords(lazy("名称"), lazy("牌桌和列表上显示的名字。")),
    "deck.removed": FieldWords(
        lazy("去掉的牌"),
        lazy("四副牌里每种点数有16张，写上要去掉几张；不去掉就留空。按黑桃、红桃、梅花、方块轮流去掉。"),
    ),
    "deck.reserve_crown": FieldWords(lazy("皇牌不发"), lazy("皇牌留在旁边不发，抽签决定先问谁。"), YES_NO),
    "deck.deal_from": FieldWords(
        lazy("从谁发起"),
        lazy("第二局起，谁先拿第一张牌。第一局总是一号座位。"),
        {"emperor": lazy("上一局的皇帝"), "first_out": lazy("上一局的头客")},
    ),
    "crown.needs_triple": FieldWords(
        lazy("当皇帝要有三张一样的"), lazy("手里有三张一模一样的、能叫的牌，才能当皇帝。叫牌的打法必须选“是”。"), YES_NO
    ),
    "crown.yield": FieldWords(
        lazy("谁可以让位"),
        lazy("被问到要不要当皇帝时，谁可以把皇牌让出去。"),
        {
            "any": lazy("谁都可以"),
            "both_cards": lazy("皇牌和侍卫牌都在手里的人"),
            "none": lazy("不能让位"),
        },
    ),
    "crown.step": FieldWords(lazy("让给谁"), lazy("皇牌往哪里传。"), {-1: lazy("上家"), 2: lazy("隔一个的下家")}),
    "crown.laps": FieldWords(
        lazy("最多问几圈"),
        lazy("没有人当皇帝时，皇牌转几圈才算完。有“没人当怎么办”时总是一圈。"),
        {1: lazy("一圈"), 2: lazy("两圈")},
    ),
    "crown.toll": FieldWords(
        lazy("让位贴牌"),
        lazy("让位的人要添上什么牌，归最后的皇帝。"),
        {
            "none": lazy("不贴"),
            "two_or_best": lazy("第一个不贴，以后贴2，没有2贴最大的（王除外）"),
            "two_or_none": lazy("第一个不贴，以后贴2，没有2不贴"),
            "best": lazy("每次贴最大的，王也算"),
            "bottom": lazy("第一个贴大王、小王或2，以后先贴2，再小王、大王"),
        },
    ),
    "crown.force": FieldWords(
        lazy("没人当怎么办"),
        lazy("一圈下来没有人当皇帝以后。"),
        {
            "none": lazy("作废，重新发牌"),
            "ask_first": lazy("再问一次最先被问的人"),
            "triple": lazy("再问一圈，有三张一样的必须当"),
            "triple_unless_quad": lazy("再问一圈，有三张一样的必须当，有四张的可以不当"),
        },
    ),
    "guard.by": FieldWords(
        lazy("怎么定侍卫"),
        lazy("看谁拿着侍卫牌，还是由皇帝叫牌。"),
        {"sword": lazy("拿侍卫牌（宝剑小王）的人"), "call": lazy("皇帝叫牌，拿第四张的人")},
    ),
    "guard.callable": FieldWords(lazy("可以叫的牌"), lazy("打勾的可以叫。用侍卫牌的打法不叫牌，不用打勾。")),
    "guard.choice": FieldWords(
        lazy("叫哪一种"),
        lazy("皇帝有几种三张一样的牌时。"),
        {"player": lazy("皇帝自己选"), "highest": lazy("系统叫最大的")},
    ),
    "guard.may_open": FieldWords(
        lazy("可以明保"), lazy("打牌以前，侍卫可以亮明身份，暗独的皇帝可以亮成明独。"), YES_NO
    ),
    "guard.special": FieldWords(lazy("特画"), lazy("叫到的第四张牌比大王还大。只用于叫牌的打法。"), YES_NO),
    "solo.hidden": FieldWords(
        lazy("可以暗独"), lazy("皇帝和侍卫是同一个人，一个人打四个，别人不知道。用侍卫牌的打法必须选“是”。"), YES_NO
    ),
    "solo.open": FieldWords(lazy("可以明独"), lazy("公开宣布一个人打四个。"), YES_NO),
    "solo.grab": FieldWords(
        lazy("抢独"),
        lazy("皇帝定下来以后，别人可不可以宣布明独、抢当皇帝。要同时允许明独才有用。"),
        {"none": lazy("没有"), "any": lazy("谁都可以抢"), "quad": lazy("有四张一样的牌才能抢")},
    ),
    "stakes.open_guard": FieldWords(lazy("明保的倍数"), lazy("1就是不加倍。")),
    "stakes.open_solo": FieldWords(
        lazy("明独的倍数"), lazy("1就是不加倍。按名次和算分时不用它，那里明独固定24分和6分。")
    ),
    "stakes.rebellion": FieldWords(lazy("造反的倍数"), lazy("0就是没有造反。")),
    "stakes.kick": FieldWords(lazy("踢的倍数"), lazy("0就是没有踢。")),
    "play.cover": FieldWords(
        lazy("用什么管王"),
        lazy("每行一种。大王写W，小王写w，特画写#，2写2：WW就是两张大王，222就是三张2。空着就是谁也管不住。"),
    ),
    "play.wild_twos": FieldWords(lazy("2是配牌"), lazy("2和别的点数一起出时，算那个点数。"), YES_NO),
    "play.hold_back": FieldWords(
        lazy("憋牌"),
        lazy("这个点数的牌要留到最后，一次出完。"),
        {
            "": lazy("没有"),
            "3": lazy("憋3"),
            "4": lazy("憋4"),
            "5": lazy("憋5"),
            "6": lazy("憋6"),
            "7": lazy("憋7"),
            "8": lazy("憋8"),
            "9": lazy("憋9"),
            "T": lazy("憋10"),
            "J": lazy("憋J"),
            "Q": lazy("憋Q"),
            "K": lazy("憋K"),
            "A": lazy("憋A"),
            "2": lazy("憋2"),
        },
    ),
    "play.passing": FieldWords(
        lazy("过牌以后"),
        lazy("过了牌，同一轮里还能不能再出。"),
        {"soft": lazy("还可以再出"), "hard": lazy("这一轮不能再出")},
    ),
    "play.defer": FieldWords(lazy("让牌"), lazy("第一手牌没人管时可以先让一让，转一圈再问一次。"), YES_NO),
    "play.windfall": FieldWords(
        lazy("接风"),
        lazy("出完牌的人最后一手没人管时，谁开始下一轮。"),
        {
            "next": lazy("后面第一家"),
            "ally": lazy("身份公开时给自己一边的人"),
            "claim": lazy("谁先申请给谁"),
        },
    ),
    "end": FieldWords(
        lazy("什么时候结束"),
        lazy("打到哪里算一局。"),
        {"side_out": lazy("有一边全走完"), "last_one": lazy("只剩一个人有牌")},
    ),
    "scoring.mode": FieldWords(
        lazy("怎么算分"),
        lazy("四种算法，下面的规则里有例子。"),
        {
            "sum": lazy("按名次和算（6减两人名次）"),
            "places": lazy("按各人名次的分算"),
            "outcome": lazy("只看输赢"),
            "outcome_home": lazy("只看输赢（皇帝要头客）"),
        },
    ),
    "scoring.solo_factor": FieldWords(lazy("独的倍数"), lazy("一个人打四个时分数乘几。按名次和算分时不用它。")),
    "tribute": FieldWords(
        lazy("进贡"), lazy("输的一边下一局先交牌。"), {"none": lazy("没有"), "standard": lazy("进贡，不还牌")}
    ),
    "clear_threes": FieldWords(lazy("清3"), lazy("手里只剩3时被人管住，下一局要交一张牌。要同时憋3才有用。"), YES_NO),
}


def describe(rules: RuleSet) -> tuple[Section, ...]:
    """The rules in force in plain words, in the order in which a hand is played."""
    sections = (
        cards(rules),
        deal(rules),
        tribute(rules),
        emperor(rules),
        grab(rules),
        guard(rules),
        declarations(rules),
        shapes(rules),
        beating(rules),
        hold_back(rules),
        passing(rules),
        ending(rules),
        scoring(rules),
        clear_threes(rules),
        beans(rules),
    )
    return tuple(section for section in sections if section is not None)


def one_line(rules: RuleSet) -> str:
    """The ruleset in one line: what a player wants to know before sitting down."""
    removed = dict(rules.deck.removed)
    parts = [_("%(n)s张牌") % {"n": 216 - sum(removed.values())}]
    if rules.guard.by == "sword":
        parts.append(_("侍卫看宝剑小王"))
    else:
        parts.append(_("皇帝叫牌定侍卫"))
    if rules.guard.special:
        parts.append(_("特画"))
    if rules.crown.toll != "none":
        parts.append(_("让位贴牌"))
    if rules.has_grab:
        parts.append(_("抢独"))
    if rules.guard.may_open:
        parts.append(_("明保%(x)s") % {"x": times(rules.stakes.open_guard)})
    if rules.stakes.rebellion:
        parts.append(_("造反%(x)s") % {"x": times(rules.stakes.rebellion)})
    if rules.stakes.kick and (rules.guard.may_open or rules.stakes.rebellion):
        parts.append(_("踢%(x)s") % {"x": times(rules.stakes.kick)})
    if any(len(cover) > 1 for cover in rules.play.cover.small):
        parts.append(_("烤牌"))
    elif rules.play.cover.big:
        parts.append(_("大王能管"))
    if rules.play.wild_twos:
        parts.append(_("2是配牌"))
    if rules.play.hold_back:
        parts.append(_("憋%(rank)s") % {"rank": rank_name(rules.play.hold_back)})
    if rules.play.defer:
        parts.append(_("让牌"))
    if rules.tribute != "none":
        parts.append(_("进贡"))
    return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Difference:
    """One key whose value is not the one of the preset, in words."""

    key: str
    label: str
    value: str
    usual: str

    def __str__(self) -> str:
        return _("%(label)s：%(value)s") % {"label": self.label, "value": self.value}


def flat(data: Mapping[str, Any]) -> dict[str, Any]:
    """A ruleset's JSON by dotted key; `deck.removed` and `play.cover` stay whole (RULES §3)."""
    out: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            for inner, inside in value.items():
                out[f"{key}.{inner}"] = inside
        else:
            out[key] = value
    return out


def value_words(key: str, value: Any) -> str:
    """A key's value (as in the JSON) in words."""
    choices = FIELDS[key].choices
    if choices is not None:
        return str(choices[value])
    if key == "deck.removed":
        gone = [_("%(rank)s去掉%(n)s张") % {"rank": rank_name(rank), "n": n} for rank, n in value.items()]
        return joined(gone) or _("没有")
    if key == "play.cover":
        return _("；").join(
            _("%(card)s用%(covers)s管")
            % {"card": rank_name(joker), "covers": either(cards_words(cover) for cover in value[joker])}
            if value[joker]
            else _("%(card)s谁也管不住") % {"card": rank_name(joker)}
            for joker in "wW"
        )
    if key == "guard.callable":
        return ranks_words(value) or _("没有")
    if key in ("stakes.rebellion", "stakes.kick") and value == 0:
        return _("没有")
    if key.startswith("stakes.") or key == "scoring.solo_factor":
        return times(value)
    return str(value)


def differences(rules: RuleSet, base: RuleSet | None = None) -> tuple[Difference, ...]:
    """The keys (but id and name) in which the rules differ from `base`, by default from the preset of the same id.

    Empty where there is nothing to compare with.
    """
    if base is None:
        if rules.id not in PRESETS:
            return ()
        base = load_rules(rules.id)
    ours, usual = flat(rules.to_json()), flat(base.to_json())
    return tuple(
        Difference(key, str(FIELDS[key].label), value_words(key, ours[key]), value_words(key, usual[key]))
        for key in FIELDS
        if key not in ("id", "name") and ours[key] != usual[key]
    )
