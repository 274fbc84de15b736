"""Resolves a path of ids in the documents of a ruleset, and suggests the nearest valid path for a wrong one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from interpreter.language.diagnostics import did_you_mean, nearest
from interpreter.language.whole_numbers import whole_number
from interpreter.rules.documents.document_set import Document, DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import text_of, texts
from interpreter.rules.overlays.path.grid_edits import GridText
from interpreter.rules.overlays.path.grid_sections import fixed_keys, grids_among, read_grid, row_names
from interpreter.rules.overlays.path.targets import ANY, GridTarget, ItemTarget, KeyTarget, Path, PathTarget
from interpreter.rules.schema.validate import renamed_key

_SINGLE: Final = "it is a single value"
_CELL: Final = "a cell has no parts"
_SEVERAL: Final = "its rows are in several grids"
_NEEDED: Final = frozenset({"each", "between", "members", "faces", "clauses", "then"})
"""Lists that a document must contain even if they are empty."""


_OF_THINGS: Final = ("individuals", "pieces")
"""Sections of things by kind; authors take one for the other."""


class PathNotFoundError(Exception):
    """A path can't be resolved: how far it leads, the missing part, and the known names there."""

    def __init__(
        self, path: Path, part: str, known: Iterable[str], reason: str = "", *, among: Mapping | Sequence | None = None
    ) -> None:
        self.among = among
        """The mapping or list that lacks the part; `None` for a grid."""
        self.path = path
        self.part = part
        self.known = list(dict.fromkeys(known))
        self.reason = reason
        super().__init__(part)

    def describe(self, documents: DocumentSet, prefix: Path = ()) -> tuple[str, str | None]:
        """Returns the message for the path and a hint with the nearest valid one; `prefix` is prepended to it."""
        self.path = (*prefix, *self.path)
        there = "/".join(self.path)
        where = f"in {there}" if self.path else "among the sections of the ruleset"
        message = f"there is no '{self.part}' {where}{f'; {self.reason}' if self.reason else ''}"
        if len(self.path) == 1:
            elsewhere = [section for section in _sections(documents) if self.part in _names(documents, section)]
            if elsewhere:
                best = min(elsewhere, key=lambda section: self.path[0] in _OF_THINGS and section not in _OF_THINGS)
                return message, f"did you mean '{best}/{self.part}'?"
        if self.reason == _SINGLE:
            return message, f"change the value as a whole: at '{there}', with 'set'"
        if self.reason == _CELL:
            return message, f"change the cell: at '{there}', with 'set'"
        if self.reason == _SEVERAL:
            return message, "name the rows, each in a patch of its own"
        if (renamed := renamed_key(self.part, self.known)) is not None:
            return message, renamed
        if (near := nearest(self.part, self.known)) is not None:
            return message, f"did you mean '{'/'.join((*self.path, near))}'?"
        if not self.path:
            kinds = {name: section for section in _OF_THINGS for name in _names(documents, section)}
            near = nearest(self.part, kinds)
            hint = did_you_mean(self.part, self.known, len(self.known))
            return message, hint if near is None else f"did you mean '{kinds[near]}/{near}'?"
        return message, did_you_mean(self.part, self.known)


def _sections(documents: DocumentSet) -> list[str]:
    found = dict.fromkeys(name for each in documents.documents for name in each.root)
    return [each for each in found if each not in ("examples", "sources", "include", "ruleset")]


def _names(documents: DocumentSet, section: str) -> list[str]:
    return [name for node in documents.nodes(section) if isinstance(node, Mapping) for name in node]


def find(documents: DocumentSet, parts: Path) -> PathTarget:
    """Returns the target of a path, in whichever file it is.

    Raises:
        PathNotFoundError: if it can't be resolved, or leads to columns of several grids at once.
    """
    missing: PathNotFoundError | None = None
    for number, document in enumerate(documents.documents):
        try:
            target = find_in(document.root, parts)
        except PathNotFoundError as error:
            if missing is None or len(error.path) > len(missing.path):
                missing = error
            elif error.path == missing.path:
                missing.known = list(dict.fromkeys([*missing.known, *error.known]))
            continue
        if (
            isinstance(target, GridTarget)
            and target.row == ANY
            and any(find_all(documents.documents[number + 1 :], parts))
        ):
            raise PathNotFoundError(target.path[: target.path.index("grid")], ANY, [], _SEVERAL)
        return target
    assert missing is not None
    raise missing


def find_all(documents: Iterable[Document], parts: Path) -> Iterator[PathTarget]:
    """Yields the target of a path in each file that has it."""
    for document in documents:
        try:
            yield find_in(document.root, parts)
        except PathNotFoundError:
            continue


def find_in(root: Mapping, parts: Path) -> PathTarget:
    """Returns the target of a path in one document.

    Raises:
        PathNotFoundError: if it can't be resolved.
    """
    resolver = _Resolver(root, parts)
    while resolver.parts:
        resolver.advance()
    assert resolver.target is not None
    return resolver.target


