"""What is different between the rules that a game was played under and others, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.play.migration.name_map import NameMap
from interpreter.play.records.rules_fingerprint import TEXTS
from interpreter.rules.documents.content_hash import canonical
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Node, Scalar
from interpreter.rules.documents.nodes import Sequence as NodeList
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.overlays.merged_documents import overlays_of, touches_of
from interpreter.rules.overlays.patch.overlay import SCENARIOS, Overlay, Patch
from interpreter.rules.overlays.path.targets import ANY, Path, shown_path
from interpreter.workshop.report_data import place_text

_DONE: Final = {"remove": "removed", "rename": "renamed", "wrap": "wrapped", "replace_cells": "cells replaced"}
_LONGEST: Final = 40
_NONE: Final[Mapping[str, Any]] = {}


_Touched = tuple[Overlay, Patch, Path]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A place of a ruleset that is other than it was: its full path, and who made it so.

    `overlay` is the id of the overlay whose patch or section it is (`taken_off`: of one that lies there no more), none
    for a change of the ruleset itself; `done` says what was done, `place` where that is written.
    """

    parts: Path
    overlay: str | None
    done: str
    place: Place | None
    taken_off: bool = False

    @property
    def path(self) -> str:
        """The place as overlays write it."""
        return shown_path(self.parts)

    def __str__(self) -> str:
        at = f" ({place_text(self.place)})" if self.place is not None else ""
        return f"{self.path}: {self.done}{at}"

    def as_json(self) -> dict[str, Any]:
        """The change as plain data."""
        place = None if self.place is None else place_text(self.place)
        return {"path": self.path, "overlay": self.overlay, "done": self.done, "place": place}


def changes_between(
    before: DocumentSet | None,
    entries: Mapping[str, str],
    after: Ruleset,
    scenario: str = "",
    tables: Mapping[str, Any] = _NONE,
) -> list[RuleChange]:
    """What the rules of `after` change in those that a game was played under, and in its scenario.

    `before` are the documents of those rules, where they can still be had: then only overlays differ, and what else is
    other follows from new names. `entries` are (the beginnings of) their digests by path, `tables` their tables as a
    recorded game keeps them.
    """
    mine = _patches(before, scenario) if before is not None else {}
    others = _patches(after.documents, scenario)
    found = [_by_patch(*each) for key, touched in others.items() if key not in mine for each in touched]
    for key, touched in mine.items():
        if key not in others:
            found += [_by_patch(*each, taken_off=True) for each in touched]
    known = {"/".join(each.parts[:2]) for each in found}
    for name in tables:
        if f"tables/{name}" not in known:
            found += _by_cell(name, tables[name], after)
    known = {"/".join(each.parts[:2]) for each in found}
    if before is not None:
        found = [each for each in found if each.done != _DONE["rename"]]
    whole = [_by_entry(each, entries, after) for each in _differing(entries, after.entries) if each not in known]
    if before is not None:
        whole = [each for each in whole if each.overlay is not None]
    return [each for each in found if each.parts[0] not in TEXTS] + whole


def names_between(before: DocumentSet, after: DocumentSet) -> NameMap:
    """The new names of what overlays give another one, or, where they are taken off, gave."""
    mine, others = _patches(before, ""), _patches(after, "")
    pairs = [_old_and_new(touched) for key, touched in others.items() if key not in mine]
    pairs += [_old_and_new(touched)[::-1] for key, touched in mine.items() if key not in others]
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


def _old_and_new(touched: list[_Touched]) -> tuple[Path, ...]:
    """The path of something before and after it got another name; nothing for any other patch."""
    return (touched[0][2], touched[1][2]) if touched[0][1].verb == "rename" and len(touched) > 1 else ()


def _patches(documents: DocumentSet, scenario: str) -> dict[tuple[str, str], list[_Touched]]:
    """What patches have touched, by overlay and by what the patch says."""
    found: dict[tuple[str, str], list[_Touched]] = {}
    for each in touches_of(documents):
        key = each.overlay.id, canonical(each.patch.fields)
        found.setdefault(key, []).append((each.overlay, each.patch, each.path))
    for overlay in overlays_of(documents):
        for patch in overlay.patches:
            if patch.parts[:2] == (SCENARIOS, scenario):
                found[overlay.id, canonical(patch.fields)] = [(overlay, patch, patch.parts)]
    return found


def _differing(mine: Mapping[str, str], others: Mapping[str, str]) -> Iterator[str]:
    for path in dict.fromkeys([*mine, *others]):
        one, other = mine.get(path, ""), others.get(path, "")
        if path.partition("/")[0] not in TEXTS and (not one or not other.startswith(one)):
            yield path


def _by_patch(overlay: Overlay, patch: Patch, path: Path, *, taken_off: bool = False) -> RuleChange:
    done = _DONE.get(patch.verb) or f"{'set to' if patch.verb == 'set' else 'added'} {_text(patch.value)}"
    if taken_off:
        done = f"{done}, until the overlay '{overlay.id}' was taken off"
    return RuleChange(path, overlay.id, done.rstrip(), patch.at.place, taken_off)


def _text(node: Node) -> str:
    """What a patch puts there, if that is short; of more its id."""
    if isinstance(node, Scalar):
        text = " ".join(node.text.split())
    elif isinstance(node, NodeList):
        text = " ".join([_text(each) for each in node])
    else:
        own = node.get("id")  # type: ignore[attr-defined]
        text = own.text if isinstance(own, Scalar) else ""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …"


def _by_cell(name: str, then: Any, after: Ruleset) -> Iterator[RuleChange]:
    """The cells of a table that say something else than was kept; nothing where its headings are others."""
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


def _by_entry(path: str, entries: Mapping[str, str], after: Ruleset) -> RuleChange:
    """An entry that has changed whole: in an overlay's own section, or in the ruleset."""
    section, _, name = path.partition("/")
    parts = (section, name) if name else (section,)
    if path not in after.entries:
        return RuleChange(parts, None, "taken out", None)
    place = next((each.place for each in after.documents.entries(section) if each.name == name), None)
    files = {str(each.file.path): each.id for each in overlays_of(after.documents)}
    overlay = files.get(place.file) if place is not None else None
    return RuleChange(parts, overlay, "changed" if path in entries else "added", place)
