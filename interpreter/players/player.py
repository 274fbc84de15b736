"""The interface of every player: it takes one of the options of the current decision."""

from __future__ import annotations

from typing import Protocol

from interpreter.play.game import Game


class Player(Protocol):
    """Answers the decisions of one seat. It may look ahead in the game, but leaves it unchanged."""

    def choose(self, game: Game) -> int:
        """Returns the position of the option that it takes in `game.decision`."""
