"""The drawing of grid cells with characters: the corner of a cell, the position of its text, its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from interpreter.language.model.image import GridLayout
from interpreter.world.map_graph import is_shifted

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


def cell_shape(layout: GridLayout | None, width: int, lines: int) -> CellShape:
    """Returns the drawing of cells of a grid, with `lines` lines of text about `width` columns wide."""
    layout = layout or GridLayout("squares", first_row="bottom")
    if layout.shape == "hexes_in_columns":
        return _flat_top_hexes(layout, width)
    return _rows(layout, width, lines)


def _flat_top_hexes(layout: GridLayout, width: int) -> CellShape:
    r"""Returns hexes with a flat top, every other column half a hex further down or up; three lines of text.

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
    down = 1 if layout.first_row == "top" else -1

    def corner(column: int, row: int) -> PagePosition:
        return column * (width + 2), down * (row * 4 + (2 if is_shifted((column, row), layout) else 0))

    return CellShape(corner, texts, sides)


def _rows(layout: GridLayout, width: int, lines: int) -> CellShape:
    """Returns squares, or hexes in rows, drawn as bricks: every other row is half a cell to the right.

    Bricks have an odd width, so that both halves of a side are equal.
    """
    hexes = layout.shape == "hexes_in_rows"
    width += hexes and width % 2 == 0
    half, low, right = (width + 1) // 2, lines + 1, width + 1
    ends = [(0, at + 1, "|") for at in range(lines)], [(right, at + 1, "|") for at in range(lines)]
    sides: dict[Side, tuple[tuple[int, int, str], ...]] = {(-1, 0): tuple(ends[0]), (1, 0): tuple(ends[1])}
    for down, line in ((-1, 0), (1, low)):
        whole = [(1 + at, line, "-") for at in range(width)]
        if hexes:
            sides[-1, down], sides[1, down] = tuple(whole[: half - 1]), tuple(whole[half:])
        else:
            sides[0, down] = tuple(whole)
    texts = tuple([(1, at + 1, width) for at in range(lines)])
    height = low if layout.first_row == "top" else -low

    def corner(column: int, row: int) -> PagePosition:
        return column * (width + 1) + (half if is_shifted((column, row), layout) else 0), row * height

    return CellShape(corner, texts, sides)


def side_towards(here: PagePosition, there: PagePosition) -> Side:
    """Returns the side of a cell that faces a neighbour, from the corners of the two."""
    across, down = there[0] - here[0], there[1] - here[1]
    return (across > 0) - (across < 0), (down > 0) - (down < 0)
