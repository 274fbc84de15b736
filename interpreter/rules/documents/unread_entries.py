"""Reads the rest of a file of which some entries are not YAML, so that its other mistakes can be reported as well."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.rules.documents.nodes import FileText, Mapping
from interpreter.rules.documents.yaml_reader import read_yaml_text

_WHOLE: Final = frozenset({"ruleset", "overlay", "include", "sequence", "evaluation"})
"""Sections that mean nothing without one of their entries."""
_MAX_ENTRIES: Final = 20
"""The most entries that are left out of a file."""
_SECTION: Final = re.compile(r"(\w+)\s*:")
_ENTRY: Final = re.compile(r"([ \t]+)(?:-\s|([\w.]+)\s*:)")


class UnreadEntry(NamedTuple):
    """An entry of a section that can't be read: its name, if it has one, where its text is, and why.

    A patch stands for the entry that it changes.
    """

    section: str
    name: str
    origin: FileText
    start: int
    end: int
    faults: tuple[Diagnostic, ...]
    is_patch: bool = False


class Rest(NamedTuple):
    """What is left of a file without the entries that can't be read; no root if it can't be read without them either.

    Each entry has the faults for which it was left out; `unresolved` are those with which reading has stopped.
    """

    root: Mapping | None
    entries: tuple[UnreadEntry, ...]
    unresolved: tuple[Diagnostic, ...] = ()

    @property
    def faults(self) -> list[Diagnostic]:
        """All faults, each once."""
        return list(dict.fromkeys([*[each for entry in self.entries for each in entry.faults], *self.unresolved]))


def read_around(content: bytes, file: str, faults: Sequence[Diagnostic]) -> Rest:
    """Reads a file without the entries that are not YAML, of which the first has the first of these faults.

    In place of the entry in which a fault is, the one before it is left out if more can be read so: a quote that isn't
    closed there is noticed later. Places are those of the whole file.
    """
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return Rest(None, (), tuple(faults))
    entries: list[UnreadEntry] = []
    while len(entries) < _MAX_ENTRIES:
        further: list[tuple[bool, int, UnreadEntry, tuple[Diagnostic, ...]]] = []
        for entry in _suspects(FileText(file, text), tuple(faults)):
            try:
                root = read_yaml_text(_without(entry, text), file)
            except RulesetError as error:
                where = _offset_of(error.diagnostics[0], entry.origin)
                if not entry.start <= where < entry.end:
                    further.append((_is_broken(entry, text), -entry.start, entry, tuple(error.diagnostics)))
            else:
                return Rest(root if isinstance(root, Mapping) else None, (*entries, entry))
        if not further:
            break
        _, _, entry, following = max(further, key=lambda each: each[:2])
        text, faults = _without(entry, text), following
        entries.append(entry)
    return Rest(None, tuple(entries), tuple(faults))


def _without(entry: UnreadEntry, text: str) -> str:
    """Returns a text with comments in place of the lines of an entry."""
    return text[: entry.start] + re.sub(r"[^\n]", "#", text[entry.start : entry.end]) + text[entry.end :]


def _is_broken(entry: UnreadEntry, text: str) -> bool:
    """Whether an entry alone can't be read either."""
    try:
        read_yaml_text(text[entry.start : entry.end], entry.origin.file)
    except RulesetError:
        return True
    return False


def _offset_of(fault: Diagnostic, origin: FileText) -> int:
    return origin.offset(fault.place.line, fault.place.column)


def _suspects(origin: FileText, faults: tuple[Diagnostic, ...]) -> Iterator[UnreadEntry]:
    """Yields the entry that holds the first fault, and the one before it; a section of one entry is left out whole."""
    lines = origin.text.split("\n")
    heads = [(number, found[1]) for number, text in enumerate(lines) if (found := _SECTION.match(text)) is not None]
    made: list[UnreadEntry] = []
    for (head, section), (end, _) in pairwise([*heads, (len(lines), "")]):
        keys = {each: key for each in range(head + 1, end) if (key := _ENTRY.match(lines[each])) is not None}
        depth = min((_depth(each) for each in keys.values()), default=0)
        starts = [number for number, each in keys.items() if _depth(each) == depth]
        for start, following in pairwise([*starts, end]):
            begin, after = (_offset(lines, each) for each in (start if len(starts) > 1 else head, following))
            made.append(UnreadEntry(section, keys[start][2] or "", origin, begin, after, faults))
    where = _offset_of(faults[0], origin)
    yield from reversed([each for each in made if each.start <= where and each.section not in _WHOLE][-2:])


def _depth(entry: re.Match[str]) -> int:
    return len(entry[1].expandtabs(2))


def _offset(lines: Sequence[str], number: int) -> int:
    return sum(len(each) + 1 for each in lines[:number])
