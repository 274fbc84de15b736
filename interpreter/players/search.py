"""The player that spends a budget of trials or time on plans and on the turns that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from interpreter.play.game import Game
from interpreter.play.inputs.seeds import derived_seed
from interpreter.players.greedy import trials_of
from interpreter.players.planning.planner import Planner
from interpreter.players.planning.race import Race
from interpreter.players.planning.turn_tree import TurnTree

GREEDY_MULTIPLE = 5
"""Plans alone have this number of times the trials of the greedy player, before any goes to a race between them."""
PLANNING_SHARE = 0.5
"""The share of a larger budget that goes to plans alone."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """The cost limit of a decision: a number of trials (the same choice on every machine), a time, or both.

    Without either, the player chooses at random.
    """

    trials: int | None = None
    seconds: float | None = None


class _Meter:
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


class SearchPlayer:
    """Plans to the horizon as the greedy player does, then compares the best plans by the turns that answer them."""

    def __init__(self, seed: int | str, seat: str, budget: SearchBudget | None = None) -> None:
        self._random = Random(derived_seed(seed, f"search/{seat}"))  # noqa: S311 - of a derived seed
        self._planner = Planner(seat, self._random)
        self._budget = budget or SearchBudget(seconds=0.05)
        self._meter = _Meter(SearchBudget())
        self._tree = TurnTree(seat, self._random, self._can_continue, self._spend)

    def choose(self, game: Game) -> int:
        """Returns the position of the option with which the best plan found begins."""
        assert game.decision is not None
        self._meter = meter = _Meter(self._budget)
        needed = GREEDY_MULTIPLE * trials_of(game.decision)[0]
        planner = self._planner
        chosen = planner.choose(game, lambda trials: meter.can_plan(trials, needed))
        if not planner.plans or not meter.can_continue(planner.trials):
            return chosen
        self._tree.begin(game)
        winner = Race(planner, self._tree, self._random, self._can_continue).winner()
        planner.adopt(winner)
        return winner.answers[0][2]

    def _can_continue(self) -> bool:
        return self._meter.can_continue(self._planner.trials)

    def _spend(self, trials: int) -> None:
        self._meter.spend(trials)
