"""The interface of every player: it takes one of the options of the current decision. A person may also leave."""

from __future__ import annotations

from typing import Protocol

from interpreter.play.game import Game


class Player(Protocol):
    """Answers the decisions of one seat. It may look ahead in the game, but leaves it unchanged."""

    def choose(self, game: Game) -> int:
        """Returns the position of the option that it takes in `game.decision`."""


def choose_unwatched(player: Player, game: Game) -> int:
    """Returns the position of the option that a player takes; a single option is taken without asking it.

    A person at the table could tell from the quick answer that a secret decision had one option.
    """
    assert game.decision is not None
    return 0 if len(game.decision.options) == 1 else player.choose(game)


class Person:
    """A player who types the answers: others wait for it, and it is shown what has happened."""


class PlayerLeft(Exception):  # noqa: N818 - not an error
    """The person leaves the game, which stays as it is."""


class DecisionUndone(Exception):  # noqa: N818 - not an error
    """The person undid a decision; the game is now at another decision."""
