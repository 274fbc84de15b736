"""Blocks of simultaneous lines, of which no seat sees anything before all have answered."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play.engine.core import Core
from interpreter.play.inputs.inputs import Inputs


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
