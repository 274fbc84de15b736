"""Self-play tuning: which numbers are weights, overlays of weights, and the search for better ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load_ruleset
from interpreter.language.diagnostics import UsageError
from interpreter.players.planning.evaluation import Evaluator
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.tuning.rounds_file import RoundsFile
from interpreter.workshop.tuning.self_play import SelfPlayRules, score_of_game
from interpreter.workshop.tuning.tuner import Tuner
from interpreter.workshop.tuning.weights import EvaluationWeights

RULES = """
ruleset: {id: greed, title: Greed, version: "1.0"}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0", debt: "int = 0"}}
definitions:
  price: {takes: {share: int}, is: 2 * share * share}
  burden: {takes: {side: side}, is: 4 * side.debt / 8}
  result: {takes: {side: side}, is: 6 * side.points - side.debt}
modifiers:
  comfort:
    takes: {side: side}
    each:
      - {id: has_points, when: side.points > 0, value: 7}
procedures:
  grab:
    takes: {side: side}
    do: |
      let share = side chooses from 0 to 3 "How much?"
      set side.points += share
      set side.debt += price(share)
sequence:
  game:
    repeat: 1
    steps:
      take: {each: side in sides, do: grab(side)}
      end:
        do: |
          let done = red chooses from 0 to 1 "Done?"
          if result(red) > result(blue): win red "richer"
          if result(blue) > result(red): win blue "richer"
evaluation: {takes: {side: side}, is: 3 * side.points - burden(side) + comfort(side)}
"""
PATHS = ["evaluation/is", "definitions/burden/is", "modifiers/comfort/each/has_points/value"]


@pytest.fixture
def greed(tmp_path: Path) -> Ruleset:
    """A ruleset whose evaluation overrates points."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    return load_ruleset(str(tmp_path))


def _weights(ruleset: Ruleset) -> EvaluationWeights:
    return EvaluationWeights(ruleset, read_ruleset(ruleset.folder))


def test_weights_are_factors_that_only_the_evaluation_reads(greed: Ruleset) -> None:
    """Factors and plain modifiers are weights; divisors, addends and numbers of rules that a game reads are not."""
    assert [(each.path, each.value) for each in _weights(greed).weights] == list(zip(PATHS, [3, 4, 7], strict=True))


def test_overlay_of_weights_changes_the_evaluation_alone(greed: Ruleset, tmp_path: Path) -> None:
    """Under the overlay the evaluation has the new weights, and the rules of the game are as they were."""
    file = tmp_path / "tuned.yaml"
    file.write_text(_weights(greed).overlay([30, 40, 70], "tuned", "Tuned"), encoding="utf-8")
    before, after = (Game(load_ruleset(str(tmp_path), overlays), 1) for overlays in ([], [str(file)]))
    for game in (before, after):
        game.choose(2)
    assert (Evaluator("red").value(before), Evaluator("red").value(after)) == (6 - 4 + 7, 60 - 40 + 70)
    assert before.hash() == after.hash()


def test_ruleset_without_weights_is_refused() -> None:
    """A ruleset whose evaluation has no factors says what a weight is."""
    ruleset = load_ruleset("breakthrough", paths=[Path(__file__).parent.parent / "rulesets"])
    with pytest.raises(UsageError, match="a weight is a number beside"):
        _weights(ruleset)


def test_each_player_looks_ahead_under_its_own_evaluation(greed: Ruleset, tmp_path: Path) -> None:
    """The evaluation nearer to what wins beats the one that overrates points, from either seat."""
    weights = _weights(greed)
    good, bad = (weights.overlay(each, "tuned", "Tuned") for each in ([6, 8, 1], [30, 1, 7]))
    scenario = tmp_path / "standard.yaml"
    scenario.write_text("scenario: {id: standard, title: Standard, ruleset: greed}\n", encoding="utf-8")
    rules = SelfPlayRules(str(scenario), (), (str(greed.folder),), "greedy")
    assert [score_of_game(rules, good, bad, "1", changed) for changed in (False, True)] == [1, 1]
    assert [score_of_game(rules, bad, good, "1", changed) for changed in (False, True)] == [-1, -1]
    assert [score_of_game(rules, bad, bad, "1", changed) for changed in (False, True)] == [0, 0]


def test_tuner_moves_weights_towards_the_better_ones() -> None:
    """Where the first weight is better the greater, and the second the smaller, the tuner finds so."""
    tuner = Tuner([20, 20], "1")
    for _ in range(60):
        one, other = tuner.candidates()
        tuner.learn((one[0] - one[1] > other[0] - other[1]) - (one[0] - one[1] < other[0] - other[1]))
    more, less = tuner.values()
    assert more > 30
    assert less < 13


def test_rounds_of_another_tuning_are_refused(tmp_path: Path) -> None:
    """Scores are read back for the same tuning, without an incomplete last line, and for no other."""
    path = tmp_path / "a.part"
    file = RoundsFile(path, {"seed": "1"})
    assert file.read() == []
    file.add(2)
    path.write_text(path.read_text() + "-1\n-")
    assert RoundsFile(path, {"seed": "1"}).read() == [2, -1]
    with pytest.raises(UsageError, match="holds the rounds of another tuning"):
        RoundsFile(path, {"seed": "2"}).read()
    path.write_text(path.read_text() + "3\n")
    with pytest.raises(UsageError, match=r"a\.part:4: expected the score of a round"):
        RoundsFile(path, {"seed": "1"}).read()
