"""A ruleset: one regional way to play 保皇, as a frozen value that has checked itself (RULES §3).

`load_rules` is the only way in: from a preset id or a JSON object, with overrides merged in. The attribute path of a
value is its JSON path (`rules.crown.toll` is `crown.toll`). What contradicts itself is refused with the key's path;
`rule_checks.py` holds those contradictions. Adding a rule: a field here, a spec line, one use in one step.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from .errors import BadRules
from .presets import PRESETS
from .rule_specs import SPECS, Spec

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DeckRules:
    """`removed`: (rank, copies taken out) pairs, in the order given."""

    removed: tuple[tuple[str, int], ...]
    reserve_crown: bool
    deal_from: str


@dataclass(frozen=True, slots=True)
class CrownRules:
    """How the crown card travels before there is an emperor (RULES §5.2)."""

    needs_triple: bool
    yield_: str
    step: int
    laps: int
    toll: str
    force: str


@dataclass(frozen=True, slots=True)
class GuardRules:
    """Who becomes the guard and what may be said about it (RULES §5.5, §5.6)."""

    by: str
    callable: str
    choice: str
    may_open: bool
    special: bool


@dataclass(frozen=True, slots=True)
class SoloRules:
    """Which ways of playing one against four exist."""

    hidden: bool
    open: bool
    grab: str


@dataclass(frozen=True, slots=True)
class StakeRules:
    """Factors; 0 for rebellion or kick means that the step does not exist."""

    open_guard: int
    open_solo: int
    rebellion: int
    kick: int


@dataclass(frozen=True, slots=True)
class CoverTable:
    """Which multisets over `w W # 2` cover a led small or big joker (RULES §6.2)."""

    small: tuple[str, ...]
    big: tuple[str, ...]

    def to_json(self) -> Json:
        """The value of `play.cover`."""
        return {"w": list(self.small), "W": list(self.big)}


@dataclass(frozen=True, slots=True)
class PlayRules:
    """The play of the cards (RULES §6)."""

    cover: CoverTable
    wild_twos: bool
    hold_back: str
    passing: str
    defer: bool
    windfall: str


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """How points are counted (RULES §8)."""

    mode: str
    solo_factor: int


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A complete, consistent ruleset. Make one with `load_rules`."""

    id: str
    name: str
    deck: DeckRules
    crown: CrownRules
    guard: GuardRules
    solo: SoloRules
    stakes: StakeRules
    play: PlayRules
    end: str
    scoring: ScoringRules
    tribute: str
    clear_threes: bool

    def to_json(self) -> Json:
        """The ruleset as a JSON object with every key; `load_rules(rules.to_json()) == rules`."""
        result: Json = {"id": self.id, "name": self.name}
        for path in SPECS:
            *parents, leaf = path.split(".")
            owner: Any = self
            target = result
            for parent in parents:
                owner = getattr(owner, parent)
                target = target.setdefault(parent, {})
            value = getattr(owner, "yield_" if leaf == "yield" else leaf)
            if isinstance(value, CoverTable):
                value = value.to_json()
            elif isinstance(value, tuple):
                value = dict(value)
            target[leaf] = value
        return result

    @property
    def has_grab(self) -> bool:
        """Whether the grab step exists (RULES §5.4)."""
        return self.solo.open and self.solo.grab != "none"


R = TypeVar("R")


def load_rules(base: str | Mapping[str, Any], overrides: Mapping[str, Any] | None = None) -> RuleSet:
    """The ruleset of a preset id or a complete JSON object, with `overrides` merged deeply (RULES §3).

    Raises BadRules naming the key: `rules` for an unknown preset, else the dotted path.
    """
    if isinstance(base, str):
        if overrides is None or not overrides:
            return _preset(base)
        if base not in PRESETS:
            raise BadRules("rules", f"no preset {base!r}")
        start: Json = {"id": base, **PRESETS[base]}
    else:
        start = dict(base)
    return _build(merge(start, overrides or {}))


@lru_cache(maxsize=64)
def _preset(name: str) -> RuleSet:
    if name not in PRESETS:
        raise BadRules("rules", f"no preset {name!r}")
    return _build({"id": name, **PRESETS[name]})


WHOLE = frozenset({"deck.removed", "play.cover"})


