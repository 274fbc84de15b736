"""The map of a ruleset: neighbours, distances and lines of spaces.

It is immutable in play and shared by all games of a ruleset, so spaces are given by their indexes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field

from interpreter.language.model.image import GridLayout, Image, KindImage
from interpreter.world.line_geometry import hex_distance, hex_line, square_line

Coordinates = tuple[int, int]
"""Column and row, both from 1."""

_ORTHOGONAL = ((0, -1), (-1, 0), (1, 0), (0, 1))
_AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_ROW = ((-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
_SHIFTED_ROW = ((0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1))
_COLUMN = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1))
_SHIFTED_COLUMN = ((0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))

_HEXES = ("hexes_in_rows", "hexes_in_columns")
SHAPES = ("squares", "squares_with_diagonals", *_HEXES)
"""The shapes of grids. Every other row of hexes is shifted half a hex to the right, every other column half a hex
towards the next row; `GridLayout.offset` says which."""


def is_shifted(at: Coordinates, layout: GridLayout) -> bool:
    """Whether these coordinates are in a row or column of hexes that is shifted by half a hex."""
    number = {"hexes_in_rows": at[1], "hexes_in_columns": at[0]}.get(layout.shape)
    return number is not None and number % 2 == (layout.offset == "odd")


def coordinates_around(at: Coordinates, layout: GridLayout | None) -> Iterator[Coordinates]:
    """Yields the coordinates next to some others on a grid of this layout, spaces or not; none without a layout."""
    steps: tuple[Coordinates, ...] = ()
    shape = None if layout is None else layout.shape
    shifted = layout is not None and is_shifted(at, layout)
    if shape == "squares":
        steps = _ORTHOGONAL
    elif shape == "squares_with_diagonals":
        steps = _AROUND
    elif shape == "hexes_in_rows":
        steps = _SHIFTED_ROW if shifted else _ROW
    elif shape == "hexes_in_columns":
        steps = _SHIFTED_COLUMN if shifted else _COLUMN
    column, row = at
    for columns, rows in steps:
        yield column + columns, row + rows


@dataclass(slots=True)
class Grid:
    """The spaces of one kind by coordinates; `layout` is None if only links define neighbours."""

    layout: GridLayout | None
    spaces: dict[Coordinates, int] = field(default_factory=dict)

    plain: bool = True
    """Whether the grid fills its rectangle and its shape alone defines neighbours."""

    def distance(self, a: Coordinates, b: Coordinates) -> int:
        """Returns the number of steps between two spaces of a plain grid."""
        shape = None if self.layout is None else self.layout.shape
        if shape in _HEXES:
            return hex_distance(self._in_even_rows(a), self._in_even_rows(b))
        columns, rows = abs(a[0] - b[0]), abs(a[1] - b[1])
        return columns + rows if shape == "squares" else max(columns, rows)

    def line(self, a: Coordinates, b: Coordinates) -> tuple[tuple[Coordinates, ...], ...]:
        """Returns the coordinates on the straight line between two; pairs if it runs along a side."""
        if self.layout is None or self.layout.shape not in _HEXES:
            return square_line(a, b)
        line = hex_line(self._in_even_rows(a), self._in_even_rows(b))
        return tuple([tuple([self._from_even_rows(each) for each in step]) for step in line])

    def _in_even_rows(self, at: Coordinates) -> Coordinates:
        """Returns coordinates of a hex as those in a grid of rows of which the even ones are shifted to the right."""
        assert self.layout is not None
        column, row = at[::-1] if self.layout.shape == "hexes_in_columns" else at
        return column, row + (self.layout.offset == "odd")

    def _from_even_rows(self, at: Coordinates) -> Coordinates:
        """Returns the coordinates of which `_in_even_rows` made these."""
        assert self.layout is not None
        moved = (at[0], at[1] - (self.layout.offset == "odd"))
        return moved[::-1] if self.layout.shape == "hexes_in_columns" else moved

    def fills_rectangle(self) -> bool:
        """Whether there is a space at all coordinates of the grid's rectangle."""
        columns, rows = (max((each[side] for each in self.spaces), default=0) for side in (0, 1))
        return len(self.spaces) == columns * rows


class BreadthFirstSearch:
    """Finds the distances from one space, level by level and only as far as needed."""

    __slots__ = ("_depth", "_distances", "_frontier", "_neighbours")

    def __init__(self, start: int, neighbours: list[tuple[int, ...]]) -> None:
        self._neighbours = neighbours
        self._distances = array("I", [len(neighbours)]) * len(neighbours)
        self._distances[start] = self._depth = 0
        self._frontier = [start]

    def distance_to(self, goal: int) -> int:
        """Returns the number of steps to a space; the number of individuals if no path exists."""
        unknown, distances = len(self._neighbours), self._distances
        while distances[goal] == unknown and self._frontier:
            self._expand()
        return distances[goal]

    def _expand(self) -> None:
        neighbours, distances, unknown = self._neighbours, self._distances, len(self._neighbours)
        self._depth = depth = self._depth + 1
        frontier = []
        for here in self._frontier:
            for there in neighbours[here]:
                if distances[there] == unknown:
                    distances[there] = depth
                    frontier.append(there)
        self._frontier = frontier


