"""What pages say about events: formats, stages, criteria, refusals, and why somebody stands where he does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from django.utils.translation import gettext as _

from games.tournament.standings import LOWER_IS_BETTER, Criterion, Reason, Standing
from games.tournament.values import shown


def criterion(name: Criterion) -> str:
    """A criterion as the head of a column."""
    return {
        Criterion.SCORE: _("场分"),
        Criterion.OPPONENTS: _("对手分"),
        Criterion.FIRSTS: _("第一次数"),
        Criterion.NET: _("净得分"),
        Criterion.DIRECT: _("同桌胜负"),
        Criterion.MATCH_POINTS: _("比赛分"),
        Criterion.CROSS: _("总差"),
        Criterion.STAGE: _("打到第几轮"),
        Criterion.STAGE_PLACE: _("该轮桌名次"),
        Criterion.TOTAL: _("带分合计"),
        Criterion.LOT: _("抽签"),
    }[name]


def value(name: Criterion, number: Fraction) -> str:
    """The value of a criterion; a lot is a large number of which the first digits are enough."""
    return f"{int(number):020d}"[:6] if name is Criterion.LOT else shown(number)


def reason(found: Reason, other: str, *, above: bool) -> str:
    """Why one stands behind (`above`: the other is above him) or before the other, in a sentence."""
    words = {
        "other": other,
        "criterion": criterion(found.criterion),
        "own": value(found.criterion, found.own),
        "theirs": value(found.criterion, found.theirs),
    }
    if found.criterion is Criterion.LOT:
        text = (
            _("前面各项都和%(other)s一样，抽签在他后面。") if above else _("前面各项都和%(other)s一样，抽签在他前面。")
        )
    elif found.criterion in LOWER_IS_BETTER:
        text = (
            _("在%(other)s后面：%(criterion)s第%(own)s，他第%(theirs)s。")
            if above
            else _("在%(other)s前面：%(criterion)s第%(own)s，他第%(theirs)s。")
        )
    else:
        text = (
            _("在%(other)s后面：%(criterion)s%(own)s，他%(theirs)s。")
            if above
            else _("在%(other)s前面：%(criterion)s%(own)s，他%(theirs)s。")
        )
    return text % words


def why(line: Standing, names: Mapping[int, str]) -> list[str]:
    """“为什么我第几”: the sentences about both neighbours."""
    said = []
    if line.above is not None:
        said.append(reason(line.above, names.get(line.above.other, "?"), above=True))
    if line.below is not None:
        said.append(reason(line.below, names.get(line.below.other, "?"), above=False))
    return said


def refusal(code: str, field: str = "") -> str:
    """What a service refused, as a sentence that says what to do."""
    by_field = {
        "starts_at": _("开赛时间不能早于开始报名的时间。"),
        "opens_at": _("开赛时间不能早于开始报名的时间。"),
        "limit": _("人数上限从2到500。"),
        "late_until": _("补报的轮次不能超过总轮数；淘汰赛不能补报。"),
        "reason": _("请写明原因。"),
        "penalty": _("请写扣多少分，或者改成多少分。"),
        "round": _("请选一个打过的轮次；一轮只能改一次分，先撤销再改。"),
        "score": _("这种赛制不能这样改分，请用扣分。"),
    }
    return {
        "malformed": by_field.get(field, _("填的内容不对，请检查。")),
        "forbidden": _("你不能做这件事。"),
        "suspended": _("这个账号现在停赛。"),
        "not_entered": _("他没有报名这场比赛。"),
        "not_now": _("现在不能这样做：比赛已经到了另一步，请看最新的页面。"),
        "too_few": _("至少要有两个人才能开赛（需要签到的，要签到）。"),
        "full": _("人已经满了。"),
        "archived": _("这个俱乐部已经停用。"),
        "not_found": _("没有这个人，或者他不是俱乐部会员。"),
        "closed": _("这一桌已经打完。"),
    }.get(code, _("现在不能这样做。"))


def act(name: str) -> str:
    """A line of the log."""
    return {
        "create": _("建立比赛"),
        "edit": _("修改通知"),
        "enter": _("代为报名"),
        "withdraw": _("退出选手"),
        "start": _("开赛"),
        "next": _("马上下一步"),
        "pause": _("暂停"),
        "resume": _("继续"),
        "undo": _("撤回排位，第几轮"),
        "end_round": _("结束一轮"),
        "close_table": _("散一桌，桌号"),
        "stand_in": _("机器人顶替"),
        "rule": _("判罚"),
        "revoke": _("撤销判罚"),
        "finish": _("结束比赛"),
        "cancel": _("取消比赛"),
        "out": _("自动退出"),
    }.get(name, name)
