"""The written rules of what a hand is worth: points with worked numbers, beans, leaving, tribute and 清3.

Every number in an example is asked of `engine.settlement.settle`; only the connecting words are written here.
Cites: RULES §8 and §9.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.engine.observation import Solo
from games.engine.rules import RuleSet
from games.engine.settlement import Settlement, settle
from games.rule_words_cards import Section, joined, times
from games.rule_words_play import finishing_names

EXAMPLES = ((1, 2), (1, 3), (2, 3), (1, 5), (4, 5))
"""Places of emperor and guard in the worked examples, best to worst."""


def settled(rules: RuleSet, e: int, g: int, *, solo: Solo | None = None, guard_open: bool = False) -> Settlement:
    """The settlement when seat 0 is emperor in place `e` and seat 1 (guard, or a rebel in a solo) in place `g`."""
    rest = [place for place in range(1, 6) if place not in (e, g)]
    return settle(
        rules,
        emperor=0,
        guard=None if solo else 1,
        solo=solo,
        guard_open=guard_open,
        places=(e, g, *rest),
    )


def signed(n: int) -> str:
    """A number of points with its sign: +6, −3, 0."""
    return f"+{n}" if n > 0 else f"−{-n}" if n < 0 else "0"


def scoring(rules: RuleSet) -> Section:
    """How points are counted (RULES §8.1–8.4)."""
    mode = rules.scoring.mode
    say = {"sum": _sum, "places": _places, "outcome": _outcome, "outcome_home": _outcome_home}[mode](rules)
    say.append(_("比如：%(list)s。") % {"list": _("；").join(_worked(rules, False))})
    if mode == "outcome_home" and rules.guard.may_open:
        say.append(_("明保以后，比如：%(list)s（还没有算明保的倍数）。") % {"list": _("；").join(_worked(rules, True))})
    if _multiplies(rules):
        say.append(_("侍卫明保、造反、踢的倍数，乘在所有人的分上。"))
    say += _solo(rules)
    say.append(_("五个人的分加起来总是0。"))
    return Section(_("怎么算分"), tuple(say), "scoring")


def _multiplies(rules: RuleSet) -> bool:
    stakes = rules.stakes
    return (rules.guard.may_open and stakes.open_guard > 1) or stakes.rebellion > 1


def _worked(rules: RuleSet, guard_open: bool) -> list[str]:
    names = finishing_names()
    lines = []
    for e, g in EXAMPLES:
        points = settled(rules, e, g, guard_open=guard_open).points
        if not any(points):
            lines.append(_("皇帝%(e)s、侍卫%(g)s：平，大家0分") % {"e": names[e - 1], "g": names[g - 1]})
            continue
        lines.append(
            _("皇帝%(e)s、侍卫%(g)s：皇帝%(a)s，侍卫%(b)s，起义军每人%(c)s")
            % {
                "e": names[e - 1],
                "g": names[g - 1],
                "a": signed(points[0]),
                "b": signed(points[1]),
                "c": signed(points[2]),
            }
        )
    return lines


def _sum(rules: RuleSet) -> list[str]:
    return [
        _("皇帝和侍卫的名次加起来，用6去减，就是侍卫的分；皇帝是它的两倍，三个起义军每人输（或赢）这么多。"),
    ]


def _places(rules: RuleSet) -> list[str]:
    return [
        _(
            "头客4分，二客2分，三客0分，二拉输2分，大拉输4分。皇帝和侍卫两人的分加起来，大于0就赢，小于0就输，等于0是平局。"
        ),
        _("皇帝和侍卫每人得这个数的3倍，三个起义军每人输（或赢）它的2倍。"),
    ]


def _outcome(rules: RuleSet) -> list[str]:
    return [
        _("皇帝和侍卫里有一个是头客、另一个不差过三客，就赢；一个二客一个三客，是平局；其余都算输。"),
    ]


def _outcome_home(rules: RuleSet) -> list[str]:
    say = [
        _("皇帝头客：侍卫不是最后一名就赢，是最后一名就是平局。"),
        _("侍卫头客：皇帝二客才赢，皇帝三客是平局，再后面就输。别人头客，皇帝一边就输。"),
    ]
    if rules.guard.may_open:
        say.append(_("侍卫明保以后，只有皇帝头客、侍卫二客才赢，其余都输。"))
    return say


def _solo(rules: RuleSet) -> list[str]:
    say = []
    for kind, allowed in ((Solo.OPEN, rules.solo.open), (Solo.HIDDEN, rules.solo.hidden)):
        if not allowed:
            continue
        name = _("明独") if kind is Solo.OPEN else _("暗独")
        names = finishing_names()
        parts = []
        for e in range(1, 6):
            points = settled(rules, e, 1 if e != 1 else 2, solo=kind).points
            if not any(points):
                parts.append((e, _("平，大家0分")))
            else:
                parts.append((e, _("皇帝%(a)s，别人每人%(b)s") % {"a": signed(points[0]), "b": signed(points[1])}))
        grouped: list[tuple[list[int], str]] = []
        for e, words in parts:
            if grouped and grouped[-1][1] == words:
                grouped[-1][0].append(e)
            else:
                grouped.append(([e], words))
        lines = [
            _("皇帝%(places)s：%(words)s") % {"places": joined(names[e - 1] for e in places), "words": words}
            for places, words in grouped
        ]
        line = _("%(solo)s：%(list)s。") % {"solo": name, "list": _("；").join(lines)}
        if rules.scoring.mode != "sum":
            extra = _solo_factor(rules, kind)
            if extra:
                line += extra
        say.append(line)
    if rules.scoring.mode == "sum" and rules.solo.open:
        say.append(_("明独的分不再乘倍数。"))
    return say


def _solo_factor(rules: RuleSet, kind: Solo) -> str:
    factor = rules.scoring.solo_factor
    if kind is Solo.OPEN:
        factor *= rules.stakes.open_solo
    return _("（已经算上独的%(x)s。）") % {"x": times(factor)} if factor != 1 else ""


def beans(rules: RuleSet) -> Section:
    """Beans and what leaving costs (RULES §8.5–8.7)."""
    return Section(
        _("游戏豆、离开和托管"),
        (
            _("游戏豆跟着分走：赢家的分加起来，乘上本局倍数、房间倍数和各人自选的倍数，由输的一边付给赢的一边。"),
            _("除不尽的零头四舍五入，差额记在公家账上。平局不动豆。"),
            _("打到一半离开不回来，罚40分，豆按房间倍数罚40倍，剩下的牌由系统托管打完。"),
            _("到时间没有回答，系统就替你托管：能让位就让位，轮到出牌出最小的单张，其余都过牌。随时可以按一下收回来。"),
            _("同一局第四次托管，这一局就收不回来了。"),
        ),
        "beans",
    )


def tribute(rules: RuleSet) -> Section | None:
    """Tribute (RULES §9.1–9.3), None where nothing is paid."""
    if rules.tribute == "none":
        return None
    say = [
        _("同样五个人接着打，上一局又分了胜负，这一局发完牌先进贡。换了人或者上一局是平局，就不进贡。"),
        _("皇帝一边赢了：三个起义军每人交手里最大的一张；这三张里，大的和小的归皇帝，中间那张归侍卫。"),
        _("皇帝一边输了：皇帝交两张最大的，侍卫交一张最大的；这三张从大到小，按名次分给三个起义军，一人一张。"),
    ]
    if rules.solo.open or rules.solo.hidden:
        say.append(_("上一局是独：皇帝赢了，别人每人给他一张；皇帝输了，他给别人每人一张，名次在前的拿大的。"))
    doubled = [words for words, on in ((_("明独"), rules.solo.open), (_("明保"), rules.guard.may_open)) if on]
    if doubled:
        say.append(_("上一局是%(what)s，张数加倍。") % {"what": _("或").join(doubled)})
    say.append(_("画着皇冠、宝剑的那两张不进贡。进了贡不还牌。"))
    return Section(_("进贡"), tuple(say), "tribute")


def clear_threes(rules: RuleSet) -> Section | None:
    """清3 (RULES §9.4), None where it is off or 3 is not held back (then it has no effect)."""
    if not rules.clear_threes or rules.play.hold_back != "3":
        return None
    return Section(
        _("清3"),
        (
            _("一个人出牌以后手里只剩3，紧接着下一手就有人把他管住，他就是“清3”。"),
            _("下一局发完牌（进贡以后），他要把手里最大的一张交给管住他的那个人。画着皇冠、宝剑的那两张不交。"),
            _("换了人，或者上一局是平局，就不交。"),
        ),
        "clear_threes",
    )
