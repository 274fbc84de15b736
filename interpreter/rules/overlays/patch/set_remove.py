"""Carries out the verbs `set`, `remove` and `replace_cells`, which change the documents in place.

Each returns the full paths that it touched, or raises a `RulesetError` before it changes anything.
"""

from __future__ import annotations

from contextlib import suppress

from interpreter.language.diagnostics import did_you_mean
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.overlays.patch.expectation import check_expected, headings, patch_error, target_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.grid_edits import NO_CELL, as_cell, parse_cells, unquoted
from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find
from interpreter.rules.overlays.path.targets import ANY, GridTarget, Path


def set_(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Replaces the value of a target."""
    target = target_of(documents, patch)
    check_expected(target, patch)
    if not isinstance(target, GridTarget):
        target.set(patch.value, patch.at)
        return [target.path]
    if target.row == target.column == ANY and not target.grid.single_row:
        hint = "set its rows or columns one by one"
        raise patch_error("wrong-cells", "can't set all cells at once", patch.at.place, hint)
    whole = ANY in (target.row, target.column)
    cell = None if whole else as_cell(patch.value)
    found = parse_cells(patch.value, headings(target)) if whole else [cell] if cell is not None else NO_CELL
    if isinstance(found, str):
        hint = (
            f"give a list of cells, or a mapping of: {', '.join(headings(target))}" if whole else "give a single value"
        )
        raise patch_error("wrong-cells", found, patch.value.place, hint)
    for (row, column), piece in zip(target.positions(), found, strict=True):
        target.grid.rows[row].cells[column] = piece
    target.write()
    return [target.path]


def remove(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Removes a target."""
    target = target_of(documents, patch)
    check_expected(target, patch)
    if isinstance(target, GridTarget):
        if target.row not in (ANY, "") and target.column != ANY:
            message = f"'{patch.at.text}' is a single cell, which can't be removed"
            hint = f"set it, or remove the row '{target.row}' or the column '{ANY}/{target.column}'"
            raise patch_error("wrong-cells", message, patch.at.place, hint)
        if target.row in (ANY, "") and target.column == ANY:
            message = "can't remove all cells at once"
            raise patch_error("wrong-cells", message, patch.at.place, "remove the table itself")
    elif len(target.path) == 1:
        message = f"can't remove the whole section '{target.path[0]}'"
        raise patch_error("fixed-place", message, patch.at.place, "remove its entries one by one")
    target.remove()
    return [target.path]


def replace_cells(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Replaces all cells with the same text in a table, a row or a column."""
    target = target_of(documents, patch)
    if not isinstance(target, GridTarget):
        with suppress(PathNotFoundError):
            target = find(documents, (*target.path, ANY))
    if not isinstance(target, GridTarget):
        raise patch_error(
            "no-grid", f"'{patch.at.text}' has no cells", patch.at.place, "name a table, a row or a column"
        )
    changed: list[Path] = []
    assert isinstance(patch.value, Mapping)
    before = {
        position: unquoted(target.grid.rows[position[0]].cells[position[1]][0]) for position in target.positions()
    }
    for old, node in patch.value.items.items():
        new = as_cell(node)
        if new is None:
            raise patch_error("wrong-cells", NO_CELL, node.place)
        found = [position for position, text in before.items() if text == old]
        if not found:
            hint = did_you_mean(old, before.values())
            raise patch_error("nothing-replaced", f"no cell is '{old}'", patch.value.key_place(old), hint)
        for row, column in found:
            target.grid.rows[row].cells[column] = new
            changed.append(cell_path(target, row, column))
    target.write()
    return changed


def cell_path(target: GridTarget, row: int, column: int) -> Path:
    """Returns the full path of a cell."""
    base = target.path[: target.path.index("grid") + 1]
    heading = target.grid.columns[column]
    return (*base, heading) if target.grid.single_row else (*base, target.grid.rows[row].name, heading)
