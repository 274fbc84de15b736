"""Finds the patches and entries of an overlay in which its faults are, so that the rest of it can be read as well."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.nodes import FileText, Mapping, Node, Sequence
from interpreter.rules.documents.unread_entries import UnreadEntry

PATCHES: Final = "patches"
_HEADS: Final = ("overlay", PATCHES)
_PATH: Final = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+")


class OverlayEntry(NamedTuple):
    """A patch, an entry of a section, or a section that is a list; `place` is that by which it can be left out."""

    place: Place
    section: str
    name: str
    start: int
    is_patch: bool = False


def faulty_entries(root: Mapping, faults: Iterable[Diagnostic]) -> list[tuple[Place, UnreadEntry]] | None:
    """Returns the entries of an overlay that hold its faults, with their places; none if a fault is in none of them."""
    entries = sorted(_entries(root), key=lambda each: each.start)
    found: dict[int, list[Diagnostic]] = {}
    for fault in faults:
        offset = root.origin.offset(fault.place.line, fault.place.column)
        index = bisect_right(entries, offset, key=lambda each: each.start) - 1
        if index < 0 or not entries[index].section:
            return None
        found.setdefault(index, []).append(fault)
    ends = [*(each.start for each in entries[1:]), len(root.origin.text)]
    return [(entries[each].place, _unread(entries[each], root.origin, ends[each], found[each])) for each in found]


def without_entries(root: Mapping, places: Iterable[Place]) -> Mapping:
    """Returns the root of an overlay without the patches, entries and lists at these places."""
    left_out = frozenset(places)
    made = Mapping(root.origin, root.start)
    for key, node in root.items.items():
        if root.key_place(key) not in left_out:
            made.items[key] = _kept(node, left_out, key == PATCHES)
            made.key_starts[key] = root.key_starts[key]
    return made


def path_of(entry: UnreadEntry) -> tuple[str, ...]:
    """Returns the path that an unread patch gives, or that of an unread entry; empty if it gives none."""
    found = _PATH.search(entry.origin.text, entry.start, entry.end) if entry.is_patch else None
    return tuple(found[0].split("/")) if found is not None else (entry.section, entry.name)[: 2 if entry.name else 1]


def as_patch(entry: UnreadEntry) -> UnreadEntry:
    """Returns the text of a patch that can't be read as what is missing of the entry that it changes."""
    section, name, *_ = (*path_of(entry._replace(is_patch=True)), "")
    return entry._replace(section=section, name=name, is_patch=True)


def _unread(entry: OverlayEntry, origin: FileText, end: int, faults: list[Diagnostic]) -> UnreadEntry:
    unread = UnreadEntry(entry.section, entry.name, origin, entry.start, end, tuple(faults))
    return as_patch(unread) if entry.is_patch else unread


def _entries(root: Mapping) -> Iterator[OverlayEntry]:
    """Yields what an overlay consists of; what can't be left out has no section."""
    for section, node in root.items.items():
        listed = not isinstance(node, Mapping) and section not in _HEADS
        yield OverlayEntry(root.key_place(section), section if listed else "", "", root.key_starts[section])
        if section == PATCHES and isinstance(node, Sequence):
            yield from (OverlayEntry(_patch_place(each), PATCHES, "", each.start, is_patch=True) for each in node)
        elif section not in _HEADS and isinstance(node, Mapping):
            yield from (OverlayEntry(node.key_place(each), section, each, node.key_starts[each]) for each in node)


def _patch_place(patch: Node) -> Place:
    """Returns the place by which a patch goes: that of its path, if it has one."""
    at = patch.get("at") if isinstance(patch, Mapping) else None
    return patch.place if at is None else at.place


def _kept(node: Node, left_out: frozenset[Place], patches: bool) -> Node:
    if isinstance(node, Mapping):
        made = Mapping(node.origin, node.start)
        made.items = {name: each for name, each in node.items.items() if node.key_place(name) not in left_out}
        made.key_starts = {name: node.key_starts[name] for name in made.items}
        return made
    if isinstance(node, Sequence) and patches:
        kept = Sequence(node.origin, node.start)
        kept.items = [each for each in node if _patch_place(each) not in left_out]
        return kept
    return node
