"""Cards played on random battlefields, compared with chapter 8 in plain Python."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from card_oracle import (
    BY_SECTION,
    MOST,
    SECTIONS,
    Orders,
    by_tactic,
    in_section,
    leaders_to_order,
    named_troops,
    sections_of,
    usual,
)
from field_oracle import Field
from field_setups import random_field, situation
from soak import SOAK

from interpreter import ask, load_ruleset, odds
from interpreter.play.engine.scripted import UnscriptedError

RULES = load_ruleset("rulesets/commands_and_colors_napoleonics")
TACTICS = (
    "bayonet_charge",
    "bombard",
    "cavalry_charge",
    "cold_steel",
    "fire_and_hold",
    "force_march",
    "grande_manoeuvre",
    "leadership",
)
CARDS = [it for it in ask(RULES, "cards") if it.startswith(("assault", "elan", "rally", "short_supply", "counter"))]


class Play:
    """One card played by one side; what is expected grows with the answers that are given."""

    def __init__(self, field: Field, side: str, card: str, chance: Random) -> None:
        self.field, self.side, self.card, self.chance = field, side, card, chance
        self.units = {it.name: it for it in field.units.values() if it.side == side}
        self.leaders = leaders_to_order(field, side)
        self.orders: dict[str, Orders] = {}
        self.ordered_leaders: set[str] = set()
        self.leaves = chance.random() < 0.5 and card not in BY_SECTION
        self.answers: dict[str, Any] = {"default": "first", "leave_square.leave": self.leaves}
        self.barred: tuple[str, str] | None = None

    def choose(self, address: str, able: list[str], most: int) -> list[str]:
        if not able or not most:
            return []
        chosen = self.chance.sample(able, self.chance.randint(1, min(most, len(able))))
        self.answers.setdefault(address, []).append(chosen)
        outsiders = sorted(set(self.units) - set(able))
        if outsiders and len(self.answers[address]) == 1:
            self.barred = address, self.chance.choice(outsiders)
        return chosen

    def decide(self) -> None:
        if self.card in BY_SECTION:
            for section, number in zip(SECTIONS, BY_SECTION[self.card], strict=True):
                able = in_section(self.field, self.side, section, [*self.orders, *self.ordered_leaders])
                self.give(self.choose("order_in.chosen", able, number))
            return
        troops = named_troops(self.card, self.field, self.side)
        if troops is None:
            if self.units:
                one = self.chance.choice(sorted(self.units))
                self.answers["order_one.one"] = [one]
                self.give([one])
            return
        able = sorted(it.name for it in troops)
        if self.card == "leadership":
            self.ordered_leaders |= set(self.leaders)
        elif self.card == "force_march":
            section = self.chance.choice(SECTIONS)
            self.answers["force_march.play.where_to"] = [section]
            able = [it for it in able if section in sections_of(self.units[it].at, self.side)]
        elif self.card == "grande_manoeuvre":
            self.answers["grande_manoeuvre.play.manoeuvre"] = ["several"]
            able = self.choose("grande_manoeuvre.play.chosen", [*able, *sorted(self.leaders)], MOST)
        elif self.card != "cold_steel":
            able = self.choose(f"{self.card}.play.chosen", able, MOST)
        for name in able:
            if name in self.units:
                self.orders[name] = by_tactic(self.card, self.units[name])
            else:
                self.ordered_leaders.add(name)

    def give(self, names: list[str]) -> None:
        for name in names:
            if name in self.units:
                self.orders[name] = usual(self.units[name])
            else:
                self.ordered_leaders.add(name)

    def expected(self) -> dict[str, str]:
        found: dict[str, Any] = {}
        for name, unit in self.units.items():
            orders = self.orders.get(name, Orders())
            near = [self.field.units[it] for it in self.field.foes_beside(unit.at, self.side)]
            held = unit.square and any(it.arm == "cavalry" for it in near)
            square = unit.square and (name not in self.orders or held or not self.leaves)
            found |= {
                f"{name}_ordered": name in self.orders,
                f"{name}_square": square,
                f"{name}_hexes": 0 if square else orders.run,
                f"{name}_walk": orders.walk,
                f"{name}_fires": orders.fires,
                f"{name}_melees": orders.melees,
                f"{name}_dice": [orders.fire_dice, orders.melee_dice, orders.charge_dice],
            }
        found |= {f"{name}_ordered": name in self.ordered_leaders for name in self.leaders}
        return {what: str(value).strip("[]").lower() for what, value in found.items()}

    def outcomes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name in self.units:
            found |= {
                f"{name}_ordered": f"{name}.ordered",
                f"{name}_square": f"in_square({name})",
                f"{name}_hexes": f"0 if in_square({name}) else {name}.reach",
                f"{name}_walk": f"{name}.attack",
                f"{name}_fires": f"{name}.fires and not {name}.spent",
                f"{name}_melees": f"{name}.charges and not {name}.spent",
                f"{name}_dice": f"[{name}.fire_dice, {name}.melee_dice, {name}.charge_dice]",
            }
        return found | {f"{name}_ordered": f"{name}.ordered" for name in self.leaders}

    def played(self) -> dict[str, str]:
        given = situation(self.field, CARDS)
        for row in given["pieces"]["unit"]:
            row |= {"ordered": False, "attack": 0, "moved": 0, "spent": False}
        copies = {"cold_steel": "cold_steel", "grande_manoeuvre": "grande_manoeuvre"}
        given["state"] = {"played": copies.get(self.card, f"{self.card}_1")}
        given |= {"with": {"player": self.side}, "decisions": self.answers, "outcomes": self.outcomes()}
        found = odds(RULES, "give_orders", given)
        ((values, _share),) = found.rows
        return dict(zip(found.names, values, strict=True))


def test_cards_match_oracle() -> None:
    """Who is ordered, who cannot be, how far the ordered may move and battle, and the dice of the card."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 3):
        for card in (*BY_SECTION, *TACTICS):
            chance = Random(f"{card} {number}")
            field = random_field(chance, most_units=9, radius=4)
            play = Play(field, chance.choice(["british", "french"]), card, chance)
            if not play.units:
                continue
            play.decide()
            assert play.played() == play.expected(), (card, number)
            seen["ordered"] += bool(play.orders)
            if play.barred is not None:
                address, outsider = play.barred
                play.answers[address] = [[outsider]]
                with pytest.raises(UnscriptedError, match="is not among the options"):
                    play.played()
                seen["barred"] += 1
    assert min(seen["ordered"], seen["barred"]) > 4, seen
