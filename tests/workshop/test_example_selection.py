"""Tests of example selection: it contains every example whose result a change alters, and few others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.environment import environments_of
from interpreter.workshop.examples.run_examples import run_examples
from interpreter.workshop.mutation.example_selection import ExampleSelection, ExampleTrace, trace_examples
from interpreter.workshop.mutation.run_mutants import MutationRunner
from interpreter.workshop.scaffold import make_ruleset

BASE = Path(__file__).resolve().parents[1] / "goldens" / "base"
"""A ruleset with a table of records."""
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
EXPECTED_SELECTIONS = {
    ("tables/worth/worth/2", "1"): {"gains", "gains_more"},
    ("definitions/ahead/is", ">="): {"wins"},
    ("constants/goal/value", "3"): {"wins"},
    ("modifiers/luck/each/red", "the item"): {"gains_more"},
    ("modifiers/luck/each/blue/value", "1"): {"gains_more"},
    ("procedures/gain/do", "+"): {"gains", "gains_more"},
}
"""The selected examples for some changes, by path and original text."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Writes a small ruleset."""
    folder = tmp_path_factory.mktemp("rules") / "small"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RULES)
    return folder


def traced(folder: Path) -> tuple[Ruleset, dict[str, ExampleTrace]]:
    """Returns a ruleset and the traces of its examples."""
    ruleset = load_ruleset(folder, cache=False)
    return ruleset, trace_examples(ruleset, list(environments_of(ruleset).examples))


def test_trace_holds_called_and_inlined_rules(small: Path) -> None:
    """A trace contains every called function, with or without a clause, and the inlined entries."""
    found = traced(small)[1]
    assert set(found) == NAMES
    assert {"p_gain", "t_worth"} <= found["gains"].ran
    assert "m_luck" in found["gains_more"].ran
    assert "m_luck" not in found["gains"].ran
    assert "definitions/tiny" in found["claims"].inlined
    assert all(each.passed for each in found.values())


def test_other_tracers_continue_afterwards(small: Path) -> None:
    """The trace function of a debugger or of a coverage tool is restored."""
    before = sys.gettrace()
    traced(small)
    assert sys.gettrace() is before


@pytest.mark.parametrize("ruleset_name", ["small", "made", "base"])
def test_selection_contains_every_failing_example(small: Path, ruleset_name: str) -> None:
    """For every mutant, each example that fails is selected; for some mutants the selection is exactly known."""
    if ruleset_name == "made":
        make_ruleset(ruleset_name, small.parent)
    folder = BASE if ruleset_name == "base" else small.parent / ruleset_name
    ruleset, found = traced(folder)
    selection, runner = ExampleSelection(ruleset, found), MutationRunner(str(folder), found)
    failed, narrowed = 0, 0
    for each in runner.mutants:
        with each.applied():
            changed = runner.changed()
            if changed is None:
                continue
            tried = list(selection.affected_by(changed, each.rule))
            failing = {report.name for report in run_examples(changed) if not report.passed}
        assert failing <= set(tried), each
        assert len(tried) == len(set(tried))
        assert set(tried) == EXPECTED_SELECTIONS.get((each.path, each.was), set(tried)), each
        failed, narrowed = failed + len(failing), narrowed + (len(tried) < len(found))
    assert failed > 0
    assert narrowed > 0
