"""The targets that a path can lead to: a key, an item of a list, or cells of a grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.overlays.path.grid_edits import GridText, unquoted

Path = tuple[str, ...]
ANY = "*"
"""A part of a path that selects a whole row or column of a grid."""


def inner_path(path: Path) -> Path:
    """Returns a path without its first two parts if it leads into a scenario or an example."""
    return path[2:] if path[:1] in (("scenarios",), ("examples",)) else path


def path_text(path: Path) -> str:
    """Formats a path as an author writes it: the `grid` before the headings of a cell is left out."""
    place = inner_path(path)
    if len(place) > 3 and place[2] == "grid":
        path = (*path[: len(path) - len(place) + 2], *place[3:])
    if len(path) > 3 and path[-1] == ANY:
        path = path[:-1]
    return "/".join(path)


@dataclass(slots=True)
class KeyTarget:
    """A key of a mapping."""

    path: Path
    around: tuple[Mapping, ...]
    key: str

    @property
    def holder(self) -> Mapping:
        return self.around[-1]

    @property
    def node(self) -> Node:
        """The value of the key."""
        return self.holder.items[self.key]

    def set(self, value: Node, at: Scalar) -> None:
        """Replaces the value; `at` is the path in the overlay, whose place the key gets."""
        self.holder.put(self.key, value, at.origin, at.start)

    def remove(self) -> None:
        """Removes the key."""
        self.holder.drop(self.key)


@dataclass(slots=True)
class ItemTarget:
    """An item of a list."""

    path: Path
    around: tuple[Mapping, ...]
    items: Sequence
    item: Node
    emptied: Callable[[], None] | None = None
    """Removes the list itself when it becomes empty; `None` if the list is required."""

    @property
    def node(self) -> Node:
        return self.item

    @property
    def index(self) -> int:
        return next(number for number, each in enumerate(self.items.items) if each is self.item)

    def set(self, value: Node, at: Scalar) -> None:  # noqa: ARG002 - an item has its own place
        self.items.items[self.index] = value
        self.item = value

    def remove(self) -> None:
        del self.items.items[self.index]
        if not self.items.items and self.emptied is not None:
            self.emptied()


@dataclass(slots=True)
class GridTarget:
    """Cells of a text grid: one, a row (`column` is `*`) or a column (`row` is `*`)."""

    path: Path
    around: tuple[Mapping, ...]
    grid: GridText
    row: str
    column: str

    @property
    def fields(self) -> Mapping:
        """The entry that contains the grid."""
        return self.around[-1]

    @property
    def node(self) -> Node:
        """The cell, or the list of cells, as nodes of a document."""
        cells = Sequence(self.fields.origin, self.fields.start)
        cells.items = [_value(text, self.fields) for text, _ in self._cells()]
        return cells if ANY in (self.row, self.column) else cells.items[0]

    def _cells(self) -> list[tuple[str, Place]]:
        if self.row == self.column == ANY:
            return [cell for each in self.grid.rows for cell in each.cells]
        if self.row == ANY:
            number = self.grid.columns.index(self.column)
            return [each.cells[number] for each in self.grid.rows]
        row = self.grid.row(self.row)
        assert row is not None
        return row.cells if self.column == ANY else [row.cells[self.grid.columns.index(self.column)]]

    def positions(self) -> list[tuple[int, int]]:
        """Returns the row and column numbers of the cells."""
        rows, columns = list(range(len(self.grid.rows))), list(range(len(self.grid.columns)))
        if self.row != ANY and not self.grid.single_row:
            rows = [number for number in rows if self.grid.rows[number].name == self.row]
        if self.column != ANY:
            columns = [self.grid.columns.index(self.column)]
        return [(row, column) for row in rows for column in columns]

    def write(self) -> None:
        """Writes the changed grid into the document."""
        old = self.fields.items["grid"]
        assert isinstance(old, Scalar)
        self.fields.items["grid"] = self.grid.composed(old)

    def remove(self) -> None:
        """Removes a whole row or column."""
        if self.row == ANY or self.grid.single_row:
            number = self.grid.columns.index(self.column)
            for each in (self.grid.head, *self.grid.rows):
                del each.cells[number]
        else:
            self.grid.rows = [each for each in self.grid.rows if each.name != self.row]
        self.write()


PathTarget = KeyTarget | ItemTarget | GridTarget
"""A target that can be read and changed; `path` is its full path, `around` the enclosing mappings, outermost first."""


def _value(text: str, fields: Mapping) -> Scalar:
    """Returns a cell as a scalar of a document, for comparison."""
    own = unquoted(text)
    value: str | None = None if text in ("-", "none") else own
    return Scalar(fields.origin, fields.start, fields.start, "", value, own)
