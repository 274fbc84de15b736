"""Blocks of simultaneous lines, of which no seat sees anything before all have answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.source import GameSource
from interpreter.play.inputs.inputs import ANSWER, SINGLE, Inputs
from interpreter.play.wording.past_values import PositionValues
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Thing


class AnyGame(Protocol):
    """What is needed of a game here."""

    core: Core
    source: GameSource
    inputs: Inputs
    decision: Decision | None

    def before_simultaneous(self) -> Any:
        """Returns the game before the current block; none outside a block."""


class SimultaneousBlocks:
    """Begins and ends the blocks of simultaneous lines of one game, whose inputs and events these are."""

    core: Core

    def __init__(self, inputs: Inputs, events: Sequence[object]) -> None:
        self._inputs, self._events = inputs, events
        self.depth = 0
        """The number of nested blocks."""

    def begin_or_end(self, begins: bool) -> None:
        """Begins or ends a block; a nested block is part of the outer one."""
        self.depth += 1 if begins else -1
        if self.depth == (1 if begins else 0):
            self.core.set_simultaneous(self._inputs.position if begins else None, len(self._events))


def wording_of(game: AnyGame) -> Wording:
    """Returns the wording of a game; in a block titles show the values from before it."""
    if game.core.simultaneous_since is None:
        return game.source.wording

    def objects() -> Sequence[Thing]:
        return (game.before_simultaneous() or game).core.world.objects

    return game.source.wording.as_of(PositionValues(objects))


def hides_answers(game: AnyGame) -> bool:
    """Whether a seat has chosen anything in the current block, or chance has."""
    since = game.core.simultaneous_since
    return since is not None and any(each[0] != SINGLE for each in game.inputs.items[since:])


def is_after_others(game: AnyGame) -> bool:
    """Whether another seat has answered before the seat that decides in the present block; false outside a block."""
    since, decision = game.core.simultaneous_since, game.decision
    if since is None or decision is None:
        return False
    return any(each[0] in (ANSWER, SINGLE) and each[3] != decision.seat for each in game.inputs.items[since:])
