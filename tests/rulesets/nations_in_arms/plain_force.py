"""Facts about stacks and their counters in plain Python, shared by what is read from several chapters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

MOUNTED = {"cavalry", "cuirassiers", "guard_cavalry", "cossack"}
"""The types of the mounted class (2.2.1.2)."""


def inside(holder: Any, kind: str) -> list[Any]:
    """Returns all pieces of a kind that something holds, at any depth."""
    found = []
    for slot in ("c_force", "c_counter"):
        for each in getattr(holder, slot, ()):
            found += [each] if each.kind == kind else []
            found += inside(each, kind)
    return found


def units(force: Any) -> list[Any]:
    """Returns the combat units of a stack."""
    return inside(force, "combat_unit")


def supports(force: Any) -> list[Any]:
    """Returns its trains, depots, engineers and bridges."""
    return inside(force, "support")


def leaders(force: Any) -> list[Any]:
    """Returns its leaders."""
    return inside(force, "leader")


def armies(force: Any) -> list[Any]:
    """Returns its army markers."""
    return inside(force, "army")


def steps(counters: Collection[Any]) -> int:
    """Returns the steps of combat units."""
    return sum(each.a_steps for each in counters)


def mounted(unit: Any) -> bool:
    """Returns whether a combat unit is of the mounted class (2.2.1.2)."""
    return unit.a_type.id in MOUNTED


def leads_itself(force: Any) -> bool:
    """Returns whether a stack is a feudal corps by itself, which is its own leader (15.5.2.4)."""
    corps = units(force)
    return len(corps) == 1 and corps[0].a_type.id == "feudal" and not leaders(force)


def commander(force: Any) -> Any:
    """Returns who commands a force.

    It is the highest rank (3.2.1.1), an army's leader (3.2.3.1), of several such leaders the highest rank, the most
    steps, the choice of the player, and the seniority of the nation (3.2.4.1).
    """
    markers = armies(force)
    if not markers:
        return max(leaders(force), key=lambda each: (each.a_rank, each.a_power.a_major, -each.index), default=None)
    strength = {each.a_chief: steps(units(each)) for each in markers if each.a_chief is not None}

    def precedence(chief: Any) -> tuple[Any, ...]:
        nation = chief.a_power.a_master or chief.a_power
        return chief.a_rank, strength[chief], chief is force.a_overall, nation.a_rank, -chief.index

    return max(strength, key=precedence, default=None)
