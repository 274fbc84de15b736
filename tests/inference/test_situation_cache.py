"""The situation cache: it serves the next question about a situation, and changes no answer."""

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
def caches(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """The caches, empty at the start of each test."""
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(module, "_CACHES", kept)
    return kept


def answered(ruleset: Ruleset, procedure: str, given: Any) -> Any:
    """The odds of a question, or the class of the error."""
    try:
        return odds(ruleset, procedure, given)
    except (RuleFault, TooManyBranchesError) as error:
        return type(error)


@pytest.mark.parametrize("seed", SEEDS)
def test_questions_in_sequence_equal_enumeration(seed: int, tmp_path: Path) -> None:
    """Questions in sequence, with other answers and arguments, each give the odds of plain enumeration."""
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
def test_repeated_question_uses_the_cache(situation: Situation, caches: dict[Any, Any]) -> None:
    """The fractions are equal, and no more branches are followed."""
    first = odds(situation.loaded, situation.procedure, situation.given)
    [kept] = caches.values()
    again = odds(situation.loaded, situation.procedure, situation.given)
    assert again.rows == first.rows
    assert again.branches_followed <= first.branches_followed
    assert list(caches.values()) == [kept]


def test_other_answers_give_other_odds(tmp_path: Path) -> None:
    """A block that asks runs again where answers differ; scripted answers begin with the first again."""
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


def test_large_caches_are_dropped(monkeypatch: pytest.MonkeyPatch, caches: dict[Any, Any]) -> None:
    """A cache with too many entries is not kept."""
    monkeypatch.setattr(situation_cache, "MAX_ENTRIES", 0)
    situation = SITUATIONS[0]
    assert odds(situation.loaded, situation.procedure, situation.given).rows
    assert not caches
