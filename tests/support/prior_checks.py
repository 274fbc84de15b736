"""Checks what must hold of the priors of players in every game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from interpreter import Game
from interpreter.players.planning.priors import Priors, weighted_index
from interpreter.rules.loading.ruleset import Scenario

GAMES = 8


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


def drawn(scenario: Scenario, note: Callable[[Game, Any], None]) -> None:
    """Plays games in which every answer is drawn by the priors, and notes each before it is given."""
    draw = Random(1).random
    for seed in range(GAMES):
        game = Game(scenario, seed)
        priors = Priors(game.core)
        while (decision := game.decision) is not None:
            at = weighted_index(priors.weights(decision), draw)
            note(game, decision.options[at])
            game.choose_index(at)
