"""What is known of a situation serves the next question about it, and changes no answer."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from plain_odds import plain_odds
from situations import SITUATIONS, Situation
from test_merging import MOST, POLICIES, SEEDS, made

from interpreter import load_ruleset, odds
from interpreter.inference import odds as module
from interpreter.inference import situation_cache
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.language.diagnostics import RuleFault
from interpreter.rules.loading.ruleset import Ruleset

QUESTIONS = (
    ("deed_0", {"unit": "first(units)", "worth": "1"}),
    ("deed_0", {"unit": "none", "worth": "2"}),
    ("whole", {}),
)
ASKING = """
ruleset: {id: answers, title: {en: Answers}, version: 1.0.0}
kinds: {side: {is: seat, members: [red, blue]}}
state: {won: "int = 0"}
sequence: {round: {do: set won += 0}}
procedures:
  bet:
    takes: {stake: int}
    gives: int
    do: |
      let first = red chooses one of [1, 2, 3] "first"
      let second = red chooses one of [1, 2, 3] "second"
      set won += (red rolls 1d6) * stake + first * 10 + second * 100
      return won
"""


@pytest.fixture(autouse=True)
def grounds(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """None from before."""
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(module, "_GROUNDS", kept)
    return kept


def answered(ruleset: Ruleset, procedure: str, given: Any) -> Any:
    """The odds of a question, or what went wrong with it."""
    try:
        return odds(ruleset, procedure, given)
    except (RuleFault, TooManyBranchesError) as error:
        return type(error)


@pytest.mark.parametrize("seed", SEEDS)
def test_questions_about_one_situation(seed: int, tmp_path: Path) -> None:
    """One after the other, with other answers and arguments, each as if it were asked alone."""
    ruleset = made(tmp_path, seed)
    for policy in (*POLICIES, *POLICIES):
        for procedure, arguments in QUESTIONS:
            given = {"with": arguments, "decisions": {"default": policy}}
            try:
                expected = plain_odds(ruleset, procedure, given, MOST)
            except (RuleFault, TooManyBranchesError):
                answered(ruleset, procedure, given)
                continue
            assert dict(odds(ruleset, procedure, given).rows) == expected


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
def test_asked_again(situation: Situation, grounds: dict[Any, Any]) -> None:
    """The same fractions, and less is followed."""
    first = odds(situation.loaded, situation.procedure, situation.given)
    [kept] = grounds.values()
    again = odds(situation.loaded, situation.procedure, situation.given)
    assert again.rows == first.rows
    assert again.leaves <= first.leaves
    assert list(grounds.values()) == [kept]


def test_other_answers(tmp_path: Path) -> None:
    """A part that asks is run anew where it is answered otherwise; given answers count from the first again."""
    (tmp_path / "ruleset.yaml").write_text(ASKING, encoding="utf-8")
    ruleset = load_ruleset(str(tmp_path))

    def least(decisions: Any, stake: int = 1) -> int:
        [rows] = [odds(ruleset, "bet", {"with": {"stake": str(stake)}, "decisions": decisions}).rows]
        assert {share for _, share in rows} == {Fraction(1, 6)}
        return min(int(result) for (result,), _ in rows)

    asked = [{"default": "first"}, {"default": "last"}, {"bet.first": 2}, {"bet.first": [3, 1]}, {"bet.second": 2}]
    for _ in range(2):
        assert [least(each) for each in asked] == [111, 331, 121, 131, 211]
        assert [least(each, 5) for each in asked] == [115, 335, 125, 135, 215]


def test_too_much_is_not_kept(monkeypatch: pytest.MonkeyPatch, grounds: dict[Any, Any]) -> None:
    """A situation of which too much is known is let go."""
    monkeypatch.setattr(situation_cache, "MOST_KEPT", 0)
    situation = SITUATIONS[0]
    assert odds(situation.loaded, situation.procedure, situation.given).rows
    assert not grounds
