"""The player that takes what looks best at the end of the step under way."""

from __future__ import annotations

from random import Random

from interpreter.play.game import Game
from interpreter.players.judging import Judge

TRIALS = 3


class GreedyPlayer:
    """Looks to the end of the step: an option is worth the mean of a few random courses to there."""

    def __init__(self, seed: int | str, seat: str, trials: int = TRIALS) -> None:
        self._random = Random(f"{seed}/{seat}/greedy")  # noqa: S311 - a player, not a secret
        self._judge = Judge(seat)
        self._trials = trials

    def choose(self, game: Game) -> int:
        """The position of the option with the best mean; of equals one in a random order."""
        assert game.decision is not None
        order = list(range(len(game.decision.options)))
        self._random.shuffle(order)
        seeds = [str(self._random.getrandbits(48)) for _ in range(self._trials)]
        return max(order, key=lambda option: self._total(game, option, seeds))

    def _total(self, game: Game, option: int, seeds: list[str]) -> float:
        return sum([self._judge.trial(game, option, 0, each) for each in seeds])
