"""Carries out the verbs `set`, `remove` and `replace_cells`, which change the documents in place.

Each returns the full paths that it touched, or raises a `RulesetError` before it changes anything.
"""

from __future__ import annotations

from contextlib import suppress

from interpreter.language.diagnostics import did_you_mean
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.overlays.patch.expectation import check_expected, headings, refused, spot_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.grid_edits import NO_CELL, bare, cells_given, written
from interpreter.rules.overlays.path.resolve_path import LostError, find
from interpreter.rules.overlays.path.targets import ANY, GridSpot, Path


def set_(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Replaces the value of a target."""
    spot = spot_of(documents, patch)
    check_expected(spot, patch)
    if not isinstance(spot, GridSpot):
        spot.set(patch.value, patch.at)
        return [spot.path]
    if spot.row == spot.column == ANY and not spot.grid.line:
        hint = "set its rows or columns one by one"
        raise refused("wrong-cells", "can't set all cells at once", patch.at.place, hint)
    whole = ANY in (spot.row, spot.column)
    cell = None if whole else written(patch.value)
    found = cells_given(patch.value, headings(spot)) if whole else [cell] if cell is not None else NO_CELL
    if isinstance(found, str):
        hint = f"give a list of cells, or a mapping of: {', '.join(headings(spot))}" if whole else "give a single value"
        raise refused("wrong-cells", found, patch.value.place, hint)
    for (row, column), piece in zip(spot.positions(), found, strict=True):
        spot.grid.rows[row].cells[column] = piece
    spot.write()
    return [spot.path]


def remove(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Removes a target."""
    spot = spot_of(documents, patch)
    check_expected(spot, patch)
    if isinstance(spot, GridSpot):
        if spot.row not in (ANY, "") and spot.column != ANY:
            message = f"'{patch.at.text}' is a single cell, which can't be removed"
            hint = f"set it, or remove the row '{spot.row}' or the column '{ANY}/{spot.column}'"
            raise refused("wrong-cells", message, patch.at.place, hint)
        if spot.row in (ANY, "") and spot.column == ANY:
            message = "can't remove all cells at once"
            raise refused("wrong-cells", message, patch.at.place, "remove the table itself")
    elif len(spot.path) == 1:
        message = f"can't remove the whole section '{spot.path[0]}'"
        raise refused("fixed-place", message, patch.at.place, "remove its entries one by one")
    spot.remove()
    return [spot.path]


def replace_cells(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Replaces all cells with the same text in a table, a row or a column."""
    spot = spot_of(documents, patch)
    if not isinstance(spot, GridSpot):
        with suppress(LostError):
            spot = find(documents, (*spot.path, ANY))
    if not isinstance(spot, GridSpot):
        raise refused("no-grid", f"'{patch.at.text}' has no cells", patch.at.place, "name a table, a row or a column")
    changed: list[Path] = []
    assert isinstance(patch.value, Mapping)
    before = {position: bare(spot.grid.rows[position[0]].cells[position[1]][0]) for position in spot.positions()}
    for old, node in patch.value.items.items():
        new = written(node)
        if new is None:
            raise refused("wrong-cells", NO_CELL, node.place)
        found = [position for position, text in before.items() if text == old]
        if not found:
            hint = did_you_mean(old, before.values())
            raise refused("nothing-replaced", f"no cell is '{old}'", patch.value.key_place(old), hint)
        for row, column in found:
            spot.grid.rows[row].cells[column] = new
            changed.append(cell_path(spot, row, column))
    spot.write()
    return changed


def cell_path(spot: GridSpot, row: int, column: int) -> Path:
    """Returns the full path of a cell."""
    base = spot.path[: spot.path.index("grid") + 1]
    heading = spot.grid.columns[column]
    return (*base, heading) if spot.grid.line else (*base, spot.grid.rows[row].name, heading)
