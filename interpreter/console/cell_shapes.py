"""The drawing of grid cells with characters: the corner of a cell, the position of its text, its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

PagePosition = tuple[int, int]
"""Column and line on the page, both from 0."""
Side = tuple[int, int]
"""The direction that a side faces: -1, 0 or 1 across and down the page."""


@dataclass(frozen=True, slots=True)
class CellShape:
    """The drawing of one cell shape; all positions are relative to the cell's corner."""

    corner: Callable[[int, int], PagePosition]
    """The corner of the cell at a column and row (from 1); may be negative."""
    texts: tuple[tuple[int, int, int], ...]
    """Column, line and width of each line of text in a cell."""
    sides: Mapping[Side, tuple[tuple[int, int, str], ...]]
    """Column, line and character of each mark on each side."""

    def size(self) -> PagePosition:
        """Returns the columns and lines that a cell takes, including its sides."""
        marks = [mark for side in self.sides.values() for mark in side]
        return max(across for across, _, _ in marks) + 1, max(down for _, down, _ in marks) + 1


def cell_shape(shape: str | None, width: int, lines: int) -> CellShape:
    """Returns the drawing of cells of a shape, with `lines` lines of text about `width` columns wide."""
    if shape == "hexes_in_columns":
        return _flat_top_hexes(width)
    return _rows(width, lines, shifted=shape == "hexes_in_rows")


def _flat_top_hexes(width: int) -> CellShape:
    r"""Returns hexes with a flat top: even columns are half a hex lower, rows grow downwards; three lines of text.

     ________
    /        \
    /          \
    \          /
    \________/
    """
    right = width + 3
    sides = {
        (0, -1): tuple([(2 + at, 0, "_") for at in range(width)]),
        (0, 1): tuple([(2 + at, 4, "_") for at in range(width)]),
        (-1, -1): ((1, 1, "/"), (0, 2, "/")),
        (-1, 1): ((0, 3, "\\"), (1, 4, "\\")),
        (1, -1): ((right - 1, 1, "\\"), (right, 2, "\\")),
        (1, 1): ((right, 3, "/"), (right - 1, 4, "/")),
    }
    texts = ((2, 1, width), (1, 2, width + 2), (1, 3, width + 2))
    return CellShape(lambda column, row: (column * (width + 2), row * 4 + (0 if column % 2 else 2)), texts, sides)


def _rows(width: int, lines: int, *, shifted: bool) -> CellShape:
    """Returns squares, or (`shifted`) hexes in rows, drawn as bricks: even rows are half a cell to the right.

    Rows grow upwards.
    """
    half, low, right = (width + 1) // 2, lines + 1, width + 1
    ends = [(0, at + 1, "|") for at in range(lines)], [(right, at + 1, "|") for at in range(lines)]
    sides: dict[Side, tuple[tuple[int, int, str], ...]] = {(-1, 0): tuple(ends[0]), (1, 0): tuple(ends[1])}
    for down, line in ((-1, 0), (1, low)):
        whole = [(1 + at, line, "-") for at in range(width)]
        if shifted:
            sides[-1, down], sides[1, down] = tuple(whole[:half]), tuple(whole[half:])
        else:
            sides[0, down] = tuple(whole)
    texts = tuple([(1, at + 1, width) for at in range(lines)])

    def corner(column: int, row: int) -> PagePosition:
        return column * (width + 1) + ((width + 1) // 2 if shifted and row % 2 == 0 else 0), -row * low

    return CellShape(corner, texts, sides)


def side_towards(here: PagePosition, there: PagePosition) -> Side:
    """Returns the side of a cell that faces a neighbour, from the corners of the two."""
    across, down = there[0] - here[0], there[1] - here[1]
    return (across > 0) - (across < 0), (down > 0) - (down < 0)
