"""Budgets of a search, and what is left of one at a decision."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

PLANNING_SHARE = 0.5
"""The share of a larger budget that goes to plans alone."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """The cost limit of a decision: a number of trials (the same choice on every machine), a time, or both.

    Without either, the player chooses at random.
    """

    trials: int | None = None
    seconds: float | None = None

    def part(self, share: float, trees: int = 1) -> SearchBudget:
        """Returns the budget of a tree for a share of the search; trees share the trials, but run at the same time."""
        return SearchBudget(
            None if self.trials is None else int(self.trials * share / trees),
            None if self.seconds is None else self.seconds * share,
        )


class Meter:
    """What is left of a budget at one decision."""

    def __init__(self, budget: SearchBudget) -> None:
        self._trials, self._seconds = budget.trials, budget.seconds
        self._is_over = self._trials is None and self._seconds is None
        self._begun = 0.0 if self._seconds is None else perf_counter()
        self._elapsed = 0.0
        self._spent = 0

    def can_continue(self, trials: int = 0) -> bool:
        """Whether the budget allows another trial after what is spent and this number of trials."""
        if not self._is_over and self._seconds is not None:
            self._elapsed = perf_counter() - self._begun
            self._is_over = self._elapsed >= self._seconds
        return not self._is_over and (self._trials is None or self._spent + trials < self._trials)

    def can_plan(self, trials: int, needed: int) -> bool:
        """Whether the budget allows another trial of plans alone, of which `needed` have precedence."""
        if not self.can_continue(trials):
            return False
        if trials < needed:
            return True
        if self._trials is not None and trials >= PLANNING_SHARE * self._trials:
            return False
        return self._seconds is None or self._elapsed < PLANNING_SHARE * self._seconds

    def spend(self, trials: int) -> None:
        """Adds trials to those spent."""
        self._spent += trials
