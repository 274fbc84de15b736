"""The changes between the rules that a game was played under and other rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.play.records.rules_fingerprint import DESCRIPTIVE_SECTIONS
from interpreter.play.replay.name_map import NameMap
from interpreter.rules.documents.content_hash import canonical_text
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Node, Scalar
from interpreter.rules.documents.nodes import Sequence as NodeList
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.overlays.merged_documents import overlays_of, touches_of
from interpreter.rules.overlays.patch.overlay import SCENARIOS, Overlay, Patch
from interpreter.rules.overlays.path.targets import ANY, Path, path_text
from interpreter.workshop.report_data import source_text

_PARTICIPLES: Final = {
    "remove": "removed",
    "rename": "renamed",
    "wrap": "wrapped",
    "replace_cells": "cells replaced",
    "replace_text": "text replaced",
}
_MAX_TEXT_LENGTH: Final = 40
_NONE: Final[Mapping[str, Any]] = {}


_TouchedPath = tuple[Overlay, Patch, Path]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A changed place of a ruleset: its full path, and what changed it.

    `overlay` is the id of the overlay whose patch or section makes the change, none for a change of the ruleset itself.
    With `overlay_removed` this overlay applied before and no longer does. `done` describes the change, `place` is where
    it is written.
    """

    parts: Path
    overlay: str | None
    done: str
    place: Place | None
    overlay_removed: bool = False

    @property
    def path(self) -> str:
        """The path as overlays write it."""
        return path_text(self.parts)

    def __str__(self) -> str:
        at = f" ({source_text(self.place)})" if self.place is not None else ""
        return f"{self.path}: {self.done}{at}"

    def as_json(self) -> dict[str, Any]:
        """Returns the change as JSON data."""
        place = None if self.place is None else source_text(self.place)
        return {"path": self.path, "overlay": self.overlay, "done": self.done, "place": place}


def changes_between(
    before: DocumentSet | None,
    entries: Mapping[str, str],
    after: Ruleset,
    scenario: str = "",
    tables: Mapping[str, Any] = _NONE,
) -> list[RuleChange]:
    """Returns the changes from the rules that a game was played under to those of `after`, its scenario included.

    `before` are the documents of the former rules, if they are available: then only overlays differ, and every other
    difference follows from new names. `entries` are their digests (or prefixes of them) by path, `tables` their tables
    as a recorded game stores them.
    """
    before_patches = _patches(before, scenario) if before is not None else {}
    after_patches = _patches(after.documents, scenario)
    found = [
        _patch_change(*each) for key, touches in after_patches.items() if key not in before_patches for each in touches
    ]
    for key, touches in before_patches.items():
        if key not in after_patches:
            found += [_patch_change(*each, overlay_removed=True) for each in touches]
    known = {"/".join(each.parts[:2]) for each in found}
    for name in tables:
        if f"tables/{name}" not in known:
            found += _cell_changes(name, tables[name], after)
    known = {"/".join(each.parts[:2]) for each in found}
    if before is not None:
        found = [each for each in found if each.done != _PARTICIPLES["rename"]]
    whole = [
        _entry_change(each, entries, after) for each in _changed_entries(entries, after.entries) if each not in known
    ]
    if before is not None:
        whole = [each for each in whole if each.overlay is not None]
    return [each for each in found if each.parts[0] not in DESCRIPTIVE_SECTIONS] + whole


def names_between(before: DocumentSet, after: DocumentSet) -> NameMap:
    """Returns the new names that overlays give to things, and the old names again where an overlay was removed."""
    before_patches, after_patches = _patches(before, ""), _patches(after, "")
    pairs = [_rename_paths(touches) for key, touches in after_patches.items() if key not in before_patches]
    pairs += [_rename_paths(touches)[::-1] for key, touches in before_patches.items() if key not in after_patches]
    kinds: dict[str, str] = {}
    things: dict[tuple[str, str], str] = {}
    attributes: dict[str, str] = {}
    rules: dict[str, str] = {}
    for pair in pairs:
        if not pair:
            continue
        old, new = (tuple([each for each in path if each not in ("grid", ANY)]) for path in pair)
        then = {name: kind for kind, name in kinds.items()}
        match old:
            case ("kinds", kind):
                kinds[kind] = new[-1]
            case ("kinds", kind, "members", word) | ("individuals" | "pieces", kind, word):
                things[then.get(kind, kind), word] = new[-1]
            case ("kinds", _, "has", name) | ("state", name):
                attributes[name] = new[-1]
            case _:
                rules[old[-1]] = new[-1]
    return NameMap(kinds, things, attributes, rules)


