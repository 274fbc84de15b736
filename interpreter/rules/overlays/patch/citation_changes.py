"""Adds the citations of a patch to what it changed: its clauses, and the standing and source of a changed figure."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import words
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.grid_edits import GridText
from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find_in
from interpreter.rules.overlays.path.targets import ANY, GridTarget, Path

_SILENT: Final = frozenset(
    {
        "ruleset",
        "presentation",
        "glossary",
        "clauses",
        "left_out",
        "readings",
        "sources",
        "examples",
        "state",
        "scenario",
    }
)
"""Sections in which a citation has another meaning or is not allowed."""
_LISTS: Final = frozenset({"each", "limits", "bars", "stops", "when", "around"})
_BASIS: Final = ("standing", "source")
_WITH_BASIS: Final = frozenset({"tables", "constants", "individuals", "links", "pieces", "modifiers"})
_WHOLE: Final = ((), ("grid",), ("value",))
"""The parts of an entry whose change gives the entry itself a new standing."""


def add_citations(documents: DocumentSet, patch: Patch, touched: Iterable[Path]) -> None:
    """Adds the citations of a patch to the paths that it touched."""
    basis = {key: node for key in _BASIS if (node := patch.fields.get(key)) is not None}
    if not patch.cites and not basis:
        return
    for path in touched:
        if path[0] not in _SILENT:
            _cite(documents, patch, path, basis if path[0] in _WITH_BASIS else {})


def _cite(documents: DocumentSet, patch: Patch, path: Path, basis: dict[str, Node]) -> None:
    found = [pair for document in documents.documents if (pair := _citing_holder(document.root, path)) is not None]
    if not found:
        return
    holder, below = min(found, key=lambda pair: len(pair[1]))
    figure = _figure(path, below)
    if figure is None:
        _add_basis(holder, patch, basis if below in _WHOLE else {})
        return
    for each in _figures_of(holder, figure):
        _add_basis(_exception(holder, each, patch), patch, basis)


def _citing_holder(root: Mapping, path: Path) -> tuple[Mapping, Path] | None:
    """Returns the innermost mapping around a path that can cite, and the rest of the path below it."""
    with suppress(PathNotFoundError):
        target = find_in(root, path)
        if isinstance(target, GridTarget):
            return target.fields, target.path[target.path.index("grid") :]
    for length in range(len(path), 1, -1):
        if not _can_cite(path[:length]):
            continue
        try:
            node = find_in(root, path[:length]).node
        except PathNotFoundError:
            continue
        if isinstance(node, Mapping):
            return node, path[length:]
    return None


def _can_cite(path: Path) -> bool:
    """Whether the target of a path can have a citation: an entry, a step, an item, an individual, a counter."""
    if path[0] == "pieces":
        return len(path) == 3
    if path[0] == "individuals":
        return len(path) in (2, 3)
    if path[0] == "sequence":
        return len(path) % 2 == 0
    return len(path) == 2 or (len(path) == 4 and path[2] in _LISTS)


def _figure(path: Path, below: Path) -> Path | None:
    """Returns the figure that the rest of a path names: a cell, or an attribute of an individual or a counter."""
    if below[:1] == ("grid",) and len(below) > 1:
        return below[1:]
    if path[0] in ("individuals", "pieces") and len(below) in (1, 2):  # the attribute, or its text in one language
        return below[:1]
    return None


def _figures_of(holder: Mapping, figure: Path) -> list[str]:
    """Returns the names of a figure under `figures`: cells of a grid, or one attribute."""
    if ANY not in figure:
        return ["/".join(figure)]
    if figure[-1] == ANY:
        return ["/".join(figure[:-1])] if len(figure) > 1 else []
    return _column_figures(holder, figure[-1])


def _column_figures(holder: Mapping, column: str) -> list[str]:
    if "keys" not in holder:
        return [column]
    text = holder.get("grid")
    grid = GridText.read(text.source, single_row=False) if isinstance(text, Scalar) else None
    return [f"{each.name}/{column}" for each in grid.rows] if grid is not None else []


def _exception(holder: Mapping, name: str, patch: Patch) -> Mapping:
    """Returns the exception for a figure under `figures`, created if it is missing."""
    figures = holder.get("figures")
    if not isinstance(figures, Mapping):
        figures = Mapping(patch.at.origin, patch.at.start)
        holder.put("figures", figures, patch.at.origin, patch.at.start)
    known = figures.get(name)
    if isinstance(known, Mapping):
        return known
    made = Mapping(patch.at.origin, patch.at.start)
    if isinstance(known, Scalar):  # a bare standing
        made.put("standing", known, known.origin, known.start)
    figures.put(name, made, patch.at.origin, patch.at.start)
    return made


def _add_basis(holder: Mapping, patch: Patch, basis: dict[str, Node]) -> None:
    """Adds citations to the existing ones, and replaces standing and source."""
    for key, node in basis.items():
        holder.put(key, node, patch.at.origin, patch.at.start)
    known = words(holder.get("cite"))
    new = [each for each in patch.cites if each.text not in [one.text for one in known]]
    if new:
        cites = Sequence(patch.at.origin, patch.at.start)
        cites.items = [*known, *new]
        holder.put("cite", cites if len(cites) > 1 else new[0], patch.at.origin, patch.at.start)
