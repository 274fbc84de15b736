"""The inputs of a game in order: dice, random picks and answers. With the scenario they determine the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site

DIE, PICK, REVEAL, ANSWER, SINGLE = "d", "r", "v", "a", "s"
"""Tags of inputs: `("d", site, faces…)`, `("r", site, picks…)`, `("v", site)` (something was revealed),
`("a", site, answer, seat)`, `("s", site, answer, seat)` (the only option, so nobody was asked)."""

Input = tuple[Any, ...]
"""A tag, a site, and what came up or was answered there."""


def count_drawn(inputs: Iterable[Input]) -> int:
    """Returns the number of words of the seeded stream that dice and picks take: one for each value."""
    return sum(max(len(each) - 2, 0) for each in inputs if each[0] in (DIE, PICK))


def is_answer_of(item: Input, seat: str) -> bool:
    """Returns whether an input is an answer of this seat to a question with several options."""
    return item[0] == ANSWER and bool(item[3] == seat)


class Inputs:
    """Inputs and a position among them: before the end the game is replayed, at the end new ones are added."""

    __slots__ = ("_listener", "items", "position")

    def __init__(self, listener: Callable[[Input], None] | None = None) -> None:
        self.items: list[Input] = []
        self.position = 0
        self._listener = listener

    def replay(self, tags: str, site: Site) -> Input | None:
        """Returns the next input, or none at the end.

        Raises:
            RuleFault: `divergence`, if the input belongs to another roll or decision.
        """
        if self.position == len(self.items):
            return None
        item = self.items[self.position]
        if item[0] not in tags or item[1] != site.number:
            raise RuleFault(
                Diagnostic(
                    "divergence",
                    f"input {self.position + 1} was recorded for another roll or decision than '{site.address}'",
                    site.place,
                    "the inputs belong to other rules, another scenario or other options",
                )
            )
        self.position += 1
        return item

    def append(self, item: Input) -> None:
        """Adds a new input, after a call of the listener."""
        if self._listener is not None:
            self._listener(item)
        self.items.append(item)
        self.position += 1

    def go_back(self, start: int, end: int) -> None:
        """Keeps the first `end` inputs, and replays from `start` on."""
        del self.items[end:]
        self.position = start
