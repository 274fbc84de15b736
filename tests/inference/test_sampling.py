"""Exact odds are what many runs with dice come close to, and come at a fraction of their cost."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import sqrt
from time import process_time

import pytest
from plain_odds import sampled
from situations import SITUATIONS, Situation

from interpreter import odds
from interpreter.inference.sampling import with_dice

SOAK = bool(os.environ.get("BICORNE_SOAK"))
RUNS = 200_000
SIGMAS = 5
STANDARD_ERROR = 0.001
TIMES = 100
"""So many times faster than sampling to that standard error."""


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
def test_runs_come_close(situation: Situation) -> None:
    """Each outcome comes as often as its odds say, within five standard deviations, and no other ever comes."""
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


@pytest.mark.skipif(not SOAK, reason="measures time: set BICORNE_SOAK")
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
def test_cost_of_exact_odds(situation: Situation) -> None:
    """Once loaded, exact odds take a hundredth of the time in which sampling is sure to a tenth of a per cent."""
    ruleset, given = situation.loaded, situation.given
    found = odds(ruleset, situation.procedure, given)
    exact = min([_seconds(lambda: odds(ruleset, situation.procedure, given)) for _ in range(3)])
    runner = with_dice(ruleset, situation.procedure, given, seed=1)
    each = _seconds(lambda: [runner.run() for _ in range(RUNS // 100)]) / (RUNS // 100)
    needed = max(share * (1 - share) for _, share in found.rows) / STANDARD_ERROR**2
    print(
        f"{situation.procedure}: exact {exact:.3f} s, sampling {needed * each:.1f} s, {needed * each / exact:.0f} times"
    )
    assert needed * each >= TIMES * exact


def _seconds(run: Callable[[], object]) -> float:
    """The processor time of one run."""
    begun = process_time()
    run()
    return process_time() - begun
