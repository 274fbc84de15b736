"""Marks: points to which a game can return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.inputs import Input
from interpreter.play.inputs.value_codec import Act
from interpreter.world.things import Thing, Word

_REPEATABLE = (int, str, type(None), Word, Act, Site)

make_step_mark = tuple.__new__
"""Creates a `StepMark` in half the time of its constructor."""


class Mark(NamedTuple):
    """A point of a game: the step, the number of inputs, the last input, and the open decision."""

    step: int
    inputs: int
    last: Input | None = None
    decision: Decision | None = None

    def is_on(self, inputs: Sequence[Input]) -> bool:
        """Whether these inputs start with those at the mark."""
        return self.inputs <= len(inputs) and (not self.inputs or inputs[self.inputs - 1] is self.last)

    def options(self, site: Site, inputs: int, objects: Sequence[Thing]) -> tuple[Any, ...] | None:
        """Returns the options that were listed at the mark, if the question is the same and all of them still exist.

        A step that runs again creates its pieces and records again, so that the old ones are invalid.
        """
        decision = self.decision
        if decision is None or decision.site is not site or inputs != self.inputs:
            return None
        for each in decision.options:
            if isinstance(each, Thing):
                if each.index >= len(objects) or objects[each.index] is not each:
                    return None
            elif not isinstance(each, _REPEATABLE):
                return None
        return decision.options


class StepMark(NamedTuple):
    """The start of a step: the lengths of journal and events, the position in the inputs, and the frame."""

    journal: int
    inputs: int
    events: int
    frame: Frame
