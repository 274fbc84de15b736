"""Which examples a change can bear on: every one that it makes come out otherwise, and few others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.environment import stages_of
from interpreter.workshop.examples.run_examples import run_examples
from interpreter.workshop.mutation.example_selection import ExampleSelection, ExampleTrace, watch
from interpreter.workshop.mutation.run_mutants import MutationRunner
from interpreter.workshop.scaffold import make_ruleset

BASE = Path(__file__).resolve().parents[1] / "goldens" / "base"
"""A ruleset that has a table of records."""
RULES = """\
ruleset: {id: small, title: Small, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = grant"}}
constants:
  grant: {value: 0}
  goal: {value: 3}
options:
  rich: {type: bool, default: false}
tables:
  worth:
    keys: {die: int}
    gives: int
    grid: |
      die   | 1 2 3
      worth | 0 1 2
definitions:
  ahead: {takes: {side: side}, is: side.points >= goal}
  tiny: {takes: {}, gives: int, is: 4}
modifiers:
  luck:
    takes: {side: side}
    each:
      - {id: red, when: side = red, value: 1}
      - {id: blue, when: side = blue, value: 1}
procedures:
  gain:
    takes: {side: side, die: int}
    do: |
      set side.points += worth[die]
      if rich: set side.points += luck(side)
  judge:
    takes: {side: side}
    do: |
      if ahead(side): win side "ahead"
sequence:
  game: {do: "gain(red, 2)"}
examples:
  gains: {run: "gain(red, 2)", then: [red.points = 1]}
  gains_more: {options: {rich: true}, run: "gain(blue, 2)", then: [blue.points = 2]}
  wins: {state: {}, set: {side/red/points: 3}, run: judge(red), ends: {winner: red}}
  claims: {then: [tiny() = 4]}
"""
NAMES = {"gains", "gains_more", "wins", "claims"}
TRIED = {
    ("tables/worth/worth/2", "1"): {"gains", "gains_more"},
    ("definitions/ahead/is", ">="): {"wins"},
    ("constants/goal/value", "3"): {"wins"},
    ("modifiers/luck/each/red", "the item"): {"gains_more"},
    ("modifiers/luck/each/blue/value", "1"): {"gains_more"},
    ("procedures/gain/do", "+"): {"gains", "gains_more"},
}
"""On what some changes are tried: by the path and what stands there."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small ruleset."""
    folder = tmp_path_factory.mktemp("rules") / "small"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RULES)
    return folder


def watched(folder: Path) -> tuple[Ruleset, dict[str, ExampleTrace]]:
    """A ruleset, its examples watched."""
    ruleset = load_ruleset(folder, cache=False)
    return ruleset, watch(ruleset, list(stages_of(ruleset).examples))


def test_what_an_example_ran(small: Path) -> None:
    """The functions that were called, also those of no clause; what stands in its own texts."""
    found = watched(small)[1]
    assert set(found) == NAMES
    assert {"p_gain", "t_worth"} <= found["gains"].ran
    assert "m_luck" in found["gains_more"].ran
    assert "m_luck" not in found["gains"].ran
    assert "definitions/tiny" in found["claims"].holds
    assert all(each.passed for each in found.values())


def test_nobody_else_who_traces_is_put_out(small: Path) -> None:
    """A debugger or a measure of coverage goes on afterwards."""
    before = sys.gettrace()
    watched(small)
    assert sys.gettrace() is before


@pytest.mark.parametrize("which", ["small", "made", "base"])
def test_no_example_that_a_change_tells_on_is_left_out(small: Path, which: str) -> None:
    """For every change that mutation tries: what comes out otherwise is tried; of some, nothing else is."""
    if which == "made":
        make_ruleset(which, small.parent)
    folder = BASE if which == "base" else small.parent / which
    ruleset, found = watched(folder)
    bearing, laboratory = ExampleSelection(ruleset, found), MutationRunner(str(folder), found)
    told, fewer = 0, 0
    for each in laboratory.mutants:
        with each.applied():
            changed = laboratory.changed()
            if changed is None:
                continue
            tried = list(bearing.on(changed, each.rule))
            failing = {report.name for report in run_examples(changed) if not report.passed}
        assert failing <= set(tried), each
        assert len(tried) == len(set(tried))
        assert set(tried) == TRIED.get((each.path, each.was), set(tried)), each
        told, fewer = told + len(failing), fewer + (len(tried) < len(found))
    assert told > 0
    assert fewer > 0
