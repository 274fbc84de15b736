"""The player that looks ahead to the horizon with a few trials."""

from __future__ import annotations

from random import Random

from interpreter.play.game import Game
from interpreter.play.inputs.seeds import derived_seed
from interpreter.players.planning.planner import Planner

TRIALS_PER_OPTION = 3
MIN_OPTIONS_COUNTED = 8
"""A decision with fewer options gets the trials of this many, because its follow-up decisions need trials too."""


class GreedyPlayer:
    """Plans to the horizon, with a few trials for each option."""

    def __init__(self, seed: int | str, seat: str, trials: int = TRIALS_PER_OPTION) -> None:
        self._planner = Planner(seat, Random(derived_seed(seed, f"greedy/{seat}")))  # noqa: S311 - of a derived seed
        self._trials = trials

    def choose(self, game: Game) -> int:
        """Returns the position of the option with which the best plan found begins."""
        assert game.decision is not None
        full = self._trials * max(len(game.decision.options), MIN_OPTIONS_COUNTED)
        reduced = self._trials * 2  # enough while the game follows the plan
        return self._planner.choose(game, lambda trials: trials < full, lambda trials: trials < reduced)
