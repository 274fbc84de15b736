"""Tests of `ask`: it evaluates any expression that only reads, and refuses expressions with effects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter import ask, load_ruleset, load_scenario
from interpreter.cli.main import main
from interpreter.language.diagnostics import RuleFault, RulesetError

BATTLE = {
    "board": {
        "unit": [{"ids": ["France_1", "France_2"], "at": "Austria_area"}, {"id": "Austria_1", "at": "Austria_area"}]
    },
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("count(units where .at = Austria_area)", 3),
        ("units where .at = Austria_area", ["France_1", "France_2", "Austria_1"]),
        ("Austria_1.face", "front"),
        ("Austria_1.routed", False),
        ("1 / 2", "1/2"),
        ("(1 / 2) * 4", 2),
        ("shaken(France, Austria_area)", False),
    ],
)
def test_ask_returns_plain_values(question: str, answer: Any) -> None:
    """Numbers, words and booleans are unchanged, things become their ids, none stays none."""
    assert ask("fin_napoleon", question, BATTLE) == answer


def test_ask_uses_the_beginning_of_a_scenario() -> None:
    """The scenario or ruleset is given by name or loaded; without a situation its beginning is used."""
    question = "count(units where .country = France and .at != none)"
    at_the_beginning = ask("fin_napoleon/campaign", question)
    assert at_the_beginning > 0
    assert ask(load_scenario("fin_napoleon/campaign"), question) == at_the_beginning
    assert ask(load_ruleset("fin_napoleon"), question, {}) == at_the_beginning
    assert ask(load_ruleset("fin_napoleon"), question, {"board": {"unit": [{"id": "France_1", "at": "none"}]}}) == 12


def test_ask_applies_overlays(tmp_path: Path) -> None:
    """Overlays change the answer, as for every other command."""
    overlay = tmp_path / "errata.yaml"
    patch = "{at: tables/combat_table/3, expect: 0, set: 1, cite: 10.21.p3}"
    overlay.write_text(f"overlay: {{id: errata, for: fin_napoleon}}\npatches: [{patch}]\n", encoding="utf-8")
    assert ask("fin_napoleon", "combat_table[3]") == 0
    assert ask("fin_napoleon", "combat_table[3]", overlays=[overlay]) == 1


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Austria_2.fase", "unknown-attribute"),
        ("combat(Austria_area, France)", "asks-outside"),
        ("1 after combat(Austria_area, France)", "after-asks"),
        ("1 +", "syntax"),
    ],
)
def test_ask_refuses_invalid_questions(question: str, code: str) -> None:
    """A misspelt name or a call with effects is refused at its place in the question."""
    with pytest.raises(RulesetError) as caught:
        ask("fin_napoleon", question)
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].place.file == "<question>"


def test_ask_evaluates_hypothetical_changes() -> None:
    """A rule after 'after' may change the game; the change is reverted."""
    lost = "count(combat_units where .at = force_pool)"
    assert ask("nations_in_arms/marengo_1800", f"({lost} after eliminate(au_inf_1)) - {lost}") == 1


def test_failing_rule_is_a_fault() -> None:
    """A division by zero is reported at its place in the question."""
    with pytest.raises(RuleFault, match="question"):
        ask("fin_napoleon", "1 / count(units where .at = Spain_area)")


# ---------------------------------------------------------------- the command
def test_command_prints_lists_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list is printed with a line for each element; JSON holds the question and its value."""
    given = tmp_path / "battle.yaml"
    given.write_text(json.dumps(BATTLE), encoding="utf-8")
    call = ["ask", "fin_napoleon", "units where .at = Austria_area", "--given", str(given)]
    assert main(call) == 0
    assert capsys.readouterr().out == "France_1\nFrance_2\nAustria_1\n"
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "question": "units where .at = Austria_area",
        "value": ["France_1", "France_2", "Austria_1"],
    }


def test_command_refuses_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake in the question is a finding, a missing file is wrong usage."""
    assert main(["ask", "fin_napoleon", "unit_1"]) == 1
    assert "error[unknown-name]" in capsys.readouterr().err
    assert main(["ask", "fin_napoleon", "1", "--given", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err
