"""The player that takes any option, each as likely."""

from __future__ import annotations

from interpreter.play.engine.bulk import random_index, random_stream
from interpreter.play.game import Game


class RandomPlayer:
    """Takes the same options as the random player of `Simulation` with the same seed and seat.

    `taken` are the decisions that it has answered before, in a game that goes on.
    """

    def __init__(self, seed: int | str, seat: str, taken: int = 0) -> None:
        self._stream = random_stream(seed, seat)
        for _ in range(taken):
            self._stream()

    def choose(self, game: Game) -> int:
        """The position of an option, drawn from the seat's own stream."""
        assert game.decision is not None
        return random_index(self._stream, len(game.decision.options))
