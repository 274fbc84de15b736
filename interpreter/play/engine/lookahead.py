"""Trying things out in a game and coming back: for players that look ahead."""

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
"""Which option to take: its position."""


@contextmanager
def speculating(game: AnyGame, seed: int | str) -> Iterator[AnyGame]:
    """Lets a game go on with dice of its own; afterwards it stands where it stood, its true dice untouched.

    Meanwhile invariants are not tested, and a recorded game notes nothing. What was answered in the step under way may
    be taken back and answered otherwise: it stands again afterwards.
    """
    mark = game.mark()
    since = game.steps[mark.step].inputs
    given, dice, speculative = game.inputs.records[since:], game.chance.dice, game.speculative
    game.chance.dice, game.speculative = Dice(seed), True
    try:
        yield game
    finally:
        game.go_back(mark.step, since, given, resume=mark)
        game.chance.dice, game.speculative = dice, speculative


def playout(game: GameEngine, policy: Policy, limit: int) -> Result | None:
    """Plays on by a policy, for at most `limit` decisions; the result if the game ended."""
    for _ in range(limit):
        if game.decision is None:
            break
        game.choose_index(policy(game.decision))
    return game.result


def try_options(game: AnyGame, seed: int | str, value: Callable[[AnyGame], Any]) -> list[Any]:
    """What `value` says of the game after each of the present options; the game stays where it is."""
    if game.decision is None:
        return []
    found = []
    for index in range(len(game.decision.options)):
        with speculating(game, seed):
            game.choose_index(index)
            found.append(value(game))
    return found
