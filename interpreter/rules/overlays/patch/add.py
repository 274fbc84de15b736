"""Carries out the `add` verb: items of lists, entries and keys of mappings, rows and columns of grids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from interpreter.language.diagnostics import did_you_mean
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, describe
from interpreter.rules.documents.nodes import Sequence as NodeList
from interpreter.rules.linking.link_context import words
from interpreter.rules.overlays.patch.board_lines import split_line
from interpreter.rules.overlays.patch.expectation import check_expected, patch_error, target_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.grid_edits import EMPTY_CELL, NO_CELL, CellText, Row, as_cell, parse_cells
from interpreter.rules.overlays.path.grid_sections import (
    GRIDDED,
    OF_GRIDS,
    fixed_keys,
    grids_among,
    row_names,
    whole_grid,
)
from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find, find_all, item_name, item_names
from interpreter.rules.overlays.path.schema_keys import field_names, section_names
from interpreter.rules.overlays.path.targets import ANY, GridTarget, KeyTarget, Path, PathTarget, inner_path

_LISTS: Final = frozenset(
    ("cite", "source", "in", "see", "each", "limits", "bars", "stops", "when", "around", "members", "on_each", "on_sum",
     "except", "others_see", "alternatives", "between")
)  # fmt: skip
"""Keys whose values are lists; adding to a missing one creates a list."""
_OPEN_ROWS: Final = GRIDDED | {"links"}
"""The sections in whose grids a cell may say nothing."""


def add(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Adds something new, and returns the full paths of what was added.

    Raises:
        RulesetError: if it already exists, or can't be added there.
    """
    if (anchor := _anchor(patch)) is not None:
        for document in documents.documents:
            split_line(document.root, (*patch.parts, anchor.text))
    target = _target(documents, patch)
    check_expected(target, patch)
    if isinstance(target, GridTarget):
        if target.row not in (ANY, "") and target.column == ANY and inner_path(target.path)[0] in _OPEN_ROWS:
            return _add_to_row(target, patch)
        if target.row != ANY or target.column != ANY:
            message = f"nothing can be added to '{patch.at.text}': it is not the whole grid"
            raise patch_error("wrong-cells", message, patch.at.place, f"add a column at '…/{ANY}', or set the cells")
        return _add_columns(target, patch)
    node = target.node
    if isinstance(target, KeyTarget) and _is_counter_beside(target, node, patch):
        node = _list_of(node)
        target.holder.items[target.key] = node
    if (fields := _growing_grid(target, node, patch)) is not None:
        return _add_rows(target, fields, patch)
    if target.path[0] == "links" and len(target.path) == 2 and isinstance(node, Mapping) and _pairs(patch.value):
        if "grid" in node:
            return _add_rows(target, node, patch)
        target = find(documents, (*target.path, "between"))
        node = target.node
    if isinstance(node, Mapping):
        return _add_entries(target, node, patch, documents)
    assert not isinstance(target, GridTarget)
    if isinstance(node, Scalar) and node.value is None and isinstance(patch.value, Mapping):
        made = Mapping(patch.at.origin, patch.at.start)  # an id alone, with nothing but defaults
        target.set(made, patch.at)
        return _add_entries(target, made, patch, documents)
    if isinstance(node, Scalar):
        node = _listed(target, node, patch)
    assert isinstance(node, NodeList)
    return _add_items(target, node, patch)


# ---------------------------------------------------------------- the target
def _target(documents: DocumentSet, patch: Patch) -> PathTarget:
    """Returns the target to add to; in a section of several files, the one with the item of `before` or `after`."""
    try:
        target = find(documents, patch.parts)
    except PathNotFoundError as missing:
        return _created(documents, patch, missing)
    if isinstance(target, GridTarget):
        return target
    found = list(find_all(documents.documents, target.path))
    anchor = _anchor(patch)
    if anchor is not None:
        found = [each for each in found if anchor.text in (*_names(each.node), *_rows(each))] or found
    return found[-1] if found else target_of(documents, patch)


