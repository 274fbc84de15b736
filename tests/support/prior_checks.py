"""Checks what must hold of the priors of players in every game."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import Game
from interpreter.players.planning.priors import Priors


def weighed(game: Game, choose: Callable[[str, list[float]], int], most: int) -> None:
    """Plays on by `choose`, of seat and weights: one for each option, of which something is worth trying."""
    priors = Priors(game.core)
    for _ in range(most):
        if game.decision is None:
            break
        weights = priors.weights(game.decision)
        assert len(weights) == len(game.decision.options)
        assert any(weights)
        game.choose_index(choose(game.decision.seat, weights))
