"""The documents of a ruleset together with the overlays that were applied to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.overlays.patch.overlay import Overlay, Patch
from interpreter.rules.overlays.path.targets import Path
from interpreter.rules.overlays.rename.in_data import Renamed


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """A place that a patch has changed, by its full path."""

    overlay: Overlay
    patch: Patch
    path: Path


@dataclass(slots=True)
class MergedDocuments(DocumentSet):
    """Holds the documents of a ruleset under one or more overlays."""

    overlays: list[Overlay] = field(default_factory=list)
    """The overlays that were applied to them, lowest first."""
    touches: list[Touch] = field(default_factory=list)
    """What overlays have changed in them."""
    renames: dict[Place, Renamed] = field(default_factory=dict)
    """What overlays have renamed in them, by where they say so; scenarios follow."""

    def changed_entries(self) -> Iterator[tuple[Path, Mapping]]:
        """Yields the path of each place that a patch has changed, and the fields of the patch."""
        return ((touch.path, touch.patch.fields) for touch in self.touches)


def overlays_of(documents: DocumentSet) -> list[Overlay]:
    """Returns the overlays that were applied to documents, lowest first."""
    return documents.overlays if isinstance(documents, MergedDocuments) else []


def touches_of(documents: DocumentSet) -> list[Touch]:
    """Returns what overlays have changed in documents."""
    return documents.touches if isinstance(documents, MergedDocuments) else []


def renames_of(documents: DocumentSet) -> dict[Place, Renamed]:
    """Returns what overlays have renamed in documents, by where they say so."""
    return documents.renames if isinstance(documents, MergedDocuments) else {}
