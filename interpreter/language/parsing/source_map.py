"""Rule text, with the position of each of its characters in the YAML file that contains it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.language.diagnostics import Place

_LAST = 1 << 62
"""Greater than any line, so that bisection includes a span that begins at the offset."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A rule text from a document.

    `spans` lists `(offset, line, column)` in ascending order: from `offset` in `text` on, the characters are located
    at `line` and `column` of `file`, consecutively, until the next span begins.
    """

    text: str
    file: str
    spans: tuple[tuple[int, int, int], ...]

    def place(self, offset: int) -> Place:
        """Returns the place of the character at `offset` in the file."""
        index = max(bisect_right(self.spans, (offset, _LAST, _LAST)) - 1, 0)
        start, line, column = self.spans[index]
        return Place(self.file, line, column + offset - start)

    def starts(self) -> list[int]:
        """Returns the offsets from which on the characters are contiguous in their file."""
        return [offset for offset, _, _ in self.spans]

    def runs(self, start: int, end: int) -> Iterator[tuple[str, Place]]:
        """Yields the part from `start` to `end` as runs of characters that are contiguous in their file."""
        breaks = [offset for offset in self.starts() if start < offset < end]
        for first, last in zip([start, *breaks], [*breaks, end], strict=True):
            if first < last:
                yield self.text[first:last], self.place(first)

    @classmethod
    def plain(cls, text: str, file: str = "<text>") -> SourceText:
        """Returns a text without a document, placed from line 1 of a pseudo-file."""
        spans, offset = [], 0
        for number, line in enumerate(text.split("\n"), 1):
            spans.append((offset, number, 1))
            offset += len(line) + 1
        return cls(text, file, tuple(spans))


@dataclass(frozen=True, slots=True)
class ComposedText(SourceText):
    """A text composed of pieces of several files: `pieces` lists the offset and the place of each."""

    pieces: tuple[tuple[int, Place], ...] = ()

    def place(self, offset: int) -> Place:
        """Returns the place of the character at `offset` in the file of its piece."""
        start, place = self.pieces[max(bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1, 0)]
        return Place(place.file, place.line, place.column + offset - start)

    def starts(self) -> list[int]:
        """Returns the offsets of the pieces."""
        return [offset for offset, _ in self.pieces]

    @classmethod
    def of(cls, pieces: list[tuple[str, Place]]) -> ComposedText:
        """Returns the concatenation of the pieces."""
        places, offset = [], 0
        for text, place in pieces:
            places.append((offset, place))
            offset += len(text)
        first = places[0][1] if places else Place("<text>")
        spans = tuple([(at, each.line, each.column) for at, each in places if each.file == first.file])
        return cls("".join([text for text, _ in pieces]), first.file, spans, tuple(places))
