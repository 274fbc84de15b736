"""The player that takes each option with equal probability."""

from __future__ import annotations

from interpreter.play.engine.bulk import random_index, random_stream
from interpreter.play.game import Game


class RandomPlayer:
    """Takes the same options as the random player of `Simulation` with the same seed and seat.

    `answered` is the number of decisions that it has already answered in a game that continues.
    """

    def __init__(self, seed: int | str, seat: str, answered: int = 0) -> None:
        self._stream = random_stream(seed, seat)
        for _ in range(answered):
            self._stream()

    def choose(self, game: Game) -> int:
        """Returns the position of an option, drawn from the seat's own stream."""
        assert game.decision is not None
        return random_index(self._stream, len(game.decision.options))
