"""Patches of scenarios: paths that begin with `scenarios/` and the id of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.rules.documents import Document, Documents, read_scenario
from interpreter.rules.link_context import text_of
from interpreter.rules.nodes import Mapping
from interpreter.rules.overlays.applying import Touch, apply_patch, conflicts
from interpreter.rules.overlays.files import OverlayFile
from interpreter.rules.overlays.overlay import SCENARIOS, Overlay, Patch, read_overlay


def scenario_id(document: Document) -> str:
    """The id by which paths reach a scenario."""
    head = document.root.get("scenario")
    return text_of(head.get("id")) if isinstance(head, Mapping) else ""


def scenario_under(path: Path, overlays: Sequence[OverlayFile]) -> tuple[Document, Document]:
    """The document of a scenario, bare and as it is under overlays.

    Raises:
        RulesetError: with everything that is wrong with their patches of it.
    """
    bare, laid = read_scenario(path), read_scenario(path)
    if found := lay_on_scenario(laid, overlays):
        raise RulesetError(found)
    return bare, laid


def lay_on_scenario(document: Document, files: Sequence[OverlayFile]) -> list[Diagnostic]:
    """Carry out the patches of a scenario on its document, in place; everything that is wrong with them."""
    name = scenario_id(document)
    try:
        overlays = [read_overlay(each) for each in files]
    except RulesetError as error:
        return list(error.diagnostics)
    documents, touches = Documents(Path(), [document]), list[Touch]()
    for overlay in overlays:
        for patch in patches_of(overlay, name):
            try:
                touches += _carried_out(documents, overlay, patch)
            except RulesetError as error:
                documents.faults += error.diagnostics
    return [*documents.faults, *conflicts(touches, overlays)]


def _carried_out(documents: Documents, overlay: Overlay, patch: Patch) -> Iterator[Touch]:
    if patch.when is not None:
        message = "what a scenario sets up can't depend on options, which it sets itself"
        raise RulesetError(
            [Diagnostic("toggled-scenario", message, patch.when.place, "put it in an overlay of its own")]
        )
    if len(patch.parts) < 3:
        message = f"'{patch.at.text}' names a whole scenario"
        raise RulesetError([Diagnostic("unknown-path", message, patch.at.place, "say which part of it is changed")])
    if patch.verb in ("rename", "wrap"):
        message = f"nothing in a scenario can be given to '{patch.verb}'"
        raise RulesetError(
            [Diagnostic("wrong-verb", message, patch.fields.key_place(patch.verb), "set, add or remove it")]
        )
    for path in apply_patch(documents, replace(patch, parts=patch.parts[2:], prefix=patch.parts[:2]), {}):
        yield Touch(overlay, patch, (*patch.parts[:2], *path))


def patches_of(overlay: Overlay, scenario: str) -> list[Patch]:
    """The patches of a scenario, by its id."""
    return [each for each in overlay.patches if each.parts[0] == SCENARIOS and each.parts[1:2] == (scenario,)]
