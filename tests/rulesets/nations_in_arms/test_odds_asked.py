"""Odds are asked of situations that can be: each that cannot is refused in words that say what is wrong with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter import load_ruleset, odds
from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading.ruleset import Ruleset


@cache
def nations() -> Ruleset:
    """The ruleset, loaded when the first test needs it: workers that collect tests compile nothing."""
    return load_ruleset(Path(__file__).resolve().parents[3] / "rulesets" / "nations_in_arms")


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
def test_lawful_battle_has_odds(numbers: tuple[int, ...]) -> None:
    """Mack has three stars, so his limit is six steps when an impulse ends; before that eight steps may fight."""
    assert sum(share for _, share in odds(nations(), "field_battle", battle(more=corps(*numbers))).rows) == 1


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
def test_unlawful_battles_have_no_odds(situation: dict[str, Any], said: str) -> None:
    """An unlawful battle is refused in the words of the ruleset, with the clause, at the arguments."""
    with pytest.raises(RulesetError, match=said) as caught:
        odds(nations(), "field_battle", situation)
    assert [each.code for each in caught.value.diagnostics] == ["impossible-situation"]


@pytest.mark.parametrize(
    ("hex_id", "steps", "said"),
    [("h3926", 2, None), ("h3926", 1, "no siege"), ("h3533", 2, "no siege"), ("h3827", 2, "does not stand in the hex")],
)
def test_siege_needs_steps_of_its_level(hex_id: str, steps: int, said: str | None) -> None:
    """Ingolstadt is of level 2: two steps besiege it, one does not, and nobody besieges it from another hex."""
    before = "h3926" if said == "does not stand in the hex" else hex_id
    situation = {
        "pieces": {"force": [{"id": "a", "at": before, "flag": "france"}]},
        "set": {"hex/h3926/holder": "austria"},
        "board": {"combat_unit": [{"id": "fr_inf_1", "at": "a", "steps": steps}]},
        "with": {"force": "a", "hex": hex_id},
    }
    if said is None:
        assert {outcome[1] for outcome, _ in odds(nations(), "siege_check", situation).rows} == {"holds", "taken"}
    else:
        with pytest.raises(RulesetError, match=said):
            odds(nations(), "siege_check", situation)


STACK = "stack cannot be: units of an enemy, or a unit with steps that it cannot have"


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        (["fr_inf_1"], ["au_inf_1"], None),
        (["fr_inf_1", "au_det_1"], ["au_inf_1"], STACK),
        (["fr_inf_1"], ["au_inf_1", "fr_det_1"], STACK),
    ],
)
def test_enemies_share_no_side_of_a_siege(ours: list[str], theirs: list[str], said: str | None) -> None:
    """Nobody besieges, storms or holds a fortress together with an enemy."""
    crew = {"id": "b", "at": "h3926", "flag": "austria", "inside": True}
    situation = {
        "pieces": {"force": [{"id": "a", "at": "h3926", "flag": "france"}, crew]},
        "set": {"hex/h3926/holder": "austria", "hex/h3926/siege": 0},
        "board": {"combat_unit": [{"ids": ours, "at": "a"}, {"ids": theirs, "at": "b"}]},
        "with": {"force": "a", "hex": "h3926"},
    }
    check("siege_check", situation, said)
    check("storm", {**situation, "with": {**situation["with"], "breached": "false"}}, said)


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ([{"id": "sp_inf_1", "at": "a"}], None),
        ([{"id": "sp_inf_1", "at": "a", "steps": 3}], STACK),
    ],
)
def test_attrition_takes_lawful_stacks(units: list[dict[str, Any]], said: str | None) -> None:
    """Guerrillas are never at risk, and no unit has three steps."""
    arguments = {"force": "a", "group": "a.combat_units", "stores": "a.supply_units", "final": "true"}
    pieces = {"force": [{"id": "a", "at": "h0832", "flag": "spain", "demoralized": True}]}
    leader = [{"id": "sp_blake", "at": "a"}]
    check("wear_down", {"pieces": pieces, "board": {"combat_unit": units, "leader": leader}, "with": arguments}, said)


def reaction(**changes: Any) -> dict[str, Any]:
    """A French corps beside the hex into which an Austrian one has come, or in it; with what is changed."""
    mine = {"id": "a", "at": changes.pop("at", "h5328"), "flag": "france", **changes.pop("state", {})}
    board = {
        "combat_unit": changes.pop("units", [{"id": "fr_inf_1", "at": "a"}, {"id": "au_inf_1", "at": "b"}]),
        "leader": changes.pop("leaders", [{"id": "fr_suchet", "at": "a"}, {"id": "au_kray", "at": "b"}]),
    }
    pieces = {"force": [mine, {"id": "b", "at": "h5329", "flag": "austria"}]}
    return {"pieces": pieces, "board": board, "with": {"main": "a", "mover": "b", **changes}}


def check(name: str, situation: dict[str, Any], said: str | None) -> None:
    """The odds of the check, or what is said against the situation."""
    if said is None:
        assert sum(share for _, share in odds(nations(), name, situation).rows) == 1
    else:
        with pytest.raises(RulesetError, match=said):
            odds(nations(), name, situation)


UNLED = [{"id": "au_kray", "at": "b"}]
LONE = [{"id": "fr_inf_1", "at": "a"}]
FRIENDS = {"state": {"flag": "austria"}, "units": [{"id": f"au_inf_{n}", "at": at} for n, at in ((1, "b"), (2, "a"))]}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, None),
        ({**FRIENDS, "leaders": UNLED}, "not at war"),
        ({"units": LONE}, "Only a force with a combat unit"),
        ({"leaders": UNLED}, "under a commander"),
        ({"state": {"demoralized": True}}, "demoralized force"),
        ({"at": "h5331", "state": {"inside": True}}, "shut in a fortress does not intercept"),
        ({"at": "h5327"}, r"not stand beside.*\[6\.3\.1\.2, 6\.3\.5\.2\]"),
        ({"at": "h5230", "there": "h5330"}, "keep it from that hex"),
    ],
)
def test_interception_needs_a_lawful_stack(changes: dict[str, Any], said: str | None) -> None:
    """An interceptor is one hex off, led, in good order, and crosses no river without engineers."""
    check("intercepts", reaction(**{"there": "h5329", **changes}), said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"at": "h5329"}, None),
        ({"at": "h5327"}, "neither to it nor beside it"),
        ({"at": "h5329", "units": LONE}, "Combat is avoided only"),
        ({"at": "h5329", "leaders": UNLED}, "Without a leader only Cossacks"),
        ({"at": "h5329", "state": {"inside": True}}, "does not avoid combat"),
        ({**FRIENDS, "at": "h5329", "leaders": UNLED}, "not at war"),
    ],
)
def test_avoidance_needs_an_enemy_and_a_leader(changes: dict[str, Any], said: str | None) -> None:
    """A stack avoids combat where the enemy has come, under a leader, and where a check is made at all."""
    check("avoids", reaction(**changes), said)


def test_avoidance_without_check_is_certain() -> None:
    """A demoralized force gets away without a check; in good order it may fail."""
    sure = odds(nations(), "avoids", reaction(at="h5329", state={"demoralized": True}))
    assert sure.rows == ((("true",), 1),)
    assert len(odds(nations(), "avoids", reaction(at="h5329")).rows) == 2


@pytest.mark.parametrize("units", [[{"id": "sp_guer_1", "at": "a"}], []])
def test_attrition_of_nobody_is_certain(units: list[dict[str, Any]]) -> None:
    """Where no combat unit is at risk, no step is lost, and a warning says why."""
    situation = {
        "pieces": {"force": [{"id": "a", "at": "h0832", "flag": "spain"}]},
        "board": {"combat_unit": units, "leader": [{"id": "sp_blake", "at": "a"}]},
        "with": {"force": "a", "group": "a.combat_units", "stores": "a.supply_units", "final": "true"},
    }
    found = odds(nations(), "wear_down", situation)
    assert found.rows == ((("0",), 1),)
    assert [each.name for each in found.warnings] == ["at_risk"]


def test_battle_losses_are_split_by_cause() -> None:
    """What pursuit and retreat cost is part of the beaten side's losses; the first round alone has neither."""
    whole, first = odds(nations(), "field_battle", battle()), odds(nations(), "battle_round", battle())
    assert whole.names[-2:] == ("lost_to_pursuit", "lost_on_retreat")
    for winner, attacker, defender, _, pursuit, retreat in [row for row, _ in whole.rows]:
        assert int(pursuit) + int(retreat) <= int(defender if winner == "attacker" else attacker)
    assert whole.mean("lost_on_retreat") > 0
    assert {row[0] for row, _ in first.rows} == {"attacker", "defender", "drawn"}
    assert first.mean("attacker_losses") <= whole.mean("attacker_losses")


