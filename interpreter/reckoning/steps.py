"""Where a course of events stands, as plain data, and how it goes from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

DEEPEST = 500
"""How many calls may be under way inside one another."""


class Code:
    """A procedure that rolls, taken apart as `language.emission.parts` writes it."""

    __slots__ = ("dead", "name", "size", "steps")

    def __init__(self, name: str, written: tuple[int, Any, Any]) -> None:
        self.name = name
        self.size, self.steps, self.dead = written


class Place(NamedTuple):
    """Where a course stands: before a step, with the locals of the procedure, and where it was called from."""

    code: Code
    step: int
    values: tuple[Any, ...]
    outer: Place | None


def beginning(code: Code, given: Sequence[Any], outer: Place | None) -> Place:
    """The beginning of a procedure with these arguments."""
    return Place(code, 0, (*given, *[None] * (code.size - len(given))), outer)


class Walk:
    """A course under way, from one place to the next; `codes` are the procedures that can be called."""

    __slots__ = ("_codes", "_depth", "code", "local", "number", "outer")

    def __init__(self, codes: dict[str, Code], place: Place) -> None:
        self._codes = codes
        self._enter(place)
        self._depth, outer = 0, place.outer
        while outer is not None:
            self._depth, outer = self._depth + 1, outer.outer

    def _enter(self, place: Place) -> None:
        self.code, self.number, values, self.outer = place
        self.local = list(values)

    def place(self) -> Place:
        """Where it stands, without the locals that are not read any more."""
        kept = list(self.local)
        for slot in self.code.dead[self.number]:
            kept[slot] = None
        return Place(self.code, self.number, tuple(kept), self.outer)

    def before(self) -> Place:
        """Where it stood before the step that it was told last."""
        self.number -= 1
        found = self.place()
        self.number += 1
        return found

    def given(self, slots: tuple[int, ...], values: tuple[Any, ...]) -> None:
        """Gives locals their values."""
        for slot, value in zip(slots, values, strict=True):
            self.local[slot] = value

    def after(self, slots: tuple[int, ...], values: tuple[Any, ...]) -> Place:
        """Where it would stand with these values; the course itself stays as it is."""
        before = list(self.local)
        self.given(slots, values)
        found = self.place()
        self.local = before
        return found

    def step(self) -> Any:
        """Follows the steps that only say where to go on, and gives the next that runs something or returns."""
        while True:
            step, local = self.code.steps[self.number], self.local
            self.number += 1
            match step:
                case ("run", *_) | ("return", _):
                    return step
                case ("call", name, slots, result):
                    self._call(name, [local[each] for each in slots], result)
                case ("go", there):
                    self.number = there
                case ("unless", slot, there):
                    if not local[slot]:
                        self.number = there
                case ("case", slot, word, there):
                    if local[slot] != word:
                        self.number = there
                case ("next", left, slot, there):
                    if local[left]:
                        local[slot], local[left] = local[left][0], local[left][1:]
                    else:
                        self.number = there
                case ("count", slot, there):
                    if local[slot] > 0:
                        local[slot] -= 1
                    else:
                        self.number = there

    def _call(self, name: str, given: list[Any], result: int) -> None:
        if self._depth == DEEPEST:
            raise RecursionError
        self._depth += 1
        if result >= 0:
            self.local[result] = None
        self._enter(beginning(self._codes[name], given, self.place()))

    def leave(self, slot: int) -> tuple[bool, Any]:
        """Leaves a procedure with the value of a local (-1: none): whether the whole course is over, and that value."""
        value = None if slot < 0 else self.local[slot]
        if self.outer is None:
            return True, value
        self._depth -= 1
        self._enter(self.outer)
        *_, result = self.code.steps[self.number - 1]
        if result >= 0:
            self.local[result] = value
        return False, value
