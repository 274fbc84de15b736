"""Attributes errors in the files of a ruleset to the patches that caused them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.linking.cascading_errors import Parts
from interpreter.rules.overlays.merged_documents import MergedDocuments, Touch
from interpreter.rules.overlays.path.targets import path_text

_QUOTED: Final = re.compile(r"'([^']+)'")
_WITH_KEY: Final = re.compile(r"expected a mapping with '(\w+)', found (?!a mapping)")
_DONE: Final = {"remove": "removed", "rename": "renamed"}


def with_attribution(found: Iterable[Diagnostic], documents: MergedDocuments) -> list[Diagnostic]:
    """Returns diagnostics; the hint of one in the ruleset's own files names the patch that likely caused it."""
    own = {str(each.file.path) for each in documents.overlays}
    parts = Parts(documents)
    known = documents.known_faults
    return [
        each
        if each in known
        else _advised(each, documents.touches)
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


def _attributed(each: Diagnostic, documents: MergedDocuments, parts: Parts) -> Diagnostic:
    named = set(_QUOTED.findall(each.message)) | {each.message.rpartition(": ")[2]}
    part = parts.at(each.place)
    touches = documents.touches
    here = (part.section, part.name) if part is not None else ()
    removed = [touch for touch in touches if touch.patch.verb in _DONE and touch.path[-1] in named]
    cause = next((touch for touch in removed if touch.path[:2] == here), next(iter(removed), None))
    cause = cause or next((touch for touch in touches if touch.path[-1] in named), None)
    cause = cause or next((touch for touch in touches if touch.path[:2] == here), None)
    if cause is None:
        return each
    if each.code == "missing-key" and cause.patch.verb == "remove" and len(cause.path) > 1:
        hint = f"set it, or remove '{path_text(cause.path[:-1])}' as a whole"
        return replace(each, place=cause.patch.at.place, hint=hint)
    gone = cause.patch.verb in _DONE and each.code.startswith("unknown-") and "did you mean" not in (each.hint or "")
    return replace(each, hint=f"{each.hint}; {_cause_text(cause)}" if each.hint and not gone else _cause_text(cause))


def _cause_text(cause: Touch) -> str:
    done = _DONE.get(cause.patch.verb, "changed")
    return f"'{cause.path[-1]}' is {done} by the overlay '{cause.overlay.id}' ({cause.patch.at.place})"
