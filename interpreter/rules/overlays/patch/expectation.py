"""What a patch is at, and whether it is what the overlay was written for."""

from __future__ import annotations

from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.content_hash import canonical
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, described, plain, shown
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.grid_edits import bare, cells_given, written
from interpreter.rules.overlays.path.grid_sections import GRIDDED, OF_GRIDS, grids_among
from interpreter.rules.overlays.path.resolve_path import LostError, find
from interpreter.rules.overlays.path.schema_keys import field_names
from interpreter.rules.overlays.path.targets import ANY, GridSpot, Spot, shown_path, within

_FIXED: Final = (("ruleset", "id"), ("include",))
"""What makes a ruleset the one that it is."""


def refused(code: str, message: str, place: Place, hint: str | None = None) -> RulesetError:
    """The error that says one thing about a patch."""
    return RulesetError([Diagnostic(code, message, place, hint)])


def spot_of(documents: DocumentSet, patch: Patch) -> Spot:
    """What a patch is at.

    Raises:
        RulesetError: if its path leads nowhere, or to what can't be changed.
    """
    if any(patch.parts[: len(each)] == each for each in _FIXED):
        message = f"'{patch.at.text}' can't be changed by an overlay"
        raise refused("fixed-place", message, patch.at.place, "change what the ruleset says under its own name")
    try:
        return find(documents, patch.parts)
    except LostError as lost:
        message, hint = lost.told(documents, patch.prefix)
        if lost.part == patch.parts[-1] and not lost.why:
            hint = _not_there_yet(lost, patch, hint)
        raise refused("unknown-path", message, patch.at.place, hint) from lost


def _not_there_yet(lost: LostError, patch: Patch, hint: str | None) -> str | None:
    """What to do about the last part of a path that is not there."""
    part, path, near = lost.part, "/".join(lost.path), "did you" in (hint or "")
    place = within(lost.path)
    if isinstance(lost.among, Sequence) and part in OF_GRIDS and grids_among(lost.path, lost.among.items):
        return "name a row; what a change rests on stands beside it in the patch: 'cite', 'standing', 'source'"
    if part == "ids" and place[:1] == ("board",):
        return "each piece goes by its own id, also one that is placed with others"
    if patch.verb == "set":
        if isinstance(lost.among, Mapping) and part in field_names():
            return f"put it there with 'add': at '{path}', 'add: {{{part}: …}}'"
        if not near and len(place) == 3 and place[0] in GRIDDED:
            return f"{f'{hint}; ' if hint else ''}what is not said yet is put there with 'add': at '{path}'"
    if patch.verb != "add" or near:
        return hint
    if isinstance(lost.among, Sequence):
        by_id = any(isinstance(each, Mapping) for each in lost.among.items)
        return f"add it one step higher: at '{path}', 'add: {f'{{id: {part}, …}}' if by_id else part}'"
    if lost.among is None and len(place) > 2 and place[0] == "tables":
        path = "/".join([*lost.path[:-1], ANY])
    return f"add it one step higher: at '{path}', 'add: {{{part}: …}}'"


def _quoted(told: str) -> str:
    return told if told.startswith("'") else f"'{told}'"


def check_expected(spot: Spot, patch: Patch) -> None:
    """Compare what stands there with what the overlay was written for.

    Raises:
        RulesetError: if it is something else.
    """
    wanted = patch.fields.get("expect")
    if wanted is None:
        return
    key = spot.path[-1]
    node = _text(spot.node) if patch.verb == "wrap" else spot.node
    if isinstance(spot, GridSpot):
        found, told = _cell_texts(node), " ".join(_cell_texts(node))
        same = found == _wanted_cells(spot, wanted)
    else:
        told = said(node)
        same = canonical(node, key) == canonical(wanted, key) or (
            isinstance(node, Scalar) and isinstance(wanted, Scalar) and _squeezed(node.text) == _squeezed(wanted.text)
        )
    if not same:
        there = f"{_quoted(told)} stands there ({place_of(spot)})"
        message = f"{said(wanted)} is expected at '{shown_path((*patch.prefix, *spot.path))}', and {there}"
        hint = "look whether the change is still right for this version, then mend 'expect'"
        raise refused("unexpected", message, wanted.place, hint)


def _text(node: Node) -> Node:
    """The text of a rule, which is what is expected where it is wrapped."""
    found = next((node.get(key) for key in ("do", "is") if key in node), None) if isinstance(node, Mapping) else None
    return found or node


def said(node: Node) -> str:
    """A value in words, for messages."""
    if isinstance(node, Scalar):
        return f"'{shown(node.text)}'" if node.value is not None else "nothing"
    if isinstance(node, Sequence) and all(isinstance(each, Scalar) for each in node):
        return f"'{shown(', '.join(str(plain(each)) for each in node))}'"
    return described(node)


def place_of(spot: Spot) -> Place:
    """Where what a path leads to is written; of several cells the first."""
    if isinstance(spot, GridSpot):
        row, column = spot.positions()[0]
        return spot.grid.rows[row].cells[column][1]
    return spot.node.place


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _cell_texts(node: Node) -> list[str]:
    cells = node.items if isinstance(node, Sequence) else [node]
    return [each.text for each in cells if isinstance(each, Scalar)]


def _wanted_cells(spot: GridSpot, wanted: Node) -> list[str]:
    if ANY not in (spot.row, spot.column):
        cell = written(wanted)
        return [] if cell is None else [bare(cell[0])]
    found = cells_given(wanted, headings(spot))
    return [] if isinstance(found, str) else [bare(text) for text, _ in found]


def headings(spot: GridSpot) -> list[str]:
    """What the cells of a whole row or column go by."""
    if spot.row == ANY and not spot.grid.line:
        return [each.name for each in spot.grid.rows]
    return spot.grid.columns
