"""Compares two rulesets, or two scenarios, and lists their differences by the paths that overlays use.

Tables and other grids are compared whole, lists by the ids of their items, everything else value by value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.content_hash import ORDERED_KEYS, canonical_text
from interpreter.rules.documents.document_set import Document, DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import text_of, words
from interpreter.rules.overlays.patch.board_lines import one_piece_lines
from interpreter.rules.overlays.path.grid_edits import unquoted
from interpreter.rules.overlays.path.grid_sections import GRIDDED, read_grid
from interpreter.rules.overlays.path.resolve_path import item_name
from interpreter.rules.overlays.path.targets import inner_path
from interpreter.workshop.diff.write_document import node_as_yaml
from interpreter.workshop.report_data import source_text

_CITED: Final = re.compile(r"@([A-Za-z0-9][A-Za-z0-9_.\-]*)")
_GRID: Final = "(grid)"
"""The name of a text grid in a list; nothing else can have this name."""

Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ComparedGrid:
    """A text grid: the cells before the bar and those after it, row by row, with the headings first."""

    keys: Cells
    cells: Cells

    def as_json(self) -> list[dict[str, list[str]]]:
        """Returns the rows as JSON data."""
        return [{"keys": list(keys), "cells": list(cells)} for keys, cells in zip(self.keys, self.cells, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is new, gone, changed, renamed or moved (`order`), by its path.

    `before` and `after` are its content: a value or rule text as it is written, YAML for nodes with parts, or a grid;
    none if it does not exist. `clauses` are those that it cites, `place` is its present place, or the former one.
    """

    path: str
    what: str
    before: str | ComparedGrid | None = None
    after: str | ComparedGrid | None = None
    clauses: tuple[str, ...] = ()
    place: Place

    @property
    def section(self) -> str:
        return self.path.partition("/")[0]

    @property
    def entry(self) -> str:
        """The path of the section entry that contains it."""
        return "/".join(self.path.split("/")[: 3 if self.section in _NESTED else 2])

    def as_json(self) -> dict[str, Any]:
        """Returns the difference as JSON data."""
        sides = {"before": self.before, "after": self.after}
        contents = {key: each.as_json() if isinstance(each, ComparedGrid) else each for key, each in sides.items()}
        where = {"clauses": list(self.clauses), "place": source_text(self.place)}
        return {"path": self.path, "what": self.what, **contents, **where}


_DRAWN: Final = frozenset({"tables", "layers", "links"})
"""The sections that may have grids beside those of things."""
_NESTED: Final = frozenset({"individuals", "pieces", "links", "scenarios", "presentation"})
"""Sections whose entries are sorted by kind or by part."""


def differences(before: DocumentSet, after: DocumentSet) -> list[Difference]:
    """Returns all differences between the documents of two rulesets, section by section."""
    found = _DocumentComparison()
    sections = dict.fromkeys(
        name for documents in (before, after) for each in documents.documents for name in each.root
    )
    for section in sections:
        if section != "include":
            found.section(section, list(before.nodes(section)), list(after.nodes(section)))
    return found.differences


def scenario_differences(name: str, before: Document, after: Document) -> list[Difference]:
    """Returns all differences between two scenarios; `name` is the scenario's id in paths."""
    found = _DocumentComparison()
    found.nodes(("scenarios", name), before.root, after.root)
    return found.differences


