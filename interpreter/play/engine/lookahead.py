"""Speculative play for players that look ahead: the game returns to where it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.dice import Dice

AnyGame = TypeVar("AnyGame", bound=GameEngine)


@contextmanager
def speculating(game: AnyGame, seed: int | str) -> Iterator[AnyGame]:
    """Lets a game run with other dice; afterwards the game and its own dice are as before.

    Invariants are not checked meanwhile, and nothing is recorded. Answers of the current step may be undone and
    changed: they are restored afterwards.
    """
    mark = game.mark()
    since = game.steps[mark.step].inputs
    records, dice, speculative = game.inputs.items[since:], game.chance.dice, game.speculative
    game.chance.dice, game.speculative = Dice(seed), True
    try:
        yield game
    finally:
        game.go_back(mark.step, since, records, resume=mark)
        game.chance.dice, game.speculative = dice, speculative
