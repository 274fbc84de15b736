"""Reads the rest of a file of which one entry is not YAML, so that its other mistakes can be reported as well."""

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


def read_around(content: bytes, file: str, faults: Sequence[Diagnostic]) -> tuple[Mapping, UnreadEntry] | None:
    """Reads a file without the entry in which the first of its faults is, or else without the one before it.

    Places are those of the whole file. None if the file can't be read without one of the two either.
    """
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None
    for entry in _suspects(FileText(file, text), tuple(faults)):
        left_out = re.sub(r"[^\n]", "#", text[entry.start : entry.end])
        try:
            root = read_yaml_text(text[: entry.start] + left_out + text[entry.end :], file)
        except RulesetError:
            continue
        if isinstance(root, Mapping):
            return root, entry
    return None


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
    place = faults[0].place
    where = origin.offset(place.line, place.column)
    yield from reversed([each for each in made if each.start <= where and each.section not in _WHOLE][-2:])


def _depth(entry: re.Match[str]) -> int:
    return len(entry[1].expandtabs(2))


def _offset(lines: Sequence[str], number: int) -> int:
    return sum(len(each) + 1 for each in lines[:number])
