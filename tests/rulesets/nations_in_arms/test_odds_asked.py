"""Odds are asked of situations that can be: each that cannot is refused in words that say what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import load_ruleset, odds
from interpreter.language.diagnostics import RulesetError

NATIONS = load_ruleset(Path(__file__).resolve().parents[3] / "rulesets" / "nations_in_arms")


def battle(**changes: Any) -> dict[str, Any]:
    """One French corps against an Austrian one under Mack, with what is changed."""
    place = changes.pop("place", "h4525")
    flag = changes.pop("flag", "austria")
    units = [{"id": "fr_inf_1", "at": "a"}, {"id": "au_inf_9", "at": "b", "steps": changes.pop("steps", 2)}]
    leaders = [{"id": "au_mack", "at": "b"}]
    board = {"combat_unit": units + changes.pop("more", []), "leader": leaders, **changes.pop("board", {})}
    sides = {"attacker": "a", "defender": "b", "origin": "h4425", "interceptor_origin": "none"}
    return {
        "pieces": {"force": [{"id": "a", "at": "h4525", "flag": "france"}, {"id": "b", "at": place, "flag": flag}]},
        "board": board,
        "with": {**sides, "failed_to_avoid": "false", **changes},
    }


def corps(*numbers: int) -> list[dict[str, Any]]:
    """More Austrian infantry for the defender."""
    return [{"id": f"au_inf_{number}", "at": "b"} for number in numbers]


@pytest.mark.parametrize("numbers", [(1, 2), (1, 2, 3)])
def test_a_battle_that_can_be(numbers: tuple[int, ...]) -> None:
    """Mack has three stars, so six steps are his limit when an impulse ends; before that he may fight with eight."""
    assert sum(share for _, share in odds(NATIONS, "field_battle", battle(more=corps(*numbers))).rows) == 1


@pytest.mark.parametrize(
    ("situation", "said"),
    [
        (battle(place="h4526"), r"do not stand in one place\.  \[8\.1\.1\.5\]"),
        (battle(defender="a"), "not at war"),
        (battle(flag="france"), "not at war"),
        (battle(origin="h3030"), "attacker comes from does not adjoin"),
        (battle(interceptor_origin="h3030"), "interceptor comes from does not adjoin"),
        (battle(steps=3), r"defender's stack cannot be.*\[3\.1\.5\.1, 2\.2\.2\.text\.1\]"),
        (battle(more=[{"id": "fr_inf_2", "at": "b"}]), "defender's stack cannot be"),
        (battle(board={"combat_unit": [{"id": "fr_inf_1", "at": "a"}]}), "neither combat unit nor depot"),
        (battle(board={"combat_unit": [{"id": "au_inf_9", "at": "b"}]}), "attacker has no combat unit"),
    ],
)
def test_battles_that_cannot_be(situation: dict[str, Any], said: str) -> None:
    """Told in the words of the ruleset, with the clause, at the arguments."""
    with pytest.raises(RulesetError, match=said) as caught:
        odds(NATIONS, "field_battle", situation)
    assert [each.code for each in caught.value.diagnostics] == ["impossible-situation"]


@pytest.mark.parametrize(
    ("hex_id", "steps", "said"),
    [("h3926", 2, None), ("h3926", 1, "no siege"), ("h3533", 2, "no siege"), ("h3827", 2, "does not stand in the hex")],
)
def test_sieges(hex_id: str, steps: int, said: str | None) -> None:
    """Ingolstadt is of level 2: two steps besiege it, one does not, and nobody besieges it from another hex."""
    before = "h3926" if said == "does not stand in the hex" else hex_id
    situation = {
        "pieces": {"force": [{"id": "a", "at": before, "flag": "france"}]},
        "set": {"hex/h3926/holder": "austria"},
        "board": {"combat_unit": [{"id": "fr_inf_1", "at": "a", "steps": steps}]},
        "with": {"force": "a", "hex": hex_id},
    }
    if said is None:
        assert {outcome[1] for outcome, _ in odds(NATIONS, "siege_check", situation).rows} == {"holds", "taken"}
    else:
        with pytest.raises(RulesetError, match=said):
            odds(NATIONS, "siege_check", situation)
