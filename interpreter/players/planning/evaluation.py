"""The value of a position to a seat."""

from __future__ import annotations

from interpreter.play.game import Game

WIN_VALUE = 1_000_000.0
"""The value of a won game; every evaluation of a ruleset is expected to stay far below it."""


class Evaluator:
    """Values positions for one seat, by the ruleset's own evaluation if it declares one."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._cache_key = (-1, -1)
        self._cached = 0.0

    def cached_value(self, game: Game) -> float:
        """Returns `value`, computed only once while nothing changes in a look-ahead."""
        key = len(game.steps), len(game.core.world.journal)
        if key != self._cache_key:
            self._cache_key, self._cached = key, self.value(game)
        return self._cached

    def reset(self) -> None:
        """Clears the cached value, at the beginning of a look-ahead."""
        self._cache_key = (-1, -1)

    def value(self, game: Game) -> float:
        """Returns the value of the position to the seat.

        A victory or defeat outweighs everything else; a draw has the value of its position.
        """
        if game.result is not None and game.result.winners:
            return WIN_VALUE if self.seat in game.result.winners else -WIN_VALUE
        evaluate = game.core.names.get("evaluate")
        if evaluate is None:
            return 0.0
        seat = next(each for each in game.core.seats if each.id == self.seat)
        game.core.begin_query()
        with game.core.faults():
            return float(evaluate(seat))
