"""Merged branches have the same outcomes as branches that are enumerated one by one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from generated_rules import BOARD, Writer
from plain_odds import plain_odds

from interpreter import load_ruleset, odds
from interpreter.inference.odds import clear_situations
from interpreter.inference.solver import solver
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.language.diagnostics import RuleFault
from interpreter.rules.loading.ruleset import Ruleset

SEEDS = range(4000 if os.environ.get("BICORNE_SOAK") else 16)
POLICIES = ("first", "last", "uniform")
MOST = 600


def made(folder: Path, seed: int) -> Ruleset:
    """The board with generated procedures."""
    (folder / "ruleset.yaml").write_text(BOARD, encoding="utf-8")
    (folder / "rules.yaml").write_text(Writer(seed).rules(2), encoding="utf-8")
    return load_ruleset(str(folder))


@pytest.mark.parametrize("seed", SEEDS)
def test_merged_odds_equal_enumeration(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fractions are equal, to the last digit, for generated procedures, with few merge points, too."""
    ruleset = made(tmp_path, seed)
    given = {"decisions": {"default": POLICIES[seed % 3]}}
    try:
        expected = plain_odds(ruleset, "whole", given, MOST)
    except TooManyBranchesError:
        pytest.skip("too many branches to enumerate")
    except RuleFault:
        with pytest.raises(RuleFault):
            odds(ruleset, "whole", given)
        return
    found = odds(ruleset, "whole", given)
    assert sum(expected.values()) == 1
    assert dict(found.rows) == expected
    assert found.branches_followed <= MOST
    assert odds(ruleset, "whole", given) == found, "the world was not restored"
    clear_situations()
    monkeypatch.setattr(solver, "MIN_VISITS_BEFORE_DECISION", 1)
    assert dict(odds(ruleset, "whole", given).rows) == expected
