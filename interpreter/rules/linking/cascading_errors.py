"""Separates errors from cascading errors, so that all errors are reported at once, and each of them once.

What is faulty is left out or left empty for the checks that come after. So whatever these say inside of it, or in lines
that use its name, may be no mistake of its own and is kept back until the cause is mended.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.document_set import Document, DocumentSet
from interpreter.rules.documents.nodes import FileText, Mapping, Node
from interpreter.rules.documents.unread_entries import UnreadEntry
from interpreter.rules.linking.link_context import text_of, texts

ORDER: Final = (
    "kinds", "windows", "options", "individuals", "layers", "pieces", "links", "state", "constants", "dice", "tables",
    "definitions", "modifiers", "restrictions", "searches", "procedures", "menus", "actions", "sequence", "views",
    "evaluation", "priors", "invariants", "victory", "presentation", "glossary", "clauses", "left_out", "readings",
    "sources", "examples",
)  # fmt: skip
"""The sections in the order of the linker: an error in one can only be caused by an earlier one."""
_CAUSING_NOTHING: Final = frozenset({"unknown-clause"})
"""Errors after which an entry means what it says, so that no other finding can follow from them."""
_INFERRED: Final = frozenset({"definitions", "procedures"})
_NO_NAMES: Final = frozenset(
    {"glossary", "clauses", "left_out", "readings", "sources", "examples", "presentation", "include"}
)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_PARENT: Final = re.compile(r"\bis:\s*(\w+)")
_HARMLESS: Final = frozenset(
    ("cite", "says", "prompt", "title", "notice", "reason", "reading", "standing", "source", "figures", "turn_word")
)
_KEY: Final = re.compile(r"\w+\s*:(?!\s*\{)")
_DEFINED: Final = re.compile(r"(\w+)\s*:")
_KEY_OF_LINE: Final = re.compile(r"^ *([\w.]+)\s*:", re.MULTILINE)
_ONE_WORD: Final = re.compile(r":\s*([A-Za-z_]\w*)\s*(?=[,}\n])")
_LISTED: Final = re.compile(r"\[(.*?)\]", re.DOTALL)
_IDS: Final = frozenset({"individuals", "layers", "pieces", "links"})
_KEYS: Final = frozenset((
    "is", "has", "in", "members", "plural", "cite", "grid", "between", "at", "id", "a", "of", "s", "takes",
    "gives", "do", "says", "each", "when", "value", "values", "limits", "set", "add", "remove", "rename", "wrap",
    "replace_cells", "replace_text",
    "expect", "standing", "source", "before", "after", "instead", "true", "false",
))  # fmt: skip
"""Words of documents and of messages that are no names of a ruleset."""
_BOUND: Final = re.compile(r"\b(?:let|each|any|as|set)\s+(\w+)|(\w+)\s*:")


@dataclass(slots=True, eq=False)
class EntrySource:
    """One entry of a section (or one step of the sequence): the names it gives, and its text with its position."""

    section: str
    name: str
    names: frozenset[str]
    origin: FileText
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.origin.text[self.start : self.end]


def can_cascade(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The schema errors that can cascade; a misspelt optional key cannot."""
    hints = {f"did you mean '{each}'?" for each in _HARMLESS}
    return [each for each in found if each.code != "unknown-key" or each.hint not in hints]


