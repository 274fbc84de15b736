"""Straight lines over squares and hexes, computed in whole numbers.

A hex at (column, row) has its centre at cube coordinates (x, y, z) with x + y + z = 0; even rows are shifted half
a hex to the right. A point is in a hex if no two of its three differences from the centre are more than 1 apart.
"""

from __future__ import annotations

from fractions import Fraction

Coordinates = tuple[int, int]
Cube = tuple[int, int, int]
Span = tuple[Fraction, Fraction]

_ZERO, _ONE = Fraction(0), Fraction(1)


def cube(at: Coordinates) -> Cube:
    """Returns the centre of a hex."""
    column, row = at
    x = column - (row + row % 2) // 2
    return x, -x - row, row


def coordinates_of(centre: Cube) -> Coordinates:
    """Returns the column and row of the hex with this centre."""
    x, _, row = centre
    return x + (row + row % 2) // 2, row


def hex_distance(a: Coordinates, b: Coordinates) -> int:
    """Returns the number of steps between two hexes."""
    return max(abs(p - q) for p, q in zip(cube(a), cube(b), strict=True))


def square_line(a: Coordinates, b: Coordinates) -> tuple[tuple[Coordinates, ...], ...]:
    """Returns the squares between two in one row, column or diagonal; nothing for other pairs."""
    columns, rows = b[0] - a[0], b[1] - a[1]
    length = max(abs(columns), abs(rows))
    if length == 0 or (columns and rows and abs(columns) != abs(rows)):
        return ()
    step = (columns // length, rows // length)
    return tuple(((a[0] + step[0] * n, a[1] + step[1] * n),) for n in range(1, length))


def hex_line(a: Coordinates, b: Coordinates) -> tuple[tuple[Coordinates, ...], ...]:
    """Returns the hexes that the line between two centres enters, in order; pairs if it runs along a common side."""
    start, end = cube(a), cube(b)
    entered: list[tuple[Fraction, tuple[Coordinates, ...]]] = []
    along: dict[Span, list[Coordinates]] = {}
    for centre in _near(start, end):
        if centre in (start, end):
            continue
        span, is_side = _crossing(start, end, centre)
        if span is None:
            continue
        if is_side:
            along.setdefault(span, []).append(coordinates_of(centre))
        else:
            entered.append((span[0], (coordinates_of(centre),)))
    entered += [(span[0], tuple(sorted(pair))) for span, pair in along.items()]
    return tuple(step for _, step in sorted(entered))


def _near(start: Cube, end: Cube) -> list[Cube]:
    """Returns hexes that the line may touch: a detour through them is at most one step longer."""
    reach = max(abs(p - q) for p, q in zip(start, end, strict=True))
    found = []
    low_x, high_x = sorted((start[0], end[0]))
    low_z, high_z = sorted((start[2], end[2]))
    for x in range(low_x - 1, high_x + 2):
        for z in range(low_z - 1, high_z + 2):
            centre = (x, -x - z, z)
            there = max(abs(p - q) for p, q in zip(start, centre, strict=True))
            back = max(abs(p - q) for p, q in zip(centre, end, strict=True))
            if there + back <= reach + 1:
                found.append(centre)
    return found


def _crossing(start: Cube, end: Cube, centre: Cube) -> tuple[Span | None, bool]:
    """Returns the part of the line (0 to 1) inside a hex, and whether it only runs along one of its sides."""
    low, high, is_side = _ZERO, _ONE, False
    for one, two in ((0, 1), (1, 2), (2, 0)):
        offset = (start[one] - centre[one]) - (start[two] - centre[two])
        slope = (end[one] - start[one]) - (end[two] - start[two])
        if slope == 0:
            if abs(offset) > 1:
                return None, False
            is_side = is_side or abs(offset) == 1
            continue
        enter, leave = sorted((Fraction(-1 - offset, slope), Fraction(1 - offset, slope)))
        low, high = max(low, enter), min(high, leave)
    return ((low, high), is_side) if low < high else (None, False)
