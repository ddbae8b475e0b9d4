"""What the viewer of an observation may answer.

The same functions grey out buttons, serve bots and hints, and are checked again by `fold.apply`.
"""

from collections.abc import Sequence

from .actions import Action, Kind, call_action
from .cards import CROWN, LEVEL, ORDER, RANKS, SMALL_LEVEL, SWORD, TWO, Card, count_levels
from .errors import BadCards
from .holdings import has_callable_quad, has_plain_quad, triples
from .observation import Observation, Role, Step
from .rules import RuleSet
from .shapes import Shape, beats, follows, is_unbeatable, leads

ACCEPT, YIELD, SOLO, PASS = Action(Kind.ACCEPT), Action(Kind.YIELD), Action(Kind.SOLO), Action(Kind.PASS)
OPEN, HIDE = Action(Kind.OPEN), Action(Kind.HIDE)
REBEL, KICK = Action(Kind.REBEL), Action(Kind.KICK)
DEFER, CLAIM = Action(Kind.DEFER), Action(Kind.CLAIM)


def answers(obs: Observation) -> tuple[Action, ...]:
    """The legal answers that are not plays; () when the viewer is not asked."""
    if not obs.asked:
        return ()
    match obs.step:
        case Step.CROWN:
            return crown_answers(obs)
        case Step.GRAB:
            return (SOLO, PASS) if may_declare_solo(obs) else (PASS,)
        case Step.CALL:
            return call_answers(obs)
        case Step.REVEAL:
            return (OPEN, HIDE) if obs.own_solo is None or obs.rules.solo.open else (HIDE,)
        case Step.REBEL:
            return (PASS,) if obs.role_of(obs.viewer or 0) is Role.GUARD else (REBEL, PASS)
        case Step.KICK:
            return (KICK, PASS)
        case Step.PLAY:
            if obs.leading:
                return ()
            more = ((DEFER,) if obs.may_defer else ()) + ((CLAIM,) if obs.may_claim else ())
            return (PASS, *more)
    return ()


def may_declare_solo(obs: Observation) -> bool:
    """Whether the viewer's hand and the rules allow open solo by grabbing (RULES §5.2 `solo`, §5.4)."""
    return obs.rules.has_grab and (obs.rules.solo.grab == "any" or has_plain_quad(obs.hand))


def can_accept(obs: Observation) -> bool:
    """Whether the viewer, at whom the crown card lies, may become emperor (RULES §5.2)."""
    return not obs.rules.crown.needs_triple or bool(_own_triples(obs))


def crown_answers(obs: Observation) -> tuple[Action, ...]:
    """What the seat at which the crown card lies may say."""
    accept = (ACCEPT,) if can_accept(obs) else ()
    solo = (SOLO,) if may_declare_solo(obs) else ()
    return accept + ((YIELD,) if not accept or _may_yield(obs) else ()) + solo


def _may_yield(obs: Observation) -> bool:
    """Whether a seat that could accept may yield all the same."""
    crown = obs.rules.crown
    if crown.yield_ == "none":
        return False
    if crown.yield_ == "both_cards":
        return obs.viewer == obs.first_asked and SWORD in obs.hand
    if obs.forced and crown.force == "triple":
        return False
    if obs.forced and crown.force == "triple_unless_quad":
        return has_callable_quad(obs.callable, _with_crown(obs))
    return True


def call_answers(obs: Observation) -> tuple[Action, ...]:
    """The faces the emperor may call; a quad also openly where an open solo is allowed (RULES §5.5)."""
    found: list[Action] = []
    for card, copies in _own_triples(obs):
        found.append(call_action(card))
        if copies == 4 and obs.rules.solo.open:
            found.append(call_action(card, opened=True))
    return tuple(found)


def _with_crown(obs: Observation) -> tuple[Card, ...]:
    """The hand as triples are judged: with the crown card while it lies at the viewer."""
    return (*obs.hand, CROWN) if obs.crown_at == obs.viewer else obs.hand


def _own_triples(obs: Observation) -> tuple[tuple[Card, int], ...]:
    return triples(obs.rules, obs.callable, _with_crown(obs))


# --- plays -----------------------------------------------------------------------------------------------------------


def plays(obs: Observation) -> tuple[Shape, ...]:
    """Every shape the viewer may play now, in the protocol's order; () when he is not asked to play."""
    if obs.step is not Step.PLAY or not obs.asked:
        return ()
    return hand_plays(obs.rules, obs.hand, obs.top.shape if obs.top else None, obs.special)


def hand_plays(rules: RuleSet, hand: tuple[Card, ...], top: Shape | None, special: Card | None) -> tuple[Shape, ...]:
    """Every shape this hand may lead (`top` None) or beat `top` with; `special` is its card that ranks "#"."""
    counts = count_levels(hand)
    if special is not None:
        counts[LEVEL[special]] -= 1
    has_special = special is not None
    return tuple(leads(rules, counts, has_special) if top is None else follows(rules, counts, has_special, top))


