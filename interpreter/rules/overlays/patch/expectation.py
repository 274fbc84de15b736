"""Resolves the target of a patch, and compares it with what the overlay expects there."""

from __future__ import annotations

from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.content_hash import canonical_text
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, as_plain_data, describe, shortened
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.grid_edits import as_cell, parse_cells, unquoted
from interpreter.rules.overlays.path.grid_sections import GRIDDED, OF_GRIDS, grids_among
from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find
from interpreter.rules.overlays.path.schema_keys import field_names
from interpreter.rules.overlays.path.targets import ANY, GridTarget, PathTarget, inner_path, path_text

_FIXED: Final = (("ruleset", "id"), ("include",))
"""The paths that identify a ruleset."""


def patch_error(code: str, message: str, place: Place, hint: str | None = None) -> RulesetError:
    """Returns an error with a single diagnostic about a patch."""
    return RulesetError([Diagnostic(code, message, place, hint)])


def target_of(documents: DocumentSet, patch: Patch) -> PathTarget:
    """Returns the target of a patch.

    Raises:
        RulesetError: if its path can't be resolved, or leads to something that can't be changed.
    """
    if any(patch.parts[: len(each)] == each for each in _FIXED):
        message = f"'{patch.at.text}' can't be changed by an overlay"
        raise patch_error("fixed-place", message, patch.at.place, "change the contents of the ruleset; its id stays")
    try:
        return find(documents, patch.parts)
    except PathNotFoundError as missing:
        message, hint = missing.describe(documents, patch.prefix)
        if missing.part == patch.parts[-1] and not missing.reason:
            hint = _missing_part_hint(missing, patch, hint)
        elif patch.verb == "add" and isinstance(missing.among, Mapping) and missing.part in field_names():
            hint = f"add it: at '{'/'.join(missing.path)}', 'add: {{{missing.part}: …}}'"
        raise patch_error("unknown-path", message, patch.at.place, hint) from missing


def _missing_part_hint(missing: PathNotFoundError, patch: Patch, hint: str | None) -> str | None:
    """Returns a hint for a path whose last part is missing."""
    part, path, near = missing.part, "/".join(missing.path), "did you" in (hint or "")
    place = inner_path(missing.path)
    if isinstance(missing.among, Sequence) and part in OF_GRIDS and grids_among(missing.path, missing.among.items):
        return "name a row; write 'cite', 'standing' and 'source' beside the change in the patch"
    if part == "ids" and place[:1] == ("board",):
        return "name each piece by its own id, even if it is placed with others"
    if patch.verb == "set":
        if isinstance(missing.among, Mapping) and part in field_names():
            return f"add it: at '{path}', 'add: {{{part}: …}}'"
        if not near and len(place) == 3 and place[0] in GRIDDED:
            return f"{f'{hint}; ' if hint else ''}a missing value is added with 'add': at '{path}'"
    if patch.verb != "add" or near:
        return hint
    if isinstance(missing.among, Sequence):
        by_id = any(isinstance(each, Mapping) for each in missing.among.items)
        return f"add it one step higher: at '{path}', 'add: {f'{{id: {part}, …}}' if by_id else part}'"
    if missing.among is None and len(place) > 2 and place[0] == "tables":
        path = "/".join([*missing.path[:-1], ANY])
    return f"add it one step higher: at '{path}', 'add: {{{part}: …}}'"


def check_expected(target: PathTarget, patch: Patch) -> None:
    """Compares the target of a patch with its `expect`.

    Raises:
        RulesetError: if they differ.
    """
    wanted = patch.fields.get("expect")
    if wanted is None:
        return
    key = target.path[-1]
    node = _text(target.node) if patch.verb == "wrap" else target.node
    if isinstance(target, GridTarget):
        found, actual = _cell_texts(node), f"'{' '.join(_cell_texts(node))}'"
        same = found == _wanted_cells(target, wanted)
    else:
        actual = describe_value(node)
        same = canonical_text(node, key) == canonical_text(wanted, key) or (
            isinstance(node, Scalar) and isinstance(wanted, Scalar) and _squeezed(node.text) == _squeezed(wanted.text)
        )
    if not same:
        where = path_text((*patch.prefix, *target.path))
        message = f"expected {describe_value(wanted)} at '{where}', found {actual} ({place_of_target(target)})"
        hint = "check that the change is still right for this version, then correct 'expect'"
        raise patch_error("unexpected", message, wanted.place, hint)


def _text(node: Node) -> Node:
    """Returns the text of a rule, which `expect` is compared with if the rule is wrapped."""
    found = next((node.get(key) for key in ("do", "is") if key in node), None) if isinstance(node, Mapping) else None
    return found or node


def describe_value(node: Node) -> str:
    """Describes a value for a message."""
    if isinstance(node, Scalar):
        return f"'{shortened(node.text)}'" if node.value is not None else "nothing"
    if isinstance(node, Sequence) and all(isinstance(each, Scalar) for each in node):
        return f"'{shortened(', '.join(str(as_plain_data(each)) for each in node))}'"
    return describe(node)


def place_of_target(target: PathTarget) -> Place:
    """Returns the place of a target; of several cells, that of the first."""
    if isinstance(target, GridTarget):
        row, column = target.positions()[0]
        return target.grid.rows[row].cells[column][1]
    return target.node.place


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _cell_texts(node: Node) -> list[str]:
    cells = node.items if isinstance(node, Sequence) else [node]
    return [each.text for each in cells if isinstance(each, Scalar)]


def _wanted_cells(target: GridTarget, wanted: Node) -> list[str]:
    if ANY not in (target.row, target.column):
        cell = as_cell(wanted)
        return [] if cell is None else [unquoted(cell[0])]
    found = parse_cells(wanted, headings(target))
    return [] if isinstance(found, str) else [unquoted(text) for text, _ in found]


def headings(target: GridTarget) -> list[str]:
    """Returns the names of the cells of a whole row or column."""
    if target.row == ANY and not target.grid.single_row:
        return [each.name for each in target.grid.rows]
    return target.grid.columns
