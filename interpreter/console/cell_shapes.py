"""How the cells of a grid are drawn with signs: where a cell begins, where its text stands, what its sides are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Spot = tuple[int, int]
"""Column and line on the page, both from 0."""
Side = tuple[int, int]
"""The direction in which a side looks: -1, 0 or 1 across and down the page."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The drawing of one shape of cell; all places count from the cell's own corner."""

    corner: Callable[[int, int], Spot]
    """Where the cell at a column and row (from 1) begins; may be negative."""
    texts: tuple[tuple[int, int, int], ...]
    """Column, line and width of each line of text in it."""
    sides: Mapping[Side, tuple[tuple[int, int, str], ...]]
    """Column, line and sign of what each side is drawn of."""

    def size(self) -> Spot:
        """The columns and lines that a cell takes, its sides included."""
        signs = [sign for side in self.sides.values() for sign in side]
        return max(across for across, _, _ in signs) + 1, max(down for _, down, _ in signs) + 1


def outline(shape: str | None, width: int, lines: int) -> Outline:
    """How to draw cells of a shape (one of `world.spaces.SHAPES`), with so many lines of text about `width` wide."""
    if shape == "hexes_in_columns":
        return _upright(width)
    return _bricks(width, lines, shifted=shape == "hexes_in_rows")


def _upright(width: int) -> Outline:
    r"""Hexes with a flat top; even columns stand half a hex lower, rows grow downwards; three lines of text.

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
    return Outline(lambda column, row: (column * (width + 2), row * 4 + (0 if column % 2 else 2)), texts, sides)


def _bricks(width: int, lines: int, *, shifted: bool) -> Outline:
    """Squares, or hexes in rows drawn as bricks: even rows stand half a cell to the right; rows grow upwards."""
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

    def corner(column: int, row: int) -> Spot:
        return column * (width + 1) + ((width + 1) // 2 if shifted and row % 2 == 0 else 0), -row * low

    return Outline(corner, texts, sides)


def towards(here: Spot, there: Spot) -> Side:
    """The side of a cell that looks at a neighbour, by where the two begin."""
    across, down = there[0] - here[0], there[1] - here[1]
    return (across > 0) - (across < 0), (down > 0) - (down < 0)