@pytest.mark.parametrize(
    ("state", "leader", "said"),
    [
        ({"demoralized": True}, "corps", None),
        ({}, "corps", "not demoralized"),
        ({"demoralized": True}, "leader_pool", "Only a commander"),
        ({"demoralized": True, "out_of_supply": True}, "corps", "out of supply cannot recover"),
    ],
)
def test_recovery_needs_commander_and_supply(state: dict[str, bool], leader: str, said: str | None) -> None:
    """A commander rallies his demoralized force, if it is in supply."""
    situation = {
        "pieces": {"force": [{"id": "corps", "at": "h4526", "flag": "austria", **state}]},
        "board": {"combat_unit": [{"id": "au_inf_7", "at": "corps"}], "leader": [{"id": "au_mack", "at": leader}]},
        "with": {"force": "corps"},
    }
    if said is None:
        assert len(odds(nations(), "recovery_check", situation).rows) == 2
    else:
        with pytest.raises(RulesetError, match=said):
            odds(nations(), "recovery_check", situation)


HEIR = {"id": "au_kaim", "at": "leader_pool"}
ARMY = {"army": [{"id": "au_army_main", "at": "b", "chief": "au_charles"}]}


@pytest.mark.parametrize(
    ("leaders", "board", "warned"),
    [
        ([{"id": "au_mack", "at": "b"}], {}, ["The defender's leader pool is empty"]),
        ([{"id": "au_mack", "at": "b"}, HEIR], {}, []),
        ([{"id": "au_mack", "at": "b"}, {"id": "fr_ney", "at": "leader_pool"}], {}, ["The defender's leader pool"]),
        ([{"id": "au_mack", "at": "b"}, {"id": "fr_ney", "at": "a"}, HEIR], {}, ["The attacker's leader pool"]),
        ([], {}, []),
        ([{"id": "au_charles", "at": "au_army_main"}], ARMY, []),
        (
            [{"id": "au_charles", "at": "au_army_main"}, {"id": "au_mack", "at": "au_army_main"}],
            ARMY,
            ["The defender's"],
        ),
    ],
)
def test_empty_pool_is_warned_of(leaders: list[Any], board: dict[str, Any], warned: list[str]) -> None:
    """A pool counts if a leader of its nation may fall: an army's own leader is not checked (8.4.2.1.b, 8.4.2.8)."""
    situation = battle()
    situation["board"] |= board | {"leader": leaders}
    found = odds(nations(), "field_battle", situation).warnings
    assert [each.cites for each in found] == [("8.4.2.8", "8.4.2.8.d")] * len(warned)
    assert all(each.text.startswith(text) for each, text in zip(found, warned, strict=True))