def merge(base: Mapping[str, Any], overrides: Mapping[str, Any], path: str = "") -> Json:
    """`base` with `overrides` laid over it, object into object; what WHOLE names is replaced whole."""
    merged = dict(base)
    for key, value in overrides.items():
        here = f"{path}{key}"
        old = merged.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping) and here not in WHOLE:
            merged[key] = merge(old, value, here + ".")
        else:
            merged[key] = value
    return merged


def _build(data: Json) -> RuleSet:
    from .rule_checks import check_consistency  # it reads a RuleSet, hence the later import

    values = _read_leaves(data)

    def section(cls: type[R], name: str) -> R:
        prefix = name + "."
        fields = {path[len(prefix) :]: value for path, value in values.items() if path.startswith(prefix)}
        if "yield" in fields:
            fields["yield_"] = fields.pop("yield")
        return cls(**fields)

    rules = RuleSet(
        id=_text(data, "id"),
        name=_text(data, "name"),
        deck=section(DeckRules, "deck"),
        crown=section(CrownRules, "crown"),
        guard=section(GuardRules, "guard"),
        solo=section(SoloRules, "solo"),
        stakes=section(StakeRules, "stakes"),
        play=section(PlayRules, "play"),
        end=values["end"],
        scoring=section(ScoringRules, "scoring"),
        tribute=values["tribute"],
        clear_threes=values["clear_threes"],
    )
    check_consistency(rules)
    return rules


def _text(data: Json, key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise BadRules(key, "must be text")
    return value


def _read_leaves(data: Json) -> dict[str, Any]:
    """The checked value of every key, by dotted path. Raises BadRules for unknown, missing and ill-typed keys."""
    sections = {path.split(".")[0] for path in SPECS if "." in path}
    for key in data:
        if key not in sections and (key not in SPECS or "." in key) and key not in ("id", "name"):
            raise BadRules(key, "unknown key")
    for name in sections:
        if name not in data:
            raise BadRules(name, "missing")
        if not isinstance(data[name], Mapping):
            raise BadRules(name, "must be an object")
        for key in data[name]:
            if f"{name}.{key}" not in SPECS:
                raise BadRules(f"{name}.{key}", "unknown key")
    values: dict[str, Any] = {}
    for path, spec in SPECS.items():
        holder: Any = data
        *parents, leaf = path.split(".")
        for parent in parents:
            holder = holder[parent]
        if leaf not in holder:
            raise BadRules(path, "missing")
        values[path] = _read(spec, path, holder[leaf])
    return values


def _read(spec: Spec, path: str, value: Any) -> Any:
    """One leaf, checked against its spec."""
    match spec.type:
        case "bool":
            if not isinstance(value, bool):
                raise BadRules(path, "must be true or false")
        case "int":
            if type(value) is not int:
                raise BadRules(path, "must be a whole number")
            if spec.choices and value not in spec.choices:
                raise BadRules(path, f"must be one of {', '.join(map(str, spec.choices))}")
            if not spec.choices and not spec.low <= value <= spec.high:
                raise BadRules(path, f"must be {spec.low} to {spec.high}")
        case "choice":
            if not isinstance(value, str) or value not in spec.choices:
                raise BadRules(path, f"must be one of {', '.join(map(repr, spec.choices))}")
        case "ranks":
            if not isinstance(value, str) or any(letter not in spec.choices for letter in value):
                raise BadRules(path, "must be text of ranks")
        case "removed":
            return _read_removed(path, value)
        case "cover":
            return _read_cover(path, value)
    return value


def _read_removed(path: str, value: Any) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, Mapping):
        raise BadRules(path, "must be an object rank: copies")
    for rank, copies in value.items():
        if len(rank) != 1 or rank not in SPECS["play.hold_back"].choices:
            raise BadRules(path, f"no such rank: {rank!r}")
        if type(copies) is not int or not 1 <= copies <= 16:
            raise BadRules(path, "copies must be 1 to 16")
    return tuple(value.items())


def _read_cover(path: str, value: Any) -> CoverTable:
    if not isinstance(value, Mapping) or set(value) != {"w", "W"}:
        raise BadRules(path, "must have exactly the keys w and W")
    for covers in value.values():
        if not isinstance(covers, list | tuple):
            raise BadRules(path, "must list covers")
        for cover in covers:
            if not isinstance(cover, str) or not 1 <= len(cover) <= 16 or any(c not in "wW#2" for c in cover):
                raise BadRules(path, "a cover is 1 to 16 of the letters w W # 2")
    return CoverTable(small=tuple(value["w"]), big=tuple(value["W"]))
