"""Exact odds of The Napoleonic Wars: battles and sieges agree with plain Python, and few branches are followed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from plain_fights import Fight, Side, battle, siege

from interpreter.inference.odds import Odds, clear_situations, odds
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

RATINGS = {"napoleon": 4, "ney": 2, "massena": 2, "charles": 2, "mack": 1}


@cache
def rules() -> Ruleset:
    """Loads the ruleset, once."""
    return load_ruleset(Path(__file__).resolve().parents[3] / "rulesets" / "napoleonic_wars")


def position(place: str, forces: dict[str, int], *leaders: str) -> dict[str, Any]:
    """A situation with units of nations and leaders in one area."""
    units = [{"ids": [f"{nation}_{n}" for n in range(1, number + 1)], "at": place} for nation, number in forces.items()]
    return {"board": {"unit": units, "leader": [{"id": each, "at": place} for each in leaders]}}


def rows_of(found: Odds) -> Fight:
    return {(end, int(lost), int(slain)): chance for (end, lost, slain), chance in found.rows}


@pytest.mark.parametrize(
    ("french", "marshal", "austrian", "general", "asks", "branches"),
    [
        (20, "napoleon", 1, "mack", True, 5_500),
        (3, "ney", 3, "mack", True, 2_300),
        (3, "ney", 3, "mack", False, 1_100),
        (2, "napoleon", 3, "charles", True, 5_000),
        (5, "ney", 5, "mack", True, 11_500),
    ],
)
def test_odds_of_battles_match_plain_python(
    french: int, marshal: str, austrian: int, general: str, asks: bool, branches: int
) -> None:
    """Verdict and losses of a battle of up to 25 dice a side have the chances of the clauses, from merged branches."""
    clear_situations()
    given = position("munich", {"fr": french, "au": austrian}, marshal, general) | {
        "with": {"nation": "france", "here": "strasbourg", "there": "munich"},
        "decisions": {"asks_for_more.fight_on": asks, "open_window.reserve": False},
    }
    found = odds(rules(), "fight_out", given)
    assert rows_of(found) == battle(Side((french,), RATINGS[marshal], 1), Side((austrian,), RATINGS[general], 0), asks)
    assert sum(chance for _, chance in found.rows) == 1
    assert found.branches_followed <= branches


@pytest.mark.parametrize(
    ("place", "strength", "units", "leader", "branches"),
    [
        ("prague", 1, 4, "massena", 40),
        ("prague", 1, 8, "napoleon", 40),
        ("venice", 2, 4, "massena", 100),
        ("venice", 2, 20, "napoleon", 200),
        ("gibraltar", 3, 3, "ney", 500),
        ("gibraltar", 3, 20, "napoleon", 500),
    ],
)
def test_odds_of_sieges_match_plain_python(place: str, strength: int, units: int, leader: str, branches: int) -> None:
    """Fall and besiegers left have the chances of two rounds of up to 25 dice, for every strength."""
    clear_situations()
    given = position(place, {"fr": units}, leader) | {
        "with": {"area": place, "nation": "france", "group": f"{place}.units"}
    }
    found = odds(rules(), "besiege", given)
    sums: dict[tuple[bool, int], Fraction] = {}
    for (falls, _, left), chance in found.rows:
        end = falls == "true", int(left)
        sums[end] = sums.get(end, Fraction(0)) + chance
    assert sums == siege(units, RATINGS[leader] + 1, strength)
    assert found.branches_followed <= branches


@pytest.mark.parametrize(
    ("forces", "leaders", "place", "attacker", "defender"),
    [
        ({"fr": 3, "au": 7}, ("ney", "charles"), "linz", Side((3,), 2, 1), Side((7,), 2, 0)),
        ({"fr": 3, "sp": 2, "au": 4}, ("massena", "mack"), "munich", Side((3, 2), 2, 1), Side((4,), 1, 0)),
        ({"sp": 3, "au": 2, "ru": 2}, ("davout", "mack"), "vienna", Side((3,), 3, 0), Side((2, 2), 1, 0)),
        ({"fr": 2, "sp": 2, "au": 2, "ru": 2}, (), "tyrol", Side((2, 2), 0, 0), Side((2, 2), 0, 3)),
    ],
)
def test_odds_of_battles_of_several_nations(
    forces: dict[str, int], leaders: tuple[str, ...], place: str, attacker: Side, defender: Side
) -> None:
    """Nations first on the track lose first; a leader without a unit of his nation adds no die for it.

    In Tyrol the defender has two dice for the mountains and one for the pass from Munich.
    """
    clear_situations()
    decisions = {
        "asks_for_more.fight_on": True,
        "open_window.reserve": False,
        "lose_units.share": "first",
        "disrupt.share": "first",
    }
    arguments = {"nation": "france", "here": "munich", "there": place}
    found = odds(rules(), "fight_out", position(place, forces, *leaders) | {"with": arguments, "decisions": decisions})
    assert rows_of(found) == battle(attacker, defender, True)


@pytest.mark.parametrize(
    ("forces", "leader", "place", "strength", "bonus"),
    [
        ({"fr": 2, "sp": 3}, "massena", "prague", 1, 3),
        ({"sp": 4}, "davout", "venice", 2, 2),
        ({"sp": 2, "fr": 1}, "marmont", "venice", 2, 1),
    ],
)
def test_odds_of_sieges_of_several_nations(
    forces: dict[str, int], leader: str, place: str, strength: int, bonus: int
) -> None:
    """The Austrian squadron in the Eastern Mediterranean takes a die from who besieges Venice."""
    clear_situations()
    given = position(place, forces, leader)
    given["board"]["squadron"] = [{"id": "au_squadron_1", "at": "east_med"}]
    given["with"] = {"area": place, "nation": "france", "group": f"{place}.units"}
    given["decisions"] = {"lose_units.share": "first"}
    found = odds(rules(), "besiege", given)
    sums: dict[tuple[bool, int], Fraction] = {}
    for (falls, _, left), chance in found.rows:
        end = falls == "true", int(left)
        sums[end] = sums.get(end, Fraction(0)) + chance
    assert sums == siege(sum(forces.values()), bonus, strength)
