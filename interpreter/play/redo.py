"""Plays a game on by inputs that are recorded already."""

from __future__ import annotations

from collections.abc import Collection

from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.inputs import Record


def feed(game: GameEngine, records: Collection[Record]) -> None:
    """Plays a game that is asking on by inputs of which those so far are the beginning.

    Raises:
        UsageError: if they begin otherwise.
        RuleFault: `divergence`, if they do not fit the game, which then stays where it was.
    """
    known, given = game.inputs.records, list(records)
    here, verified = game.mark(), game.verified
    if given[: len(known)] != known:
        raise UsageError("these inputs are not a continuation of this game")
    game.verified = True
    try:
        game.go_back(here.step, here.inputs, given[len(known) :])
    except BicorneError:
        game.go_back(here.step, here.inputs)
        raise
    finally:
        game.verified = verified
