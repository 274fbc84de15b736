"""Whom the cards of chapter 8 order, how far these may move and with how many dice, written without the ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from field_oracle import HEXES, HOMEWARDS, LAST_ROW, Field, Hex, Unit

SECTIONS = ("left_flank", "center", "right_flank")
BY_SECTION = {
    "scout_left": (1, 0, 0),
    "scout_center": (0, 1, 0),
    "probe_left": (2, 0, 0),
    "probe_right": (0, 0, 2),
    "attack_center": (0, 3, 0),
    "attack_right": (0, 0, 3),
    "coordinated_advance": (1, 2, 1),
    "flank_attack": (2, 0, 2),
    "forward": (2, 2, 2),
    "recon_in_force": (1, 1, 1),
}
"""Orders on the left flank, in the center and on the right flank."""
ASSAULTS = {"assault_left": "left_flank", "assault_center": "center", "assault_right": "right_flank"}
"""Cards that order as many units or leaders of a section as the command is."""
FLANKS = {"left_flank": "right_flank", "center": "center", "right_flank": "left_flank"}
"""The section of a Section card that Counter-Attack copies."""
MOST = 4
"""Units that a Tactic card orders at most."""


@dataclass(frozen=True)
class Orders:
    """What a unit may do this turn."""

    run: int = 0
    """Hexes it may move."""
    walk: int = 0
    """Hexes after which it may battle."""
    fires: bool = True
    melees: bool = True
    fire_dice: int = 0
    melee_dice: int = 0
    charge_dice: int = 0
    """Dice of the card that count neither into buildings nor out of them."""


def usual(unit: Unit) -> Orders:
    return Orders(unit.kind.run, unit.kind.walk)


def sections_of(place: Hex, side: str) -> set[str]:
    """As the side sees them: the section lines cut the fourth and the ninth hex of the rows with twelve hexes."""
    slanted, row = place
    column = slanted + (row - row % 2) // 2 + 1
    cut = row % 2 == 1
    found = set()
    if column <= 4:
        found.add("west")
    if (4 if cut else 5) <= column <= 9:
        found.add("center")
    if column >= (9 if cut else 10):
        found.add("east")
    left, right = ("west", "east") if side == "french" else ("east", "west")
    return {{left: "left_flank", right: "right_flank"}.get(each, each) for each in found}


def leaders_to_order(field: Field, side: str) -> dict[str, Hex]:
    """Leaders alone, and those with units that are not in square."""
    alone = {it.name: at for at, it in field.leaders.items() if it.side == side}
    return alone | {it.chief: it.at for it in field.units.values() if it.side == side and it.chief and not it.square}


def named_troops(card: str, field: Field, side: str) -> list[Unit] | None:
    """The units that a Tactic card may order; None if its player has no unit of the kind and orders any one."""
    army = [it for it in field.units.values() if it.side == side]
    if card == "cold_steel":
        return [it for it in army if field.foes_beside(it.at, side)]
    if card == "grande_manoeuvre":
        return [it for it in army if not it.square]
    if card == "leadership":
        led = [it for it in army if it.chief]
        return led if led or any(it.side == side for it in field.leaders.values()) else None
    arms = {
        "bayonet_charge": ("infantry",),
        "force_march": ("infantry",),
        "bombard": ("artillery",),
        "cavalry_charge": ("cavalry",),
        "fire_and_hold": ("infantry", "artillery"),
    }[card]
    troops = [it for it in army if it.arm in arms or (card == "cavalry_charge" and it.kind.horse)]
    if not troops:
        return None
    if card == "fire_and_hold":
        return [it for it in troops if not field.foes_beside(it.at, side)]
    return troops


def by_tactic(card: str, unit: Unit) -> Orders:
    """What a unit that a Tactic card orders may do."""
    orders, guard, kind = usual(unit), unit.kind.guard, unit.kind
    if card == "bayonet_charge":
        return Orders(2, 2, fires=False, melee_dice=int(guard))
    if card == "bombard":
        return Orders(3, 0, fire_dice=2 + guard, melee_dice=2 + guard)
    if card == "cavalry_charge":
        if unit.arm != "cavalry":
            return orders
        return Orders(3, 3, charge_dice=1 + guard)
    if card == "fire_and_hold":
        return replace(orders, run=0, melees=False, fire_dice=1)
    if card == "force_march":
        quick = kind.light or guard or kind.name.endswith("grenadier") or unit.chief is not None
        return Orders(2, 2 if quick else 1)
    if card == "cold_steel":
        return replace(orders, run=0, fires=False, melee_dice=1)
    if card == "leadership":
        return replace(orders, fire_dice=1, melee_dice=1)
    assert card == "grande_manoeuvre"
    return replace(orders, run=4, fires=False, melees=False)


def command(field: Field, side: str) -> int:
    """The cards in hand and the one just played; it rises with each square that opens."""
    return field.hands[side] + 1


def opened(field: Field, name: str) -> Field:
    """With a unit out of square, and its card back in hand; none comes out next to enemy cavalry."""
    unit = field.unit(name)
    near = [field.units[it] for it in field.foes_beside(unit.at, unit.side)]
    if not unit.square or any(it.arm == "cavalry" for it in near):
        return field
    return field.but(replace(unit, square=False)).counted(unit.side, -1)


def in_section(field: Field, side: str, section: str, ordered: Iterable[str]) -> list[str]:
    """The units and leaders of a section that have no order yet."""
    places = {it.name: it.at for it in field.units.values() if it.side == side} | leaders_to_order(field, side)
    taken = set(ordered)
    return sorted(it for it, at in places.items() if section in sections_of(at, side) and it not in taken)


def supply_hexes(field: Field, unit: Unit) -> set[Hex]:
    """Where a unit short of supply may go: on its baseline where it may enter, else to an empty hex of the next row."""
    sections = sections_of(unit.at, unit.side)
    left = field.but(gone=[unit.name])
    near = [it for it in HEXES if sections & sections_of(it, unit.side) and not left.barred(it, unit)]
    edge = 0 if unit.side == "british" else LAST_ROW
    second = edge - HOMEWARDS[unit.side]
    accessible = {it for it in near if it[1] == edge}
    return accessible or {it for it in near if it[1] == second and it not in left.leaders}
