"""Where a course of events stands, as plain data, and how it goes from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from interpreter.reckoning.notes import plain

DEEPEST = 500
"""How many calls may be under way inside one another."""


class Code:
    """A procedure that rolls, taken apart as `language.emission.parts` writes it."""

    __slots__ = ("alike", "name", "size", "steps", "unread")

    def __init__(self, name: str, written: tuple[int, Any, Any]) -> None:
        self.name = name
        self.size, self.steps, self.unread = written
        self.alike: dict[Any, Any] = {}
        """Of all that is alike in what is still read of it, the first that was met."""

    def read_later(self, number: int, values: list[Any]) -> tuple[Any, ...]:
        """The locals as far as a step or one after it reads them."""
        dead, partly = self.unread[number]
        kept = list(values)
        for slot in dead:
            kept[slot] = None
        for slot, attributes in partly:
            value = kept[slot]
            if value is not None:
                key = (type(value), attributes, *[plain(getattr(value, each)) for each in attributes])
                kept[slot] = self.alike.setdefault(key, value)
        return tuple(kept)


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
        return Place(self.code, self.number, self.code.read_later(self.number, self.local), self.outer)

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
        number, before = self.number, list(self.local)
        self.given(slots, values)
        found = self.coming()
        self.number, self.local = number, before
        return found

    def coming(self) -> Place:
        """Where it stands before the next step that does more than say where to go on; it goes there."""
        self.step()
        return self.before()

    def step(self) -> Any:
        """Follows the steps that only say where to go on, and gives the next that runs, calls or returns."""
        while True:
            step, local = self.code.steps[self.number], self.local
            self.number += 1
            match step:
                case ("run", *_) | ("call", *_) | ("return", _):
                    return step
                case ("let", part, slots, written):
                    self.given(written, part(*[local[each] for each in slots]))
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

    def enter(self, name: str, given: Sequence[Any], result: int) -> None:
        """Goes on in another procedure."""
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
