"""What has far too many branches is refused early, by an estimate; what can be followed never is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from generated_rules import BOARD, Writer

from interpreter import load_ruleset, odds
from interpreter.inference import odds as odds_module
from interpreter.inference.solver import random_walks
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.inference.solver.random_walks import RandomWalks
from interpreter.inference.solver.solver import Solver
from interpreter.language.diagnostics import RuleFault
from interpreter.rules.loading.ruleset import Ruleset

DICE = range(50)
HEAD = """\
ruleset: {{id: dice, title: Dice, version: "1"}}
kinds: {{side: {{is: seat, members: [red, blue]}}}}
state: {{n: "int = 0", {state}}}
sequence: {{game: {{do: set n += 0}}}}
procedures:
"""
KEPT_IN_LOCALS = "".join(f'      let roll_{each} = red rolls 1d6 "die"\n' for each in DICE)
KEPT_IN_STATE = "".join(
    f'      let roll_{each} = red rolls 1d6 "die"\n      set kept_{each} = roll_{each}\n' for each in DICE
)
ALL_ROLLS, ALL_KEPT = [" + ".join([f"{name}_{each} * {each + 1}" for each in DICE]) for name in ("roll", "kept")]
MANY = {
    "locals": f"    gives: int\n    do: |\n{KEPT_IN_LOCALS}      return {ALL_ROLLS}\n",
    "state": f"    gives: int\n    do: |\n{KEPT_IN_STATE}      return {ALL_KEPT}\n",
    "outcomes": f"    outcomes: {{sum: {ALL_KEPT}}}\n    do: |\n{KEPT_IN_STATE}",
}
"""Fifty separate dice: all their faces are remembered to the end, in one way or another."""
SUMMED = """\
    gives: int
    do: |
      set n = 0
      repeat {} times:
        let roll = red rolls 1d6 "die"
        set n += roll
      return n
"""


@pytest.fixture(autouse=True)
def no_memory() -> Iterator[None]:
    """Each question begins from nothing."""
    odds_module.clear_situations()
    yield
    odds_module.clear_situations()


def dice(folder: Path, procedure: str) -> Ruleset:
    """A ruleset with this procedure, and the state that it may set."""
    text = HEAD.format(state=", ".join(f'kept_{each}: "int = 0"' for each in DICE)) + "  whole:\n" + procedure
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return load_ruleset(str(folder))


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets an element for every branch that is followed."""
    found: list[int] = []
    usual = Solver._count

    def count(solver: Solver) -> None:
        found.append(1)
        usual(solver)

    monkeypatch.setattr(Solver, "_count", count)
    return found


@pytest.mark.parametrize("kept", MANY)
def test_fifty_separate_dice_are_refused_early(kept: str, tmp_path: Path, followed: list[int]) -> None:
    """After a fiftieth of the limit and some thousand random paths the odds are refused, with the estimate."""
    with pytest.raises(TooManyBranchesError) as caught:
        odds(dice(tmp_path, MANY[kept]), "whole")
    text = str(caught.value)
    assert "an estimated 1,600,000 or more branches of dice and decisions" in text
    assert "3,106 random paths hardly ever came to the same situation; 200,000 can be followed" in text
    assert "use a smaller situation, or play it many times with `simulate`" in text
    assert len(followed) == 200_000 // 50


def test_states_that_merge_are_no_branches(tmp_path: Path, followed: list[int]) -> None:
    """Sixty dice that are only summed have few states, and are computed with all the branches that they need."""
    ruleset = dice(tmp_path, SUMMED.format(60))
    found = odds(ruleset, "whole")
    assert len(found.rows) == 301
    assert found.branches_followed == len(followed) > 40_000
    odds_module.clear_situations()
    assert odds(ruleset, "whole", max_branches=len(followed)) == found
    odds_module.clear_situations()
    with pytest.raises(TooManyBranchesError, match="more than"):
        odds(ruleset, "whole", max_branches=found.branches_followed * 9 // 10)


@pytest.mark.parametrize("seed", range(30))
def test_what_can_be_followed_is_never_refused(seed: int, tmp_path: Path) -> None:
    """Generated procedures are computed if the limit is exactly the branches that they need."""
    (tmp_path / "ruleset.yaml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(Writer(seed).rules(2), encoding="utf-8")
    ruleset, given = load_ruleset(str(tmp_path)), {"decisions": {"default": "uniform"}}
    try:
        found = odds(ruleset, "whole", given, max_branches=20_000)
    except (RuleFault, TooManyBranchesError):
        pytest.skip("has no odds")
    odds_module.clear_situations()
    assert odds(ruleset, "whole", given, max_branches=found.branches_followed) == found


def test_walks_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, followed: list[int]) -> None:
    """Where the paths are too long for an estimate, branches are followed up to the limit, as without it."""
    monkeypatch.setattr(random_walks, "MAX_STEPS", 500)
    with pytest.raises(TooManyBranchesError, match="more than 2,000 branches"):
        odds(dice(tmp_path, MANY["locals"]), "whole", max_branches=2_000)
    assert len(followed) == 2_000 + 2_000 // 50 + 1


def test_small_questions_need_no_estimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has few branches is computed without a random walk."""
    made: list[object] = []
    monkeypatch.setattr(RandomWalks, "exceed", lambda *_: made.append(1))
    assert len(odds(dice(tmp_path, SUMMED.format(10)), "whole").rows) == 51
    assert not made
