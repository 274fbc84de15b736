"""Rule text and where each of its characters stands in the YAML file that holds it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from interpreter.language.diagnostics import Place

_LAST = 1 << 62
"""Greater than any line, so that a span which begins at an offset counts as begun there."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A piece of rule language taken out of a document.

    `spans` lists `(offset, line, column)` in rising order: from `offset` in `text` on, characters stand at `line` and
    `column` of `file` and follow one another there, until the next span begins.
    """

    text: str
    file: str
    spans: tuple[tuple[int, int, int], ...]

    def place(self, offset: int) -> Place:
        """Where the character at `offset` stands in the file."""
        index = max(bisect_right(self.spans, (offset, _LAST, _LAST)) - 1, 0)
        start, line, column = self.spans[index]
        return Place(self.file, line, column + offset - start)

    @classmethod
    def plain(cls, text: str, file: str = "<text>") -> SourceText:
        """Text that stands by itself, from line 1 of a made-up file."""
        spans, offset = [], 0
        for number, line in enumerate(text.split("\n"), 1):
            spans.append((offset, number, 1))
            offset += len(line) + 1
        return cls(text, file, tuple(spans))


@dataclass(frozen=True, slots=True)
class ComposedText(SourceText):
    """Text put together of pieces of several files: `pieces` lists the offset of each and where it stands."""

    pieces: tuple[tuple[int, Place], ...] = ()

    def place(self, offset: int) -> Place:
        """Where the character at `offset` stands, in whichever file."""
        start, place = self.pieces[max(bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1, 0)]
        return Place(place.file, place.line, place.column + offset - start)

    @classmethod
    def of(cls, pieces: list[tuple[str, Place]]) -> ComposedText:
        """The pieces one after another."""
        places, offset = [], 0
        for text, place in pieces:
            places.append((offset, place))
            offset += len(text)
        first = places[0][1] if places else Place("<text>")
        spans = tuple([(at, each.line, each.column) for at, each in places if each.file == first.file])
        return cls("".join([text for text, _ in pieces]), first.file, spans, tuple(places))
