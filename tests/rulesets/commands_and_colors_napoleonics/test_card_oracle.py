"""Cards played on random battlefields, compared with chapter 8 in plain Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from card_oracle import (
    ASSAULTS,
    BY_SECTION,
    FLANKS,
    MOST,
    SECTIONS,
    Orders,
    by_tactic,
    command,
    in_section,
    leaders_to_order,
    named_troops,
    opened,
    sections_of,
    usual,
)
from field_oracle import Field, name_of
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
CARDS = ask(RULES, "cards")
SINGLE = ("cold_steel", "grande_manoeuvre")
"""Cards of which there is one."""
FLANK_CARDS = tuple(it for it, numbers in BY_SECTION.items() if numbers[0] != numbers[2])
"""Cards that Counter-Attack changes."""
ENEMY = {"british": "french", "french": "british"}


class Play:
    """One card played by one side; what is expected grows with the answers that are given."""

    def __init__(self, field: Field, side: str, card: str, chance: Random, *, mirrored: bool | None = None) -> None:
        """Mirrored: the card is copied by Counter-Attack, with left and right exchanged or, twice, as it is."""
        self.start = self.field = field
        self.side, self.card, self.chance, self.mirrored = side, card, chance, mirrored
        self.units = {it.name: it for it in field.units.values() if it.side == side}
        self.leaders = leaders_to_order(field, side)
        self.orders: dict[str, Orders] = {}
        self.ordered_leaders: set[str] = set()
        self.leaves = chance.random() < (0.8 if card in ASSAULTS else 0.5)
        self.answers: dict[str, Any] = {"default": "first", "leave_square.leave": self.leaves}
        self.barred: tuple[str, str] | None = None

    def choose(self, address: str, able: list[str], most: int) -> list[str]:
        if not able or not most:
            return []
        chosen = self.chance.sample(able, self.chance.randint(1, min(most, len(able))))
        self.answers.setdefault(address, []).append(chosen)
        outsiders = sorted(set(self.units) - set(able))
        if outsiders and len(self.answers[address]) == 1 and self.barred is None:
            self.barred = address, self.chance.choice(outsiders)
        return chosen

    def decide(self) -> None:
        if self.card in ASSAULTS:
            self.assault(FLANKS[ASSAULTS[self.card]] if self.mirrored else ASSAULTS[self.card])
            return
        if self.card in BY_SECTION:
            numbers = BY_SECTION[self.card]
            for section, number in zip(SECTIONS, reversed(numbers) if self.mirrored else numbers, strict=True):
                self.order_in(section, number)
            return
        troops = named_troops(self.card, self.field, self.side) if self.card else None
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
        self.give(able)

    def order_in(self, section: str, number: int) -> None:
        """The leader of a unit that comes out of square may be ordered, too, if an order is left."""
        given = [*self.orders, *self.ordered_leaders]
        able = in_section(self.field, self.side, section, given)
        chosen = self.choose("order_in.chosen", able, number)
        self.give(chosen)
        freed = in_section(self.field, self.side, section, [*given, *able])
        self.give(self.choose("order_in.more", freed, number - len(chosen)))

    def assault(self, section: str) -> None:
        number, done = command(self.field, self.side), 0
        while number > done:
            self.order_in(section, number - done)
            number, done = command(self.field, self.side), number

    def give(self, names: list[str]) -> None:
        for name in names:
            if name not in self.units:
                self.ordered_leaders.add(name)
                continue
            unit, plain = self.units[name], self.card not in TACTICS or "order_one.one" in self.answers
            self.orders[name] = usual(unit) if plain else by_tactic(self.card, unit)
            if self.leaves:
                self.field = opened(self.field, name)

    def opened(self) -> bool:
        return self.field.tracks != self.start.tracks

    def expected(self) -> dict[str, str]:
        found: dict[str, Any] = {}
        for name in self.units:
            orders = self.orders.get(name, Orders())
            square = self.field.unit(name).square
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
        own = self.card and (self.card if self.card in SINGLE else f"{self.card}_1")
        played = own if self.mirrored is None else "counter_attack_1"
        given = situation(self.start, [it for it in CARDS if it not in (own, played)])
        for row in given["pieces"]["unit"]:
            row |= {"ordered": False, "attack": 0, "moved": 0, "spent": False}
        given["state"] = {"played": played}
        if self.mirrored is not None:
            given["set"][f"player/{ENEMY[self.side]}/last_card"] = own or "none"
            given["set"][f"player/{ENEMY[self.side]}/last_mirrored"] = not self.mirrored
        given |= {"with": {"player": self.side}, "decisions": self.answers, "outcomes": self.outcomes()}
        found = odds(RULES, "give_orders", given)
        ((values, _share),) = found.rows
        return dict(zip(found.names, values, strict=True))


def test_cards_match_oracle() -> None:
    """Who is ordered, who cannot be, how far the ordered may move and battle, and the dice of the card."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 3):
        for card in (*BY_SECTION, *ASSAULTS, *TACTICS):
            compare(card, Random(f"{card} {number}"), seen)
    assert min(seen["barred"], seen["opened"]) > 4, seen
    assert seen["raised"] > 1, seen


def test_counter_attacks_match_oracle() -> None:
    """A copied Section card has left and right exchanged, twice if it was a Counter-Attack; or nothing is copied."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 12):
        chance = Random(f"counter-attack {number}")
        card = chance.choice([*FLANK_CARDS, *ASSAULTS, *FLANK_CARDS, *TACTICS, ""])
        compare(card, chance, seen, mirrored=chance.random() < 0.7 or card not in (*FLANK_CARDS, *ASSAULTS))
    assert seen["barred"] > 2, seen


def with_squares(field: Field, share: float, chance: Random) -> Field:
    """Infantry that is in square, as far as the share goes, with leaders."""
    squares = [replace(it, square=it.arm == "infantry" and chance.random() < share) for it in field.units.values()]
    squares = [replace(it, chief=f"chief_{name_of(it.at)}") if it.square else it for it in squares]
    tracks = {side: sum(it.square for it in squares if it.side == side) for side in ENEMY}
    return replace(field.but(*squares), tracks=tracks)


def decided(card: str, chance: Random, mirrored: bool | None) -> Play:
    """A play that orders somebody, and mostly one in which a square opens if the card is an Assault."""
    while True:
        field = random_field(chance, most_units=9, radius=4)
        if card in ASSAULTS:
            field = replace(with_squares(field, 0.9, chance), hands=dict.fromkeys(ENEMY, chance.randint(0, 1)))
        elif chance.random() < 0.5:
            field = with_squares(field, 0.6, chance)
        play = Play(field, chance.choice(["british", "french"]), card, chance, mirrored=mirrored)
        play.decide()
        if play.orders and (play.opened() or card not in ASSAULTS or chance.random() < 0.1):
            return play


def compare(card: str, chance: Random, seen: Counter[str], *, mirrored: bool | None = None) -> None:
    play = decided(card, chance, mirrored)
    assert play.played() == play.expected(), (card, chance)
    seen["opened"] += play.opened()
    seen["raised"] += card in ASSAULTS and len(play.answers.get("order_in.chosen", ())) > 1
    seen["freed"] += "order_in.more" in play.answers
    if play.barred is not None:
        address, outsider = play.barred
        play.answers[address] = [[outsider]]
        with pytest.raises(UnscriptedError, match="is not among the options"):
            play.played()
        seen["barred"] += 1
