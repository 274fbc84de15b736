"""Applies overlays to the documents of a ruleset, patch by patch, and collects all errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.rules.documents.document_set import Document, DocumentSet, check_sections
from interpreter.rules.documents.nodes import Mapping as Fields
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.linking.cascading_errors import names_given
from interpreter.rules.overlays.merged_documents import MergedDocuments, Touch
from interpreter.rules.overlays.option_conditions import Value, holds, settings_of
from interpreter.rules.overlays.ordering import check_order, is_below
from interpreter.rules.overlays.patch.add import add
from interpreter.rules.overlays.patch.board_lines import split_line
from interpreter.rules.overlays.patch.citation_changes import add_citations
from interpreter.rules.overlays.patch.entries import path_of
from interpreter.rules.overlays.patch.overlay import SCENARIOS, Overlay, Patch
from interpreter.rules.overlays.patch.replace_text import replace_text
from interpreter.rules.overlays.patch.set_remove import remove, replace_cells, set_
from interpreter.rules.overlays.patch.wrap import wrap
from interpreter.rules.overlays.path.targets import ANY, Path, path_text
from interpreter.rules.overlays.rename.rename import rename

_WORD: Final = re.compile(r"\w+")
_VERBS: Final = {
    "set": set_,
    "add": add,
    "remove": remove,
    "replace_cells": replace_cells,
    "replace_text": replace_text,
    "wrap": wrap,
}


@dataclass(slots=True, eq=False)
class OverlayApplication:
    """One application of overlays to documents, which are changed in place."""

    documents: MergedDocuments
    options: Mapping[str, object]

    @property
    def overlays(self) -> Sequence[Overlay]:
        """The overlays, lowest first."""
        return self.documents.overlays

    def apply(self) -> None:
        """Adds the sections of all overlays, then applies their patches in order; faults are added to the documents."""
        faults = self.documents.faults
        known = len(faults)
        faults += check_order(self.documents, self.overlays)
        if len(faults) > known:
            return
        self.documents.documents += [_document(each) for each in self.overlays]
        check_sections(self.documents)
        self._advise()
        if len(faults) > known:
            return
        settings = self._settings()
        for overlay in self.overlays:
            for patch in overlay.patches:
                if patch.parts[0] != SCENARIOS:
                    self._attempt(overlay, patch, settings)
        faults += conflicts(self.documents.touches, self.overlays)
        if len(faults) == known:
            check_sections(self.documents)

    def _advise(self) -> None:
        """Changes the hint for a name that an overlay declares again: it should use a patch."""
        files = {str(each.file.path) for each in self.overlays}
        hint = "an overlay changes an existing entry by a patch: 'at' its path, with 'set'"
        self.documents.faults[:] = [
            replace(each, hint=hint) if each.code == "duplicate" and each.place.file in files else each
            for each in self.documents.faults
        ]

    def _settings(self) -> dict[str, Value]:
        """Returns the final values of the options, so that a patch can depend on a default that another patch sets."""
        found = settings_of(self.documents, self.options)
        for patch in [each for overlay in self.overlays for each in overlay.patches if each.parts[0] == "options"]:
            if patch.when is not None:
                message = "an option can't depend on options"
                hint = "leave out 'when', and use the condition where the option is used"
                self.documents.faults.append(Diagnostic("toggled-option", message, patch.when.place, hint))
            elif patch.verb == "set" and patch.parts[1] in found and patch.parts[1] not in self.options:
                node = patch.value.get("default") if isinstance(patch.value, Fields) else patch.value
                if patch.parts[2:] in ((), ("default",)) and isinstance(node, Scalar) and node.value is not None:
                    found[patch.parts[1]] = node.value
        return found

    def _attempt(self, overlay: Overlay, patch: Patch, settings: dict[str, Value]) -> None:
        try:
            if patch.when is not None and not holds(patch.when, settings, self.documents):
                return
            if patch.verb == "rename":
                paths = rename(self.documents, patch, settings, self.documents.renames)
            else:
                paths = apply_patch(self.documents, patch)
        except RulesetError as error:
            self.documents.faults += self._own(patch, error.diagnostics)
            return
        if patch.verb == "rename" and paths[0][0] == "options":
            settings[paths[1][1]] = settings.pop(paths[0][1])
        if patch.verb not in ("wrap", "rename"):  # a layer has its own citation, a name has none
            add_citations(self.documents, patch, paths)
        self.documents.touches += [Touch(overlay, patch, path) for path in paths]

    def _own(self, patch: Patch, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """Returns the faults of a patch that follow from nothing that was left out."""
        for entry in self.documents.unread:
            path = path_of(entry)
            if overlap(path[: len(patch.parts)], patch.parts[: len(path)]):
                return ()
            given = names_given(entry).difference(path if entry.is_patch else ())
            found = [each for each in found if given.isdisjoint(_WORD.findall(each.message))]
        return found


def apply_patch(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Applies a patch of any verb but `rename`, and returns the full paths that it touched.

    Raises:
        RulesetError: if the patch is wrong; it has then changed nothing.
    """
    for document in documents.documents:
        split_line(document.root, patch.parts)
    return _VERBS[patch.verb](documents, patch)


def _document(overlay: Overlay) -> Document:
    return Document(overlay.file.path, str(overlay.file.path), overlay.digest, overlay.sections)


# ---------------------------------------------------------------- conflicts
def conflicts(touches: Sequence[Touch], overlays: Sequence[Overlay]) -> Iterator[Diagnostic]:
    """Yields an error for each path that two overlays touch although neither declares that it comes after the other."""
    reported: set[tuple[str, str, Path]] = set()
    for number, later in enumerate(touches):
        for earlier in touches[:number]:
            if earlier.overlay is later.overlay or not overlap(earlier.path, later.path):
                continue
            key = (earlier.overlay.id, later.overlay.id, later.path)
            if key not in reported and not is_below(earlier.overlay, later.overlay, overlays):
                reported.add(key)
                yield _conflict(earlier, later)


def _conflict(earlier: Touch, later: Touch) -> Diagnostic:
    lower, upper = earlier.overlay.id, later.overlay.id
    message = (
        f"'{path_text(later.path)}' is changed here and by the overlay '{lower}' "
        f"('{path_text(earlier.path)}', {earlier.patch.at.place})"
    )
    hint = f"if '{upper}' should come after it, write 'after: {lower}' in its head; otherwise use only one of the two"
    return Diagnostic("overlay-conflict", message, later.patch.at.place, hint)


def overlap(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same target, or one into the target of the other."""
    pairs = zip_longest(one, other, fillvalue=None)
    return all(left is None or right is None or left == right or ANY in (left, right) for left, right in pairs)


def apply(documents: DocumentSet, overlays: Sequence[Overlay], options: Mapping[str, object]) -> MergedDocuments:
    """Applies overlays to freshly read documents, which are changed in place; errors are added to their faults."""
    merged = MergedDocuments(
        documents.folder,
        documents.documents,
        documents.faults,
        documents.files,
        documents.unread,
        overlays=list(overlays),
    )
    OverlayApplication(merged, options).apply()
    return merged
