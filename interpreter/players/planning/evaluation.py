"""What a position is worth to a seat."""

from __future__ import annotations

from interpreter.play.game import Game

WON = 1_000_000.0
"""Worth of a game won; every evaluation of a ruleset is expected to stay far below it."""


class Evaluator:
    """Values positions for one seat, by the ruleset's own evaluation where it declares one."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._last = (-1, -1)
        self._worth = 0.0

    def worth_on_the_way(self, game: Game) -> float:
        """The same as `worth`, found out once where nothing has changed in a look ahead."""
        now = len(game.steps), len(game.core.world.journal)
        if now != self._last:
            self._last, self._worth = now, self.worth(game)
        return self._worth

    def begin(self) -> None:
        """A look ahead begins anew."""
        self._last = (-1, -1)

    def worth(self, game: Game) -> float:
        """What the position is worth to the seat: a victory or defeat before everything else; a draw as it stands."""
        if game.result is not None and game.result.winners:
            return WON if self.seat in game.result.winners else -WON
        evaluate = game.core.names.get("evaluate")
        if evaluate is None:
            return 0.0
        seat = next(each for each in game.core.seats if each.id == self.seat)
        game.core.look()
        try:
            return float(evaluate(seat))
        except Exception as error:
            raise game.core.fault(error) from error
