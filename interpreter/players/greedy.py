"""The player that takes what looks best at the end of the step under way."""

from __future__ import annotations

from random import Random

from interpreter.play.game import Game
from interpreter.players.planning.planner import Planner

TRIALS = 3
OPTIONS = 8
"""A decision counts as one between so many options at least, for what follows on it is to be found out, too."""


class GreedyPlayer:
    """Looks to the end of the step, with a few trials for each option."""

    def __init__(self, seed: int | str, seat: str, trials: int = TRIALS) -> None:
        self._planner = Planner(seat, Random(f"{seed}/{seat}/greedy"), steps=0)  # noqa: S311 - a player, not a secret
        self._trials = trials

    def choose(self, game: Game) -> int:
        """The position of the option that the best course found begins with."""
        assert game.decision is not None
        most = self._trials * max(len(game.decision.options), OPTIONS)
        few = self._trials * 2  # where everything goes as foreseen
        return self._planner.choose(game, lambda trials: trials < most, lambda trials: trials < few)