def _created(documents: DocumentSet, patch: Patch, missing: PathNotFoundError) -> PathTarget:
    """Creates a missing list, mapping or section that the schema allows, and returns it as the target."""
    part = patch.parts[-1]
    missing_only = missing.part == part and len(missing.path) + 1 >= len(patch.parts)
    known = field_names() if len(patch.parts) > 2 else section_names() if len(patch.parts) == 1 else frozenset()
    if not missing_only or part not in known:
        return target_of(documents, patch)  # raises the error
    holder = documents.documents[-1].root
    around: tuple[Mapping, ...] = (holder,)
    path: Path = ()
    if len(patch.parts) > 1:
        parent = find(documents, patch.parts[:-1])
        if not isinstance(parent.node, Mapping):
            return target_of(documents, patch)
        holder, path = parent.node, parent.path
        around = (*parent.around, holder)
    as_list = part in _LISTS if len(patch.parts) > 1 else part in ("clauses", "readings", "left_out")
    made = (NodeList if as_list else Mapping)(patch.at.origin, patch.at.start)
    holder.put(part, made, patch.at.origin, patch.at.start)
    return KeyTarget((*path, part), around, part)


def _growing_grid(target: PathTarget, node: Node, patch: Patch) -> Mapping | None:
    """Returns the entry whose grid gets the rows of a patch; `None` if the patch adds no rows."""
    if isinstance(target, GridTarget) or not isinstance(patch.value, Mapping):
        return None
    if isinstance(node, NodeList):
        grids = grids_among(target.path, node)
        anchor = _anchor(patch)
        beside = [each for each in grids if anchor is not None and anchor.text in row_names(target.path, each)]
        return None if _by_id(patch.value) or not grids else (beside or grids)[-1]
    fixed = fixed_keys(target.path, node) if isinstance(node, Mapping) and "grid" in node else None
    return node if fixed and isinstance(node, Mapping) and any(each not in fixed for each in patch.value) else None


def _pairs(value: Node) -> list[tuple[str, Node]]:
    """Returns a pair of spaces, or several, by the names that rows of links have; empty for anything else."""
    listed = value.items if isinstance(value, NodeList) else []
    pairs: list[Node] = [value] if listed and all(isinstance(each, Scalar) for each in listed) else listed
    named = [(item_name(each), each) for each in pairs if isinstance(each, NodeList)]
    return [*named] if len(named) == len(pairs) and all(name for name, _ in named) else []


def _listed(target: PathTarget, node: Scalar, patch: Patch) -> NodeList:
    """Converts a single value that stands for a list of one into a list."""
    if target.path[-1] not in _LISTS or not isinstance(target, KeyTarget) or isinstance(patch.value, Mapping):
        message = f"nothing can be added to '{patch.at.text}': it is a single value"
        raise patch_error("not-a-list", message, patch.at.place, "set it")
    made = _list_of(node)
    target.holder.items[target.key] = made
    return made


def _list_of(node: Node) -> NodeList:
    made = NodeList(node.origin, node.start)
    made.items = [node]
    return made


def _is_counter_beside(target: KeyTarget, node: Node, patch: Patch) -> bool:
    """Whether a patch adds counters by id beside a single grid of counters, which then becomes an item of a list."""
    listed = inner_path(target.path)[:1] in (("pieces",), ("board",))
    return listed and bool(grids_among(target.path, [node])) and _by_id(patch.value)


def _by_id(value: Node) -> bool:
    return isinstance(value, Mapping) and ("id" in value or "ids" in value)


# ---------------------------------------------------------------- the position
def _anchor(patch: Patch) -> Scalar | None:
    """Returns the id of `before` or `after`; `None` if there is none."""
    named = [node for key in ("before", "after") if isinstance(node := patch.fields.get(key), Scalar)]
    if len(named) > 1:
        message = "both 'before' and 'after' are given"
        raise patch_error("patch-order", message, patch.fields.key_place("after"), "leave one of them out")
    return named[0] if named else None


def _names(node: Node) -> list[str]:
    if isinstance(node, Mapping):
        return list(node)
    return [item_name(each) for each in node.items] if isinstance(node, NodeList) else []