class Map:
    """Computes the neighbours, distances and lines of one ruleset."""

    def __init__(self, image: Image) -> None:
        self._grid_of: dict[int, Grid] = {}
        self._coordinates_of: dict[int, Coordinates] = {}
        self._searches: dict[int, BreadthFirstSearch] = {}
        self._lines: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}
        self.grids: dict[str, Grid] = {}
        """The grid of each kind of its spaces, sub-kinds included."""
        kinds = {each.name: each for each in image.kinds}
        self._read_grids(image, kinds)
        self.neighbours = self._all_neighbours(image)

    def extended(self, by: int) -> Map:
        """Returns the map with `by` further individuals, none of which has neighbours."""
        made = copy(self)
        made.neighbours = [*self.neighbours, *[()] * by]
        made._searches = {}
        return made

    def _read_grids(self, image: Image, kinds: dict[str, KindImage]) -> None:
        grid_of: dict[str, Grid] = {}
        for index, each in enumerate(image.individuals):
            if each.column is None or each.row is None:
                continue
            grid = grid_of.get(each.kind)
            if grid is None:
                line = _lineage(kinds, each.kind)
                top = next((kind for kind in reversed(line) if kind.layout is not None), line[0])
                grid = grid_of[each.kind] = self.grids.setdefault(top.name, Grid(top.layout))
                for kind in line:
                    self.grids.setdefault(kind.name, grid)
            at = (each.column, each.row)
            grid.spaces[at] = index
            self._grid_of[index] = grid
            self._coordinates_of[index] = at

    def _all_neighbours(self, image: Image) -> list[tuple[int, ...]]:
        found: list[set[int]] = [set() for _ in image.individuals]
        for index, grid in self._grid_of.items():
            spaces = grid.spaces
            near = found[index]
            for at in coordinates_around(self._coordinates_of[index], grid.layout):
                if at in spaces:
                    near.add(spaces[at])
        for grid in self.grids.values():
            grid.plain = grid.fills_rectangle()
        positions = {(each.kind, each.id): index for index, each in enumerate(image.individuals)}
        for link in image.links:
            one, two = (positions[end] for end in link.ends)
            if two not in found[one]:
                self._mark_irregular(one, two)
            found[one].add(two)
            found[two].add(one)
        for ends in image.cuts:
            one, two = (positions[end] for end in ends)
            self._mark_irregular(one, two)
            found[one].discard(two)
            found[two].discard(one)
        return [tuple(sorted(each)) for each in found]

    def _mark_irregular(self, *spaces: int) -> None:
        """Records that the grids of these spaces do not define all neighbours by their shapes."""
        for each in spaces:
            if (grid := self._grid_of.get(each)) is not None:
                grid.plain = False

    def space_at(self, kind: str, column: int, row: int) -> int | None:
        """Returns the space at a column and row of a kind's grid, or None if there is none."""
        grid = self.grids.get(kind)
        return None if grid is None else grid.spaces.get((column, row))

    def distance(self, a: int, b: int) -> int:
        """Returns the number of steps between two spaces; the number of individuals if no path exists."""
        grid = self._grid_of.get(a)
        if grid is not None and grid.plain and grid.layout is not None and self._grid_of.get(b) is grid:
            return grid.distance(self._coordinates_of[a], self._coordinates_of[b])
        search = self._searches.get(a)
        if search is None:
            search = self._searches[a] = BreadthFirstSearch(a, self.neighbours)
        return search.distance_to(b)

    def between(self, a: int, b: int) -> tuple[tuple[int, ...], ...]:
        """Returns the spaces on the straight line between two of one grid, without the ends; nothing off a grid.

        Two spaces form a pair if the line runs along their common side. Where there is no space at the coordinates of
        a step, `GridLayout.off_board` says what the line has: nothing (`ignored`), the other of a pair (`reduced`), or
        an empty step (`empty`).
        """
        key = (a, b)
        if key not in self._lines:
            self._lines[key] = self._line(a, b)
        return self._lines[key]

    def _line(self, a: int, b: int) -> tuple[tuple[int, ...], ...]:
        grid = self._grid_of.get(a)
        if grid is None or grid.layout is None or self._grid_of.get(b) is not grid:
            return ()
        found: list[tuple[int, ...]] = []
        for step in grid.line(self._coordinates_of[a], self._coordinates_of[b]):
            here = tuple(sorted([grid.spaces[each] for each in step if each in grid.spaces]))
            if len(here) == len(step) or (here and grid.layout.off_board == "reduced"):
                found.append(here)
            elif grid.layout.off_board == "empty":
                found.append(())
        return tuple(found)


def _lineage(kinds: dict[str, KindImage], name: str) -> list[KindImage]:
    line = [kinds[name]]
    while (parent := line[-1].parent) is not None and parent in kinds:
        line.append(kinds[parent])
    return line
