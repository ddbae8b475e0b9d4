"""The written rules of the play itself: what can be played, what beats what, passing, and who leads next.

The examples are not typed in: each is asked of the engine (`shapes.beats`), so that a text can never promise what the
table refuses. Cites: RULES §2 and §6.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.engine.rules import RuleSet
from games.engine.shapes import beats, parse_shape
from games.rule_words_cards import Section, cards_words, either, joined, left_of, number, rank_name


def shapes(rules: RuleSet) -> Section:
    """What a play may be made of (RULES §2)."""
    high = max(left_of(rules).values())
    say = [
        _("皇帝先出牌。然后从下家开始，一家一家轮流：管上（出更大的牌），或者过牌（不出）。"),
        _("一次只能出一种点数的牌，张数不限。")
        if rules.play.wild_twos
        else _("一次只能出一种点数的牌，一张到%(n)s张都行。") % {"n": high},
        _("可以带王一起出（叫“王挂牌”，也叫挂画），也可以只出王。"),
        _("没有顺子、没有连对，花色不管。"),
    ]
    if rules.play.wild_twos:
        say += [
            _("2是配牌：2和别的点数一起出，每张2都算那个点数。比如四张7加两张2，就是六张7。")
            if {"2", "7"} <= left_of(rules).keys()
            else _("2是配牌：2和别的点数一起出，每张2都算那个点数。"),
            _("只出2（或者2带王），2就还是2，是最大的点数。"),
        ]
    return Section(_("怎么出牌"), tuple(say), "shapes")


def beating(rules: RuleSet) -> Section:
    """What beats what, the cover table in words, and examples (RULES §6.2, §6.1b)."""
    say = [
        _("管牌就是：桌上的每一张牌，都要被你出的牌盖住，你出的牌也不能有多余的。"),
        _("普通的牌，每一张要用一张更大的牌盖：更大的点数，或者王。"),
    ]
    for joker in "wW":
        say.append(_cover(rules, joker))
    if rules.guard.special:
        say.append(_("特画一张能盖任何一张牌；出了特画的一手，谁也管不住。"))
    covers = usable_covers(rules, "w") + usable_covers(rules, "W")
    if any(len(cover) > 1 for cover in covers):
        say.append(_("所以管带王的牌时，两边的张数可以不一样。"))
    else:
        say.append(_("所以张数总要一样多。"))
    if all(set(cover) - {"2"} for cover in covers):
        say.append(_("只出点数、不带王的牌，管不住带王的牌。"))
    elif rules.play.wild_twos:
        say.append(_("用2盖王，要这一手的点数牌全是2才行；当配牌的2不算2。"))
    good, bad = examples(rules)
    if good:
        say.append(_("管得住的例子：%(list)s。") % {"list": _("；").join(good)})
    if bad:
        say.append(_("管不住的例子：%(list)s。") % {"list": _("；").join(bad)})
    if not rules.play.cover.small or not rules.play.cover.big:
        if rules.guard.special:
            say.append(_("一手牌如果大家都看得出谁也管不住（特画也不会再来），这一轮马上结束，不再一家家问。"))
        else:
            say.append(_("一手牌如果大家都看得出谁也管不住，这一轮马上结束，不再一家家问。"))
    return Section(_("什么牌管什么牌"), tuple(say), "beating")


def usable_covers(rules: RuleSet, joker: str) -> list[str]:
    """The covers of a led joker that can occur: none with `#` where no card is special."""
    covers = rules.play.cover.small if joker == "w" else rules.play.cover.big
    return [cover for cover in covers if rules.guard.special or "#" not in cover]


def _cover(rules: RuleSet, joker: str) -> str:
    covers = usable_covers(rules, joker)
    name = rank_name(joker)
    if not covers:
        if rules.guard.special:
            return _("带%(card)s的一手，除了特画，谁也管不住。") % {"card": name}
        return _("%(card)s谁也管不住：带%(card)s的一手，一定赢这一轮。") % {"card": name}
    return _("每一张%(card)s，要用%(covers)s来盖。") % {
        "card": name,
        "covers": either(cards_words(cover) for cover in covers),
    }


def shape_words(text: str) -> str:
    """A shape in words: `WW7777` is 四张7带两张大王."""
    plain = text.lstrip("#Ww")
    jokers = text[: len(text) - len(plain)]
    if not plain:
        return cards_words(jokers)
    cards = _("%(n)s张%(card)s") % {"n": number(len(plain)), "card": rank_name(plain[0])}
    if len(plain) == 1:
        cards = _("一张%(card)s") % {"card": rank_name(plain[0])}
    return _("%(cards)s带%(jokers)s") % {"cards": cards, "jokers": cards_words(jokers)} if jokers else cards


def examples(rules: RuleSet) -> tuple[list[str], list[str]]:
    """Pairs of plays in words, (those that beat, those that do not), judged by the engine."""
    held = rules.play.hold_back
    ranks = [
        rank
        for rank, count in left_of(rules).items()
        if count >= 4 and rank != held and not (rank == "2" and rules.play.wild_twos)
    ]
    pairs = [("w", "W"), ("ww", "WW"), ("w", "ww"), ("W", "WW"), ("Ww", "WWw")]
    if len(ranks) > 1:
        low, high = ranks[len(ranks) // 2 - 1], ranks[len(ranks) // 2]
        pairs = [
            (low * 4, high * 4),
            (low * 4, high * 5),
            ("w" + low * 3, "W" + high * 3),
            (high * 4, "w" + low * 3),
            ("w" + low * 3, high * 4),
            ("W" + low * 3, "W" + high * 3),
            ("W" + low * 3, "WW" + high * 3),
            *pairs,
        ]
    if any("2" in cover for cover in rules.play.cover.big) and left_of(rules).get("2", 0) >= 3:
        pairs.append(("W", "222"))
    good, bad = [], []
    for top, follow in pairs:
        words = {"top": shape_words(top), "follow": shape_words(follow)}
        if beats(rules, parse_shape(rules, top), parse_shape(rules, follow)):
            good.append(_("%(follow)s管%(top)s") % words)
        else:
            bad.append(_("%(follow)s管不住%(top)s") % words)
    return good[:6], bad[:4]


def passing(rules: RuleSet) -> Section:
    """Passing, deferring, who leads the next trick (RULES §6.1, §6.5, §6.6)."""
    play = rules.play
    say = []
    if play.passing == "soft":
        say.append(_("过牌不算放弃：后面有人出了更大的牌，又轮到你时，还可以再管。"))
    else:
        say.append(_("过了牌，这一轮就不能再出了，要等下一轮。"))
    say.append(_("没有人再管，最后出牌的人赢这一轮，由他开始下一轮；开始一轮的人必须出牌。"))
    if play.defer:
        say += [
            _("让牌：一轮的第一手牌还没有人管时，可以先让一让，不算过牌。"),
            _("转了一圈还没有人管，让牌的人按次序再问一次：管，或者过。不能再让。"),
            _("只要有人管了，让过牌的都当作过牌（这一轮不能再出）。")
            if play.passing == "hard"
            else _("只要有人管了，让过牌的都当作过牌（以后轮到还可以再管）。"),
        ]
    say.append(_windfall(rules))
    return Section(_("过牌和接风"), tuple(say), "passing")


def _windfall(rules: RuleSet) -> str:
    start = _("接风：有人把牌出完了，他的最后一手又没有人管得住，")
    if rules.play.windfall == "next":
        return start + _("就由他后面还有牌的第一家开始下一轮。")
    if rules.play.windfall == "ally":
        return start + _(
            "身份都公开了，就由他一边还有牌的人开始下一轮（起义军找往下数最近的一个）；"
            "身份还没公开，或者自己一边没有人了，就由他后面还有牌的第一家开始。"
        )
    return start + _(
        "别人过牌的时候可以“申请接风”：大家都不管，最早申请的人开始下一轮；没有人申请，就由他后面还有牌的第一家开始。"
        "有人管上了，先前的申请作废。"
    )


def hold_back(rules: RuleSet) -> Section | None:
    """憋牌 (RULES §6.4), None where no rank is held back."""
    rank = rules.play.hold_back
    if not rank:
        return None
    name = rank_name(rank)
    say = [
        _("%(rank)s要留到最后：手里别的牌（王也算）全部出完以后，才能把所有的%(rank)s一次出完。") % {"rank": name},
        _("这一手只能是%(rank)s，不能带王，出了手里就没有牌了。跟牌时也一样，还要管得住桌上的牌。") % {"rank": name},
    ]
    if rules.guard.special and rank in rules.guard.callable:
        say.append(_("叫出来的特画不算%(rank)s。") % {"rank": name})
    if rules.play.wild_twos:
        say.append(_("2也不能和%(rank)s配在一起出。") % {"rank": name})
    return Section(_("憋%(rank)s") % {"rank": name}, tuple(say), "hold_back")


def finishing_names() -> tuple[str, ...]:
    """The names of places 1 … 5 (RULES §1)."""
    return (_("头客"), _("二客"), _("三客"), _("二拉"), _("大拉"))


def ending(rules: RuleSet) -> Section:
    """When the hand is over (RULES §6.7, §7)."""
    say = [
        _("先出完牌的先走，名次依次是：%(names)s。") % {"names": joined(finishing_names())},
    ]
    if rules.end == "side_out":
        say.append(_("有一边的人全部走完，这一局就结束：皇帝和侍卫都走完了，或者三个起义军都走完了。"))
        if rules.solo.open:
            say.append(_("明独时，只要有任何一个人走完就结束。"))
        if rules.solo.hidden:
            say.append(_("暗独时，皇帝走完，或者别人走完两个，就结束。"))
    else:
        say.append(_("打到只剩一个人手里有牌，这一局才结束。"))
    say.append(_("结束时还有牌的人，牌少的名次在前；一样多，从最后走的那个人往下数。"))
    if rules.solo.open or rules.solo.hidden:
        say.append(_("独的时候皇帝还有牌，皇帝就是最后一名。"))
    return Section(_("什么时候结束"), tuple(say), "ending")
