"""Attributes errors in the files of a ruleset to the patches that caused them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.linking.cascading_errors import Parts
from interpreter.rules.overlays.merged_documents import MergedDocuments, Touch
from interpreter.rules.overlays.path.targets import path_text

_QUOTED: Final = re.compile(r"'([^']+)'")
_WORD: Final = re.compile(r"\w+")
_WITH_KEY: Final = re.compile(r"expected a mapping with '(\w+)', found (?!a mapping)")
_DONE: Final = {"remove": "removed", "rename": "renamed"}
_MAX_ALIKE: Final = 3
"""The most errors that say the same and are listed one by one."""
_KEYS: Final = frozenset(
    {"takes", "has", "do", "is", "each", "when", "in", "steps", "grid", "definitions", "procedures"}
)
"""Parts of a path that are no names of the ruleset's own."""


class _Attribution(NamedTuple):
    """A diagnostic, and whether its hint names a patch that is elsewhere."""

    diagnostic: Diagnostic
    names_patch: bool = False


def with_attribution(found: Iterable[Diagnostic], documents: MergedDocuments) -> list[Diagnostic]:
    """Returns diagnostics; the hint of one in the ruleset's own files names the patch that likely caused it."""
    return [each.diagnostic for each in _attributions(found, documents)]


def with_common_causes(found: Iterable[Diagnostic], documents: MergedDocuments) -> list[Diagnostic]:
    """Returns attributed diagnostics; of many that say the same of other places only the first, with a count."""
    attributions = _attributions(found, documents)
    alike: dict[tuple[str, str | None], list[Diagnostic]] = {}
    for each, names_patch in attributions:
        if names_patch:
            alike.setdefault((each.message, each.hint), []).append(each)
    many = [group for group in alike.values() if len(group) > _MAX_ALIKE]
    firsts = {group[0]: f"{group[0].hint}; the same in {len(group) - 1} more places" for group in many}
    left_out = {each for group in many for each in group[1:]}
    return [replace(each, hint=firsts.get(each, each.hint)) for each, _ in attributions if each not in left_out]


def _attributions(found: Iterable[Diagnostic], documents: MergedDocuments) -> list[_Attribution]:
    own = {str(each.file.path) for each in documents.overlays}
    parts = Parts(documents)
    known = documents.known_faults
    return [
        _Attribution(each)
        if each in known
        else _Attribution(_advised(each, documents.touches))
        if each.place.file in own
        else _attributed(each, documents, parts)
        for each in found
    ]


def _advised(each: Diagnostic, touches: Iterable[Touch]) -> Diagnostic:
    """Returns a diagnostic in an overlay's file with a hint: add the cited clause, or extend the path to a key."""
    if each.code == "wrong-shape" and (wanted := _WITH_KEY.search(each.message)) is not None:
        setting = (touch.patch for touch in touches if touch.patch.verb == "set")
        patch = next((patch for patch in setting if patch.value.place == each.place), None)
        return each if patch is None else replace(each, hint=f"did you mean '{patch.at.text}/{wanted[1]}'?")
    if each.code != "unknown-clause" or "did you mean" in (each.hint or ""):
        return each
    return replace(each, hint="add it to 'clauses' in the overlay, in your own words")


def _attributed(each: Diagnostic, documents: MergedDocuments, parts: Parts) -> _Attribution:
    first, last = each.message.partition(": ")[0], each.message.rpartition(": ")[2]
    named = {*_QUOTED.findall(each.message), first, last}
    part = parts.at(each.place)
    touches = documents.touches
    here = (part.section, part.name) if part is not None else ()
    of_name = [touch for touch in touches if touch.path[-1] in named]
    is_gone = each.code.startswith("unknown-")
    likely = sorted(of_name, key=lambda touch: _distance(touch, here, is_gone=is_gone))
    cause = next(iter(likely), None) or next((touch for touch in touches if touch.path[:2] == here), None)
    if cause is None:
        within = next((touch for touch in touches if named.intersection(_entry_names(touch))), None)
        if within is None and each.code == "wrong-type":
            named = _words_around(each.place, documents)
            within = next((touch for touch in touches if touch.path[-1] in named or named & _entry_names(touch)), None)
        if within is None:
            return _Attribution(each)
        text = _cause_text(within, path_text(within.path))
        return _Attribution(replace(each, hint=f"{each.hint}; {text}" if each.hint else text), names_patch=True)
    if each.code == "missing-key" and cause.patch.verb == "remove" and len(cause.path) > 1:
        hint = f"set it, or remove '{path_text(cause.path[:-1])}' as a whole"
        return _Attribution(replace(each, place=cause.patch.at.place, hint=hint))
    gone = cause.patch.verb in _DONE and each.code.startswith("unknown-") and "did you mean" not in (each.hint or "")
    text = _cause_text(cause)
    return _Attribution(
        replace(each, hint=f"{each.hint}; {text}" if each.hint and not gone else text), names_patch=True
    )


def _distance(touch: Touch, here: tuple[str, ...], *, is_gone: bool) -> tuple[bool, bool]:
    """Returns how unlikely a patch of this name is the cause: what is gone was removed; else the same entry counts."""
    elsewhere, there = touch.path[:2] != here, touch.patch.verb not in _DONE
    return (there, elsewhere) if is_gone else (elsewhere, there)


def _words_around(place: Place, documents: MergedDocuments) -> set[str]:
    """Returns the words of the line at a place."""
    lines = [each.root.origin.text.split("\n") for each in documents.documents if each.root.origin.file == place.file]
    line = lines[0][place.line - 1] if lines and 0 < place.line <= len(lines[0]) else ""
    return set(_WORD.findall(line)) - _KEYS


def _entry_names(touch: Touch) -> set[str]:
    """Returns the names by which errors elsewhere call the rule, table or kind in which a patch changed something."""
    return {part for name in touch.path[1:-1] for part in (name, name.rpartition(".")[2])} - _KEYS


def _cause_text(cause: Touch, name: str = "") -> str:
    done = _DONE.get(cause.patch.verb, "changed")
    return f"'{name or cause.path[-1]}' is {done} by the overlay '{cause.overlay.id}' ({cause.patch.at.place})"
