"""The result of a game cites the rule that ended it, and is explained by that rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, load_ruleset, load_scenario
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.outcome import Result
from interpreter.rules.loading.ruleset import Ruleset

RULES = """\
ruleset: {id: ends, title: Ends, version: 1.0.0}
kinds: {side: {is: seat, members: [red, blue]}}
state: {lost: "bool = true"}
clauses: CLAUSES
definitions: {is_lost: {cite: "9", is: lost}}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions: {give_up: {cite: "7", menu: orders, do: "win blue"}}
procedures:
  plainly: {cite: "4", do: "win red"}
  by_its_line: {cite: "4", do: "tie \\"all are gone\\" @5 @6"}
  under_a_condition: {cite: "4", do: "if lost: win red @5"}
  in_a_loop: {cite: "4", gives: int, do: "repeat 3 times: win red @5\\nreturn 1", outcomes: {number: result}}
  with_layers: {cite: "4", do: "win red", around: [{id: before, before: {do: "set lost = false"}}]}
  helper: {cite: "4", do: "win red @5"}
  helper_with_outcomes: {cite: "4", gives: int, do: "if lost: win red @5\\nreturn 1", outcomes: {number: result}}
  calls: {cite: "2", do: "if is_lost(): helper() @3"}
  calls_without_clause: {cite: "2", do: "if is_lost(): helper()"}
  calls_for_a_result: {cite: "2", do: "let x = helper_with_outcomes() @3"}
  calls_twice: {cite: "2", do: "calls() @1"}
  asks: {cite: "2", do: "red must take orders(red) @3"}
sequence:
  game:
    steps: {only: {cite: "0", do: DO}}
"""
CASES = [
    ("win red", ("0",)),
    ("win red @8", ("8",)),
    ("if is_lost(): win red @8", ("8",)),
    ("plainly()", ("4",)),
    ("plainly() @8", ("8", "4")),
    ("by_its_line()", ("5", "6")),
    ("under_a_condition()", ("5",)),
    ("let x = in_a_loop()", ("5",)),
    ("with_layers()", ("4",)),
    ("with_layers() @8", ("8", "4")),
    ("calls()", ("3", "5")),
    ("calls_without_clause()", ("5",)),
    ("calls_for_a_result()", ("3", "5")),
    ("calls_twice()", ("3", "5")),
    ("asks()", ("7",)),
    ("set lost = false", ()),
]


def rules(folder: Path, text: str) -> Ruleset:
    """Returns a ruleset whose only step does this."""
    clauses = "[" + ", ".join(f'{{id: "{number}", kind: rule, says: Rule.}}' for number in range(10)) + "]"
    (folder / "ruleset.yaml").write_text(
        RULES.replace("CLAUSES", clauses).replace("DO", json.dumps(text)), encoding="utf-8"
    )
    return load_ruleset(folder)


def ends(ruleset: Ruleset) -> list[Result | None]:
    """Returns the result of the game in each way to play it."""
    games = [Game(ruleset), Game(ruleset, trace=True)]
    for each in games:
        while each.decision is not None:
            each.choose_index(0)
    return [*[each.result for each in games], Simulation(ruleset).play(0).result]


@pytest.mark.parametrize(("text", "cites"), CASES)
def test_result_cites_the_line_that_ended_the_game(tmp_path: Path, text: str, cites: tuple[str, ...]) -> None:
    """A result cites the line that ended the game, or its rule, and before it the line that called that rule."""
    found = ends(rules(tmp_path, text))
    assert [each.cites for each in found if each is not None] == [cites] * 3
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("text", "rule", "cited"),
    [
        ("calls()", "calls", ["3", "5"]),
        ("calls_without_clause()", "helper", ["5"]),
        ("plainly()", "plainly", []),
        ("win red @8", "only", ["8"]),
    ],
)
def test_result_is_explained_by_the_rule_that_it_cites(tmp_path: Path, text: str, rule: str, cited: list[str]) -> None:
    """The explanation of a result begins at the rule of the first clause that it cites, whatever else was read last."""
    game = Game(rules(tmp_path, text), trace=True)
    explanation = game.explain(len(game.log))
    assert explanation.title == rule
    assert [cite for each in explanation.lines[:-1] for cite in each.cites] == cited


def test_victories_of_a_ruleset_cite_their_clauses() -> None:
    """An allied victory cites the clause of broken morale, on the road to Paris that of the surrender of France."""
    for scenario, clause in (("campaign", "13.2"), ("road_to_paris", "14.0.road_to_paris.3")):
        simulation = Simulation(load_scenario(f"fin_napoleon/{scenario}"))
        results = [simulation.play(number).result for number in range(12)]
        allied = [each for each in results if each is not None and each.winners == ("allied",)]
        assert allied
        assert {each.cites for each in allied} == {(clause, "13.2.p2")}
