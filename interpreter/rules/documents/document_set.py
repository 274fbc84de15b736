"""The documents of a ruleset: `ruleset.yaml`, the files it includes, and their merged sections."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, UsageError, nearest
from interpreter.rules.documents.nodes import Mapping, Node, Plain, Scalar, Sequence, as_plain_data, describe, shortened
from interpreter.rules.documents.own_folder import RULESET_FILE, resolved, yaml_files
from interpreter.rules.documents.unread_entries import UnreadEntry, read_around
from interpreter.rules.documents.yaml_reader import read_bytes, read_yaml_bytes

MAX_FILES: Final = 500
MAX_TOTAL_BYTES: Final = 32_000_000
_BY_KIND: Final = frozenset({"individuals", "pieces"})
"""Sections whose entries are lists by kind: the lists of several files are concatenated."""
_LISTS: Final = frozenset({"include", "clauses", "left_out", "readings"})
_ONCE: Final = frozenset({"ruleset", "evaluation"})


TextByPath = Table[Path, str]


class SourceEntry(NamedTuple):
    """One named entry of a section; `place` is that of its name."""

    name: str
    place: Place
    node: Node


@dataclass(slots=True)
class Document:
    """One file: its path, its name relative to the ruleset, its digest and its root node."""

    path: Path
    name: str
    digest: str
    root: Mapping


@dataclass(slots=True)
class DocumentSet:
    """All documents of a ruleset in the order of inclusion; `faults` are the errors in reading them."""

    folder: Path
    documents: list[Document] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    files: dict[Path, str] = field(default_factory=dict)
    """The SHA-256 of the bytes of every file that was read."""
    unread: list[UnreadEntry] = field(default_factory=list)
    """What is missing in the documents because it can't be read; `faults` say why."""

    def nodes(self, section: str) -> Iterator[Node]:
        """Yields the value of a section from each file that has it."""
        for document in self.documents:
            if (node := document.root.get(section)) is not None:
                yield node

    def entries(self, section: str) -> Iterator[SourceEntry]:
        """Yields the entries of a mapping section over all files, each name once, except for lists by kind."""
        seen: set[str] = set()
        for node in self.nodes(section):
            if isinstance(node, Mapping):
                for name, value in node.items.items():
                    if name not in seen or section in _BY_KIND:
                        seen.add(name)
                        yield SourceEntry(name, node.key_place(name), value)

    def items(self, section: str) -> Iterator[Node]:
        """Yields the items of a list section over all files."""
        for node in self.nodes(section):
            if isinstance(node, Sequence):
                yield from node

    def changed_entries(self) -> Iterator[tuple[tuple[str, ...], Mapping]]:
        """Yields the path of each entry that was changed since it was read, and the fields that changed it."""
        yield from ()

    @property
    def known_faults(self) -> set[Diagnostic]:
        """The faults of what is missing."""
        return {each for entry in self.unread for each in entry.faults}

    @property
    def head(self) -> Mapping:
        """The `ruleset` section; empty if it is missing. Requires at least one document."""
        for node in self.nodes("ruleset"):
            if isinstance(node, Mapping):
                return node
        root = self.documents[0].root
        return Mapping(root.origin, root.start)


