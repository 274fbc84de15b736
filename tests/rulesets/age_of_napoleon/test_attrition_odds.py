"""Exact odds of Age of Napoleon: interception and attrition agree with the clauses and the printed grids."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from interpreter import load_ruleset, odds
from interpreter.rules.loading.ruleset import Ruleset

FACES = range(1, 7)
GRID = {
    1: (1, 1, 1, 2, 2, 2, 3, 3),
    2: (0, 1, 1, 1, 2, 2, 2, 3),
    3: (0, 0, 1, 1, 1, 2, 2, 2),
    4: (0, 0, 1, 1, 1, 1, 2, 2),
    5: (0, 0, 0, 1, 1, 1, 1, 2),
    6: (0, 0, 0, 0, 1, 1, 1, 1),
}
"""Corps lost by die, as printed: on the march of armies of 1 to 8 corps, in winter of 3 to 10."""
FRENCH = ("napoleon", "davout", "soult", "murat", "ney", "lannes", "suchet", "mortier", "oudinot", "marmont")
ORDINARY, WINTER = 4, 5
"""The last ordinary round of a campaign, and the first of its winter."""


@cache
def rules() -> Ruleset:
    return load_ruleset("age_of_napoleon")


def shares(name: str, given: dict[str, Any]) -> dict[str, Fraction]:
    """The odds of the only outcome of a procedure."""
    found = odds(rules(), name, given)
    return {value: chance for (value,), chance in found.rows}


def counted(chances: dict[int, Fraction]) -> dict[str, Fraction]:
    return {str(number): chance for number, chance in chances.items() if chance}


@pytest.mark.parametrize(
    ("player", "leader", "rating"), [("french", "napoleon", 4), ("coalition", "karl", 3), ("coalition", "mack", 2)]
)
@pytest.mark.parametrize("in_round", [ORDINARY, WINTER])
def test_odds_of_an_interception_are_the_movement_rating(player: str, leader: str, rating: int, in_round: int) -> None:
    """A die that is not above the rating, 1 less in winter (r.5.6.2)."""
    given = {"state": {"round": in_round}, "with": {"player": player, "chief": leader}}
    chance = Fraction(rating - (in_round == WINTER), 6)
    assert shares("catches", given) == {"true": chance, "false": 1 - chance}


def on_the_march(dice: int, size: int) -> dict[int, Fraction]:
    """The lowest die counts; above eight corps the last column (march.1, march.3, r.5.5.5)."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for rolled in product(FACES, repeat=dice):
        found[GRID[min(rolled)][min(size, 8) - 1]] += Fraction(1, 6**dice)
    return dict(found)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9])
@pytest.mark.parametrize("dice", [1, 2, 4])
def test_odds_of_march_attrition_are_those_of_the_lowest_die(dice: int, size: int) -> None:
    """One die for each situation, for armies of one corps to more than the grid has columns."""
    given = {
        "board": {"corps": [{"ids": list(FRENCH[:size]), "at": "paris"}]},
        "with": {"player": "french", "group": "paris.troops", "number": dice},
    }
    assert shares("suffer_march", given) == counted(on_the_march(dice, size))


def in_winter(modifier: int, size: int) -> dict[int, Fraction]:
    """A modified die above 6 is a 6; below 1 each point costs a corps more, up to all (r.7.2, r.7.3)."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for face in FACES:
        die = face + modifier
        found[min(GRID[min(max(die, 1), 6)][min(size, 10) - 3] + max(0, 1 - die), size)] += Fraction(1, 6)
    return dict(found)


@pytest.mark.parametrize(
    ("area", "changes", "modifier"),
    [
        ("paris", {}, 3),  # the own side's, a capital
        ("paris", {"area/paris/depot": True}, 5),
        ("wien", {"country/Austria/alignment": "coalition_member"}, 1),
        ("hungary", {"country/Austria/alignment": "coalition_member"}, -2),
        ("hungary", {"country/Austria/alignment": "coalition_member", "area/hungary/scorched": "coalition"}, -4),
        ("hungary", {"country/Austria/alignment": "coalition_member", "area/hungary/scorched": "french"}, -2),
        ("hungary", {"country/Austria/alignment": "neutral"}, -1),
        ("andalucia", {"country/Spain/alignment": "insurgent", "country/Spain/once_insurgent": True}, -4),
        ("castilla", {"country/Spain/alignment": "neutral", "country/Spain/once_insurgent": True}, -2),
    ],
)
@pytest.mark.parametrize("size", [3, 10])
def test_odds_of_winter_attrition_are_those_of_the_modified_die(
    area: str, changes: dict[str, Any], modifier: int, size: int
) -> None:
    """Each modifier alone and together, from dice below 1 to dice above 6 (modifiers.1 to modifiers.8)."""
    given = {
        "set": changes,
        "board": {"corps": [{"ids": list(FRENCH[:size]), "at": area}]},
        "with": {"player": "french", "area": area},
    }
    assert shares("winter_check", given) == counted(in_winter(modifier, size))
