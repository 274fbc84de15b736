"""Questions to a situation: any expression that only reads, and nothing that does something."""

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
def test_values_are_plain(question: str, answer: Any) -> None:
    """Numbers, words and yes or no as they are; things by their ids; none as none."""
    assert ask("fin_napoleon", question, BATTLE) == answer


def test_of_a_scenario_its_beginning_is_asked() -> None:
    """By name or loaded; of a loaded ruleset, too."""
    question = "count(units where .country = France and .at != none)"
    at_the_beginning = ask("fin_napoleon/campaign", question)
    assert at_the_beginning > 0
    assert ask(load_scenario("fin_napoleon/campaign"), question) == at_the_beginning
    assert ask(load_ruleset("fin_napoleon"), question, {}) == at_the_beginning
    assert ask(load_ruleset("fin_napoleon"), question, {"board": {"unit": [{"id": "France_1", "at": "none"}]}}) == 12


def test_options_and_overlays_are_laid_on(tmp_path: Path) -> None:
    """As for every other command."""
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
def test_what_cannot_be_asked(question: str, code: str) -> None:
    """Misspelt, or something that would be done: refused at its place in the question."""
    with pytest.raises(RulesetError) as caught:
        ask("fin_napoleon", question)
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].place.file == "<question>"


def test_what_is_supposed_may_be_asked() -> None:
    """A rule that only changes runs after 'after', and is taken back."""
    lost = "count(combat_units where .at = force_pool)"
    assert ask("nations_in_arms/marengo_1800", f"({lost} after eliminate(au_inf_1)) - {lost}") == 1


def test_a_rule_that_goes_wrong_is_a_fault() -> None:
    """A division by nothing has its place in the question."""
    with pytest.raises(RuleFault, match="question"):
        ask("fin_napoleon", "1 / count(units where .at = Spain_area)")


# ---------------------------------------------------------------- the command
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list has a line for each element; JSON has the question with its value."""
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


def test_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A question that is wrong is a finding, a file that is missing is wrong usage."""
    assert main(["ask", "fin_napoleon", "unit_1"]) == 1
    assert "error[unknown-name]" in capsys.readouterr().err
    assert main(["ask", "fin_napoleon", "1", "--given", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err