def _rows(target: PathTarget) -> list[str]:
    """Returns the names of the rows of all grids of a target."""
    node = target.node
    grids = grids_among(target.path, node if isinstance(node, NodeList) else [node])
    return [name for fields in grids for name in row_names(target.path, fields)]


def _place_among(names: Sequence[str], patch: Patch, known: Sequence[str] = ()) -> int:
    """Returns the index at which to insert among these names; `known` are further names to suggest."""
    anchor = _anchor(patch)
    if anchor is None:
        return len(names)
    if anchor.text not in names:
        message = f"there is no '{anchor.text}' at '{patch.at.text}'"
        raise patch_error(
            "unknown-path", message, anchor.place, did_you_mean(anchor.text, filter(None, (*names, *known)))
        )
    return names.index(anchor.text) + ("after" in patch.fields)


def _check_new(name: str, known: Sequence[str], patch: Patch, node: Node) -> None:
    if name in known:
        message = f"there is already a '{name}' at '{patch.at.text}'"
        named = isinstance(node, Scalar) and name == node.text
        hint = "leave it out" if named else f"change it: at '{patch.at.text}/{name}', with 'set'"
        raise patch_error("already-there", message, node.place, hint)


# ---------------------------------------------------------------- mappings and lists
def add_sections(root: Mapping, patch: Patch) -> list[Path]:
    """Adds sections to a document, and returns their paths.

    Raises:
        RulesetError: if one of them already exists.
    """
    return _put_entries((), root, set(root), patch)


def _add_entries(target: PathTarget, node: Mapping, patch: Patch, documents: DocumentSet) -> list[Path]:
    there = {name for each in find_all(documents.documents, target.path) for name in _names(each.node)}
    return _put_entries(target.path, node, there, patch)


def _put_entries(path: Path, node: Mapping, there: set[str], patch: Patch) -> list[Path]:
    value = patch.value
    if not isinstance(value, Mapping):
        message = f"an entry added at '{patch.at.text}' needs a name, and {describe(value)} has none"
        raise patch_error("not-a-mapping", message, value.place, "write 'add: {name: …}'")
    if known := [each for each in value if each in there]:
        message = f"there is already a '{known[0]}' at '{patch.at.text}'"
        hint = f"change it: at '{patch.at.text}/{known[0]}', with 'set'"
        raise patch_error("already-there", message, value.key_place(known[0]), hint)
    place = _place_among(list(node), patch)
    for number, (name, each) in enumerate(value.items.items()):
        node.put(name, each, value.key_origin(name), value.key_starts[name], place + number)
    return [(*path, name) for name in value]


def _add_items(target: PathTarget, node: NodeList, patch: Patch) -> list[Path]:
    value = patch.value
    pairs = target.path[-1] == "between"
    single = not isinstance(value, NodeList) or (pairs and all(isinstance(each, Scalar) for each in value))
    items = [value] if single or not isinstance(value, NodeList) else value.items
    by_id = any(isinstance(each, Mapping) and "id" in each for each in (*node.items, *items))
    there = [*item_names(node), *_rows(target)]
    added: list[str] = []
    for each in items:
        names = item_names(_list_of(each))
        if by_id and not names:
            message = f"{describe(each)} without an 'id' can't be added at '{patch.at.text}'"
            raise patch_error("missing-id", message, each.place, "give it a new 'id'")
        together = {word.text: word for word in words(each.get("ids") if isinstance(each, Mapping) else None)}
        for name in names:
            if name != "-":
                _check_new(name, there, patch, together.get(name, each))
        added += names or ["-"]
    place = _place_among(_names(node), patch, there)
    node.items[place:place] = items
    return [(*target.path, name) for name in added]


