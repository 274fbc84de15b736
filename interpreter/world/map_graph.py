"""The map of a ruleset: which spaces adjoin, how far apart they are, what lies on the line between two.

It never changes in play and is shared by all games of a ruleset, so spaces are their indexes here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field

from interpreter.language.model.image import Image, KindImage
from interpreter.world.line_geometry import hex_distance, hex_line, square_line

Cell = tuple[int, int]
"""Column and row, both from 1."""

_ORTHOGONAL = ((0, -1), (-1, 0), (1, 0), (0, 1))
_AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_ODD_ROW = ((-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
_EVEN_ROW = ((0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1))
_ODD_COLUMN = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1))
_EVEN_COLUMN = ((0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))

SHAPES = ("squares", "squares_with_diagonals", "hexes_in_rows", "hexes_in_columns")
"""What a grid can be of. Even rows of hexes stand half a hex to the right, even columns half a hex lower."""


def cells_around(cell: Cell, shape: str | None) -> Iterator[Cell]:
    """The cells that touch one on a grid of that shape; of no shape, none."""
    steps: tuple[Cell, ...] = ()
    if shape == "squares":
        steps = _ORTHOGONAL
    elif shape == "squares_with_diagonals":
        steps = _AROUND
    elif shape == "hexes_in_rows":
        steps = _ODD_ROW if cell[1] % 2 else _EVEN_ROW
    elif shape == "hexes_in_columns":
        steps = _ODD_COLUMN if cell[0] % 2 else _EVEN_COLUMN
    column, row = cell
    for across, up in steps:
        yield column + across, row + up


@dataclass(slots=True)
class Grid:
    """The cells of one kind of space; `shape` is none where only links say what adjoins."""

    shape: str | None
    cells: dict[Cell, int] = field(default_factory=dict)

    plain: bool = True
    """Whether it fills its rectangle, and nothing but its shape says what adjoins."""

    def distance(self, a: Cell, b: Cell) -> int:
        """Steps from cell to cell on a plain grid."""
        if self.shape == "hexes_in_rows":
            return hex_distance(a, b)
        if self.shape == "hexes_in_columns":
            return hex_distance(a[::-1], b[::-1])
        across, up = abs(a[0] - b[0]), abs(a[1] - b[1])
        return across + up if self.shape == "squares" else max(across, up)

    def line(self, a: Cell, b: Cell) -> tuple[tuple[Cell, ...], ...]:
        """The cells on the straight line between two, pairs where it runs along a side."""
        if self.shape == "hexes_in_rows":
            return hex_line(a, b)
        if self.shape == "hexes_in_columns":
            return tuple([tuple([cell[::-1] for cell in step]) for step in hex_line(a[::-1], b[::-1])])
        return square_line(a, b)

    def fills_rectangle(self) -> bool:
        """Whether there is a space in every row of every column."""
        columns, rows = (max((cell[side] for cell in self.cells), default=0) for side in (0, 1))
        return len(self.cells) == columns * rows


class Rings:
    """How far it is from one space to others, ring by ring as far out as anybody has asked."""

    __slots__ = ("_around", "_ring", "_step", "_steps")

    def __init__(self, start: int, around: list[tuple[int, ...]]) -> None:
        self._around = around
        self._steps = array("I", [len(around)]) * len(around)
        self._steps[start] = self._step = 0
        self._ring = [start]

    def steps_to(self, goal: int) -> int:
        """Steps to a space; as many as there are individuals where no way leads."""
        unknown, steps = len(self._around), self._steps
        while steps[goal] == unknown and self._ring:
            self._further()
        return steps[goal]

    def _further(self) -> None:
        around, steps, unknown = self._around, self._steps, len(self._around)
        self._step = step = self._step + 1
        following = []
        for here in self._ring:
            for there in around[here]:
                if steps[there] == unknown:
                    steps[there] = step
                    following.append(there)
        self._ring = following


class Map:
    """Neighbours, distances and lines of one ruleset."""

    def __init__(self, image: Image) -> None:
        self._grid_of: dict[int, Grid] = {}
        self._cell_of: dict[int, Cell] = {}
        self._rings: dict[int, Rings] = {}
        self._lines: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}
        self.grids: dict[str, Grid] = {}
        """By every kind that a space of the grid has."""
        kinds = {each.name: each for each in image.kinds}
        self._read_grids(image, kinds)
        self.neighbours = self._adjoining(image)

    def extended(self, by: int) -> Map:
        """The map with so many individuals more, none of which adjoins anything."""
        made = copy(self)
        made.neighbours = [*self.neighbours, *[()] * by]
        made._rings = {}
        return made

    def _read_grids(self, image: Image, kinds: dict[str, KindImage]) -> None:
        grid_of: dict[str, Grid] = {}
        for index, each in enumerate(image.individuals):
            if each.column is None or each.row is None:
                continue
            grid = grid_of.get(each.kind)
            if grid is None:
                line = _lineage(kinds, each.kind)
                top = next((kind for kind in reversed(line) if kind.is_grid), line[0])
                grid = grid_of[each.kind] = self.grids.setdefault(top.name, Grid(top.shape))
                for kind in line:
                    self.grids.setdefault(kind.name, grid)
            cell = (each.column, each.row)
            grid.cells[cell] = index
            self._grid_of[index] = grid
            self._cell_of[index] = cell

    def _adjoining(self, image: Image) -> list[tuple[int, ...]]:
        found: list[set[int]] = [set() for _ in image.individuals]
        for index, grid in self._grid_of.items():
            cells = grid.cells
            near = found[index]
            for cell in cells_around(self._cell_of[index], grid.shape):
                if cell in cells:
                    near.add(cells[cell])
        for grid in self.grids.values():
            grid.plain = grid.fills_rectangle()
        positions = {(each.kind, each.id): index for index, each in enumerate(image.individuals)}
        for link in image.links:
            one, two = (positions[end] for end in link.ends)
            if two not in found[one]:
                self._mark(one, two)
            found[one].add(two)
            found[two].add(one)
        for ends in image.cuts:
            one, two = (positions[end] for end in ends)
            self._mark(one, two)
            found[one].discard(two)
            found[two].discard(one)
        return [tuple(sorted(each)) for each in found]

    def _mark(self, *spaces: int) -> None:
        """Note that more than the shape of their grids says what adjoins these."""
        for each in spaces:
            if (grid := self._grid_of.get(each)) is not None:
                grid.plain = False

    def cell(self, kind: str, column: int, row: int) -> int | None:
        """The space at a column and row of a kind's grid, or none beyond its edge."""
        grid = self.grids.get(kind)
        return None if grid is None else grid.cells.get((column, row))

    def distance(self, a: int, b: int) -> int:
        """Steps from space to space; where there is no way, as many as there are individuals, which no way has."""
        grid = self._grid_of.get(a)
        if grid is not None and grid.plain and grid.shape is not None and self._grid_of.get(b) is grid:
            return grid.distance(self._cell_of[a], self._cell_of[b])
        rings = self._rings.get(a)
        if rings is None:
            rings = self._rings[a] = Rings(a, self.neighbours)
        return rings.steps_to(b)

    def between(self, a: int, b: int) -> tuple[tuple[int, ...], ...]:
        """The spaces on the straight line between two of one grid, without them; nothing off a grid.

        Two stand together where the line runs along their common side. Where one of these is off the map the other is
        left out: the line does not enter it.
        """
        key = (a, b)
        if key not in self._lines:
            self._lines[key] = self._line(a, b)
        return self._lines[key]

    def _line(self, a: int, b: int) -> tuple[tuple[int, ...], ...]:
        grid = self._grid_of.get(a)
        if grid is None or grid.shape is None or self._grid_of.get(b) is not grid:
            return ()
        found = []
        for cells in grid.line(self._cell_of[a], self._cell_of[b]):
            here = [grid.cells[each] for each in cells if each in grid.cells]
            if len(here) == len(cells):
                found.append(tuple(sorted(here)))
        return tuple(found)


def _lineage(kinds: dict[str, KindImage], name: str) -> list[KindImage]:
    line = [kinds[name]]
    while (parent := line[-1].parent) is not None and parent in kinds:
        line.append(kinds[parent])
    return line
