"""The player that looks ahead to the horizon with a few trials."""

from __future__ import annotations

from random import Random

from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.seeds import derived_seed
from interpreter.players.planning.planner import Planner

TRIALS_PER_OPTION = 3
MIN_OPTIONS_COUNTED = 8
"""A decision with fewer options gets the trials of this many, because its follow-up decisions need trials too."""


def trials_of(decision: Decision, trials: int = TRIALS_PER_OPTION) -> tuple[int, int]:
    """Returns the number of trials at a decision, and that which is enough while the game follows the plan."""
    return trials * max(len(decision.options), MIN_OPTIONS_COUNTED), trials * 2


class GreedyPlayer:
    """Plans to the horizon, with a few trials for each option."""

    def __init__(self, seed: int | str, seat: str, trials: int = TRIALS_PER_OPTION) -> None:
        self._planner = Planner(seat, Random(derived_seed(seed, f"greedy/{seat}")))  # noqa: S311 - of a derived seed
        self._trials = trials

    def choose(self, game: Game) -> int:
        """Returns the position of the option with which the best plan found begins."""
        assert game.decision is not None
        full, reduced = trials_of(game.decision, self._trials)
        return self._planner.choose(game, lambda trials: trials < full, lambda trials: trials < reduced)