@pytest.mark.parametrize(("pool", "warned"), [("fr_ney", []), ("au_mack", ["attackers_heirs"])])
def test_minor_power_draws_on_its_masters_pool(pool: str, warned: list[str]) -> None:
    """A minor power whose own pool is empty has the leaders of the power that controls it (8.4.2.8.b)."""
    situation = battle()
    situation["set"] = {"power/bavaria/bloc": "empire", "power/bavaria/master": "france"}
    situation["board"]["leader"] = [{"id": "bav_wrede", "at": "a"}, {"id": pool, "at": "leader_pool"}]
    assert [each.name for each in odds(nations(), "field_battle", situation).warnings] == warned


def test_siege_warns_of_empty_pools() -> None:
    """A siege check may end in a storm: the pools of both sides count."""
    situation = {
        "pieces": {"force": [{"id": "a", "at": "h3926", "flag": "france"}]},
        "set": {"hex/h3926/holder": "austria"},
        "board": {"combat_unit": [{"id": "fr_inf_1", "at": "a"}], "leader": [{"id": "fr_ney", "at": "a"}]},
        "with": {"force": "a", "hex": "h3926"},
    }
    assert [each.name for each in odds(nations(), "siege_check", situation).warnings] == ["heirs"]
    assert [
        each.name
        for each in odds(nations(), "storm", situation | {"with": {**situation["with"], "breached": "false"}}).warnings
    ] == ["heirs"]
    situation["board"]["leader"].append({"id": "fr_davout", "at": "leader_pool"})
    assert odds(nations(), "siege_check", situation).warnings == ()