@dataclass(slots=True)
class _DocumentComparison:
    """Collects differences while it walks two trees of nodes."""

    differences: list[Difference] = field(default_factory=list)
    _cites: list[tuple[str, ...]] = field(default_factory=list)
    """The clauses that the enclosing nodes cite, outermost first."""

    # ------------------------------------------------------------ sections
    def section(self, name: str, before: list[Node], after: list[Node]) -> None:
        """Compares a section, which may be spread over several files."""
        if all(isinstance(each, Sequence) for each in (*before, *after)):
            self._items((name,), _joined(before), _joined(after))
            return
        if all(isinstance(each, Mapping) for each in (*before, *after)):
            entries_before, entries_after = _entries(before), _entries(after)
            for old, new in _renamed(entries_before, entries_after):
                self._add((name, new), "renamed", old, new, entries_after[new][0])
                entries_before = {new if key == old else key: nodes for key, nodes in entries_before.items()}
            for key in dict.fromkeys((*entries_before, *entries_after)):
                self._alike((name, key), entries_before.get(key, []), entries_after.get(key, []))
            if (
                list(entries_before) != list(entries_after)
                and sorted(entries_before) == sorted(entries_after)
                and name not in _NESTED
            ):
                self._add((name,), "order", " ".join(entries_before), " ".join(entries_after), (before or after)[0])
            return
        self._alike((name,), before, after)

    def _alike(self, path: tuple[str, ...], before: list[Node], after: list[Node]) -> None:
        """Compares the nodes under one path in several files, pair by pair."""
        for number in range(max(len(before), len(after))):
            one = before[number] if number < len(before) else None
            other = after[number] if number < len(after) else None
            self._pair(path, one, other)

    def _pair(self, path: tuple[str, ...], one: Node | None, other: Node | None) -> None:
        if one is None and other is not None:
            self._add(path, "new", None, node_as_yaml(other), other)
        elif other is None and one is not None:
            self._add(path, "gone", node_as_yaml(one), None, one)
        elif one is not None and other is not None:
            self.nodes(path, one, other)

    # ------------------------------------------------------------ nodes
    def nodes(self, path: tuple[str, ...], one: Node, other: Node) -> None:
        """Compares two nodes of one path."""
        key = path[-1]
        self._cites.append((*own_clauses(one), *own_clauses(other)))
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            self._mappings(path, one, other)
        elif canonical_text(one, key) == canonical_text(other, key):
            pass
        elif isinstance(one, Sequence) and isinstance(other, Sequence) and _has_parts(one, other):
            self._items(path, one, other)
        else:
            self._add(path, "changed", _text(one), _text(other), other)
        self._cites.pop()

    def _mappings(self, path: tuple[str, ...], one: Mapping, other: Mapping) -> None:
        for key in dict.fromkeys((*one, *other)):
            grids = _grid(one, path), _grid(other, path)
            if key == "grid" and grids[0] is not None and grids[1] is not None:
                if grids[0] != grids[1]:
                    self._add(path, "changed", grids[0], grids[1], other.items["grid"])
                continue
            self._pair((*path, key), one.get(key), other.get(key))
        if path[-1] in ORDERED_KEYS and list(one) != list(other) and sorted(one) == sorted(other):
            self._add(path, "order", " ".join(one), " ".join(other), other)

    def _items(self, path: tuple[str, ...], one: Sequence, other: Sequence) -> None:
        """Compares two lists: items by their ids, items without an id by their content."""
        entries_before, entries_after = _by_name(one, path[-1]), _by_name(other, path[-1])
        for name in dict.fromkeys((*entries_before, *entries_after)):
            item_path = (
                path if name.startswith(_GRID) else (*path, name)
            )  # the rows of a grid in a list have paths of their own
            self._pair(item_path, entries_before.get(name), entries_after.get(name))
        stayed = [
            [each for each in names if each in entries_before and each in entries_after]
            for names in (entries_before, entries_after)
        ]
        if stayed[0] != stayed[1]:
            self._add(path, "order", " ".join(stayed[0]), " ".join(stayed[1]), other)

    def _add(
        self,
        path: tuple[str, ...],
        what: str,
        before: str | ComparedGrid | None,
        after: str | ComparedGrid | None,
        node: Node,
    ) -> None:
        around = next((each for each in reversed(self._cites) if each), ())
        texts = [each for each in (before, after) if isinstance(each, str)]
        clauses = dict.fromkeys(
            (*around, *own_clauses(node), *(each for text in texts for each in _CITED.findall(text)))
        )
        self.differences.append(
            Difference(
                path="/".join(path), what=what, before=before, after=after, clauses=tuple(clauses), place=node.place
            )
        )


# ---------------------------------------------------------------- contents
def own_clauses(node: Node) -> tuple[str, ...]:
    """Returns the clauses that a node itself cites; a clause counts as citing itself."""
    if not isinstance(node, Mapping):
        return ()
    found = tuple([each.text for each in words(node.get("cite"))]) if "cite" in node else ()
    return (*found, text_of(node.get("id"))) if "says" in node and "kind" in node else found


def _joined(nodes: Iterable[Node]) -> Sequence:
    found = list(nodes)
    made = Sequence(found[0].origin, found[0].start)
    made.items = [item for each in found if isinstance(each, Sequence) for item in each]
    return made


def _entries(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for each in nodes:
        assert isinstance(each, Mapping)
        for name, node in each.items.items():
            found.setdefault(name, []).append(node)
    return found


def _renamed(before: dict[str, list[Node]], after: dict[str, list[Node]]) -> Iterator[tuple[str, str]]:
    """Yields the old and new names of entries whose content is the same and unique."""
    content = [{name: tuple(map(canonical_text, nodes)) for name, nodes in each.items()} for each in (before, after)]
    for old in [each for each in before if each not in after]:
        alike = [name for name, text in content[1].items() if text == content[0][old]]
        if len(alike) == 1 and alike[0] not in before and list(content[0].values()).count(content[0][old]) == 1:
            yield old, alike[0]


def _has_parts(one: Sequence, other: Sequence) -> bool:
    return any(isinstance(each, Mapping) for each in (*one, *other))


def _by_name(items: Sequence, key: str) -> dict[str, Node]:
    """Returns the items by id, or by content; a repeated content gets a number."""
    found: dict[str, Node] = {}
    for each in (line for item in items for line in one_piece_lines(item)):
        grid = _GRID if isinstance(each, Mapping) and "grid" in each else ""
        name = content = item_name(each) or grid or _short(canonical_text(each, key))
        number = 1
        while name in found:
            number += 1
            name = f"{content} ({number})"
        found[name] = each
    return found


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def _text(node: Node) -> str:
    return node.text.rstrip("\n") if isinstance(node, Scalar) else node_as_yaml(node)


def _grid(fields: Mapping, path: tuple[str, ...]) -> ComparedGrid | None:
    """Returns the grid of a table, a layer, links or things, of a ruleset or a scenario, if it is valid."""
    section = inner_path(path)[:1]
    read = read_grid(path, fields) if section and (section[0] in GRIDDED or section[0] in _DRAWN) else None
    if read is None:
        return None
    rows = [read.head, *read.rows]
    return ComparedGrid(
        tuple([tuple([unquoted(text) for text, _ in row.keys]) for row in rows]),
        tuple([tuple([unquoted(text) for text, _ in row.cells]) for row in rows]),
    )


def clause_ids(found: Iterable[Difference]) -> Iterator[str]:
    """Yields the clauses of differences, each once, in order of appearance."""
    yield from dict.fromkeys(clause for each in found for clause in each.clauses)
