"""Where a look-up stands in a printed table: the headings of its keys, and the text of its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.language.model.image import TableImage


def headings_of(table: TableImage, asked: Sequence[Any]) -> list[tuple[str, str]]:
    """Returns each axis of a table with the heading of the key that is looked up."""
    return [(axis, heading_of(headings, key)) for (axis, headings), key in zip(table.axes, asked, strict=True)]


def printed_cell(table: TableImage, headings: Sequence[tuple[str, str]]) -> str | None:
    """Returns the printed text of the cell under these headings."""
    pairs = [(labels, heading) for (_, labels), (_, heading) in zip(table.axes, headings, strict=True)]
    at = tuple([labels.index(heading) for labels, heading in pairs if heading in labels])
    return next((text for position, text, _ in table.cells if position == at), None)


def heading_of(headings: Sequence[str], key: Any) -> str:
    """Returns the heading of a key; a key outside of all headings is clamped to the nearest one."""
    own = str(getattr(key, "id", key))
    if own in headings or not isinstance(key, int):
        return own
    bounds = [(heading, *_bounds(heading)) for heading in headings]
    for heading, low, high in bounds:
        if low <= key <= high:
            return heading
    return min(bounds, key=lambda each: min(abs(key - each[1]), abs(key - each[2])))[0]


def _bounds(heading: str) -> tuple[float, float]:
    low, dots, high = heading.partition("..")
    if not dots:
        return float(low), float(low)
    return (float(low) if low else float("-inf")), (float(high) if high else float("inf"))
