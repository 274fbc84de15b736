"""Odds the plain way: the whole procedure run anew for every way in which chance can fall, nothing kept in between."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.inference.enumerated_chance import EnumeratedChance
from interpreter.inference.sampling import Runner, with_dice
from interpreter.inference.solver.path_enumerator import PathEnumerator
from interpreter.rules.loading.ruleset import Ruleset


def plain_odds(
    ruleset: Ruleset, procedure: str, given: Any, most_leaves: int = 200_000
) -> dict[tuple[str, ...], Fraction]:
    """The exact distribution of the outcomes, by running every course of events from its start."""
    branches = PathEnumerator(most_leaves)
    runner = Runner(ruleset, procedure, given, "odds", branches.pick, EnumeratedChance(branches).names())
    found: dict[tuple[str, ...], Fraction] = {}
    while True:
        outcome = runner.run()
        found[outcome] = found.get(outcome, Fraction(0)) + branches.weight()
        if not branches.advance():
            return found


def sampled(ruleset: Ruleset, procedure: str, given: Any, runs: int, seed: int) -> dict[tuple[str, ...], int]:
    """How often each outcome came of a number of runs with dice, in the code that games are played with."""
    runner = with_dice(ruleset, procedure, given, seed)
    found: dict[tuple[str, ...], int] = {}
    for _ in range(runs):
        outcome = runner.run()
        found[outcome] = found.get(outcome, 0) + 1
    return found
