"""Exact odds agree with many runs with dice."""

from __future__ import annotations

import os
from math import sqrt

import pytest
from plain_odds import sampled
from situations import SITUATIONS, Situation

from interpreter import odds

SOAK = bool(os.environ.get("BICORNE_SOAK"))
RUNS = 200_000
SIGMAS = 5


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
def test_samples_agree_with_odds(situation: Situation) -> None:
    """Each outcome is as frequent as its odds, within five standard deviations, and no other outcome occurs."""
    runs = RUNS if SOAK else situation.runs
    ruleset, given = situation.loaded, situation.given
    rows = dict(odds(ruleset, situation.procedure, given).rows)
    counts = sampled(ruleset, situation.procedure, given, runs, seed=1805)
    assert len(rows) > 1
    assert sum(rows.values()) == 1
    assert counts.keys() <= rows.keys()
    for outcome, exact in rows.items():
        spread = sqrt(runs * exact * (1 - exact))
        assert abs(counts.get(outcome, 0) - runs * exact) <= SIGMAS * spread + 3, (outcome, float(exact))
