"""Exact odds of The Napoleonic Wars beside the clauses in plain Python: reactions, attrition and peace."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest

from interpreter.inference.odds import odds
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

FACES = range(1, 7)
UNHALVED = {"russia", "spain", "turkey"}
"""The home areas in which France loses in full (attrition.french)."""


@cache
def rules(*, from_own: bool = False) -> Ruleset:
    path = Path(__file__).resolve().parents[3] / "rulesets" / "napoleonic_wars"
    return load_ruleset(path, options={"friendly_from": from_own})


def shares(name: str, given: dict[str, Any], *, from_own: bool = False) -> dict[str, Fraction]:
    """The odds of the only outcome of a procedure."""
    found = odds(rules(from_own=from_own), name, given)
    return {value: chance for (value,), chance in found.rows}


def true_or_false(chance: Fraction) -> dict[str, Fraction]:
    return {text: share for text, share in (("true", chance), ("false", 1 - chance)) if share}


# ---------------------------------------------------------------- interception and evasion
def success(rating: int, *, bonus: bool, foreign: bool, hard: bool) -> Fraction:
    """Two dice, the rating and the modifiers make 9 or more (r.10.3, intercept.3 to 5)."""
    modifier = rating + bonus - foreign - hard
    return Fraction(sum(one + other + modifier >= 9 for one, other in product(FACES, FACES)), 36)


@pytest.mark.parametrize(
    ("nation", "leader", "rating", "here", "there", "own", "hard"),
    [
        ("france", "davout", 3, "munich", "linz", (True, False), False),
        ("france", "davout", 3, "milan", "tyrol", (True, False), True),
        ("france", "davout", 3, "linz", "munich", (False, True), False),
        ("france", "napoleon", 4, "strasbourg", "ulm", (True, True), True),
        ("austria", "charles", 2, "linz", "vienna", (True, True), False),
        ("austria", "none", 0, "munich", "linz", (False, True), False),
        ("russia", "kutuzov", 3, "lemberg", "minsk", (True, True), True),
        ("britain", "none", 0, "palermo", "naples", (True, True), True),
        ("austria", "none", 0, "buda", "bucharest", (True, False), True),
    ],
)
@pytest.mark.parametrize("from_own", [False, True])
def test_odds_of_reactions_are_those_of_two_dice(
    nation: str, leader: str, rating: int, here: str, there: str, own: tuple[bool, bool], hard: bool, from_own: bool
) -> None:
    """Interception and evasion alike: the own side's area counts where one goes to, by the option where one is."""
    bonus, foreign = own[0] if from_own else own[1], not own[1]
    expected = true_or_false(success(rating, bonus=bonus, foreign=foreign, hard=hard))
    for window in ("interception", "evasion"):
        given = {"with": {"nation": nation, "leader": leader, "here": here, "there": there, "window": window}}
        assert shares("rolls_reaction", given, from_own=from_own) == expected


# ---------------------------------------------------------------- attrition
def losses(units: int, *, french: bool, home: str, hit: int = 6) -> dict[int, Fraction]:
    """A die for each unit; France loses half of the units that are hit, fractions up (r.14.9, attrition.french)."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    chance = Fraction(7 - hit, 6)
    for hits in range(units + 1):
        lost = (hits + 1) // 2 if french and home not in UNHALVED else hits
        found[lost] += comb(units, hits) * chance**hits * (1 - chance) ** (units - hits)
    return dict(found)


def convolved(one: dict[int, Fraction], other: dict[int, Fraction]) -> dict[int, Fraction]:
    """The sums of two independent numbers."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for (first, chance), (second, share) in product(one.items(), other.items()):
        found[first + second] += chance * share
    return dict(found)


def at(place: str, **numbers: int) -> dict[str, Any]:
    """Units of some nations, by the beginnings of their names, in one area."""
    units = [{"ids": [f"{name}_{n}" for n in range(1, number + 1)], "at": place} for name, number in numbers.items()]
    return {"board": {"unit": units}}


@pytest.mark.parametrize(
    ("place", "home"), [("linz", "austria"), ("minsk", "russia"), ("madrid", "spain"), ("munich", "france")]
)
@pytest.mark.parametrize("units", [1, 2, 25])
def test_odds_of_french_attrition_are_halved_outside_three_countries(place: str, home: str, units: int) -> None:
    """From a single die to a pool of 25."""
    given = at(place, fr=units) | {"with": {"nation": "france", "group": f"{place}.units", "area": place}}
    expected = losses(units, french=True, home=home)
    assert shares("attrition_of", given) == {str(number): chance for number, chance in expected.items()}


def test_odds_of_attrition_count_each_nation_for_itself() -> None:
    """Three French and two Austrians at Munich: the French losses alone are halved."""
    given = at("munich", fr=3, au=2) | {
        "with": {"group": "munich.units", "area": "munich"},
        "outcomes": {"left": "count(munich.units)"},
    }
    both = convolved(losses(3, french=True, home="france"), losses(2, french=False, home="france"))
    assert shares("attrition", given) == {str(5 - number): chance for number, chance in both.items()}


def test_odds_of_attrition_roll_twice_over_a_strait_into_enemy_land() -> None:
    """Four French evade from Naples to Palermo: the second roll is of those who are left (attrition.5, attrition.6)."""
    given = at("palermo", fr=4) | {
        "with": {"group": "palermo.units", "nation": "france", "here": "naples", "there": "palermo"},
        "outcomes": {"left": "count(palermo.units)"},
    }
    expected: dict[str, Fraction] = defaultdict(Fraction)
    for first, chance in losses(4, french=True, home="britain").items():
        for second, share in losses(4 - first, french=True, home="britain").items():
            expected[str(4 - first - second)] += chance * share
    assert shares("strain", given) == expected


# ---------------------------------------------------------------- peace
@pytest.mark.parametrize("turn", [1, 2, 3, 4])
@pytest.mark.parametrize("modifier", [-3, -1, 0, 1, 2])
def test_odds_of_peace_grow_with_the_turns(turn: int, modifier: int) -> None:
    """One die, the turns before this one and the modifiers make 6 or more (5, r.5.8.1)."""
    given = {"state": {"turn": turn, "peace_modifier": modifier}, "with": {}}
    expected = Fraction(sum(face + turn - 1 + modifier >= 6 for face in FACES), 6)
    assert shares("peace_comes", given) == true_or_false(expected)
