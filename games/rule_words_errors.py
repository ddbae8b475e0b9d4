"""Why a ruleset was refused, in a sentence a club's admin can act on: from `BadRules` to Chinese.

The engine names the key and says in English what contradicts what (RULES §3); every such reason has its sentence here,
and a test holds the two lists together.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.engine.errors import BadRules
from games.engine.rule_specs import SPECS
from games.rule_words import FIELDS

SENTENCES: Mapping[tuple[str, str], str | Promise] = {
    ("deck.removed", "fewer than 25 cards are left to deal"): lazy("去掉的牌太多了：至少要剩下25张来发。"),
    ("deck.removed", "must be an object rank: copies"): lazy("请给每种点数写上去掉几张。"),
    ("deck.removed", "copies must be 1 to 16"): lazy("每种点数最少去掉1张，最多16张。"),
    ("play.hold_back", "no card of that rank is left"): lazy("这个点数的牌全去掉了，没有可憋的。"),
    ("play.hold_back", "a 2 that is wild cannot be held back"): lazy("2是配牌的时候，不能憋2。"),
    ("crown.needs_triple", "calling the guard needs a triple"): lazy(
        "叫牌的打法，皇帝必须有三张一样的才有牌可叫：请选“是”，或者改成用侍卫牌。"
    ),
    ("crown.needs_triple", "the guard is the holder of the sword card"): lazy(
        "用侍卫牌的打法不叫牌，不能要求三张一样的：请选“否”，或者改成叫牌。"
    ),
    ("crown.yield", "without a sword card nobody holds both cards"): lazy(
        "叫牌的打法没有侍卫牌，不能要求皇牌和侍卫牌都在手里。"
    ),
    ("crown.yield", "the crown card is not dealt"): lazy("皇牌不发的时候，谁也不会皇牌和侍卫牌都在手里。"),
    ("crown.force", "the guard is the holder of the sword card"): lazy(
        "用侍卫牌的打法不看三张一样的，不能按三张来强制：请换一种，或者改成叫牌。"
    ),
    ("guard.callable", "no callable face of which the deck holds four"): lazy(
        "可以叫的牌里，没有一种还剩四张一模一样的：请多选几种，或者少去掉一些牌。"
    ),
    ("guard.callable", "must be text of ranks"): lazy("请从3到2、小王、大王里选。"),
    ("guard.special", "there is no called card"): lazy("用侍卫牌的打法不叫牌，没有特画：请选“否”，或者改成叫牌。"),
    ("guard.choice", "nothing is called"): lazy("用侍卫牌的打法不叫牌：请选“皇帝自己选”，或者改成叫牌。"),
    ("solo.hidden", "the emperor may hold the sword card"): lazy(
        "用侍卫牌的打法，侍卫牌可能就在皇帝手里，所以必须允许暗独。"
    ),
    ("play.cover", "must have exactly the keys w and W"): lazy("小王和大王都要写用什么管（可以空着）。"),
    ("play.cover", "must list covers"): lazy("请每行写一种管法。"),
    ("play.cover", "a cover is 1 to 16 of the letters w W # 2"): lazy(
        "每种管法只能用 w、W、#、2 这几个字，1到16个，例如 WW 或 222。"
    ),
    ("rules", "no preset"): lazy("没有这种规则。"),
}
"""(key, reason) → sentence. Reasons with a value inside are matched by their beginning."""


def explain(error: BadRules) -> str:
    """The sentence for a refused ruleset; never empty, never the engine's English."""
    for (key, reason), sentence in SENTENCES.items():
        if error.key == key and error.reason.startswith(reason):
            return str(sentence)
    label = str(FIELDS[error.key].label) if error.key in FIELDS else error.key
    spec = SPECS.get(error.key)
    if error.reason == "missing":
        return _("缺少“%(label)s”。") % {"label": label}
    if error.reason == "unknown key":
        return _("规则里没有“%(label)s”这一项。") % {"label": label}
    if error.key == "deck.removed":
        return _("没有这种点数的牌。")
    if spec is not None and spec.type == "bool":
        return _("“%(label)s”只能选是或否。") % {"label": label}
    if spec is not None and spec.type == "int" and not spec.choices:
        return _("“%(label)s”要填%(low)s到%(high)s的整数。") % {"label": label, "low": spec.low, "high": spec.high}
    if spec is not None and spec.choices:
        return _("“%(label)s”请从列出的几种里选。") % {"label": label}
    return _("“%(label)s”填得不对。") % {"label": label}
