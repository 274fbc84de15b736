"""A page of characters by position, on which maps are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.console.cell_shapes import PagePosition
from interpreter.console.coloured_text import NOTHING, ColouredText, with_breaks
from interpreter.language.text_width import width
from interpreter.play.wording.text_table import padded

Span = tuple[int, int, str]
"""The first position of a coloured part of a text, the position after it, and its colour."""
_MORE = "…"


class MapPage:
    """Characters and their colours by position."""

    def __init__(self) -> None:
        self._signs: dict[PagePosition, str] = {}
        self._colours: dict[PagePosition, str] = {}

    def sign(self, corner: PagePosition, signs: Iterable[tuple[int, int, str]]) -> None:
        """Writes single characters at positions relative to `corner`."""
        for across, down, sign in signs:
            self._signs[corner[0] + across, corner[1] + down] = sign

    def text(self, at: PagePosition, text: str, spans: Sequence[Span] = ()) -> None:
        """Writes a text with coloured parts; a character that is two columns wide takes two positions."""
        colours = {number: colour for first, end, colour in spans for number in range(first, end)}
        across = at[0]
        for number, sign in enumerate(text):
            self._signs[across, at[1]] = sign
            if number in colours:
                self._colours[across, at[1]] = colours[number]
            for further in range(1, width(sign)):
                self._signs[across + further, at[1]] = ""
            across += width(sign)

    def drawn(self) -> ColouredText:
        """Returns the page as text, from the first to the last column and line in use."""
        if not self._signs:
            return NOTHING
        left, right = (pick(at for at, _ in self._signs) for pick in (min, max))
        top, bottom = (pick(at for _, at in self._signs) for pick in (min, max))
        return with_breaks([self._line(row, left, right) for row in range(top, bottom + 1)])

    def _line(self, row: int, left: int, right: int) -> ColouredText:
        signs = [(self._signs.get((at, row), " "), self._colours.get((at, row))) for at in range(left, right + 1)]
        while len(signs) > 1 and signs[-1][0] in ("", " "):
            signs.pop()
        parts: list[tuple[str, str | None]] = []
        for sign, colour in signs:
            if parts and parts[-1][1] == colour:
                parts[-1] = (parts[-1][0] + sign, colour)
            else:
                parts.append((sign, colour))
        return ColouredText(tuple(parts))


def centred(text: str, size: int) -> str:
    """Returns a text centred in `size` columns; if it is too long, its longest word is cut."""
    if width(text) > size:
        words = text.split(" ")
        at = max(range(len(words)), key=lambda number: width(words[number]))
        while words[at] and width(" ".join(words)) >= size:
            words[at] = words[at][:-1]
        words[at] += _MORE
        text = " ".join(words)
    while width(text) > size:
        text = text[:-1]
    return padded(" " * ((size - width(text)) // 2) + text, size)
