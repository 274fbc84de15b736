"""Courses that are merged where they have become alike end as those that are followed one by one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from generated_rules import BOARD, Writer
from plain_odds import plain_odds

from interpreter import load_ruleset, odds
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.language.diagnostics import RuleFault
from interpreter.rules.loading.ruleset import Ruleset

SEEDS = range(4000 if os.environ.get("BICORNE_SOAK") else 16)
POLICIES = ("first", "last", "any")
MOST = 600


def made(folder: Path, seed: int) -> Ruleset:
    """The board with procedures that chance has written."""
    (folder / "ruleset.yaml").write_text(BOARD, encoding="utf-8")
    (folder / "rules.yaml").write_text(Writer(seed).rules(2), encoding="utf-8")
    return load_ruleset(str(folder))


@pytest.mark.parametrize("seed", SEEDS)
def test_merged_as_one_by_one(seed: int, tmp_path: Path) -> None:
    """The same fractions, to the last digit, for procedures that nobody has thought of."""
    ruleset = made(tmp_path, seed)
    given = {"decisions": {"default": POLICIES[seed % 3]}}
    try:
        expected = plain_odds(ruleset, "whole", given, MOST)
    except TooManyBranchesError:
        pytest.skip("too many courses to follow one by one")
    except RuleFault:
        with pytest.raises(RuleFault):
            odds(ruleset, "whole", given)
        return
    found = odds(ruleset, "whole", given)
    assert sum(expected.values()) == 1
    assert dict(found.rows) == expected
    assert found.leaves <= MOST
    assert odds(ruleset, "whole", given) == found, "the world was not given back as it was"
