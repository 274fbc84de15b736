"""Points of a game to which it can return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.inputs import Record
from interpreter.play.inputs.value_codec import Act
from interpreter.world.things import Thing, Word

_TIMELESS = (int, str, type(None), Word, Act, Site)

make_step_mark = tuple.__new__
"""Makes a `StepMark` in half the time of its own constructor, as the sequencer makes its frames."""


class Mark(NamedTuple):
    """A point of a game: the step under way, how many inputs were in and which was the last, and what was asked."""

    step: int
    inputs: int
    last: Record | None = None
    asked: Decision | None = None

    def still(self, records: Sequence[Record]) -> bool:
        """Whether these inputs begin as they did when the mark was set."""
        return self.inputs <= len(records) and (not self.inputs or records[self.inputs - 1] is self.last)

    def options(self, site: Site, inputs: int, objects: Sequence[Thing]) -> tuple[Any, ...] | None:
        """The options that were listed here, if this is the same question and all of them are still there.

        A step that is carried out again makes its pieces and records anew, so that old ones mean nothing in it.
        """
        asked = self.asked
        if asked is None or asked.site is not site or inputs != self.inputs:
            return None
        for each in asked.options:
            if isinstance(each, Thing):
                if each.index >= len(objects) or objects[each.index] is not each:
                    return None
            elif not isinstance(each, _TIMELESS):
                return None
        return asked.options


class StepMark(NamedTuple):
    """Where a step began: lengths of journal and trace, position in the inputs, its frame."""

    journal: int
    inputs: int
    trace: int
    frame: Frame
