"""What every player is: something that takes one of the options of the decision before it."""

from __future__ import annotations

from typing import Protocol

from interpreter.play.game import Game


class Player(Protocol):
    """Answers the decisions of one seat. It may look ahead in the game, but leaves it as it was."""

    def choose(self, game: Game) -> int:
        """The position of the option it takes in `game.decision`."""
