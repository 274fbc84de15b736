"""Text grids that can be edited cell by cell; each cell keeps its file position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.language.diagnostics import Place, number_of
from interpreter.language.parsing.source_map import ComposedText, SourceText
from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.documents.nodes import Sequence as NodeList
from interpreter.rules.documents.text_grids import CELL_PATTERN

NO_CELL: Final = "a cell is a single value or a list of them"
EMPTY_CELL: Final = "-"
"""A cell without a value, so that the default applies."""
CellText = tuple[str, Place]
"""The text of a cell, with its quotation marks if it has any, and its place."""


@dataclass(slots=True)
class Row:
    """The cells before and after the bar of a row."""

    keys: list[CellText]
    cells: list[CellText]
    joint: str = "/"
    """What joins the keys in the name of the row."""

    @property
    def name(self) -> str:
        """The keys of the row, joined as in a path."""
        return self.joint.join([unquoted(text) for text, _ in self.keys])


class GridText:
    """An editable grid; `single_row` means a single row of cells, named by their headings alone.

    The rows of a grid of `pairs` are named by both ends, as `a-b` or `b-a`.
    """

    def __init__(self, source: SourceText, *, single_row: bool, pairs: bool = False) -> None:
        self.joint = "-" if pairs else "/"
        rows = list(_rows(source, self.joint))
        self.single_row = single_row
        self.head = rows[0]
        self.rows = rows[1:]

    @classmethod
    def read(cls, source: SourceText, *, single_row: bool, pairs: bool = False) -> GridText | None:
        """Returns the grid of a text; `None` if it is not a grid or its rows differ in width, which linking reports."""
        rows = list(_rows(source))
        if not rows or any(
            (len(each.keys), len(each.cells)) != (len(rows[0].keys), len(rows[0].cells)) for each in rows
        ):
            return None
        return None if single_row and len(rows) != 2 else cls(source, single_row=single_row, pairs=pairs)

    @property
    def depth(self) -> int:
        """The number of parts of a path that name a row."""
        return 0 if self.single_row else 1 if self.joint == "-" else len(self.head.keys)

    def keys_of(self, name: str) -> list[str] | None:
        """Returns the keys of a row of this name; `None` if there are too few or too many."""
        keys = name.split(self.joint)
        return keys if len(keys) == len(self.head.keys) and not self.single_row else None

    @property
    def columns(self) -> list[str]:
        """The column headings."""
        return [unquoted(text) for text, _ in self.head.cells]

    def row(self, name: str) -> Row | None:
        """Returns the row of this name; for a grid with a single row, that row."""
        if self.single_row:
            return self.rows[0]
        names = [name, "-".join(reversed(name.split("-")))] if self.joint == "-" else [name]
        return next((each for each in self.rows if each.name in names), None)

    def composed(self, origin_of: Scalar) -> Scalar:
        """Returns the grid as a text scalar at the place of the old one."""
        pieces: list[CellText] = []
        for row in (self.head, *self.rows):
            for number, (text, place) in enumerate((*row.keys, ("|", row.keys[0][1]), *row.cells)):
                pieces.append((f" {text}" if number else text, _before(place) if number else place))
            pieces.append(("\n", pieces[-1][1]))
        return Scalar.composed(origin_of.origin, origin_of.start, ComposedText.of(pieces))


def _before(place: Place) -> Place:
    """Returns the place one column to the left."""
    return Place(place.file, place.line, place.column - 1)


def _rows(source: SourceText, joint: str = "/") -> Iterator[Row]:
    offset = 0
    for line in source.text.split("\n"):
        if line.strip():
            pieces = [(found.group(), source.place(offset + found.start())) for found in CELL_PATTERN.finditer(line)]
            bars = [number for number, (text, _) in enumerate(pieces) if text == "|"]
            bar = bars[0] if bars else len(pieces)
            yield Row(pieces[:bar], pieces[bar + 1 :], joint)
        offset += len(line) + 1


def unquoted(text: str) -> str:
    """Returns the text of a cell without its quotation marks."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def as_cell(node: Node) -> CellText | None:
    """Returns a value as a cell of a grid; `None` for a value that doesn't fit into a cell."""
    if isinstance(node, NodeList):
        inner = [as_cell(each) for each in node]
        if any(each is None for each in inner):
            return None
        return "[" + ", ".join([each[0] for each in inner if each is not None]) + "]", node.place
    if not isinstance(node, Scalar):
        return None
    text = EMPTY_CELL if node.value is None else node.text
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    if "\n" in text or (not quoted and '"' in text):
        return None
    plain = quoted or (bool(text) and [each.group() for each in CELL_PATTERN.finditer(text)] == [text] and text != "|")
    return (text if plain else f'"{text}"'), node.source.place(0)


def parse_cells(node: Node, headings: Sequence[str], *, may_be_empty: bool = False) -> list[CellText] | str:
    """Returns the cells of a whole row or column, given as a list, a text of cells, or a mapping by heading.

    Returns an error message instead if they don't fit the headings; a mapping `may_be_empty` where it has none.
    """
    if isinstance(node, Mapping):
        unknown = [each for each in node if each not in headings]
        missing = [each for each in headings if each not in node]
        if unknown:
            return f"there is no heading '{unknown[0]}'"
        if missing and not may_be_empty:
            return f"there is no value for {', '.join(missing)}"
        found = [as_cell(node.items[each]) if each in node else (EMPTY_CELL, node.place) for each in headings]
    elif isinstance(node, NodeList):
        found = [as_cell(each) for each in node]
    else:
        assert isinstance(node, Scalar)
        found = [(each.group(), node.source.place(each.start())) for each in CELL_PATTERN.finditer(node.text)]
    cells = [each for each in found if each is not None]
    if len(cells) != len(found):
        return NO_CELL
    if len(cells) != len(headings):
        return f"expected {number_of(len(headings), 'cell')} ({', '.join(headings)}), found {len(cells)}"
    return cells
