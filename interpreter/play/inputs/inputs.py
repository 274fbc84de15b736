"""The inputs of a game in order: dice, random picks and answers. With the scenario they determine the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site

DIE, PICK, REVEAL, ANSWER, SINGLE = "d", "r", "v", "a", "s"
"""Tags of records: `("d", site, faces…)`, `("r", site, picks…)`, `("v", site)` (something was revealed),
`("a", site, answer, seat)`, `("s", site, answer, seat)` (the only option, so nobody was asked)."""

Record = tuple[Any, ...]


def count_drawn(records: Iterable[Record]) -> int:
    """Returns the number of words of the seeded stream that the dice and picks of records take: one for each value."""
    return sum(max(len(each) - 2, 0) for each in records if each[0] in (DIE, PICK))


class Inputs:
    """Records and a position among them: before the end the game is replayed, at the end new records are added."""

    __slots__ = ("_listener", "position", "records")

    def __init__(self, listener: Callable[[Record], None] | None = None) -> None:
        self.records: list[Record] = []
        self.position = 0
        self._listener = listener

    def replay(self, tags: str, site: Site) -> Record | None:
        """Returns the next record, or none at the end of the records.

        Raises:
            RuleFault: `divergence`, if the record belongs to another roll or decision.
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

    def append(self, record: Record) -> None:
        """Adds a new record, after a call of the listener."""
        if self._listener is not None:
            self._listener(record)
        self.records.append(record)
        self.position += 1

    def go_back(self, start: int, end: int) -> None:
        """Keeps the first `end` records, and replays from `start` on."""
        del self.records[end:]
        self.position = start
