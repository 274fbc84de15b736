"""The map that a ruleset draws as text (`presentation.map`), with the contents of its spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from interpreter.console.coloured_text import NOTHING, ColouredText, lines_of, plain, with_breaks
from interpreter.console.map_focus import MapFocus
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording.messages import AROUND, COMMA, PART_OF_MAP
from interpreter.play.wording.text_table import wrapped
from interpreter.world.things import Piece, Space, Thing

Signs = list[tuple[str, str | None]]
"""The signs of the pieces in a space, each with its colour."""
_FIELD = re.compile(r"\{(\w+)(?::(\d{1,3})\}|\}( *))")
"""`{id}` with the blanks after it, or `{id:12}` for a field of twelve columns."""
_MORE = "…"
_MAX_SHIFT = 0.15
"""By which share of its width a part of the map is moved at most, so that its edges cut fewer names."""
_MAX_NOTES = 2
"""The most lines below a part of the map that say which part it is."""
_EXTENT = (60, 12)
"""How many columns and lines apart places may be that one part of the map shows."""
_MIN_LINES = 8
"""The least lines of the drawing that are worth showing."""
_MAX_KEY = 4
"""The most lines that explain signs, where the number of lines is limited."""
_MIN_KEPT = 4
"""The least columns of a cut name that are worth showing."""
_NAME = re.compile(r"\S+(?: \S+)*")
_PROSE = re.compile(r"[^\s+|{}]+( [^\s+|{}]+)*")
"""A line of an explanation: words with single blanks between them, from the left edge on."""


class DrawnMap:
    """Draws the map of a ruleset; of a map that is larger than the page, the part around one place."""

    def __init__(
        self,
        game: Game,
        visibility: Visibility,
        signs: Callable[[Space], Signs],
        explained: Callable[[Space], Sequence[str]] = lambda _space: (),
    ) -> None:
        """`signs` are the contents of a space, `explained` those of them that the map has to explain."""
        presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        drawn = presentation.get("map")
        self._words = game.source.wording
        if isinstance(drawn, Mapping):
            drawn = drawn.get(self._words.language) or drawn.get("en")
        self._objects: Sequence[Thing] = game.core.world.objects
        spaces = {each.id: each for each in self._objects if isinstance(each, Space)}
        self._positions: dict[Space, tuple[int, int]] = {}
        self._lines = [self._line(text, row, spaces, signs) for row, text in enumerate(str(drawn or "").splitlines())]
        self._focus = MapFocus(game, visibility, self._positions)
        self._explained = explained

    def __bool__(self) -> bool:
        return bool(self._lines)

    def whole(self) -> ColouredText:
        """Returns the whole map."""
        return with_breaks(self._lines)

    def _key(self, spaces: Iterable[Space], columns: int) -> list[ColouredText]:
        """Returns the meaning of the signs in these spaces, as far as the drawing does not give it."""
        body = self._body()
        said = " ".join([str(each) for each in (*self._lines[: body.start], *self._lines[body.stop :])])
        found = [each for space in spaces for each in self._explained(space) if each not in said]
        return [plain(each) for each in wrapped(self._words.say(COMMA).join(found), columns)] if found else []

    def drawn(self, columns: int, name: str = "", lines: int | None = None) -> ColouredText:
        """Returns the map in at most this number of columns: all of it, or the part around a place.

        That place is the one that `name` means, else the one that the decision is about, else the middle. With `lines`,
        the part around a place has at most this number of lines, if that is enough for some of the map.

        Raises:
            UsageError: if nothing on the map has this name, or several things do.
        """
        place = self._focus.named(name) if name else None
        total = max((width(str(each)) for each in self._lines), default=0)
        if total <= columns and (lines is None or len(self._lines) <= lines):
            return lines_of([self.whole(), *self._key(self._positions, columns)])
        place = place or self._focus.current((), (columns, len(self._lines)))
        body = self._body()
        head, foot = (_wrapped(each, columns) for each in (self._lines[: body.start], self._lines[body.stop :]))
        height = None if lines is None else lines - len(head) - len(foot) - _MAX_NOTES
        for reserved in range(_MAX_KEY + 1):
            part, notes, spaces = self._part(place, columns, None if height is None else height - reserved)
            key = self._key(spaces, columns)
            if height is None or len(key) <= reserved:
                break
        return lines_of([*head, part, *foot, *(key if height is None else key[:_MAX_KEY]), *notes])

    def around(self, place: Space, columns: int, lines: int) -> ColouredText:
        """Returns the part of the map around a place, without its explanation; nothing if there are too few lines."""
        height = lines - _MAX_NOTES
        if height < _MIN_LINES:
            return NOTHING
        part, notes, _ = self._part(place, columns, height)
        return lines_of([part, *notes])

    def pieces(self) -> list[tuple[Piece, Space]]:
        """Returns the pieces on the map that the seat sees, each with its space."""
        pieces = [each for each in self._objects if isinstance(each, Piece)]
        return [(each, space) for each in pieces if (space := self._focus.space_of(each)) is not None]

    def middle(self, spaces: Sequence[Space]) -> Space | None:
        """Returns the space nearest to the middle of all; none if there is none or a part of the map can't show all."""
        return self._focus.middle(spaces, _EXTENT)

    def _body(self) -> range:
        """Returns the lines of the drawing, without the explanations above and below it."""
        above = len(list(takewhile(_is_prose, self._lines)))
        below = len(list(takewhile(_is_prose, reversed(self._lines[above:]))))
        return range(above, len(self._lines) - below)

    def _part(
        self, place: Space | None, columns: int, height: int | None
    ) -> tuple[ColouredText, list[ColouredText], list[Space]]:
        """Returns the drawing as far as it fits, around a place if there is one, lines that name it, its spaces."""
        body, notes = self._body(), list[str]()
        height = len(body) if height is None else max(height, _MIN_LINES)
        if place is not None and height < len(body):
            top = max(min(self._positions[place][1] - height // 2, body.stop - height), body.start)
            if any(row == top for _, row in self._positions.values()):
                top -= 1  # the contents of a place are below its name
            body = range(top, top + height)
            notes.append(self._words.say(AROUND, place=self._words.of(place)))
        drawn = [self._lines[row] for row in body]
        total = max((width(str(each)) for each in self._lines), default=0)
        shown = range(total)
        if total > columns:
            middle = total // 2 if place is None else self._positions[place][0]
            left = self._edge(middle - columns // 2, columns, total)
            shown = range(left, left + columns)
            drawn = [_columns_of(each, left, left + columns) for each in drawn]
            notes.append(self._words.say(PART_OF_MAP, first=left + 1, last=left + columns, total=total))
        inside = [space for space, (column, row) in self._positions.items() if row in body and column in shown]
        return with_breaks(drawn), [*map(plain, notes)], inside

    def _edge(self, wanted: int, columns: int, total: int) -> int:
        """Returns the first column of a part of the map: near the wanted one, where the edges cut few names."""
        most = int(columns * _MAX_SHIFT)
        found = [min(max(wanted + shift, 0), total - columns) for shift in range(-most, most + 1)]
        names = [span for line in self._lines for span in _names(line)]

        def cut(left: int) -> int:
            return sum(first < edge < end for first, end in names for edge in (left, left + columns))

        return min(found, key=lambda left: (cut(left), abs(left - wanted)))

    def _line(self, text: str, row: int, spaces: Mapping[str, Space], signs: Callable[[Space], Signs]) -> ColouredText:
        """Returns a line with the contents of its spaces, and keeps the positions of these."""
        parts: Signs = []
        at = 0
        for field in _FIELD.finditer(text):
            space = spaces.get(field[1])
            if space is not None:
                parts.append((text[at : field.start()], None))
                size = int(field[2] or len(field[0]))
                self._positions[space] = sum(width(part) for part, _ in parts) + size // 2, row
                parts += _fitted(signs(space), size)
                at = field.end()
        return ColouredText((*parts, (text[at:].rstrip(), None)))


def _is_prose(line: ColouredText) -> bool:
    return _PROSE.fullmatch(str(line)) is not None


def _wrapped(lines: Sequence[ColouredText], columns: int) -> list[ColouredText]:
    """Returns lines of an explanation of the map, broken at the width of the page."""
    return [plain(part) for each in lines for part in wrapped(str(each), columns)]


def _fitted(signs: Signs, size: int) -> Signs:
    """Returns signs with blanks between them, padded to `size` columns; signs that do not fit give way to an ellipsis.

    Only the first sign is cut.
    """
    for count in range(len(signs), 0, -1):
        kept = signs if count == len(signs) else [*signs[:count], (_MORE, None)]
        parts = [part for sign in kept for part in ((" ", None), sign)][1:]
        if (total := sum(width(text) for text, _ in parts)) <= size:
            return [*parts, (" " * (size - total), None)]
    if not signs:
        return [(" " * size, None)]
    text, colour = signs[0]
    while text and width(text) >= size:
        text = text[:-1]
    return [(text + _MORE, colour)]


def _names(line: ColouredText) -> Iterator[tuple[int, int]]:
    """Yields the first column and the end of each name that is part of the drawing."""
    at = 0
    for text, colour in line.parts:
        for found in _NAME.finditer(text) if colour is None else ():
            yield at + width(text[: found.start()]), at + width(text[: found.end()])
        at += width(text)


def _columns_of(line: ColouredText, first: int, end: int) -> ColouredText:
    """Returns the part of a line from column `first` to before `end`.

    A coloured sign and a wide character that the cut would halve become blanks; a name that it cuts gets an ellipsis.
    """
    parts, at = [], 0
    for text, colour in line.parts:
        kept = _inside(text, first - at, end - at)
        is_halved = colour is not None and len(kept) < len(text)
        if colour is None:
            kept = _with_cut_names(text, kept, first - at, end - at)
        parts.append((" " * width(kept) if is_halved else kept, colour))
        at += width(text)
    return ColouredText(tuple(parts)) if parts else NOTHING


def _with_cut_names(text: str, kept: str, first: int, end: int) -> str:
    """Returns the columns of a text from `first` to before `end`, which are `kept`, with names that are cut marked."""
    for start, stop in _names(plain(text)):
        if start < end < stop:
            shown = end - max(start, first)
            rest = _inside(kept, 0, width(kept) - shown)
            kept = rest + (_inside(kept, width(rest), width(kept) - 1) + _MORE if shown >= _MIN_KEPT else " " * shown)
        if start < first < stop:
            shown = min(stop, end) - first
            rest = _inside(kept, shown, width(kept))
            kept = (_MORE + _inside(kept, 1, shown) if shown >= _MIN_KEPT else " " * shown) + rest
    return kept


def _inside(text: str, first: int, end: int) -> str:
    kept, at = "", 0
    for sign in text:
        inside = [column for column in range(at, at + width(sign)) if first <= column < end]
        kept += sign if len(inside) == width(sign) else " " * len(inside)
        at += width(sign)
    return kept
