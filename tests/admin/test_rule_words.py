"""The words: complete for every key and choice, true for every preset, whole in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.utils.translation import gettext, override

from games.engine.errors import BadRules
from games.engine.presets import preset_ids
from games.engine.rule_specs import SPECS
from games.engine.rules import load_rules
from games.rule_words import FIELDS, describe, differences, flat, one_line, value_words
from games.rule_words_errors import SENTENCES, explain
from tests.admin.combos import CONTRADICTIONS, KAO, double_changes, single_changes

ROOT = Path(__file__).resolve().parents[2]
CHINESE = re.compile(r"[\u3400-\u9fff\uff00-\uffef\u3000-\u303f]")


def text_of(preset: str, **overrides: object) -> str:
    """All sentences of a ruleset, one a line."""
    sections = describe(load_rules(preset, overrides))
    return "\n".join(sentence for section in sections for sentence in section.sentences)


def section_of(name: str, preset: str, **overrides: object) -> str | None:
    """The sentences of one section joined, None when the rules have no such section."""
    for section in describe(load_rules(preset, overrides)):
        if section.name == name:
            return "".join(section.sentences)
    return None


def test_every_key_of_the_ruleset_has_a_label_and_a_help() -> None:
    assert set(FIELDS) == {*SPECS, "id", "name"}
    assert not [key for key, words in FIELDS.items() if not str(words.label) or not str(words.help)]


@pytest.mark.parametrize("key", [key for key, spec in SPECS.items() if spec.choices and spec.type != "ranks"])
def test_every_choice_has_a_label_of_its_own(key: str) -> None:
    choices = FIELDS[key].choices
    assert choices is not None
    assert set(choices) == set(SPECS[key].choices)
    assert len({str(label) for label in choices.values()}) == len(choices)


def test_yes_and_no_have_words_for_every_switch() -> None:
    switches = [key for key, spec in SPECS.items() if spec.type == "bool"]
    assert switches
    assert all(set(FIELDS[key].choices or ()) == {True, False} for key in switches)


@pytest.mark.parametrize("preset", preset_ids())
def test_every_value_of_every_preset_can_be_said(preset: str) -> None:
    values = flat(load_rules(preset).to_json())
    assert all(value_words(key, values[key]) for key in SPECS)


FACTS = [
    ("lianzhong-simple", "deal", "先拿牌的人44张，其余四人每人43张。"),
    ("lianzhong-simple", "deal", "以后每局从上一局的皇帝发起"),
    ("lianzhong-simple", "emperor", "没有2，就贴手里最大的一张（王不算）"),
    ("lianzhong-simple", "emperor", "最多问两圈"),
    ("lianzhong-simple", "emperor", "上家"),
    ("lianzhong-simple", "guard", "拿着侍卫牌（画宝剑的小王）的人就是侍卫"),
    ("lianzhong-simple", "declarations", "有两个人或更多造反，就成功：侍卫（或暗独的皇帝）当场露面，这一局×2。"),
    ("lianzhong-simple", "scoring", "皇帝头客、侍卫二客：皇帝+6，侍卫+3，起义军每人−3"),
    ("lianzhong-simple", "scoring", "明独：皇帝头客：皇帝+24，别人每人−6"),
    ("lianzhong-classic", "emperor", "有三张一样的牌就必须当皇帝"),
    ("lianzhong-classic", "emperor", "只有手里有四张一样的（能叫的牌），才仍然可以让位"),
    ("lianzhong-classic", "guard", "可以叫的牌：3到2。"),
    ("lianzhong-classic", "grab", "谁都可以抢"),
    ("standard", "deal", "上一局的头客"),
    ("classic", "guard", "由系统替他叫牌"),
    ("classic", "guard", "可以叫的牌：3到A。"),
    ("weihai", "cards", "3到5全部不要；6去掉三张，还剩13张。实际用165张。"),
    ("weihai", "deal", "每人33张"),
    ("weihai", "emperor", "隔一个的下家"),
    ("weihai", "emperor", "只有皇牌和侍卫牌都在手里的人才可以让位"),
    ("weihai", "declarations", "造反成功以后，皇帝和侍卫可以踢"),
    ("weihai", "declarations", "一共×4"),
    ("qingdao", "grab", "手里有四张一模一样的牌（王不算）才能抢"),
    ("qingdao", "grab", "贴出去的牌不退"),
    ("qingdao", "emperor", "王也算（画着皇冠、宝剑的那两张不贴）"),
    ("qingdao", "passing", "这一轮就不能再出了"),
    ("qingdao", "passing", "让牌：一轮的第一手牌还没有人管时"),
    ("tribute", "deal", "皇牌不发"),
    ("tribute", "deal", "每人43张"),
    ("tribute", "emperor", "就再问一次最先被问的人"),
    ("tribute", "passing", "申请接风"),
    ("tribute", "ending", "打到只剩一个人手里有牌"),
    ("tribute", "scoring", "皇帝头客、侍卫二客：皇帝+18，侍卫+18，起义军每人−12"),
    ("tribute", "scoring", "明独：皇帝头客：皇帝+32，别人每人−8"),
    ("tribute", "tribute", "上一局是明独，张数加倍"),
    ("special", "guard", "“特画”：它比大王还大"),
    ("special", "emperor", "3到2、小王、大王"),
    ("special", "beating", "带大王的一手，除了特画，谁也管不住"),
    ("special", "scoring", "明独：皇帝头客：皇帝+16，别人每人−4"),
    ("home", "shapes", "2是配牌"),
    ("home", "hold_back", "3要留到最后"),
    ("home", "beating", "每一张大王，要用两张大王来盖"),
    ("home", "scoring", "皇帝头客、侍卫大拉：平，大家0分"),
    ("home", "clear_threes", "“清3”"),
    ("home", "emperor", "第一个让位的人要贴一张大王；没有大王贴小王，没有小王贴2"),
]


@pytest.mark.parametrize("preset, section, fact", FACTS)
def test_the_rules_of_a_preset_say_what_sets_it_apart(preset: str, section: str, fact: str) -> None:
    assert fact in (section_of(section, preset) or "")


ABSENT = [
    ("lianzhong-simple", {}, ["grab", "hold_back", "tribute", "clear_threes"]),
    ("lianzhong-classic", {"solo": {"open": False}}, ["grab"]),
    ("tribute", {}, ["declarations", "grab", "hold_back", "clear_threes"]),
    ("home", {"play": {"hold_back": "6"}}, ["clear_threes"]),
]


@pytest.mark.parametrize("preset, overrides, names", ABSENT)
def test_what_a_ruleset_does_not_have_is_not_mentioned(preset: str, overrides: dict, names: list[str]) -> None:
    present = {section.name for section in describe(load_rules(preset, overrides))}
    assert not present & set(names)


SWITCHES = [
    ("beating", {"play": {"cover": KAO}}, "每一张小王，要用一张大王，或两张小王来盖。"),
    ("beating", {"play": {"cover": KAO}}, "两边的张数可以不一样"),
    ("beating", {"play": {"cover": {"w": ["W"], "W": ["WW", "222"]}}}, "每一张大王，要用两张大王，或三张2来盖。"),
    ("beating", {"play": {"cover": {"w": ["W"], "W": ["222"]}}}, "三张2管一张大王"),
    ("hold_back", {"play": {"hold_back": "6"}}, "6要留到最后"),
    ("hold_back", {"play": {"hold_back": "T"}}, "10要留到最后"),
    ("passing", {"play": {"windfall": "ally"}}, "就由他一边还有牌的人开始下一轮"),
    ("passing", {"play": {"defer": True}}, "以后轮到还可以再管"),
    ("declarations", {"stakes": {"rebellion": 3, "kick": 5}}, "这一局×3"),
    ("declarations", {"guard": {"may_open": False}, "stakes": {"rebellion": 3, "kick": 5}}, "一共×15"),
    ("emperor", {"crown": {"yield": "none"}}, "拿到皇牌的人就是皇帝，不能让位。"),
    ("emperor", {"crown": {"laps": 1}}, "每人最多问一次"),
    ("scoring", {"scoring": {"mode": "places", "solo_factor": 3}}, "暗独：皇帝头客：皇帝+48，别人每人−12"),
]


@pytest.mark.parametrize("section, overrides, fact", SWITCHES)
def test_a_changed_option_changes_its_sentence(section: str, overrides: dict, fact: str) -> None:
    assert fact in (section_of(section, "lianzhong-simple", **overrides) or "")


def test_a_rank_partly_removed_names_the_faces_that_can_still_be_called() -> None:
    said = section_of("guard", "lianzhong-classic", deck={"removed": {"6": 3}})
    assert said is not None
    assert "可以叫的牌：3到5、7到2、方块6。" in said


def whole(rules_text: str) -> bool:
    """No empty sentence, no placeholder left over, no dangling punctuation."""
    lines = rules_text.split("\n")
    return all(lines) and not re.search(r"%\(|None|、、|：。|，。|：；|\.\.|  ", rules_text)


def test_the_words_are_whole_for_every_single_change_of_every_preset() -> None:
    seen = 0
    for preset, key, value, rules in single_changes():
        text = "\n".join(sentence for section in describe(rules) for sentence in section.sentences)
        assert whole(text), (preset, key, value)
        assert one_line(rules)
        seen += 1
    assert seen > 500


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_ids())
def test_the_words_are_whole_for_pairs_of_changes(preset: str) -> None:
    for rules in double_changes(preset, stride=7):
        assert whole("\n".join(sentence for section in describe(rules) for sentence in section.sentences)), rules


def test_no_sentence_is_said_twice() -> None:
    for preset in preset_ids():
        sentences = text_of(preset).split("\n")
        assert len(sentences) == len(set(sentences))


# --- differences


def test_a_preset_differs_in_nothing_from_itself() -> None:
    assert all(differences(load_rules(preset)) == () for preset in preset_ids())


def test_a_changed_table_names_what_differs_and_what_is_usual() -> None:
    found = differences(load_rules("lianzhong-simple", {"play": {"hold_back": "6"}, "stakes": {"rebellion": 0}}))
    assert [(d.key, d.value, d.usual) for d in found] == [
        ("stakes.rebellion", "没有", "×2"),
        ("play.hold_back", "憋6", "没有"),
    ]
    assert str(found[1]) == "憋牌：憋6"


def test_rules_of_no_preset_have_nothing_to_differ_from() -> None:
    assert differences(load_rules({**load_rules("home").to_json(), "id": "ours"})) == ()


# --- refusals


@pytest.mark.parametrize("preset, overrides, key", CONTRADICTIONS)
def test_every_contradiction_is_explained_in_chinese(preset: str, overrides: dict, key: str) -> None:
    with pytest.raises(BadRules) as refused:
        load_rules(preset, overrides)
    said = explain(refused.value)
    assert refused.value.key == key
    assert CHINESE.search(said)
    assert refused.value.reason not in said


def test_every_reason_of_the_engine_has_its_sentence() -> None:
    known = {reason for _key, reason in SENTENCES}
    missing = []
    for name in ("rule_checks.py", "rules.py"):
        for node in ast.walk(ast.parse((ROOT / "games/engine" / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BadRules":
                key, reason = node.args
                fixed = isinstance(key, ast.Constant) and isinstance(reason, ast.Constant)
                if fixed and reason.value not in known:
                    missing.append((key.value, reason.value))
    assert not missing


def test_a_reason_never_heard_of_still_gets_a_sentence() -> None:
    assert explain(BadRules("crown.toll", "brand new")) == "“让位贴牌”请从列出的几种里选。"
    assert explain(BadRules("nowhere", "unknown key")) == "规则里没有“nowhere”这一项。"
    assert explain(BadRules("stakes.kick", "must be 0 to 1000000")) == "“踢的倍数”要填0到1000000的整数。"


# --- English beside the Chinese

SOURCES = [
    *ROOT.glob("games/rule_*.py"),
    *ROOT.glob("games/admin/*.py"),
    ROOT / "games/views/rules.py",
    *ROOT.glob("templates/rules/*.html"),
    *ROOT.glob("templates/admin/**/*.html"),
]


def messages(path: Path) -> set[str]:
    """The Chinese source strings of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        found = set(re.findall(r"{% translate [\"'](.*?)[\"'] %}", text))
        for body in re.findall(r"{% blocktranslate.*?%}(.*?){% endblocktranslate %}", text, re.S):
            found.add(re.sub(r"{{ (\w+) }}", r"%(\1)s", body))
        return found
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("_", "lazy")
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_string_is_translated_into_english(path: Path) -> None:
    with override("en"):
        untranslated = {text for text in messages(path) if CHINESE.search(text) and CHINESE.search(gettext(text))}
    assert not untranslated


def test_the_rules_in_english_hold_no_chinese() -> None:
    with override("en"):
        for preset, key, value, rules in single_changes():
            text = "\n".join(
                sentence for section in describe(rules) for sentence in (section.title, *section.sentences)
            )
            assert not CHINESE.search(text), (preset, key, value)
            assert "%(" not in text
