"""Reads text grids: rows with a bar between the row's keys and its cells; every cell has its file position.

    ground | small large
    steep  | -1    "not at all"

A cell with blanks is written in quotation marks, or in brackets if it is a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.language.diagnostics import Diagnostic, Place, number_of
from interpreter.language.model.program import Datum
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.whole_numbers import signed_number

_LIST = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}")
CELL_PATTERN = re.compile(r'"[^"\n]*"|\[[^\[\]\n]*\]|\{[^{}\n]*\}|\||[^\s|"]+|"')
_ITEM = re.compile(r'"[^"]*"|[^\s,"]+')
_WORDS: dict[str, Datum] = {"true": True, "false": False, "none": None, "-": None}


class GridCell:
    """One cell: its text (without quotation marks if it was `quoted`), and its offset in the text of the grid."""

    __slots__ = ("_source", "offset", "quoted", "text")

    def __init__(self, text: str, source: SourceText, offset: int, *, quoted: bool = False) -> None:
        self.text = text
        self.quoted = quoted
        self._source = source
        self.offset = offset

    @property
    def place(self) -> Place:
        """The place at which it begins."""
        return self._source.place(self.offset)

    @property
    def has_value(self) -> bool:
        """Whether it is anything but the dash for a missing value."""
        return self.quoted or self.text != "-"

    @property
    def datum(self) -> Datum:
        """The value of the cell: an int, a bool, none, a list as a tuple, else text; a quoted cell is always text."""
        text = self.text
        if self.quoted:
            return text
        if text[0] in "[{" and _LIST.fullmatch(text):
            return tuple(_item(each) for each in _ITEM.findall(text[1:-1]))
        return read_datum(text)


@dataclass(slots=True)
class GridRow:
    """The keys before and the cells after the bar of one row."""

    keys: tuple[GridCell, ...]
    cells: tuple[GridCell, ...]
    _source: SourceText
    _offset: int

    @property
    def place(self) -> Place:
        """The place at which it begins."""
        return self._source.place(self._offset)


@dataclass(frozen=True, slots=True)
class TextGrid:
    """A grid: the labels of the row keys, the column headings, and the rows, all of the same width."""

    labels: tuple[GridCell, ...]
    headings: tuple[GridCell, ...]
    rows: tuple[GridRow, ...]


def read_datum(text: str) -> Datum:
    """Returns the value of an unquoted word of a grid."""
    number = signed_number(text)
    return _WORDS.get(text, text) if number is None else number


def read_grid(source: SourceText) -> tuple[TextGrid | None, list[Diagnostic]]:
    """Parses a grid and returns it with its errors; rows of the wrong width are reported and left out."""
    faults: list[Diagnostic] = []
    rows = _lines(source, faults)
    if not rows:
        hint = "write a row of headings first"
        return None, [Diagnostic("empty-grid", "the grid has no rows", source.place(0), hint)]
    head, body = rows[0], rows[1:]
    if head is None:
        return None, faults
    if not head.keys:
        faults.append(Diagnostic("grid-header", "there is no label before the bar of the first row", head.place))
        return None, faults
    sound = tuple(row for row in body if row is not None and _fits(row, head, faults))
    return TextGrid(head.keys, head.cells, sound), faults


def _lines(source: SourceText, faults: list[Diagnostic]) -> list[GridRow | None]:
    rows: list[GridRow | None] = []
    offset = 0
    for line in source.text.split("\n"):
        if line.strip():
            rows.append(_row(source, line, offset, faults))
        offset += len(line) + 1
    return rows


def _row(source: SourceText, line: str, offset: int, faults: list[Diagnostic]) -> GridRow | None:
    keys: list[GridCell] = []
    cells = keys
    bars: list[int] = []
    for found in CELL_PATTERN.finditer(line):
        word, where = found.group(), offset + found.start()
        first = word[0]
        if first == "|":
            bars.append(where)
            cells = []
        elif first != '"':
            cells.append(GridCell(word, source, where))
        elif word == '"':
            hint = "close the quotation marks on the same line"
            faults.append(Diagnostic("open-quote", "a quoted cell has no end", source.place(where), hint))
            return None
        else:
            cells.append(GridCell(word[1:-1], source, where, quoted=True))
    start = offset + len(line) - len(line.lstrip())
    if len(bars) != 1:
        problem = "more than one bar" if bars else "no bar"
        hint = "write one bar '|' between the keys of a row and its cells"
        place = source.place(bars[-1] if bars else start)
        faults.append(Diagnostic("grid-bar", f"the row has {problem}", place, hint))
        return None
    return GridRow(tuple(keys), tuple(cells), source, start)


def _fits(row: GridRow, head: GridRow, faults: list[Diagnostic]) -> bool:
    """Whether a row is as wide as the header, before and after the bar; if not, adds a fault."""
    for what, cells, wanted in (("key", row.keys, head.keys), ("cell", row.cells, head.cells)):
        if len(cells) == len(wanted):
            continue
        more = len(cells) > len(wanted)
        place = cells[len(wanted)].place if more else row.place
        label = " ".join(each.text for each in row.keys)
        message = f"row '{label}' has {number_of(len(cells), what)}, but the header has {len(wanted)}"
        hint = "put a cell with blanks in quotation marks" if more else "write '-' for a cell without a value"
        faults.append(Diagnostic("grid-width", message, place, hint))
        return False
    return True


def _item(text: str) -> Datum:
    return text[1:-1] if text[0] == '"' else read_datum(text)
