"""Continues a game with recorded inputs."""

from __future__ import annotations

from collections.abc import Collection

from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.inputs import Input


def feed(game: GameEngine, inputs: Collection[Input]) -> None:
    """Replays inputs that continue the present ones, in a game with an open decision.

    Raises:
        UsageError: if they do not continue the present inputs.
        RuleFault: `divergence`, if they do not fit the game, which then stays as it was.
    """
    known, new = game.inputs.items, list(inputs)
    here, verified = game.mark(), game.verified
    if new[: len(known)] != known:
        raise UsageError("these inputs do not continue this game")
    game.verified = True
    try:
        game.go_back(here.step, here.inputs, new[len(known) :])
    except BicorneError:
        game.go_back(here.step, here.inputs)
        raise
    finally:
        game.verified = verified
