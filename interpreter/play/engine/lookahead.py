"""Speculative play for players that look ahead: the game returns to where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.outcome import Result
from interpreter.play.inputs.dice import Dice

AnyGame = TypeVar("AnyGame", bound=GameEngine)

Policy = Callable[[Decision], int]
"""Returns the position of the option to take."""


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


def playout(game: GameEngine, policy: Policy, limit: int) -> Result | None:
    """Plays by a policy for at most `limit` decisions; returns the result if the game ended."""
    for _ in range(limit):
        if game.decision is None:
            break
        game.choose_index(policy(game.decision))
    return game.result


def try_options(game: AnyGame, seed: int | str, value: Callable[[AnyGame], Any]) -> list[Any]:
    """Returns `value` of the game after each of the current options; the game stays as it is."""
    if game.decision is None:
        return []
    results = []
    for index in range(len(game.decision.options)):
        with speculating(game, seed):
            game.choose_index(index)
            results.append(value(game))
    return results