def legal_texts(obs: Observation) -> list[str]:
    """All legal answers as PROTOCOL writes them in `legal`: plays by shape."""
    return [str(a) for a in answers(obs)] + [f"play {shape}" for shape in plays(obs)]


def shape_of(rules: RuleSet, cards: Sequence[Card], special: Card | None) -> Shape:
    """The shape these cards make; one copy of `special` among them is "#". Raises BadCards if they make none."""
    if not cards:
        raise BadCards("no cards")
    rest = list(cards)
    has_special = special is not None and special in rest
    if has_special and special is not None:
        rest.remove(special)
    big = small = 0
    ranks: dict[str, int] = {}
    for card in rest:
        at = LEVEL[card]
        if at > SMALL_LEVEL:
            big += 1
        elif at == SMALL_LEVEL:
            small += 1
        else:
            ranks[card[0]] = ranks.get(card[0], 0) + 1
    if rules.play.wild_twos and len(ranks) == 2 and RANKS[TWO] in ranks:
        twos = ranks.pop(RANKS[TWO])
        ranks = {rank: n + twos for rank, n in ranks.items()}
    if len(ranks) > 1:
        raise BadCards("cards of more than one rank")
    rank, count = next(iter(ranks.items()), ("", 0))
    return Shape(has_special, big, small, rank, count)


def why_not(obs: Observation, cards: Sequence[Card]) -> str | None:
    """None if the viewer may play these cards now, else a stable word that says why not.

    Words: not_asked, empty, not_in_hand, no_shape, unbeatable, wrong_count, held_back, joker_uncovered, too_low.
    """
    if obs.step is not Step.PLAY or not obs.asked:
        return "not_asked"
    if not cards:
        return "empty"
    rest = list(obs.hand)
    for card in cards:
        if card not in rest:
            return "not_in_hand"
        rest.remove(card)
    try:
        shape = shape_of(obs.rules, cards, obs.special)
    except BadCards:
        return "no_shape"
    if _breaks_hold_back(obs, shape, cards, rest):
        return "held_back"
    if obs.top is None or beats(obs.rules, obs.top.shape, shape):
        return None
    return _why_too_weak(obs.rules, obs.top.shape, shape)


def _breaks_hold_back(obs: Observation, shape: Shape, cards: Sequence[Card], rest: Sequence[Card]) -> bool:
    """Whether the held-back rank is played with cards left, or not alone; wild 2s are not it (RULES §6.4)."""
    held = obs.rules.play.hold_back
    if not held or not shape.count or shape.rank != held:
        return False
    return bool(rest) or shape.size != shape.count or any(card[0] != held for card in cards)


def _why_too_weak(rules: RuleSet, top: Shape, shape: Shape) -> str:
    if is_unbeatable(rules, top) and not shape.special:
        return "unbeatable"
    jokers = top.big or top.small
    covers = (*rules.play.cover.small, *rules.play.cover.big)
    counts_must_match = not jokers or all(len(cover) == 1 for cover in covers)
    if counts_must_match and shape.size != top.size:
        return "wrong_count"
    return "joker_uncovered" if jokers else "too_low"


def cards_for(obs: Observation, shape: Shape) -> tuple[Card, ...]:
    """The cheapest cards of the hand that make up a shape: unmarked jokers before marked ones, twos only when needed.

    Raises BadCards when the hand cannot make it.
    """
    rest = list(obs.hand)
    chosen: list[Card] = []
    if shape.special:
        if obs.special is None:
            raise BadCards(f"no special card for {shape}")
        chosen.append(obs.special)
    if obs.special in rest:
        rest.remove(obs.special)  # it is not playable as its plain rank (RULES §5.5)

    def take(candidates: Sequence[Card], count: int) -> int:
        # The called card shows the guard; it goes last among its equals.
        for card in sorted(candidates, key=lambda c: (c == obs.called, c in ("W!", "w!"), -ORDER[c]))[:count]:
            rest.remove(card)
            chosen.append(card)
        return min(count, len(candidates))

    missing = shape.big - take([c for c in rest if c[0] == "W"], shape.big)
    missing += shape.small - take([c for c in rest if c[0] == "w"], shape.small)
    plain = shape.count - take([c for c in rest if c[0] == shape.rank], shape.count) if shape.count else 0
    if plain and obs.rules.play.wild_twos and plain < shape.count:
        plain -= take([c for c in rest if c[0] == "2"], plain)
    if missing or plain:
        raise BadCards(f"the hand cannot make {shape}")
    return tuple(sorted(chosen, key=ORDER.__getitem__))


def is_legal(obs: Observation, action: Action) -> bool:
    """Whether the viewer may take this action now."""
    if action.kind is Kind.PLAY:
        return why_not(obs, action.cards) is None
    return action in answers(obs)
