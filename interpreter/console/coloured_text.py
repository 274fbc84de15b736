"""Text with colours, which only a terminal shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColouredText:
    """Pieces of text in order, each with a colour or none; as a string it is plain text."""

    parts: tuple[tuple[str, str | None], ...]

    def __str__(self) -> str:
        return "".join([text for text, _ in self.parts])

    def __bool__(self) -> bool:
        return any(text for text, _ in self.parts)

    def lines(self) -> list[ColouredText]:
        """Returns each line as a text of its own."""
        found: list[list[tuple[str, str | None]]] = [[]]
        for text, colour in self.parts:
            first, *rest = text.split("\n")
            found[-1].append((first, colour))
            found += [[(each, colour)] for each in rest]
        return [ColouredText(tuple(each)) for each in found]


NOTHING = ColouredText(())
"""The empty text."""


def plain(text: str) -> ColouredText:
    """Returns a text without colours."""
    return ColouredText(((text, None),)) if text else NOTHING


def lines_of(texts: Iterable[ColouredText]) -> ColouredText:
    """Joins the texts that are not empty, each from a new line on."""
    return with_breaks(filter(None, texts))


def with_breaks(lines: Iterable[ColouredText]) -> ColouredText:
    """Joins lines, which may be empty."""
    parts: list[tuple[str, str | None]] = []
    for each in lines:
        parts += [("\n", None), *each.parts]
    return ColouredText(tuple(parts[1:]))
