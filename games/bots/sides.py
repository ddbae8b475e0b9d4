"""Whom a seat plays with and against, as far as it knows for sure.

Built from the observation's ``known`` roles only: a seat whose role is not known is neither ally nor enemy. A rebel
therefore begins with one sure enemy, the emperor; an emperor begins with nobody; the guard knows everybody.
"""

from dataclasses import dataclass

from games.engine.observation import Observation, Role

EMPEROR_SIDE = frozenset((Role.EMPEROR, Role.GUARD))


@dataclass(frozen=True, slots=True)
class Sides:
    """The other four seats: ``allies`` and ``enemies`` for sure, ``unknown`` the rest."""

    allies: frozenset[int]
    enemies: frozenset[int]
    unknown: frozenset[int]

    @property
    def not_allies(self) -> frozenset[int]:
        """Sure enemies and those who may be."""
        return self.enemies | self.unknown


def sides_of(obs: Observation) -> Sides:
    """The sides as the viewer knows them; in a solo he alone against four (RULES §1)."""
    roles = dict(obs.known)
    mine = roles.get(obs.viewer) if obs.viewer is not None else None
    allies, enemies, unknown = set(), set(), set()
    for seat in range(5):
        if seat == obs.viewer:
            continue
        role = roles.get(seat)
        if mine is not None and obs.own_solo is not None:
            enemies.add(seat)
        elif mine is None or role is None:
            unknown.add(seat)
        elif (role in EMPEROR_SIDE) == (mine in EMPEROR_SIDE):
            allies.add(seat)
        else:
            enemies.add(seat)
    return Sides(frozenset(allies), frozenset(enemies), frozenset(unknown))
