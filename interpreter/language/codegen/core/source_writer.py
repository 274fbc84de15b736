"""Python source under construction, with the place in the documents of each line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.language.diagnostics import NOWHERE, Place


class Writer:
    """Lines of Python with indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: list[Place | None] = []
        self.place = NOWHERE
        self._depth = 0

    def line(self, text: str) -> None:
        """Writes one line for the current place."""
        self.lines.append("    " * self._depth + text)
        self.places.append(None if self.place is NOWHERE else self.place)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Writes a header and its indented lines; an empty block becomes `pass`."""
        self.line(header)
        self._depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._depth -= 1

    def take(self, other: Writer) -> None:
        """Appends the lines of another writer at the present indentation."""
        for text, place in zip(other.lines, other.places, strict=True):
            self.lines.append("    " * self._depth + text)
            self.places.append(place)

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """Sets the place of the lines that are written within."""
        outer, self.place = self.place, place
        yield
        self.place = outer

    @property
    def text(self) -> str:
        """The whole source."""
        return "\n".join(self.lines) + "\n"