class Parts:
    """The entries of all documents, by their places."""

    def __init__(self, documents: DocumentSet) -> None:
        self._documents = documents
        self._unread = [*map(_unread, documents.unread)]

    @cached_property
    def _by_file(self) -> dict[str, list[EntrySource]]:
        """Computed on first use: sound rulesets never need it."""
        by_file: dict[str, list[EntrySource]] = {}
        every = [part for document in self._documents.documents for part in _parts(document)]
        for each in [*every, *_patched(self._documents), *self._unread]:
            by_file.setdefault(each.origin.file, []).append(each)
        for found in by_file.values():
            found.sort(key=lambda each: each.start)
            for part, following in pairwise(found):
                part.end = following.start
        return by_file

    @cached_property
    def all(self) -> list[EntrySource]:
        """The entries of all files in order."""
        return [each for found in self._by_file.values() for each in found]

    def at(self, place: Place) -> EntrySource | None:
        """The entry that contains a place."""
        found = self._by_file.get(place.file, [])
        if not found or not place.line:
            return None
        offset = found[0].origin.offset(place.line, place.column)
        index = bisect_right(found, offset, key=lambda part: part.start) - 1
        return found[index] if index >= 0 else None

    def without_follow_ups(self, causes: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that are not caused by `causes`; warnings are held back while there are any."""
        found = list(found)
        real = [each for each in causes if each.code not in _CAUSING_NOTHING]
        faulty = [(part, each) for each in real if (part := self.at(each.place)) is not None]
        if not faulty and not self._unread:
            return found
        parts = [*(part for part, _ in faulty), *self._unread]
        given = (_given(part, each) for part, each in faulty)
        names = self._spread(frozenset[str]().union(*given, *(part.names for part in self._unread)))
        clauses = any(part.section == "clauses" for part in parts)
        return [
            each
            for each in found
            if each.severity == "error"
            and not (clauses and each.code == "unknown-clause")
            and ((part := self.at(each.place)) is None or (part not in parts and not _uses(part, each, names)))
        ]

    def in_order(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """The findings of the linker without those caused by its findings in earlier sections."""
        sections = {id(each): self._rank(each) for each in found}
        kept: list[Diagnostic] = []
        for rank in sorted(set(sections.values())):
            here = [each for each in found if sections[id(each)] == rank]
            kept += self.without_follow_ups([each for each in kept if each.severity == "error"], here)
        left = {id(each) for each in kept}
        return [each for each in found if id(each) in left]

    def _rank(self, each: Diagnostic) -> int:
        part = self.at(each.place)
        return ORDER.index(part.section) if part is not None and part.section in ORDER else -1

    def _spread(self, names: frozenset[str]) -> frozenset[str]:
        """The names, with those of sub-kinds and of rules whose types depend on them."""
        while True:
            more = frozenset[str]().union(
                *(
                    part.names
                    for part in self.all
                    if (part.section == "dice" and _mentions(part.text, names))
                    or (part.section in _INFERRED and "gives:" not in part.text and _mentions(part.text, names))
                    or (part.section == "kinds" and _mentions(" ".join(_PARENT.findall(part.text)), names))
                )
            )
            if more <= names:
                return names
            names |= more


def without_faulty(documents: DocumentSet, faults: Iterable[Diagnostic]) -> DocumentSet | None:
    """The documents without the entries that have errors; none if errors are not confined to entries."""
    parts = Parts(documents)
    gone: dict[tuple[str, str], set[str]] = {}
    for each in faults:
        part = parts.at(each.place)
        if part is None or (not part.name and part.section not in _NO_NAMES and part.section in ORDER):
            return None
        gone.setdefault((part.origin.file, part.section), set()).add(part.name)
    kept = [replace(each, root=_without(each.root, gone)) for each in documents.documents]
    return replace(documents, documents=kept)


def _without(root: Mapping, gone: dict[tuple[str, str], set[str]]) -> Mapping:
    copy = Mapping(root.origin, root.start)
    copy.key_starts = root.key_starts
    for section, node in root.items.items():
        left_out = gone.get((root.origin.file, section))
        if not left_out:
            copy.items[section] = node
        elif isinstance(node, Mapping) and section not in ("sequence", "evaluation"):
            inner = Mapping(node.origin, node.start)
            inner.key_starts = node.key_starts
            inner.items = {name: value for name, value in node.items.items() if name not in left_out}
            copy.items[section] = inner
    return copy


# ---------------------------------------------------------------- entries
def _parts(document: Document) -> Iterator[EntrySource]:
    root = document.root
    for section, node in root.items.items():
        yield _part(section, "", frozenset(), root, section)
        if section in _NO_NAMES or section == "evaluation" or not isinstance(node, Mapping):
            continue
        for name, value in node.items.items():
            yield _part(section, name, _names(section, name, value), node, name)
            if section == "sequence":
                yield from _steps(value)


def _part(section: str, name: str, names: frozenset[str], holder: Mapping, key: str) -> EntrySource:
    """The text that begins at a key and ends at the next key or with its file."""
    origin = holder.key_origin(key)
    return EntrySource(section, name, names, origin, holder.key_starts[key], len(origin.text))


def _steps(node: Node) -> Iterator[EntrySource]:
    inner = node.get("steps") if isinstance(node, Mapping) else None
    if isinstance(inner, Mapping):
        for name, value in inner.items.items():
            yield _part("sequence", name, frozenset({name}), inner, name)
            yield from _steps(value)


def _patched(documents: DocumentSet) -> Iterator[EntrySource]:
    """Assigns the text of patches to the entries that they change."""
    seen: set[int] = set()
    for path, fields in documents.changed_entries():
        if id(fields) not in seen and len(path) > 1:
            seen.add(id(fields))
            names = _names(path[0], path[1], fields)
            yield EntrySource(path[0], path[1], names, fields.origin, fields.start, len(fields.origin.text))


def names_given(entry: UnreadEntry) -> frozenset[str]:
    """Returns all names that an entry or a patch that can't be read may give."""
    text = entry.origin.text[entry.start : entry.end]
    names = {each.rpartition(".")[2] for each in (entry.name, *_KEY_OF_LINE.findall(text))}
    names |= {f"{each}s" for each in names}
    if entry.is_patch:
        names.update(_ONE_WORD.findall(text))
    if entry.section == "kinds" or entry.is_patch:
        names.update(_DEFINED.findall(text), *map(_WORD.findall, _LISTED.findall(text)))
    elif entry.section in _IDS:
        names.update(_WORD.findall(_KEY.sub(" ", text)))
    return frozenset(names - _KEYS - {""})


def _unread(entry: UnreadEntry) -> EntrySource:
    return EntrySource(entry.section, entry.name, names_given(entry), entry.origin, entry.start, entry.end)


def _names(section: str, name: str, node: Node) -> frozenset[str]:
    """The names that an entry defines for rule text."""
    if section in _IDS:
        return frozenset()
    if section != "kinds" or not isinstance(node, Mapping):
        return frozenset({name.rpartition(".")[2]})
    has = node.get("has")
    plural = text_of(node.get("plural")) or f"{name}s"
    return frozenset({name, plural, *texts(node.get("members")), *(has if isinstance(has, Mapping) else ())})


def _given(part: EntrySource, fault: Diagnostic) -> frozenset[str]:
    """The names that may be missing or wrong because of an error in an entry."""
    if part.section != "individuals":
        return part.names
    offset = part.origin.offset(fault.place.line, fault.place.column)
    if offset == part.start:
        return frozenset(_WORD.findall(part.text))
    return frozenset(_WORD.findall(_KEY.sub(" ", _line(part.origin.text, offset))))


def _line(text: str, offset: int) -> str:
    end = text.find("\n", offset)
    return text[text.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(text)]


def _mentions(text: str, names: frozenset[str]) -> bool:
    return any(word in names for word in _WORD.findall(text))


def _uses(part: EntrySource, each: Diagnostic, names: frozenset[str]) -> bool:
    """Whether a finding is in a line that uses one of the names, or a local bound by such a line."""
    if any(word in names for word in _WORD.findall(each.message)):
        return True
    line = each.place.line
    number = part.origin.position(part.start)[0]
    for text in part.text.split("\n"):
        touched = _mentions(text, names)
        if number == line:
            return touched
        if touched:
            names |= {first or second for first, second in _BOUND.findall(text)}
        number += 1
    return False