# ---------------------------------------------------------------- grids
def _add_to_row(target: GridTarget, patch: Patch) -> list[Path]:
    """Adds attributes of one thing; a missing column is added, with empty cells for the other things."""
    grid, value = target.grid, patch.value
    row = grid.row(target.row)
    assert row is not None
    if not isinstance(value, Mapping):
        message = f"an entry added at '{patch.at.text}' needs a name, and {describe(value)} has none"
        raise patch_error("not-a-mapping", message, value.place, "write 'add: {name: …}'")
    filled = [name for name, (text, _) in zip(grid.columns, row.cells, strict=True) if text != EMPTY_CELL]
    cells: dict[str, CellText] = {}
    for name, node in value.items.items():
        if name in OF_GRIDS:
            message = f"'{name}' can't be added to a row of a grid"
            hint = "write 'cite', 'standing' and 'source' beside the change in the patch"
            raise patch_error("wrong-cells", message, value.key_place(name), hint)
        _check_new(name, filled, patch, node)
        cell = as_cell(node)
        if cell is None:
            raise patch_error("wrong-cells", NO_CELL, node.place, "give a single value")
        cells[name] = cell
    for name, cell in cells.items():
        if name not in grid.columns:
            heading = value.key_place(name)
            grid.head.cells.append((name, heading))
            for each in grid.rows:
                each.cells.append((EMPTY_CELL, heading))
        row.cells[grid.columns.index(name)] = cell
    target.write()
    return [(*target.path[:-1], name) for name in cells]


def _add_rows(holder: PathTarget, fields: Mapping, patch: Patch) -> list[Path]:
    """Adds rows by their headings; to a grid with a single row of cells, columns."""
    assert not isinstance(holder, GridTarget)
    target = whole_grid(holder.path, holder.around, fields)
    if target is None:
        raise patch_error(
            "no-grid", f"the grid at '{patch.at.text}' can't be read", patch.at.place, "fix the grid first"
        )
    if target.grid.single_row:
        return _add_columns(target, patch)
    grid, value = target.grid, patch.value
    names = [each.name for each in grid.rows]
    made: list[Row] = []
    for name, node in value.items.items() if isinstance(value, Mapping) else _pairs(value):
        _check_new(row.name if (row := grid.row(name)) is not None else name, names, patch, node)
        at = value.key_place(name) if isinstance(value, Mapping) else node.place
        labels = [text for text, _ in grid.head.keys]
        keys = grid.keys_of(name)
        if keys is None or name in {"id", *labels}:
            message = f"'{name}' can't be the heading of a row here"
            hint = f"a row is named by {grid.joint.join(labels)}: write 'add: {{NAME: [{', '.join(grid.columns)}]}}'"
            raise patch_error("wrong-cells", message, at, hint)
        given = node if isinstance(value, Mapping) else Mapping(node.origin, node.start)
        cells = _cells(grid.columns, given, may_be_empty=inner_path(target.path)[0] in _OPEN_ROWS)
        made.append(Row([(each, at) for each in keys], cells, grid.joint))
    place = _place_among(names, patch)
    grid.rows[place:place] = made
    target.write()
    return [(*target.path[:-2], each.name, ANY) for each in made]


def _add_columns(target: GridTarget, patch: Patch) -> list[Path]:
    grid, value = target.grid, patch.value
    if not isinstance(value, Mapping):
        message = "a column needs a heading"
        raise patch_error("not-a-mapping", message, value.place, "write 'add: {heading: cells}'")
    place = _place_among(grid.columns, patch)
    rows = ["the row"] if grid.single_row else [each.name for each in grid.rows]
    made: list[tuple[CellText, list[CellText]]] = []
    for name, node in value.items.items():
        _check_new(name, grid.columns, patch, node)
        cell = as_cell(node) if grid.single_row else None
        cells = [cell] if cell is not None else _cells(rows, node)
        made.append(((name, value.key_place(name)), cells))
    for number, (heading, cells) in enumerate(made):
        grid.head.cells.insert(place + number, heading)
        for row, each in zip(grid.rows, cells, strict=True):
            row.cells.insert(place + number, each)
    target.write()
    base = target.path[: target.path.index("grid") + 1]
    return [(*base, name) if grid.single_row else (*base, ANY, name) for name in value]


def _cells(headings: Sequence[str], node: Node, *, may_be_empty: bool = False) -> list[CellText]:
    found = parse_cells(node, headings, may_be_empty=may_be_empty)
    if isinstance(found, str):
        hint = f"give a list of cells, or a mapping of: {', '.join(headings)}"
        raise patch_error("wrong-cells", found, node.place, hint)
    return found