def _rename_paths(touches: list[_TouchedPath]) -> tuple[Path, ...]:
    """Returns the path of a thing before and after a rename; an empty tuple for any other patch."""
    return (touches[0][2], touches[1][2]) if touches[0][1].verb == "rename" and len(touches) > 1 else ()


def _patches(documents: DocumentSet, scenario: str) -> dict[tuple[str, str], list[_TouchedPath]]:
    """Returns the paths that patches touch, by overlay and by the content of the patch."""
    found: dict[tuple[str, str], list[_TouchedPath]] = {}
    for each in touches_of(documents):
        key = each.overlay.id, canonical_text(each.patch.fields)
        found.setdefault(key, []).append((each.overlay, each.patch, each.path))
    for overlay in overlays_of(documents):
        for patch in overlay.patches:
            if patch.parts[:2] == (SCENARIOS, scenario):
                found[overlay.id, canonical_text(patch.fields)] = [(overlay, patch, patch.parts)]
    return found


def _changed_entries(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yields the paths whose digests differ; a digest in `before` may be a prefix."""
    for path in dict.fromkeys([*before, *after]):
        one, other = before.get(path, ""), after.get(path, "")
        if path.partition("/")[0] not in DESCRIPTIVE_SECTIONS and (not one or not other.startswith(one)):
            yield path


def _patch_change(overlay: Overlay, patch: Patch, path: Path, *, overlay_removed: bool = False) -> RuleChange:
    done = _PARTICIPLES.get(patch.verb) or f"{'set to' if patch.verb == 'set' else 'added'} {_text(patch.value)}"
    if overlay_removed:
        done = f"{done}, until the overlay '{overlay.id}' was removed"
    return RuleChange(path, overlay.id, done.rstrip(), patch.at.place, overlay_removed)


def _text(node: Node) -> str:
    """Returns the value of a patch in short: cut, and only the id of a mapping."""
    if isinstance(node, Scalar):
        text = " ".join(node.text.split())
    elif isinstance(node, NodeList):
        text = " ".join([_text(each) for each in node])
    else:
        own = node.get("id")  # type: ignore[attr-defined]
        text = own.text if isinstance(own, Scalar) else ""
    return text if len(text) <= _MAX_TEXT_LENGTH else f"{text[: _MAX_TEXT_LENGTH - 2]} …"


def _cell_changes(name: str, then: Any, after: Ruleset) -> Iterator[RuleChange]:
    """Yields the cells of a table that differ from the recorded ones; nothing if its headings differ."""
    table, image = (
        after.program.tables.get(name),
        next((each for each in after.image.tables if each.name == name), None),
    )
    if table is None or image is None or [[axis, list(each)] for axis, each in image.axes] != then["axes"]:
        return
    for at, text, _ in image.cells:
        was = then["cells"].get(" ".join(map(str, at)))
        if was != text:
            headings = [image.axes[axis][1][number] for axis, number in enumerate(at)]
            row = ["/".join(headings[:-1])] if len(headings) > 1 else []
            place = table.cells[at].place if at in table.cells else table.place
            yield RuleChange(("tables", name, "grid", *row, headings[-1]), None, f"{was} became {text}", place)


def _entry_change(path: str, entries: Mapping[str, str], after: Ruleset) -> RuleChange:
    """Returns the change of a whole entry, in a section of an overlay or in the ruleset."""
    section, _, name = path.partition("/")
    parts = (section, name) if name else (section,)
    if path not in after.entries:
        return RuleChange(parts, None, "removed", None)
    place = next((each.place for each in after.documents.entries(section) if each.name == name), None)
    files = {str(each.file.path): each.id for each in overlays_of(after.documents)}
    overlay = files.get(place.file) if place is not None else None
    return RuleChange(parts, overlay, "changed" if path in entries else "added", place)
