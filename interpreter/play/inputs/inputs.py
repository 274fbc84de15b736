"""The inputs of a game, in order: dice, random picks, answers. With the scenario they are the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site

DIE, PICK, SHOWN, ANSWER, SINGLE = "d", "r", "v", "a", "s"
"""Tags of records: `("d", site, faces…)`, `("r", site, picks…)`, `("v", site)` (something was revealed),
`("a", site, answer, seat)`, `("s", site, answer, seat)` (the only option, so nobody was asked)."""

Record = tuple[Any, ...]


class Inputs:
    """Records and a position among them: before its end the game is fed from them, at the end it lives on."""

    __slots__ = ("_listener", "position", "records")

    def __init__(self, listener: Callable[[Record], None] | None = None) -> None:
        self.records: list[Record] = []
        self.position = 0
        self._listener = listener

    def feed(self, tags: str, site: Site) -> Record | None:
        """The next record, or none where the game lives.

        Raises:
            RuleFault: `divergence`, if the record belongs to something else.
        """
        if self.position == len(self.records):
            return None
        record = self.records[self.position]
        if record[0] not in tags or record[1] != site.number:
            raise RuleFault(
                Diagnostic(
                    "divergence",
                    f"input {self.position + 1} was recorded for another roll or decision than '{site.address}'",
                    site.place,
                    "the inputs belong to other rules, another scenario or other options",
                )
            )
        self.position += 1
        return record

    def live(self, record: Record) -> None:
        """Adds what has just happened; the listener hears of it first."""
        if self._listener is not None:
            self._listener(record)
        self.records.append(record)
        self.position += 1

    def go_back(self, start: int, end: int) -> None:
        """Keeps the first `end` records and feeds from `start` on."""
        del self.records[end:]
        self.position = start
