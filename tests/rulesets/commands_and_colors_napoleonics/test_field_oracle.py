"""Random battlefields compared with chapters 5 to 7 in plain Python: moves, sight, targets, dice, and whole battles.

The plain rules were written without the ruleset. Where the text is open they follow its readings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from field_oracle import BOARD, Field, Unit, distance, name_of
from field_setups import NATIONS, described, outcomes, random_field, situation
from melee_oracle import attacked, struck
from soak import SOAK

from interpreter import ask, load_ruleset, odds

RULES = load_ruleset("rulesets/commands_and_colors_napoleonics")
CARDS = [each for each in ask(RULES, "cards") if "first_strike" not in each]
FIRST_STRIKES = ["first_strike_1", "first_strike_2"]
OTHER = {"british": "french", "french": "british"}
FAR = 5
"""The longest range."""


def named(places: Any) -> set[str]:
    return {name_of(it) for it in places}


class Comparison:
    """Questions about one field, put to the ruleset and to the plain rules."""

    def __init__(self, field: Field, chance: Random) -> None:
        self.field, self.chance = field, chance
        self.questions: defaultdict[str, list[tuple[str, Any]]] = defaultdict(list)
        self.places = {it.name: at for at, it in (*field.units.items(), *field.leaders.items())}

    def compare(self, what: str, expression: str, expected: Any) -> None:
        self.questions[what].append((expression, expected))

    def mismatches(self, seen: Counter[str]) -> list[Any]:
        """Asks the questions, all of one kind at once."""
        given, wrong = situation(self.field, CARDS), []
        for what, questions in self.questions.items():
            seen[what] += len(questions)
            answers = ask(RULES, f"[{', '.join(expression for expression, _ in questions)}]", given)
            for (expression, expected), answer in zip(questions, answers, strict=True):
                found = {self.place(it) for it in answer} if isinstance(expected, set) else answer
                if found != expected:
                    wrong.append((expression, expected, found))
        return wrong

    def place(self, name: str) -> str:
        return name_of(self.places[name]) if name in self.places else name

    def unit(self, unit: Unit) -> None:
        field, name = self.field, unit.name
        hexes = self.chance.randint(1, 4)
        ways = {name_of(it): cost for it, cost in field.marches(unit, hexes).items()}
        self.compare("marches", f"reach march({name}, {hexes}) from {name}.hex", ways)
        fight, fire = field.may_battle(unit), field.may_fire(unit)
        targets = field.melee_targets(unit.at, unit.side) if fight else set()
        self.compare("melee targets", f"melee_targets({name}) if may_melee({name}) else {{}}", named(targets))
        targets = field.fire_targets(unit) if fire else set()
        self.compare("fire targets", f"fire_targets({name}) if may_fire({name}) else {{}}", named(targets))
        self.compare("retirement", f"may_retire({name})", bool(field.retires_through(unit)))
        self.compare("square", f"may_form_square({name})", field.may_form_square(unit))
        for over in (True, False):
            near = f"hexes where distance(it, {name}.hex) in 1..{FAR} and sees({name}, it, {str(over).lower()})"
            seen = {
                it for it in BOARD.values() if 1 <= distance(it, unit.at) <= FAR and field.sees(unit, it, over=over)
            }
            self.compare("sight", near, named(seen))
        for foe in field.units.values():
            if foe.side != unit.side:
                self.pair(unit, foe)

    def pair(self, unit: Unit, foe: Unit) -> None:
        field, name, other = self.field, unit.name, foe.name
        self.compare(
            "flags",
            f"0 if in_square({name}) and {other}.arm = cavalry else steadiness({other}, {name}.hex)",
            field.ignorable(foe, unit),
        )
        steps = distance(unit.at, foe.at)
        if steps == 1:
            self.compare("melee dice", f"melee_strength({name}, {other}.hex, {other})", field.dice(unit, foe.at))
            guns = named(it.at for it in field.supports(unit, foe.at))
            if unit.arm != "artillery":
                self.compare("guns", f"army({unit.side}) where may_support(it, {other})", guns)
        elif steps <= unit.kind.reach and unit.arm != "cavalry":
            self.compare("fire dice", f"fire_strength({name}, {other}.hex)", field.dice(unit, foe.at))

    def leaders(self) -> None:
        lone = [(it.name, it.at, it.side) for it in self.field.leaders.values()]
        led = [(it.chief, it.at, it.side) for it in self.field.units.values() if it.chief is not None]
        for name, at, side in lone + led:
            ways = f"(reach ride({name}, 3) from {name_of(at)}) where resting_place({name}, it) and it != {name_of(at)}"
            self.compare("rides", ways, named(self.field.rides(at, side, 3)))


def hands_with_first_strikes(field: Field) -> list[str]:
    """The cards in the order in which a situation deals them."""
    left, others, cards = list(FIRST_STRIKES), list(CARDS), []
    for side in NATIONS:
        strikes = field.strikes.get(side, 0)
        cards += [left.pop() for _ in range(strikes)]
        cards += [others.pop() for _ in range(field.hands[side] - strikes)]
    return cards + others


def battle(field: Field, chance: Random) -> tuple[str, Any, Any] | None:
    """The odds of all final states of one battle, by the ruleset and by the plain rules."""
    fights = []
    for unit in field.units.values():
        melees = field.melee_targets(unit.at, unit.side) if field.may_battle(unit) else set()
        fights += [("hunt" if it in field.leaders else "melee", unit, it) for it in sorted(melees)]
        fights += [("shoot", unit, it) for it in sorted(field.fire_targets(unit) if field.may_fire(unit) else ())]
    if not fights:
        return None
    kind, unit, place = chance.choice(fights)
    target = (field.units.get(place) or field.leaders[place]).name
    card = chance.choice([None, "elan", "cavalry_charge", "cold_steel" if kind != "shoot" else "elan"])
    field = field.but(*(replace(it, card=card) for it in field.units.values() if it.side == unit.side))
    unit, supported = field.unit(unit.name), chance.random() < 0.7
    # A square takes a card of the hand at random. The bonus melee is the last in which it can be a First Strike.
    bonus = any(field.strikes.values()) and unit.arm == "cavalry" and field.hands[OTHER[unit.side]] > 2
    given = situation(field, hands_with_first_strikes(field))
    given["with"] = {"unit": unit.name, "target": target}
    given["with"] |= {} if kind == "shoot" else {"bonus": str(bonus).lower()}
    given["decisions"] = {"default": "uniform", "supporting_guns.guns": "first" if supported else "last"}
    given["outcomes"] = outcomes(field)
    found = odds(RULES, kind, given)
    plain: defaultdict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    if kind == "shoot":
        ends = ((share, after) for share, after, _ in struck(field, unit.name, target))
    else:
        ends = attacked(field, unit.name, place, supported=supported, bonus=bonus)
    for share, after in ends:
        plain[described(after, list(found.names))] += share
    assert sum(plain.values()) == 1
    return kind, dict(found.rows), {state: share for state, share in plain.items() if share}


def test_fields_match_oracle() -> None:
    """Where units and leaders may go, what they see, whom they may attack and with how many dice."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 15):
        chance = Random(f"field {number}")
        field = random_field(chance, most_units=9, radius=4)
        comparison = Comparison(field, chance)
        units = list(field.units.values())
        for unit in chance.sample(units, min(2, len(units))):
            comparison.unit(unit)
        comparison.leaders()
        assert comparison.mismatches(seen) == [], number
    assert len(seen) == 11
    assert min(seen.values()) > 4, seen


@pytest.mark.parametrize("radius", [1, 2])
def test_battles_match_oracle(radius: int) -> None:
    """The ends of fire, melees and attacks on leaders: blocks, retreats, leaders, squares, breakthroughs."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 8):
        chance = Random(f"battle {radius} {number}")
        compared = battle(random_field(chance, most_units=4, radius=radius), chance)
        if compared is not None:
            kind, found, plain = compared
            assert found == plain, number
            seen[kind] += 1
    assert seen["melee"] > 1, seen


def test_first_strikes_match_oracle() -> None:
    """The ends of melees in which the unit that is attacked may battle first."""
    seen: Counter[str] = Counter()
    for number in range(SOAK or 8):
        chance = Random(f"first strike {number}")
        field = random_field(chance, most_units=4, radius=1)
        first = chance.randint(0, 2)
        strikes = dict(zip(NATIONS, (first, 2 - first), strict=True))
        hands = {side: max(cards, strikes[side]) for side, cards in field.hands.items()}
        compared = battle(replace(field, strikes=strikes, hands=hands), chance)
        if compared is not None:
            kind, found, plain = compared
            assert found == plain, number
            seen[kind] += 1
    assert seen["melee"] > 3, seen
