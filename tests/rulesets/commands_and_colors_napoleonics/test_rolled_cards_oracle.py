"""Élan, Rally and Short Supply on random battlefields: how likely each end is, compared with chapter 8 in plain Python.

Whoever may give orders gives as many as he can, to the units as they are listed, then to the leaders.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random
from typing import Any

import pytest
from card_oracle import command, leaders_to_order, opened, supply_hexes
from field_oracle import HEXES, LAST_ROW, Field, Leader, Unit, name_of
from field_setups import random_field, situation
from soak import SOAK

from interpreter import ask, load_ruleset, odds

RULES = load_ruleset("rulesets/commands_and_colors_napoleonics")
CARDS = [it for it in ask(RULES, "cards") if it not in ("elan", "rally", "short_supply")]
SIDES = ("british", "french")
FACES = {"infantry": 2, "cavalry": 1, "artillery": 1, "flag": 1, "saber": 1}
ARMS = ("infantry", "cavalry", "artillery")


def rolls(number: int) -> Iterator[tuple[Fraction, Counter[str]]]:
    """How likely which symbols are."""
    for faces in combinations_with_replacement(FACES, number):
        shown = Counter(faces)
        ways = factorial(number) // prod(factorial(each) for each in shown.values())
        yield Fraction(ways * prod(FACES[it] for it in faces), 6**number), shown


class Army:
    """One side while a card is carried out."""

    def __init__(self, field: Field, side: str, *, leaves: bool) -> None:
        self.field, self.side, self.leaves = field, side, leaves
        self.ordered: list[str] = []

    def units(self) -> list[Unit]:
        mine = [it for it in self.field.units.values() if it.side == self.side]
        return sorted(mine, key=lambda it: int(it.name.rpartition("_")[2]))

    def order(self, names: list[str]) -> None:
        for name in names:
            self.ordered.append(name)
            if self.leaves and name.startswith("unit"):
                self.field = opened(self.field, name)

    def elan(self, shown: Counter[str]) -> None:
        for arm in ARMS:
            able = [it.name for it in self.units() if it.arm == arm and it.name not in self.ordered]
            self.order(able[: shown[arm]])
        flags = shown["flag"]
        able = [it.name for it in self.units()] + self.leaders()
        chosen = [it for it in able if it not in self.ordered][:flags]
        self.order(chosen)
        freed = [it for it in self.leaders() if it not in able]
        self.order(freed[: flags - len(chosen)])

    def leaders(self) -> list[str]:
        return sorted(leaders_to_order(self.field, self.side), key=lambda it: int(it.rpartition("_")[2]))

    def rally(self, shown: Counter[str]) -> None:
        for arm in ARMS:
            blocks = shown[arm]
            for unit in [it for it in self.units() if it.arm == arm]:
                gained = min(blocks, unit.kind.full - unit.blocks)
                blocks -= gained
                if gained:
                    self.field = self.field.but(replace(unit, blocks=unit.blocks + gained))
                    self.order([unit.name])


def renamed(field: Field) -> Field:
    """Units and leaders numbered in the order in which they are listed."""
    units = [
        replace(it, name=f"unit_{at}", chief=it.chief and f"chief_{at}", moved=0)
        for at, it in enumerate(field.units.values())
    ]
    alone = [Leader(f"lone_{at}", it.side, it.at) for at, it in enumerate(field.leaders.values(), len(units))]
    return replace(field, units={it.at: it for it in units}, leaders={it.at: it for it in alone})


def found(card: str, field: Field, side: str, decisions: dict[str, Any], outcomes: dict[str, str]) -> Any:
    given = situation(field, CARDS)
    for row in given["pieces"]["unit"]:
        row |= {"ordered": False, "attack": 0, "spent": False}
    given |= {"state": {"played": card}, "with": {"player": side}, "decisions": decisions, "outcomes": outcomes}
    return dict(odds(RULES, "give_orders", given).rows)


def small(chance: Random) -> Field:
    """A few units, many of them in square and many with a leader, and not more than three dice."""
    field = random_field(chance, most_units=5, radius=2)
    units = [replace(it, square=it.arm == "infantry" and chance.random() < 0.4) for it in field.units.values()]
    units = [replace(it, chief=it.chief or (f"chief_{it.name}" if chance.random() < 0.4 else None)) for it in units]
    tracks = {side: sum(it.square for it in units if it.side == side) for side in SIDES}
    hands = {side: min(cards, 2) for side, cards in field.hands.items()}
    return renamed(replace(field.but(*units), tracks=tracks, hands=hands))


@pytest.mark.parametrize("card", ["elan", "rally"])
def test_rolled_cards_match_oracle(card: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(SOAK or 21):
        chance = Random(f"{card} {number}")
        field, side, leaves = small(chance), chance.choice(SIDES), chance.random() < 0.7
        units = Army(field, side, leaves=False).units()
        leaders = [it.chief for it in units if it.chief] + [it.name for it in field.leaders.values() if it.side == side]
        outcomes = {"reshuffle": "reshuffle"} | {f"{it}_ordered": f"{it}.ordered" for it in leaders}
        for it in units:
            outcomes[it.name] = f"[{it.name}.ordered, {it.name}.fires, {it.name}.charges, in_square({it.name})]"
            numbers = ("reach", "attack", "blocks", "fire_dice", "melee_dice", "charge_dice")
            outcomes[f"{it.name}_numbers"] = f"[{', '.join(f'{it.name}.{each}' for each in numbers)}]"
        expected: defaultdict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for share, shown in rolls(command(field, side)):
            army = Army(field, side, leaves=leaves)
            army.elan(shown) if card == "elan" else army.rally(shown)
            state: list[Any] = [card == "elan", *(it in army.ordered for it in leaders)]
            for it in army.units():
                ordered, dice = it.name in army.ordered, int(it.name in army.ordered and card == "elan")
                state.append([ordered, True, True, it.square])
                state.append([ordered * it.kind.run, ordered * it.kind.walk, it.blocks, dice, dice, 0])
            expected[tuple(str(each).strip("[]").lower() for each in state)] += share
            seen["opened"] += army.field.tracks != field.tracks
        decisions = {"default": "first", "leave_square.leave": leaves}
        assert found(card, field, side, decisions, outcomes) == dict(expected), number
        seen["states"] += len(expected)
    assert seen["states"] > 20, seen
    assert seen["opened"] > 0, seen


def by_the_edge(field: Field, chance: Random) -> Field:
    """Much of the first two rows of each side is closed, to guns or to all, and leaders are on the baselines."""
    share = chance.choice([0, 0.6, 1])
    for place in sorted(HEXES - field.units.keys() - field.leaders.keys()):
        edge = place[1] in (0, LAST_ROW)
        if chance.random() < (share if edge else 0.3 if place[1] in (1, LAST_ROW - 1) else 0):
            ground = chance.choice(["river", "rugged_hill", "quarry"])
            field = replace(field, terrain={**field.terrain, place: ground})
        elif edge and chance.random() < 0.3:
            field = field.with_leader(Leader(f"lone_{name_of(place)}", chance.choice(SIDES), place))
    return renamed(field)


def places(field: Field, units: list[Unit], leaders: list[str]) -> tuple[str, ...]:
    """Where units and leaders are; nobody is ordered."""
    found = {it.name: name_of(it.at) for it in (*field.units.values(), *field.leaders.values())}
    found |= {it.chief: it.name for it in field.units.values() if it.chief}
    return (*(found[it.name] for it in units), *(found[it] for it in leaders), "0")


def test_short_supply_matches_oracle() -> None:
    """Each unit is chosen, and each hex, as often as any other."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 10):
        chance = Random(f"short supply {number}")
        field = by_the_edge(random_field(chance, most_units=6, radius=3), chance)
        units = list(field.units.values())
        leaders = [it.chief for it in units if it.chief] + [it.name for it in field.leaders.values()]
        outcomes = {it: f"{it}.at" for it in [*(each.name for each in units), *leaders]}
        outcomes["ordered"] = "count(units where .ordered or fit_to_battle(it))"
        able = {it.name: hexes for it in units if not it.square and (hexes := supply_hexes(field, it))}
        expected: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for name, hexes in able.items():
            for place in hexes:
                after = field.but(gone=[name]).moving(field.unit(name), place)
                expected[places(after, units, leaders)] += Fraction(1, len(able) * len(hexes))
            seen["joined"] += any(it in field.leaders for it in hexes)
            seen["second row"] += all(0 < it[1] < 8 for it in hexes)
        expected = expected or {places(field, units, leaders): Fraction(1)}
        assert found("short_supply", field, chance.choice(SIDES), {"default": "uniform"}, outcomes) == expected, number
        seen["barred"] += any(it.square for it in units)
    assert min(seen["barred"], seen["second row"], seen["joined"]) > 0, seen
