"""The player that spends a budget on trying out how to play on."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from interpreter.play.game import Game
from interpreter.players.planning.planner import Planner

STEPS = 0
"""How many steps further it looks: what others do there at random tells more of chance than of the choice."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """What a decision may cost: a number of trials (the same choice on every machine), a time, or both.

    Without either, the player chooses at random.
    """

    trials: int | None = None
    seconds: float | None = None

    def left(self, trials: int, until: float) -> bool:
        """Whether there is something left after so many trials; always while only the time is bounded."""
        if self.seconds is not None and perf_counter() >= until:
            return False
        if self.trials is None:
            return self.seconds is not None
        return trials < self.trials


class SearchPlayer:
    """Looks to the end of the step under way, or of further ones, for as long as its budget lasts."""

    def __init__(self, seed: int | str, seat: str, budget: SearchBudget | None = None, steps: int = STEPS) -> None:
        self._planner = Planner(seat, Random(f"{seed}/{seat}/search"), steps)  # noqa: S311 - a player, not a secret
        self._budget = budget or SearchBudget(seconds=0.05)

    def choose(self, game: Game) -> int:
        """The position of the option that the best course found begins with."""
        budget = self._budget
        until = perf_counter() + (budget.seconds or 0.0)
        return self._planner.choose(game, lambda trials: budget.left(trials, until))
