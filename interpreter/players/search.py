"""The player that spends a budget of trials or time on plans."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from interpreter.play.game import Game
from interpreter.play.inputs.seeds import derived_seed
from interpreter.players.planning.planner import Planner


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """The cost limit of a decision: a number of trials (the same choice on every machine), a time, or both.

    Without either, the player chooses at random.
    """

    trials: int | None = None
    seconds: float | None = None

    def can_continue(self, trials: int, deadline: float) -> bool:
        """Whether the budget allows another trial after this number of trials."""
        if self.seconds is not None and perf_counter() >= deadline:
            return False
        if self.trials is None:
            return self.seconds is not None
        return trials < self.trials


class SearchPlayer:
    """Plans to the horizon until its budget is spent."""

    def __init__(self, seed: int | str, seat: str, budget: SearchBudget | None = None) -> None:
        self._planner = Planner(seat, Random(derived_seed(seed, f"search/{seat}")))  # noqa: S311 - of a derived seed
        self._budget = budget or SearchBudget(seconds=0.05)

    def choose(self, game: Game) -> int:
        """Returns the position of the option with which the best plan found begins."""
        budget = self._budget
        deadline = perf_counter() + (budget.seconds or 0.0)
        return self._planner.choose(game, lambda trials: budget.can_continue(trials, deadline))
