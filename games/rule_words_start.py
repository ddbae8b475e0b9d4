"""The written rules up to the first card: deck, deal, who becomes emperor, who is the guard, what can be declared.

Each function answers one `Section` in Chinese (through gettext) for the switches it reads, and `()`-sections are left
out by the caller. Cites: RULES §2, §4 and §5.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.engine.rules import RuleSet
from games.rule_words_cards import (
    Section,
    face_name,
    faces_of_four,
    joined,
    left_of,
    number,
    rank_name,
    ranks_words,
    removed_of,
    suit_name,
    times,
)


def cards(rules: RuleSet) -> Section:
    """Which cards are in the game and how they rank (RULES §2, §3)."""
    removed = removed_of(rules)
    left = left_of(rules)
    say = [_("用四副扑克牌，一共216张：3到2每种点数16张（黑桃、红桃、梅花、方块各四张），大王四张，小王四张。")]
    if removed:
        gone = [rank for rank, count in removed.items() if count == 16]
        some = [rank for rank, count in removed.items() if count < 16]
        parts = []
        if gone:
            parts.append(_("%(ranks)s全部不要") % {"ranks": ranks_words(gone)})
        parts += [
            _("%(rank)s去掉%(n)s张，还剩%(left)s张") % {"rank": rank_name(r), "n": number(removed[r]), "left": left[r]}
            for r in some
        ]
        say.append(
            _("这里少用一些牌：%(what)s。实际用%(total)s张。")
            % {"what": _("；").join(parts), "total": 216 - sum(removed.values())}
        )
    order = " ".join(rank_name(rank) for rank in left)
    say.append(_("从小到大是：%(order)s 小王 大王。同样的点数，花色不分大小。") % {"order": order})
    say.append(_("四张大王里有一张画着皇冠，叫皇牌：它决定谁是皇帝。打牌时它就是一张普通的大王。"))
    if rules.guard.by == "sword":
        say.append(_("四张小王里有一张画着宝剑，叫侍卫牌：它决定谁是侍卫。打牌时它就是一张普通的小王。"))
    else:
        say.append(_("画着宝剑的小王在这种打法里没有特别的用处，就是一张普通的小王。"))
    return Section(_("用什么牌"), tuple(say), "cards")


def deal(rules: RuleSet) -> Section:
    """How the cards are dealt (RULES §4)."""
    total = 216 - sum(removed_of(rules).values()) - (1 if rules.deck.reserve_crown else 0)
    each, more = divmod(total, 5)
    say = [_("五个人围成一圈，轮到的次序是从上家到下家。牌一张一张轮流发给五个人。")]
    if more == 0:
        say.append(_("每人%(n)s张。") % {"n": each})
    elif more == 1:
        say.append(_("先拿牌的人%(more)s张，其余四人每人%(n)s张。") % {"more": each + 1, "n": each})
    else:
        say.append(
            _("从先拿牌的人数起，前%(many)s个人每人%(more)s张，其余的人每人%(n)s张。")
            % {"many": number(more), "more": each + 1, "n": each}
        )
    if rules.deck.reserve_crown:
        say.append(_("皇牌不发，留在旁边；发完以后由系统抽签，决定先问谁要不要皇牌。"))
    if rules.deck.deal_from == "emperor":
        say.append(_("第一局从一号座位（桌子最左边）发起，以后每局从上一局的皇帝发起。"))
    else:
        say.append(_("第一局从一号座位（桌子最左边）发起，以后每局从上一局的头客（最先出完的人）发起。"))
    say.append(_("洗牌可以查验：发牌前先公布一个封好的号码，打完再打开，谁都能验算这副牌没有人动过手脚。"))
    say.append(_("万一没有人当皇帝，这一局作废，不计分，马上从同一个人发起重新发牌。"))
    return Section(_("发牌"), tuple(say), "deal")


def callable_ranks(rules: RuleSet) -> str:
    """The callable ranks in words, with the faces that can still be called of ranks partly removed (RULES §5.5)."""
    wanted = [rank for rank in "3456789TJQKA2wW" if rank in rules.guard.callable]
    whole = [rank for rank in wanted if rank in "wW" or len(faces_of_four(rules, rank)) == 4]
    partly = [face for rank in wanted if rank not in whole for face in faces_of_four(rules, rank)]
    return joined(([ranks_words(whole)] if whole else []) + [face_name(face) for face in partly])


def emperor(rules: RuleSet) -> Section:
    """Who becomes emperor: accept, yield, toll, laps and force (RULES §5.2)."""
    crown = rules.crown
    if rules.deck.reserve_crown:
        first = _("抽签抽到谁，就先把皇牌放在谁面前，先问他。")
    else:
        first = _("谁摸到皇牌，就先问谁。皇牌亮在桌上，人人看得见。")
    say = [first]
    if crown.needs_triple:
        say.append(
            _("要当皇帝，手里必须有三张一模一样的牌（点数、花色都相同，比如三张红桃9）。能算数的是：%(ranks)s。")
            % {"ranks": callable_ranks(rules)}
        )
        if "w" in rules.guard.callable or "W" in rules.guard.callable:
            say.append(_("王不分记号，三张就算；皇牌摆在谁面前，就算谁的一张大王。"))
    say += _yielding(rules)
    if rules.has_grab:
        if rules.solo.grab == "quad":
            say.append(
                _("被问的人手里如果有四张一模一样的牌（王不算），还可以直接宣布“明独”：马上当皇帝，一个人打四个人。")
            )
        else:
            say.append(
                _("被问的人还可以直接宣布“明独”：马上当皇帝，一个人打四个人，这时不要求有三张一样的牌。")
                if crown.needs_triple
                else _("被问的人还可以直接宣布“明独”：马上当皇帝，一个人打四个人。")
            )
    if may_pass_on(rules):
        say += _toll(rules)
        if crown.toll != "none":
            say.append(_("贴的牌和皇牌一起亮在桌上，最后谁当皇帝，就全部收进谁的手里。"))
        say += _laps(rules)
    else:
        say.append(_("皇帝把皇牌收进手里。"))
    return Section(_("谁当皇帝"), tuple(say), "emperor")


def may_pass_on(rules: RuleSet) -> bool:
    """The crown card can leave the seat first asked at all."""
    return rules.crown.needs_triple or rules.crown.yield_ != "none"


def _yielding(rules: RuleSet) -> list[str]:
    crown = rules.crown
    to = _("上家（坐在前面、比他先出牌的那一位）") if crown.step == -1 else _("隔一个的下家（往下数第二位）")
    if crown.yield_ == "both_cards":
        return [
            _("只有皇牌和侍卫牌都在手里的人才可以让位：把皇牌交给%(to)s。没有侍卫牌的人必须当皇帝。") % {"to": to},
            _("这样的让位只有一次，接到皇牌的人必须当皇帝。")
            + (_("（侍卫牌还在让位的人手里，所以大家都猜得到他是侍卫，但规矩上他仍算暗的。）")),
        ]
    if crown.yield_ == "none":
        if not crown.needs_triple:
            return [_("拿到皇牌的人就是皇帝，不能让位。")]
        return [
            _("有三张一样的牌就必须当皇帝，不能让位。"),
            _("没有三张一样的牌，就把皇牌交给%(to)s，再问他。") % {"to": to},
        ]
    if crown.needs_triple:
        return [
            _("有三张一样的牌，可以当皇帝，也可以让位；没有的，只能让位。"),
            _("让位就是把皇牌交给%(to)s，再问他。") % {"to": to},
        ]
    return [_("被问的人可以当皇帝，也可以让位：让位就是把皇牌交给%(to)s，再问他。") % {"to": to}]


def _toll(rules: RuleSet) -> list[str]:
    toll = rules.crown.toll
    once = rules.crown.yield_ == "both_cards"  # then the first refusal is the only one (RULES §5.2)
    if toll == "none" or (once and toll in ("two_or_best", "two_or_none")):
        return [_("让位不用贴牌。")]
    if toll == "two_or_best":
        return [
            _("这一局第一个让位的人不用贴牌。"),
            _("以后每次让位，都要从自己手里贴一张2；没有2，就贴手里最大的一张（王不算）。"),
        ]
    if toll == "two_or_none":
        return [
            _("这一局第一个让位的人不用贴牌。"),
            _("以后每次让位，都要从自己手里贴一张2；没有2就不用贴。"),
        ]
    if toll == "best":
        return [_("每次让位，都要贴上手里最大的一张牌，王也算（画着皇冠、宝剑的那两张不贴）。")]
    say = [_("第一个让位的人要贴一张大王；没有大王贴小王，没有小王贴2，都没有就不用贴。")]
    if not once:
        say.append(_("以后让位的人先贴2；没有2贴小王，没有小王贴大王，都没有就不用贴。"))
    say.append(_("画着皇冠、宝剑的那两张不贴。"))
    return say


def _laps(rules: RuleSet) -> list[str]:
    crown = rules.crown
    if crown.yield_ == "both_cards":
        return []
    if crown.force == "none":
        if crown.laps == 1:
            return [_("每人最多问一次。问完一圈还没有人当皇帝，这一局作废，重新发牌。")]
        return [_("最多问两圈。两圈下来还没有人当皇帝，这一局作废，重新发牌。")]
    if crown.force == "ask_first":
        say = [_("五个人都问过、还没有人当皇帝，就再问一次最先被问的人；他还是不当，这一局作废，重新发牌。")]
    elif crown.force == "triple":
        say = [
            _("五个人都问过、还没有人当皇帝，就按原来的次序再问一圈：这一圈里，有三张一样的牌就必须当皇帝。"),
            _("这一圈也没有人能当，这一局作废，重新发牌。"),
        ]
    else:
        say = [
            _(
                "五个人都问过、还没有人当皇帝，就按原来的次序再问一圈：这一圈里，有三张一样的牌就必须当皇帝；"
                "只有手里有四张一样的（能叫的牌），才仍然可以让位。"
            ),
            _("这一圈也没有人当，这一局作废，重新发牌。"),
        ]
    if crown.toll != "none":
        say.append(_("再问的时候让位，同样要贴牌。"))
    return say


def grab(rules: RuleSet) -> Section | None:
    """The grab step (RULES §5.4), None where the ruleset has none."""
    if not rules.has_grab:
        return None
    say = [_("皇帝定下来以后，五个人同时回答要不要抢独，谁也看不见别人的回答。（已经有人宣布明独，就不再问。）")]
    if rules.solo.grab == "quad":
        say.append(_("手里有四张一模一样的牌（王不算）才能抢；没有的人也会被问，但只能回答不抢。"))
    else:
        say.append(_("谁都可以抢。"))
    say += [
        _("抢独就是宣布明独：自己当皇帝，没有侍卫，一个人打四个人。"),
        _("几个人都抢，皇帝自己优先；皇帝没抢，就从皇帝的上家往前数，最先数到的人算数。"),
        _("抢到的人得到皇牌。")
        if not may_pass_on(rules) or rules.crown.toll == "none"
        else _("抢到的人得到皇牌和所有贴的牌，贴出去的牌不退。"),
    ]
    return Section(_("抢独"), tuple(say), "grab")


def guard(rules: RuleSet) -> Section:
    """Who is the guard, what a hidden solo is, how the guard becomes known (RULES §5.5, §6.3)."""
    title = _("侍卫")
    if rules.guard.by == "sword":
        return Section(
            title,
            (
                _("拿着侍卫牌（画宝剑的小王）的人就是侍卫，和皇帝是一边的。起先只有他自己知道，皇帝也不知道。"),
                _("其余三个人是起义军（平民），一起打皇帝和侍卫。"),
                _("侍卫牌如果在皇帝自己手里，就是“暗独”：没有侍卫，皇帝一个人打四个人，别人都不知道。"),
                _("侍卫牌一打出来，侍卫（或者暗独的皇帝）就露面了。这样露面不加倍。"),
            ),
            "guard",
        )
    say = _calling(rules)
    say.append(_("侍卫和皇帝是一边的，起先只有他自己知道。其余三个人是起义军（平民），一起打皇帝和侍卫。"))
    if rules.solo.hidden:
        say.append(_("叫的牌四张全在皇帝自己手里，就是“暗独”：没有侍卫，皇帝一个人打四个人，别人都不知道。"))
    if rules.guard.special:
        say += [
            _("侍卫手里叫到的那第四张牌叫“特画”：它比大王还大，什么牌都管不住它，它一张能管任何一张牌。"),
            _("特画不能再当原来的点数用。皇帝一个人打四个人时（独）没有特画。"),
        ]
    shown = _("侍卫打出叫的那第四张牌，就露面了。")
    if rules.solo.hidden:
        shown += _("暗独要等四张全打出来才露面。")
    say.append(shown + _("这样露面不加倍。"))
    return Section(title, tuple(say), "guard")


def _calling(rules: RuleSet) -> list[str]:
    ranks = callable_ranks(rules)
    say = []
    if rules.guard.choice == "player":
        say.append(
            _("皇帝收好皇牌（和贴的牌）以后，从自己有三张一模一样的牌里选一种，当众叫出来；拿着第四张的人就是侍卫。")
        )
    else:
        order = ">".join(suit_name(suit) for suit in "SHCD")
        say.append(
            _(
                "皇帝收好皇牌（和贴的牌）以后，由系统替他叫牌：在他恰好有三张一模一样的牌里，叫点数最大的；"
                "点数相同，按花色%(order)s。拿着第四张的人就是侍卫。"
            )
            % {"order": order}
        )
        if rules.solo.hidden:
            say.append(_("他只有四张一样的、没有恰好三张的，就叫四张里点数最大的。"))
    say.append(_("可以叫的牌：%(ranks)s。") % {"ranks": ranks})
    if any(0 < len(faces_of_four(rules, rank)) < 4 for rank in rules.guard.callable if rank not in "wW"):
        say.append(_("有的花色被拿掉了、不够四张的，不能叫。"))
    if not rules.solo.hidden:
        say.append(_("四张都在皇帝自己手里的牌不能叫；如果收了贴牌以后只剩这样的牌，这一局作废。"))
    elif rules.guard.choice == "player" and rules.solo.open:
        say.append(_("皇帝手里有四张一样的，也可以亮出四张来叫，当场宣布明独：没有侍卫，一个人打四个人。"))
    return say


def declarations(rules: RuleSet) -> Section | None:
    """Reveal, rebellion and kick with their factors (RULES §5.6–5.8); None where the ruleset has none of them."""
    stakes = rules.stakes
    reveal, rebellion, kick = rules.guard.may_open, stakes.rebellion > 0, stakes.kick > 0
    if not reveal and not rebellion:
        return None
    say: list[str] = []
    if reveal:
        say.append(_("明保：打牌以前，侍卫可以亮明身份。亮了，这一局%(x)s。") % {"x": times(stakes.open_guard)})
        if rules.solo.hidden and rules.solo.open:
            say.append(_("暗独的皇帝也可以在这时亮出来，变成明独。"))
        say.append(_("这一步全桌都等同样长的时间，从快慢上看不出谁是侍卫。明独时没有这一步。"))
    if rebellion:
        say += [
            _(
                "造反：侍卫（或暗独的皇帝）还没露面时，皇帝以外的四个人同时回答造反不造反，谁也看不见别人的回答。"
                "侍卫也被问，但只能回答不造反。"
            ),
            _("有两个人或更多造反，就成功：侍卫（或暗独的皇帝）当场露面，这一局%(x)s。")
            % {"x": times(stakes.rebellion)},
            _("造反的人不管成不成功，大家都会知道他们是起义军。明独时没有造反。"),
        ]
        if rules.solo.hidden:
            say.append(_("暗独这样露了面，计分仍然算暗独。"))
    if kick and rebellion:
        say.append(
            _("踢：造反成功以后，皇帝和侍卫可以踢（暗独时只有皇帝）。有一个人踢，这一局再%(x)s，只算一次。")
            % {"x": times(stakes.kick)}
        )
    if kick and reveal:
        say.append(
            _("踢：侍卫明保以后，三个起义军可以踢。有两个人或更多踢，这一局再%(x)s，只算一次。")
            % {"x": times(stakes.kick)}
        )
    example = _multiplied(rules)
    if example:
        say.append(example)
    return Section(_("亮明、加倍"), tuple(say), "declarations")


def _multiplied(rules: RuleSet) -> str:
    stakes = rules.stakes
    if stakes.kick < 2:
        return ""
    if rules.guard.may_open and stakes.open_guard > 1:
        what, one = _("侍卫明保"), stakes.open_guard
    elif stakes.rebellion > 1:
        what, one = _("造反成功"), stakes.rebellion
    else:
        return ""
    return _("几个倍数连着乘：%(what)s%(one)s，又被踢%(kick)s，一共×%(all)s。") % {
        "what": what,
        "one": times(one),
        "kick": times(stakes.kick),
        "all": one * stakes.kick,
    }