def read_ruleset(folder: Path, texts: TextByPath | None = None) -> DocumentSet:
    """Reads the documents of the ruleset in a folder; errors in them are collected in `faults`, not raised.

    `texts` replace files that are open in an editor and not yet saved.

    Raises:
        UsageError: if there is no ruleset in the folder, or a file can't be read.
        RulesetError: if its `ruleset.yaml` is too large or leads out of the folder.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    if not (folder / RULESET_FILE).is_file():
        raise UsageError(f"{folder} is not a ruleset: it has no {RULESET_FILE}")
    reader = _IncludeReader(DocumentSet(folder), texts or {})
    reader.read(folder / RULESET_FILE, ())
    found = reader.documents
    if found.documents:
        check_sections(found)
    return found


def read_scenario(path: Path) -> Document:
    """Reads the document of a scenario.

    Raises:
        UsageError: if the file can't be read.
        RulesetError: if it leads out of its own folder, or isn't a YAML mapping.
    """
    path = resolved(path)
    content = read_bytes(path)
    root = read_yaml_bytes(content, str(path))
    if not isinstance(root, Mapping):
        raise RulesetError([_no_mapping(root, "scenario")])
    return Document(path, path.name, sha256(content).hexdigest(), root)


def _no_mapping(root: Node, first: str) -> Diagnostic:
    if isinstance(root, Scalar) and root.value is None:
        return Diagnostic("wrong-shape", "the file is empty", root.place, f"begin with a section such as '{first}:'")
    message = f"a document must be a mapping of sections, not {describe(root)}"
    return Diagnostic("wrong-shape", message, root.place, f"begin with '{first}:'")


class _IncludeReader:
    """Follows includes depth first; a file comes before the files it includes."""

    def __init__(self, documents: DocumentSet, texts: TextByPath) -> None:
        self.documents = documents
        self._texts = texts
        self._first: dict[Path, Place] = {}
        self._folders: dict[Path, Path] = {}
        self._bytes = 0

    def read(self, path: Path, around: tuple[Path, ...]) -> None:
        content = self._texts[path].encode() if path in self._texts else read_bytes(path)
        self._bytes += len(content)
        digest = sha256(content).hexdigest()
        self.documents.files[path] = digest
        try:
            root = read_yaml_bytes(content, str(path))
        except RulesetError as error:
            rest = read_around(content, str(path), error.diagnostics)
            self.documents.faults.extend(rest.faults)
            if rest.root is None:
                return
            root = rest.root
            self.documents.unread.extend(rest.entries)
        if not isinstance(root, Mapping):
            self.documents.faults.append(_no_mapping(root, "kinds" if around else "ruleset"))
            return
        name = path.relative_to(self.documents.folder).as_posix()
        self.documents.documents.append(Document(path, name, digest, root))
        included = root.get("include")
        for node in included if isinstance(included, Sequence) else ():
            if isinstance(node, Scalar) and isinstance(node.value, str):
                self._include(node, path, (*around, path))

    def _include(self, node: Scalar, path: Path, around: tuple[Path, ...]) -> None:
        try:
            target = self._target(node, path)
        except RulesetError as error:
            self.documents.faults.extend(error.diagnostics)
            return
        if target in around:
            chain = " -> ".join(each.name for each in (*around[around.index(target) :], target))
            self._fault("include-cycle", f"'{node.text}' includes itself: {chain}", node, "remove this line")
        elif target in self._first:
            message = f"'{node.text}' is included twice; first in {self._first[target]}"
            self._fault("include-twice", message, node, "remove one of the two")
        elif len(self._first) >= MAX_FILES or self._bytes > MAX_TOTAL_BYTES:
            message = f"more than {MAX_FILES} files or {MAX_TOTAL_BYTES:,} bytes in one ruleset"
            raise RulesetError([Diagnostic("too-large", message, node.place)])
        else:
            self._first[target] = node.place
            self.read(target, around)

    def _fault(self, code: str, message: str, node: Node, hint: str) -> None:
        self.documents.faults.append(Diagnostic(code, message, node.place, hint))

    def _target(self, node: Scalar, path: Path) -> Path:
        """Resolves an include to a file inside the ruleset's folder.

        Raises:
            RulesetError: if it is outside the folder, or missing.
        """
        folder, written = self.documents.folder, shortened(node.text)
        relative = PurePosixPath(node.text)
        if relative.is_absolute() or PureWindowsPath(node.text).drive or "\\" in node.text or ".." in relative.parts:
            message = f"'{written}' is outside the ruleset's folder"
            hint = "give a path relative to this file, with '/', and without '..'"
            raise RulesetError([Diagnostic("include-outside", message, node.place, hint)])
        target = self._resolved(path.parent / relative, node)
        if not target.is_relative_to(folder):
            message = f"'{written}' is a link to outside the ruleset's folder"
            raise RulesetError([Diagnostic("include-outside", message, node.place, "copy the file itself here")])
        if not target.is_file():
            message = f"'{written}' is not a file" if target.exists() else f"there is no file '{written}'"
            raise RulesetError([Diagnostic("include-missing", message, node.place, self._near(path, written))])
        return target

    @staticmethod
    def _near(path: Path, written: str) -> str | None:
        try:
            known = [each.relative_to(path.parent).as_posix() for each in yaml_files(path.parent)[:MAX_FILES]]
        except UsageError:
            known = []  # a folder that can't be searched: there is only no hint
        close = nearest(written, known)
        return f"did you mean '{close}'?" if close else f"it must be in {path.parent}"

    def _resolved(self, path: Path, node: Scalar) -> Path:
        try:
            if path.is_symlink() and path.exists():  # `exists` raises for cycles of links
                return path.resolve()
            if path.parent not in self._folders:
                self._folders[path.parent] = path.parent.resolve()
            return self._folders[path.parent] / path.name
        except (OSError, RuntimeError) as error:
            message = (
                f"'{shortened(node.text)}' can't be read: {error.strerror if isinstance(error, OSError) else error}"
            )
            hint = "replace it by a readable file"
            raise RulesetError([Diagnostic("include-missing", message, node.place, hint)]) from error


# ---------------------------------------------------------------- merged sections
def check_sections(documents: DocumentSet) -> None:
    """Adds faults for duplicate names, and for sections in the wrong file."""
    if "ruleset" not in documents.documents[0].root:
        place = documents.documents[0].root.place
        message = f"{RULESET_FILE} lacks the section 'ruleset'"
        documents.faults.append(
            Diagnostic("missing-key", message, place, "add 'ruleset: {id: …, title: …, version: …}'")
        )
    for document in documents.documents[1:]:
        if "ruleset" in document.root:
            message, place = (
                f"the section 'ruleset' is allowed only in {RULESET_FILE}",
                document.root.key_place("ruleset"),
            )
            documents.faults.append(Diagnostic("duplicate", message, place, "remove it here"))
    names = dict.fromkeys(name for document in documents.documents for name in document.root)
    for section in names:
        if section not in _LISTS and section not in _BY_KIND and section != "ruleset":
            _check_twice(documents, section)


def _check_twice(documents: DocumentSet, section: str) -> None:
    first: dict[str, Place] = {}
    for document in documents.documents:
        node = document.root.get(section)
        for name, place in _names(section, document.root, node):
            if (earlier := first.setdefault(name, place)) is not place:
                what = f"the section '{name}'" if section in _ONCE else f"'{name}'"
                where = "" if section in _ONCE else f" in '{section}'"
                message = f"{what} is given twice{where}; first in {earlier}"
                hint = "remove one of the two, or merge them" if section in _ONCE else "rename or remove one of the two"
                documents.faults.append(Diagnostic("duplicate", message, place, hint))


def _names(section: str, root: Mapping, node: Node | None) -> Iterator[tuple[str, Place]]:
    """Yields the names that must be unique: entries, nested ones of `presentation`, or the section itself."""
    if node is not None and section in _ONCE:
        yield section, root.key_place(section)
    elif isinstance(node, Mapping):
        for name, value in node.items.items():
            if section != "presentation" or not isinstance(value, Mapping):
                yield name, node.key_place(name)
                continue
            for inner, deep in value.items.items():
                if name in ("names", "plurals") and isinstance(deep, Mapping):
                    yield from ((f"{name}/{inner}/{each}", deep.key_place(each)) for each in deep)
                else:
                    yield f"{name}/{inner}", value.key_place(inner)


# ---------------------------------------------------------------- presentation
def presentation(documents: DocumentSet) -> dict[str, Plain]:
    """Returns the section `presentation` of all files, merged recursively by key."""
    joined: dict[str, Plain] = {}
    for entry in documents.nodes("presentation"):
        _join(joined, as_plain_data(entry))
    return joined


def victory_texts(documents: DocumentSet) -> dict[str, Plain]:
    """Returns the wording and the clauses of each victory condition, its parts and its notes, in document order."""
    found: dict[str, Plain] = {}
    for entry in documents.entries("victory"):
        fields = entry.node.items if isinstance(entry.node, Mapping) else {}
        texts: dict[str, Plain] = {
            key: as_plain_data(fields[key]) for key in ("says", "cite", "takes") if key in fields
        }
        parts = fields.get("parts")
        if isinstance(parts, Mapping) and (clauses := parts.get("clauses")) is not None:
            texts["part_clauses"] = as_plain_data(clauses)
        if (notes := fields.get("notes")) is not None:
            texts["notes"] = as_plain_data(notes)
        found[entry.name] = texts
    return found


def invariant_texts(documents: DocumentSet) -> dict[str, Plain]:
    """Returns what each invariant says to players, of those that say something."""
    entries = documents.entries("invariants")
    nodes = [(each.name, each.node) for each in entries if isinstance(each.node, Mapping) and "says" in each.node]
    return {name: as_plain_data(node.items["says"]) for name, node in nodes}


def term_words(documents: DocumentSet) -> dict[str, Plain]:
    """Returns the words of each term of the glossary."""
    terms = {entry.name: entry.node for entry in documents.entries("glossary")}
    return {
        name: as_plain_data(node.items["word"])
        for name, node in terms.items()
        if isinstance(node, Mapping) and "word" in node
    }


def _join(into: dict[str, Plain], more: Plain) -> None:
    assert isinstance(more, dict)
    for key, value in more.items():
        known = into.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            _join(known, value)
        else:
            into[key] = value
