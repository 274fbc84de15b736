"""Odds of Fin-Napoleon: those of the hand-written game and of the dice, and situations that are refused."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from plain_combat_odds import Fight, Stand, combat_odds

from interpreter import load_ruleset, odds
from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading.ruleset import Ruleset

Given = dict[str, Any]
AREAS = {"Confederation of the Rhine": "Rhine"}
FIGHTS = (
    Fight("Confederation of the Rhine", "France", (Stand("France", 1), Stand("Austria", 1))),
    Fight("Confederation of the Rhine", "Russia", (Stand("France", 1), Stand("Austria", 0, 1), Stand("Russia", 0, 1))),
    Fight("Confederation of the Rhine", "France", (Stand("France", 1, 1), Stand("Austria", 1), Stand("Prussia", 0, 1))),
    Fight("Italy", "Austria", (Stand("France", 0, 2), Stand("Austria", 1), Stand("Prussia", 1))),
    Fight("Italy", "France", (Stand("France", 1), Stand("Austria", 1), Stand("Russia", 1)), at_peace=("Russia",)),
    Fight("Spain", "Britain", (Stand("France", 1), Stand("Spain", 0, 1), Stand("Britain", 1))),
    Fight("Britain", "France", (Stand("France", 0, 1), Stand("Prussia", 0, 1), Stand("Britain", 0, 1))),
)


@cache
def loaded() -> Ruleset:
    """The ruleset, read once."""
    return load_ruleset("fin_napoleon")


def units(country: str, fronts: int, backs: int, area: str) -> list[Given]:
    """Units of a country for the board of a situation."""
    ids = [f"{country}_{number + 1}" for number in range(fronts + backs)]
    up, down = ids[:fronts], ids[fronts:]
    groups = [{"ids": up, "at": area}, {"ids": down, "at": area, "face": "back"}]
    return [each for each in groups if each["ids"]]


def situation(fight: Fight) -> Given:
    """A combat of the hand-written game as a situation of the ruleset, every answer alike."""
    area = AREAS.get(fight.area, f"{fight.area}_area" if fight.area != "Italy" else "Italy")
    allies = ("Prussia", "Austria", "Russia", "Spain", "Britain")
    return {
        "set": {f"country/{each}/state": "peace" if each in fight.at_peace else "war" for each in allies},
        "board": {"unit": [group for stand in fight.stands for group in units(*stand, area)]},
        "with": {"area": area, "active": fight.active},
        "decisions": "uniform",
    }


@pytest.mark.parametrize("fight", FIGHTS)
def test_combat_has_odds_of_plain_game(fight: Fight) -> None:
    """Both give every outcome the same odds, to the last fraction, with one allied army or several."""
    found = {tuple(row): chance for row, chance in odds(loaded(), "combat", situation(fight)).rows}
    assert found == {(str(a), str(b), holder): chance for (a, b, holder), chance in combat_odds(fight).items()}


def refused(procedure: str, given: Given, **options: bool) -> str:
    """The message of a refused situation."""
    with pytest.raises(RulesetError) as caught:
        odds(loaded(), procedure, given | {"options": options} if options else given)
    (fault,) = caught.value.diagnostics
    assert fault.code == "impossible-situation"
    return fault.message


@pytest.mark.parametrize(
    ("active", "there", "said"),
    [
        ("Prussia", ("France", "Prussia"), r"at peace or armistice\.  \[10\.0, 10\.23\.p7\]"),
        ("Russia", ("France", "Austria"), r"has no unit in the area that can fight\.  \[10\.2\.p2, 10\.2\.p4\]"),
        (
            "Austria",
            ("Austria", "Russia"),
            r"has no enemy in the area that can fight\.  \[10\.2, 10\.2\.p3, 10\.2\.p4\]",
        ),
        ("France", ("France", "Prussia"), "has no enemy"),
        ("France", ("France",), "has no enemy"),
    ],
)
def test_impossible_combat_is_refused(active: str, there: tuple[str, ...], said: str) -> None:
    """Combat needs an active country at war with a unit in the area, and an enemy there; Prussia begins at peace."""
    board = {"unit": [group for each in there for group in units(each, 1, 0, "Rhine")]}
    assert re.search(said, refused("combat", {"board": board, "with": {"area": "Rhine", "active": active}}))


@pytest.mark.parametrize(("routed", "said"), [("France", "has no unit"), ("Austria", "has no enemy")])
def test_routed_unit_does_not_fight(routed: str, said: str) -> None:
    """A unit that is already routed counts as not on the map, on either side."""
    groups = [
        each | {"routed": name == routed} for name in ("France", "Austria") for each in units(name, 1, 0, "Rhine")
    ]
    given = {"board": {"unit": groups}, "with": {"area": "Rhine", "active": "France"}}
    assert said in refused("combat", given)


@pytest.mark.parametrize(
    ("declarer", "target", "said"),
    [
        ("Austria", "Austria", "at war cannot declare it again"),
        ("France", "Austria", "cannot change the war state"),
        ("Prussia", "Spain", "cannot change the war state"),
        ("Britain", "France", "cannot change the war state"),
    ],
)
def test_impossible_declaration_is_refused(declarer: str, target: str, said: str) -> None:
    """Nobody declares war on France or on a country at war; only France and Britain declare for others."""
    assert said in refused("declaration", {"with": {"declarer": declarer, "target": target}})


def test_impossible_mobilisation_is_refused() -> None:
    """The right-most level is the last; by option a country at war does not mobilise, and one at peace does."""
    last = {"set": {"country/Austria/level": 3}, "with": {"who": "Austria"}}
    assert "right-most level" in refused("mobilisation", last)
    assert "no allied country at war" in refused("mobilisation", {"with": {"who": "Austria"}}, allied_reform=True)
    at_peace = {"with": {"who": "Prussia"}, "options": {"allied_reform": True}}
    assert dict(odds(loaded(), "mobilisation", at_peace).rows)[("true",)] == Fraction(1, 3)


def test_attrition_has_odds() -> None:
    """11.2-3: half of the foreigners suffer in Russia, a third in Spain; a French back lost costs morale."""
    russia = {"with": {"native": "Russia", "territory": "russian_territory", "loss_up_to": "russian_attrition_die"}}
    spain = {"with": {"native": "Spain", "territory": "spanish_territory", "loss_up_to": "spanish_attrition_die"}}
    there = units("France", 1, 1, "Western_Russia") + units("Russia", 2, 0, "Russia_area")
    half = Fraction(1, 2)
    found = {
        tuple(row): chance for row, chance in odds(loaded(), "attrition", russia | {"board": {"unit": there}}).rows
    }
    assert found == {
        ("0", "20"): half * half,
        ("1", "20"): half * half,
        ("1", "19"): half * half,
        ("2", "19"): half * half,
    }
    british = {"board": {"unit": units("Britain", 2, 0, "Spain_area")}}
    assert odds(loaded(), "attrition", spain | british).mean("losses") == Fraction(2, 3)
    natives = {"board": {"unit": units("Spain", 2, 0, "Spain_area")}}
    assert "No foreign unit" in refused("attrition", spain | natives)


def test_march_rolls_have_odds() -> None:
    """10.13-14: a forced march costs a third, the sea a half; a unit that the march has removed does not roll again."""
    front = units("France", 1, 0, "Britain_area")[0]
    given = {"with": {"active": "France"}}
    for board, expected in (
        ({"forced": True}, {("0", "20"): Fraction(2, 3), ("1", "20"): Fraction(1, 3)}),
        ({"crossed": True}, {("0", "20"): Fraction(1, 2), ("1", "20"): Fraction(1, 2)}),
        (
            {"forced": True, "crossed": True},
            {("0", "20"): Fraction(1, 3), ("1", "20"): Fraction(1, 2), ("2", "19"): Fraction(1, 6)},
        ),
        (
            {"forced": True, "crossed": True, "face": "back"},
            {("0", "20"): Fraction(1, 3), ("1", "19"): Fraction(2, 3)},
        ),
    ):
        rows = odds(loaded(), "march_rolls", given | {"board": {"unit": [front | board]}}).rows
        assert {tuple(row): chance for row, chance in rows} == expected
    assert "force marched or crossed" in refused("march_rolls", given | {"board": {"unit": [front]}})
