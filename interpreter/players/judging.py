"""What a position is worth to a seat."""

from __future__ import annotations

from interpreter.play.game import Game

WON = 1_000_000.0
"""Worth of a game won; every evaluation of a ruleset is expected to stay far below it."""


class Judge:
    """Values positions for one seat, by the ruleset's own evaluation where it declares one."""

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def worth(self, game: Game) -> float:
        """What the position is worth to the seat: a victory or defeat before everything else; a draw as it stands."""
        if game.result is not None and game.result.winners:
            return WON if self.seat in game.result.winners else -WON
        evaluate = game.core.names.get("evaluate")
        if evaluate is None:
            return 0.0
        seat = next(each for each in game.core.seats if each.id == self.seat)
        try:
            return float(evaluate(seat))
        except Exception as error:
            raise game.core.fault(error) from error