@dataclass(slots=True)
class _Resolver:
    """Follows a path from the root of a document; `parts` are the parts still to follow."""

    node: Node
    parts: Path
    target: PathTarget | None = None
    path: Path = ()
    around: list[Mapping] = field(default_factory=list)

    def advance(self) -> None:
        """Follows one or more parts of the path."""
        node, part = self.node, self.parts[0]
        if isinstance(node, Mapping):
            self._into_mapping(node, part)
        elif isinstance(node, Sequence):
            self._into_list(node, part)
        else:
            assert isinstance(node, Scalar)
            self._into_text(node, part)

    # ------------------------------------------------------------ mappings
    def _into_mapping(self, node: Mapping, part: str) -> None:
        fixed = fixed_keys(self.path, node)
        if part in node and (fixed is None or part in fixed):
            self._key(node, part, 1)
        elif fixed is not None and "grid" in node and part not in fixed:
            self.around.append(node)
            self._into_grid(node, self.parts)
        elif fixed is None and (subpath := self._completed(node, part)) is not None:
            self.parts = (*subpath, *self.parts[1:])
        else:
            self._key(node, *self._joined(node))

    def _key(self, node: Mapping, key: str, used: int) -> None:
        self.around.append(node)
        self.path = (*self.path, key)
        self.target = KeyTarget(self.path, tuple(self.around), key)
        self.node = node.items[key]
        self.parts = self.parts[used:]

    def _joined(self, node: Mapping) -> tuple[str, int]:
        """Returns a key that contains slashes, such as `unit/red_1/steps`, and the number of parts it takes."""
        for used in range(len(self.parts), 1, -1):
            key = "/".join(self.parts[:used])
            if key in node:
                return key, used
        raise PathNotFoundError(self.path, self.parts[0], self._known(node), among=node)

    def _known(self, node: Mapping) -> list[str]:
        inner = node if self.path == ("sequence",) else node.get("steps") if self.path[:1] == ("sequence",) else None
        return [*node, *(subpath[-1] for subpath in _steps(inner))] if isinstance(inner, Mapping) else list(node)

    def _completed(self, node: Mapping, part: str) -> Path | None:
        """Completes a shortened path: the steps around a step and the key of the pairs of links may be omitted."""
        if self.path[:1] == ("sequence",):
            inner = node if len(self.path) == 1 else node.get("steps")
            if isinstance(inner, Mapping):
                subpath = next((subpath for subpath in _steps(inner) if subpath[-1] == part), None)
                if subpath is not None:
                    return subpath if inner is node else ("steps", *subpath)
        if self.path[:1] == ("links",) and len(self.path) == 2 and "-" in part and "between" in node:
            return ("between", part)
        return None

    # ------------------------------------------------------------ lists and single words
    def _into_list(self, node: Sequence, part: str) -> None:
        if self.path == ("left_out",):
            self._into_left_out(node, part)
            return
        whole = "/".join(self.parts)
        for each in node.items:
            if part in (item_name(each), _reversed_name(each)):
                self._item(node, each, part, 1)
                return
        for each in node.items:
            if len(self.parts) > 1 and isinstance(each, Scalar) and each.text == whole:
                self._item(node, each, whole, len(self.parts))
                return
        self._into_listed_grid(node, part)

    def _into_listed_grid(self, node: Sequence, part: str) -> None:
        """Follows the path into a row of one of the grids in a list."""
        grids = grids_among(self.path, node)
        if part == "grid" and grids and len(self.parts) > 1:  # full paths of cells have it
            self.parts = self.parts[1:]
            part = self.parts[0]
        if part == ANY and len(grids) > 1:
            raise PathNotFoundError(self.path, ANY, [], _SEVERAL)
        known = item_names(node)
        for fields in grids:
            rows = row_names(self.path, fields)
            known += rows
            if part in (ANY, *rows):
                self.around.append(fields)
                self._into_grid(fields, self.parts)
                return
        raise PathNotFoundError(self.path, part, known, among=node)

    def _item(self, node: Sequence, item: Node, name: str, used: int) -> None:
        key = self.path[-1]
        holder = self.around[-1] if self.around and key in self.around[-1] else None
        may_go = holder is not None and key not in _NEEDED and len(self.path) > 1
        emptied = partial(holder.drop, key) if holder is not None and may_go else None
        self.path = (*self.path, name)
        self.target = ItemTarget(self.path, tuple(self.around), node, item, emptied)
        self.node = item
        self.parts = self.parts[used:]

    def _into_left_out(self, node: Sequence, part: str) -> None:
        """Follows the id of a clause in `left_out`; removing the last clause of an entry removes the entry."""
        for each in node.items:
            clauses = each.get("clauses") if isinstance(each, Mapping) else None
            for word in clauses.items if isinstance(clauses, Sequence) else ():
                if isinstance(clauses, Sequence) and isinstance(word, Scalar) and word.text == part:
                    self.path = (*self.path, part)
                    emptied = partial(node.items.remove, each)
                    self.target = ItemTarget(self.path, tuple(self.around), clauses, word, emptied)
                    self.node, self.parts = word, self.parts[1:]
                    return
        known = [word for each in node.items if isinstance(each, Mapping) for word in texts(each.get("clauses"))]
        raise PathNotFoundError(self.path, part, known)

    def _into_text(self, node: Scalar, part: str) -> None:
        fields = self.around[-1]
        if self.path[-1] == "grid" and fixed_keys(self.path[:-1], fields) is not None:
            self.path = self.path[:-1]
            self._into_grid(fields, self.parts)
            return
        if node.text == part and len(self.parts) == 1:  # a list of one may be written without brackets
            assert isinstance(self.target, KeyTarget)
            self.target = KeyTarget((*self.path, part), tuple(self.around), self.target.key)
            self.path, self.parts = self.target.path, ()
            return
        raise PathNotFoundError(self.path, part, [], _SINGLE)

    # ------------------------------------------------------------ grids
    def _into_grid(self, fields: Mapping, parts: Path) -> None:
        grid = read_grid(self.path, fields)
        if grid is None:
            raise PathNotFoundError(self.path, parts[0], [], "its grid can't be read")
        row, column, used = _cell(grid, parts, self.path)
        subpath = ("grid", column) if grid.single_row else ("grid", row, column)
        path = (*self.path, *subpath)
        if len(parts) > used:
            raise PathNotFoundError((*self.path, *parts[:used]), parts[used], [], _CELL)
        self.target = GridTarget(path, tuple(self.around), grid, row, column)
        self.path, self.parts, self.node = path, (), fields


