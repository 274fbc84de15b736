"""The documents of a ruleset together with the overlays that were applied to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.overlays.patch.overlay import Overlay, Patch
from interpreter.rules.overlays.path.targets import Path
from interpreter.rules.overlays.rename.in_data import RecordedRename


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """The full path of something that a patch changed."""

    overlay: Overlay
    patch: Patch
    path: Path


@dataclass(slots=True)
class MergedDocuments(DocumentSet):
    """Holds the documents of a ruleset under one or more overlays."""

    overlays: list[Overlay] = field(default_factory=list)
    """The overlays that were applied to them, lowest first."""
    touches: list[Touch] = field(default_factory=list)
    """The paths that overlays changed in them."""
    renames: dict[Place, RecordedRename] = field(default_factory=dict)
    """What overlays renamed in them, by the place of the patch; scenarios are renamed accordingly."""

    def changed_entries(self) -> Iterator[tuple[Path, Mapping]]:
        """Yields the path of each change by a patch, and the fields of the patch."""
        return ((touch.path, touch.patch.fields) for touch in self.touches)


def overlays_of(documents: DocumentSet) -> list[Overlay]:
    """Returns the overlays that were applied to documents, lowest first."""
    return documents.overlays if isinstance(documents, MergedDocuments) else []


def touches_of(documents: DocumentSet) -> list[Touch]:
    """Returns the paths that overlays changed in documents."""
    return documents.touches if isinstance(documents, MergedDocuments) else []


def renames_of(documents: DocumentSet) -> dict[Place, RecordedRename]:
    """Returns what overlays renamed in documents, by the place of the patch."""
    return documents.renames if isinstance(documents, MergedDocuments) else {}
