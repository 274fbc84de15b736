"""Random battlefields, and the situations that describe them to the ruleset."""

from __future__ import annotations

from random import Random
from typing import Any

from field_kinds import KINDS
from field_oracle import BOARD, Field, Hex, Leader, Unit, distance, name_of

FACINGS = ("east", "southeast", "southwest", "west", "northwest", "northeast")
GROUNDS = ("forest", "town", "hill", "hill", "rugged_hill", "river", "ford", "bridge", "quarry")
NATIONS = {"french": "France", "british": "Britain"}


def random_field(chance: Random, *, most_units: int, radius: int) -> Field:
    """Units, leaders and ground around a random hex."""
    centre = chance.choice(list(BOARD.values()))
    near = [it for it in BOARD.values() if distance(it, centre) <= radius]
    share, with_works = chance.choice([0, 0.2, 0.4, 0.6]), chance.random() < 0.4
    terrain = {it: chance.choice(GROUNDS) for it in near if chance.random() < share}
    built = [
        it for it in near if with_works and terrain.get(it) not in ("river", "rugged_hill") and chance.random() < 0.2
    ]
    works = frozenset((it, way) for it in built for way in chance.sample(range(6), chance.randint(1, 3)))
    field = Field(terrain, works)
    order = sorted(near, key=lambda it: distance(it, centre) + 3 * chance.random())
    for place in order[: chance.randint(2, most_units)]:
        unit = _random_unit(chance, f"unit_{name_of(place)}", place)
        if field.passable(place, unit.arm):
            fit = terrain.get(place) != "town" and place not in built
            field = field.but(unit if fit or not unit.square else _released(unit))
    free = [it for it in order if it not in field.units and field.passable(it)]
    for place in chance.sample(free, min(len(free), chance.randint(0, 2))):
        field = field.with_leader(Leader(f"lone_{name_of(place)}", chance.choice(list(NATIONS)), place))
    squares = {side: sum(it.square for it in field.units.values() if it.side == side) for side in NATIONS}
    hands = {side: chance.choice([0, 0, 2, 3, 4]) for side in NATIONS}
    return Field(terrain, works, field.units, field.leaders, hands, squares)


def _random_unit(chance: Random, name: str, place: Hex) -> Unit:
    kind = chance.choice(KINDS)
    square = kind.arm == "infantry" and chance.random() < 0.15
    chief = f"chief_{name_of(place)}" if chance.random() < 0.3 else None
    moved = 0 if square else chance.choice([0, 0, 0, 1, 1, 2, 3])
    return Unit(name, kind, chance.randint(1, kind.full), place, chief, square, moved)


def _released(unit: Unit) -> Unit:
    return Unit(unit.name, unit.kind, unit.blocks, unit.at, unit.chief)


def situation(field: Field, cards: list[str]) -> dict[str, Any]:
    """What `ask` and `odds` are given: all units are ordered, and have moved as far as they say."""
    changed: dict[str, Any] = {f"hex/{name_of(it)}/terrain": ground for it, ground in field.terrain.items()}
    for place in {it for it, _ in field.works}:
        changed[f"hex/{name_of(place)}/works"] = [FACINGS[way] for it, way in field.works if it == place]
    left = iter(cards)
    hands = [{"id": next(left), "at": f"{side}_hand"} for side in NATIONS for _ in range(field.hands[side])]
    units, leaders, tracks = [], [], []
    for place, unit in field.units.items():
        row: dict[str, Any] = {"id": unit.name, "troop": unit.kind.name, "blocks": unit.blocks, "at": name_of(place)}
        row |= {"ordered": True, "attack": unit.kind.walk, "moved": unit.moved}
        row["spent"] = unit.moved > 0 and field.unfit_on_entry(place, unit)
        if unit.card is not None:
            row |= dice_of(unit)
        if unit.square:
            row["square"] = next(left)
            tracks.append({"id": row["square"], "at": f"{unit.side}_track"})
        if unit.chief is not None:
            leaders.append({"id": unit.chief, "nation": NATIONS[unit.side], "at": unit.name})
        units.append(row)
    leaders += [
        {"id": it.name, "nation": NATIONS[it.side], "at": name_of(place)} for place, it in field.leaders.items()
    ]
    return {"set": changed, "pieces": {"unit": units, "leader": leaders}, "board": {"card": hands + tracks}}


def dice_of(unit: Unit) -> dict[str, Any]:
    """What the orders of a card change."""
    if unit.card == "cavalry_charge":
        return {"charge_dice": 1 + unit.kind.guard if unit.arm == "cavalry" else 0}
    if unit.card == "cold_steel":
        return {"melee_dice": 1, "fires": False, "single_melee": True}
    return {"melee_dice": 1, "fire_dice": 1}


def outcomes(field: Field) -> dict[str, str]:
    """The whole state after a battle, as expressions."""
    units = [it.name for it in field.units.values()]
    leaders = [it.chief for it in field.units.values() if it.chief] + [it.name for it in field.leaders.values()]
    values = {f"{it}_{what}": f"{it}.{what}" for it in units for what in ("blocks", "at")}
    values |= {f"{it}_square": f"in_square({it})" for it in units}
    return values | {f"{it}_at": f"{it}.at" for it in leaders}


def described(field: Field, names: list[str]) -> tuple[str, ...]:
    """The same state of a field as the values of these outcomes."""
    values: dict[str, str] = {}
    for unit in field.units.values():
        values |= {f"{unit.name}_blocks": str(unit.blocks), f"{unit.name}_at": name_of(unit.at)}
        values[f"{unit.name}_square"] = str(unit.square).lower()
        values[f"{unit.chief}_at"] = unit.name
    values |= {f"{it.name}_at": name_of(it.at) for it in field.leaders.values()}
    gone = {"blocks": "0", "at": "none", "square": "false"}
    return tuple(values.get(name, gone[name.rpartition("_")[2]]) for name in names)