def _cell(grid: GridText, parts: Path, path: Path) -> tuple[str, str, int]:
    """Returns the row, the column, and the number of parts of the path that they take."""
    columns = grid.columns
    if grid.single_row:
        if parts[0] not in (*columns, ANY):
            raise PathNotFoundError(path, parts[0], columns, _within(parts[0], columns))
        return (ANY, ANY, 1) if parts[0] == ANY else ("", parts[0], 1)
    if parts[0] == ANY:
        row, used = ANY, 1
    else:
        used = grid.depth
        row = "/".join(parts[:used])
        found = grid.row(row)
        if found is None:
            raise PathNotFoundError(
                path, row, [each.name for each in grid.rows], _within(row, [each.name for each in grid.rows])
            )
        row = found.name
    if len(parts) == used:
        return row, ANY, used
    if parts[used] not in (*columns, ANY):
        raise PathNotFoundError((*path, row), parts[used], columns, _within(parts[used], columns))
    return row, parts[used], used + 1


def _within(part: str, headings: Iterable[str]) -> str:
    """Returns a note if a number is in the range of a heading; empty otherwise."""
    number = whole_number(part)
    if number is None:
        return ""
    for each in headings:
        low, dots, high = each.rpartition("/")[2].partition("..")
        least, most = (number if not bound else whole_number(bound) for bound in (low, high))
        if dots and least is not None and most is not None and least <= number <= most:
            return f"the heading for {part} is '{each}'"
    return ""


# ---------------------------------------------------------------- names
def item_name(node: Node) -> str:
    """Returns the id of an item of a list: its `id`, the text of a scalar, `a-b` for a pair; empty if it has none."""
    if isinstance(node, Mapping):
        return text_of(node.get("id"))
    if isinstance(node, Scalar):
        return node.text
    assert isinstance(node, Sequence)
    ends = [text_of(each) for each in node.items]
    return "-".join(ends) if len(ends) == 2 and all(ends) else ""


def item_names(node: Sequence) -> list[str]:
    """Returns the ids of the items of a list, including each of the pieces that one line of a board places together."""
    return [name for each in node.items for name in (item_name(each), *_placed_together(each)) if name]


def _placed_together(node: Node) -> tuple[str, ...]:
    return texts(node.get("ids")) if isinstance(node, Mapping) else ()


def _reversed_name(node: Node) -> str:
    """Returns the name of a pair in the other order; of anything else its id."""
    return "-".join(reversed(item_name(node).split("-"))) if isinstance(node, Sequence) else item_name(node)


def _steps(node: Mapping) -> Iterator[Path]:
    """Yields the relative paths of all steps below a mapping of steps, breadth first."""
    level: list[tuple[Path, Node]] = [((name,), each) for name, each in node.items.items()]
    while level:
        below: list[tuple[Path, Node]] = []
        for subpath, each in level:
            yield subpath
            inner = each.get("steps") if isinstance(each, Mapping) else None
            if isinstance(inner, Mapping):
                below += [((*subpath, "steps", name), deeper) for name, deeper in inner.items.items()]
        level = below
