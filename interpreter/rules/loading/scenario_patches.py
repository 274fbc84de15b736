"""Applies patches of scenarios, whose paths begin with `scenarios/` and the id of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.document_set import Document, DocumentSet, read_scenario
from interpreter.rules.documents.nodes import Mapping as Fields
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.linking.link_context import text_of
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.overlays.apply import apply_patch, conflicts
from interpreter.rules.overlays.merged_documents import Touch, renames_of
from interpreter.rules.overlays.patch.add import add_sections
from interpreter.rules.overlays.patch.overlay import SCENARIOS, Overlay, Patch, read_sound_part
from interpreter.rules.overlays.rename.in_data import RecordedRename
from interpreter.rules.overlays.rename.in_situations import ScenarioRenamer
from interpreter.rules.overlays.rename.text_edits import Edits

_INSTEAD: Final = {
    "rename": "rename it in the ruleset, and scenarios follow; here set, add or remove it",
    "wrap": "set, add or remove it",
}


def scenario_id(document: Document) -> str:
    """Returns the id of a scenario in paths."""
    head = document.root.get("scenario")
    return text_of(head.get("id")) if isinstance(head, Fields) else ""


Renames = Callable[[], Mapping[Place, RecordedRename]]
"""Returns what overlays renamed in the ruleset, by the place of the patch; called only if there are renames."""


def read_patched_scenario(path: Path, ruleset: Ruleset) -> tuple[Document, Document]:
    """Returns the document of a scenario without and with the overlays of its ruleset.

    Raises:
        RulesetError: with all errors of their patches of it.
    """
    bare, patched = read_scenario(path), read_scenario(path)
    if found := patch_scenario(patched, ruleset.overlays, lambda: renames_of(ruleset.documents)):
        raise RulesetError(found)
    return bare, patched


def patch_scenario(document: Document, files: Sequence[OverlayFile], renames: Renames) -> list[Diagnostic]:
    """Applies the sound patches of a scenario to its document, in place, and returns the errors in applying them.

    A rename in the ruleset is applied in order, so that later patches use the new name.
    """
    name = scenario_id(document)
    overlays = [each.overlay for each in map(read_sound_part, files) if each.overlay is not None]
    documents, touches = DocumentSet(Path(), [document]), list[Touch]()
    renamed = renames() if any(patch.verb == "rename" for overlay in overlays for patch in overlay.patches) else {}
    for overlay in overlays:
        for patch in overlay.patches:
            if patch.at.place in renamed:
                _follow(documents, renamed[patch.at.place])
            elif patch.parts[0] == SCENARIOS and patch.parts[1:2] == (name,):
                try:
                    touches += _applied(documents, overlay, patch)
                except RulesetError as error:
                    documents.faults += error.diagnostics
    return [*documents.faults, *conflicts(touches, overlays)]


def _applied(documents: DocumentSet, overlay: Overlay, patch: Patch) -> Iterator[Touch]:
    if patch.when is not None:
        message = "a patch of a scenario can't depend on options, which the scenario itself sets"
        hint = "put it into a separate overlay"
        raise RulesetError([Diagnostic("toggled-scenario", message, patch.when.place, hint)])
    if len(patch.parts) < 3 and patch.verb == "add" and "expect" not in patch.fields:
        for path in add_sections(documents.documents[0].root, patch):
            yield Touch(overlay, patch, (*patch.parts, *path))
        return
    if len(patch.parts) < 3:
        message = f"'{patch.at.text}' names a whole scenario"
        raise RulesetError([Diagnostic("unknown-path", message, patch.at.place, "name the part to change")])
    if patch.verb in ("rename", "wrap"):
        message = f"'{patch.verb}' can't be used in a scenario"
        raise RulesetError(
            [Diagnostic("wrong-verb", message, patch.fields.key_place(patch.verb), _INSTEAD[patch.verb])]
        )
    for path in apply_patch(documents, replace(patch, parts=patch.parts[2:], prefix=patch.parts[:2])):
        yield Touch(overlay, patch, (*patch.parts[:2], *path))


def _follow(documents: DocumentSet, renamed: RecordedRename) -> None:
    """Applies a rename of the ruleset to a scenario."""
    edits = Edits()
    ScenarioRenamer(documents, renamed.program, renamed.named, edits).collect()
    edits.apply()
