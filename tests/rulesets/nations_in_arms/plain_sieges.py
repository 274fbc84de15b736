"""Sieges in plain Python, written from chapter 9 and what it refers to, to compare the ruleset with."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from plain_force import inside, mounted

Names = dict[str, int]

REPULSE, MAYBE, NOTHING = "repulse", "likely_repulse", "no_effect"
ASSAULT, HONOURS, BREACH = "assault", "honours_of_war", "breach"
_LETTERS = {"R": REPULSE, "r": MAYBE, "-": NOTHING, "A": ASSAULT, "H": HONOURS, "B": BREACH}
SIEGE_TABLE = {1: "Rrr---AAHHHBBBBBB", 2: "RRrr----AAHHHBBBB", 3: "RRRrr-----AAAAHHB"}
"""What happens at each modified roll from 2 to 18 (R, R* as r, NE as -, A, H, B), by the level of the fortress."""
SKIRMISH = ["0L", "0L", "0", "0", "0", "0+", "0+", "0+", "1", "1", "1", "1+", "1+", "1+", "2L", "2CL", "2+CL", "3CL"]
"""The losses of a skirmish at each modified roll from 0 to 17 (9.3.1.2)."""
WALLS = 3
"""The morale of every fortress (9.3.1.5)."""


# ---------------------------------------------------------------- who is there
def power_of(hex_: Any) -> Any:
    """Whose a fortress or city is."""
    return hex_.a_holder or (hex_.a_province.a_owner if hex_.a_province else None)


def at_war(bloc: Any, other: Any) -> bool:
    """Whether two blocs fight each other."""
    return other in bloc.a_enemies


def bloc_of(force: Any) -> Any:
    """The bloc that a stack fights for."""
    return force.a_flag.a_bloc


def steps(holders: Iterable[Any]) -> int:
    """The combat steps of stacks."""
    return sum(unit.a_steps for each in holders for unit in inside(each, "combat_unit"))


def afoot(unit: Any) -> int:
    """Its steps on the map, wherever it was pushed out to."""
    return 0 if unit.at is None or unit.at.kind == "pool" else unit.a_steps


def stores(force: Any, form: str) -> list[Any]:
    """The supports of a stack that show this face."""
    return [each for each in inside(force, "support") if each.a_form.id == form]


def capable(force: Any) -> bool:
    """Whether a stack can affect combat."""
    return bool(inside(force, "combat_unit") or stores(force, "depot"))


def level(hex_: Any) -> int:
    """Returns the level of a fortress, 0 in ruins (9.4.7)."""
    return 0 if hex_.a_fortress_down else int(hex_.a_fortress)


def points(hex_: Any) -> int:
    """Fortress points that storms have left (9.3.1.3)."""
    return level(hex_) - int(hex_.a_fortress_hits)


def garrison(hex_: Any) -> list[Any]:
    """The stacks behind the walls."""
    return [each for each in hex_.c_force if each.a_inside]


def strong_enough(force: Any, hex_: Any) -> bool:
    """9.1.1.1.a."""
    return bool(inside(force, "army")) and steps([force]) > 0 if level(hex_) == 3 else steps([force]) >= level(hex_)


def can_besiege(force: Any, hex_: Any) -> bool:
    """9.1.1.1: an enemy fortress, steps enough, and nobody of its side who could fight outside it."""
    lord = power_of(hex_)
    if level(hex_) == 0 or force.a_inside or lord is None or not at_war(bloc_of(force), lord.a_bloc):
        return False
    outside = [each for each in hex_.c_force if not each.a_inside and at_war(bloc_of(force), bloc_of(each))]
    return strong_enough(force, hex_) and not any(map(capable, outside))


def besiegers(hex_: Any) -> list[Any]:
    """Those by whom a fortress is besieged."""
    return [each for each in hex_.c_force if can_besiege(each, hex_)]


# ---------------------------------------------------------------- the check
def guns(force: Any) -> int:
    """The artillery of corps and army markers, none of which fires out of supply (8.3.2.1, 7.1.7.3.b)."""
    if force.a_out_of_supply:
        return 0
    units = inside(force, "combat_unit")
    of_corps = sum(each.a_guns if each.a_steps == each.a_full else each.a_guns_reduced for each in units)
    return int(of_corps + sum(each.a_guns for each in inside(force, "army")))


def check_modifiers(force: Any, hex_: Any, head: Any, defender: Any) -> Names:
    """9.2.2, of a check by this force under `head`; `defender` commands the fortress, if anybody does."""
    fed = not force.a_out_of_supply
    return {
        "artillery": int(guns(force) > sum(map(guns, garrison(hex_))) + level(hex_)),
        "commanders": (head.a_combat if head else 0) - (defender.a_combat if defender else 0),
        "engineers": len(stores(force, "engineer")) if fed else 0,
        "armies": len(inside(force, "army")) if fed else 0,
        "length": hex_.a_siege or 0,
    }


def check_result(roll: int, fortress: int) -> str:
    """9.2.1 and 9.2.3, by the modified roll."""
    return _LETTERS[SIEGE_TABLE[fortress][min(max(roll, 2), 18) - 2]]


# ---------------------------------------------------------------- storms
def combat_points(force: Any) -> Fraction:
    """A step counts 1, a depot a half."""
    return steps([force]) + Fraction(len(stores(force, "depot")), 2)


def ratio(attacker: Fraction, defender: Fraction, *, exact: bool = False) -> int:
    """8.3.1.3: the attacker's share if he is the stronger, minus the defender's if not; 0 is even, 5 decides."""
    strong, weak = max(attacker, defender), min(attacker, defender)
    times = strong / weak if weak else Fraction(99)
    share = math.floor(times + Fraction(1, 2 if attacker >= defender else 4))
    if exact and share == 5 and times < 5:
        share = 4
    return 0 if share == 1 else share if attacker >= defender else -share


def superiority(mine: int, theirs: int, ground: str) -> int:
    """8.3.2.2, 8.3.2.3."""
    if mine <= theirs:
        return 0
    return 2 if mine >= 2 * theirs and ground not in {"mountain", "forest"} else 1


def lead(unit: Any, ground: str) -> int:
    """What the lead assault unit adds; on horseback nothing (9.3.1.7)."""
    if unit is None or mounted(unit):
        return 0
    if unit.a_mountain_combat is not None and ground in {"mountain", "mountain_pass"}:
        return int(unit.a_mountain_combat)
    return int(unit.a_combat)


def storm_guns(force: Any, hex_: Any, *, walls: bool) -> int:
    """9.3.1.4, 9.3.1.6: behind the walls theirs count too."""
    return sum(map(guns, garrison(hex_))) + points(hex_) if walls else guns(force)


def losses(roll: int) -> tuple[int, bool, bool, bool]:
    """The steps that a modified roll costs the enemy, and whether a '+', a C and an L are beside them."""
    cell = SKIRMISH[min(max(roll, 0), 17)]
    return int(cell[0]), "+" in cell, "C" in cell, "L" in cell


def morale_groups(forces: Iterable[Any]) -> Names:
    """8.2.4: how many steps have each morale value; a depot is a step of 2 (our reading)."""
    groups: Names = {}
    for force in forces:
        for each in inside(force, "combat_unit"):
            groups[each.a_morale] = groups.get(each.a_morale, 0) + each.a_steps
        if stores(force, "depot"):
            groups[2] = groups.get(2, 0) + len(stores(force, "depot"))
    return groups


def storm_morale(within: int, groups: Names, fortress: int, *, demoralized: bool) -> set[int]:
    """9.3.1.5 and 9.3.1.8, with 8.8.2.3: any of the values that most steps share."""
    if within <= fortress:
        return {WALLS}
    return {value - demoralized for value, count in groups.items() if count == max(groups.values())}
