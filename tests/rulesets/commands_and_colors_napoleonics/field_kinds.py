"""The troops of the unit cards, written from chapters 5 and 7 without the ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """One row of a unit card. Dice are by blocks, from one block on."""

    name: str
    arm: str
    full: int
    walk: int
    """Hexes after which it may battle."""
    run: int
    """Hexes at most."""
    reach: int = 1
    still: tuple[int, ...] = ()
    moving: tuple[int, ...] = ()
    melee: tuple[int, ...] = ()
    against_infantry: int = 0
    sabers: bool = True
    ignores: int = 0
    per_flag: int = 1
    light: bool = False
    guard: bool = False
    horse: bool = False

    @property
    def side(self) -> str:
        return "french" if self.name.startswith("fr_") else "british"

    @property
    def nation(self) -> str:
        return {"fr": "France", "br": "Britain", "po": "Portugal"}[self.name[:2]]


FOOT = {1: (3, 2, 1, 1, 1), 2: (4, 3, 2, 2, 1), 3: (4, 3, 2, 2, 1)}
HORSE = {1: (2, 1, 1, 1), 2: (3, 2, 1, 1), 3: (3, 2, 1, 1)}
"""Dice of guns by blocks and distance."""


def _infantry(
    name: str, full: int, *, up: bool = True, fire: int = 0, at_halt: int = 0, shock: int = 0, **more: Any
) -> Kind:
    blocks = range(1, full + 1)
    light = bool(more.get("light"))
    more.setdefault("reach", 2)
    return Kind(
        name=name,
        arm="infantry",
        full=full,
        walk=1,
        run=2 if light else 1,
        still=tuple(each + fire + at_halt for each in blocks),
        moving=tuple((each + up) // 2 + fire for each in blocks),
        melee=tuple(each + shock for each in blocks),
        **more,
    )


def _cavalry(name: str, full: int, *, heavy: bool, **more: Any) -> Kind:
    hexes = 2 if heavy else 3
    dice = tuple(each + heavy for each in range(1, full + 1))
    return Kind(name=name, arm="cavalry", full=full, walk=hexes, run=hexes, melee=dice, **more)


def _guns(name: str, **more: Any) -> Kind:
    horse = bool(more.get("horse"))
    return Kind(name=name, arm="artillery", full=3, walk=int(horse), run=1 + horse, reach=5 - horse, **more)


KINDS = (
    _infantry("fr_line", 4, against_infantry=1),
    _infantry("fr_light", 4, fire=1, light=True),
    _infantry("fr_grenadier", 4, fire=1, shock=1, ignores=1),
    _infantry("fr_young_guard", 4, fire=1, shock=1, ignores=1, light=True, guard=True),
    _infantry("fr_old_guard", 4, fire=1, shock=2, ignores=2, guard=True),
    _infantry("fr_militia", 4, up=False, sabers=False, per_flag=3),
    _cavalry("fr_light_cavalry", 4, heavy=False),
    _cavalry("fr_cuirassier", 4, heavy=True, ignores=1),
    _cavalry("fr_heavy_cavalry", 4, heavy=True),
    _cavalry("fr_guard_heavy_cavalry", 4, heavy=True, ignores=2, guard=True),
    _guns("fr_horse_artillery", horse=True),
    _guns("fr_foot_artillery"),
    _guns("fr_guard_foot_artillery", guard=True, ignores=2),
    _infantry("br_line", 4, at_halt=1),
    _infantry("br_light", 5, fire=1, light=True),
    _infantry("br_rifle_light", 3, fire=1, light=True, reach=3, sabers=False),
    _infantry("br_grenadier", 4, fire=1, shock=1, ignores=1),
    _infantry("br_guard_grenadier", 5, fire=1, shock=1, ignores=2, guard=True),
    _cavalry("br_light_cavalry", 3, heavy=False),
    _cavalry("br_heavy_cavalry", 3, heavy=True),
    _cavalry("br_guard_heavy_cavalry", 3, heavy=True, ignores=2, guard=True),
    _guns("br_horse_artillery", horse=True),
    _guns("br_foot_artillery"),
    _infantry("po_line", 4, up=False),
    _infantry("po_light", 3, up=False, fire=1, light=True),
    _infantry("po_militia", 4, up=False, sabers=False, per_flag=3),
    _cavalry("po_light_cavalry", 3, heavy=False),
    _cavalry("po_heavy_cavalry", 3, heavy=True),
    _guns("po_foot_artillery"),
)
