"""Leaves faulty patches and entries of overlays out, so that all else that is wrong is reported in the same run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.unread_entries import UnreadEntry
from interpreter.rules.linking.cascading_errors import Parts
from interpreter.rules.overlays.attribution import with_attribution
from interpreter.rules.overlays.merged import read_effective
from interpreter.rules.overlays.merged_documents import MergedDocuments
from interpreter.rules.overlays.patch.entries import faulty_entries


def without_faulty_entries(
    documents: DocumentSet, faults: Sequence[Diagnostic], options: Mapping[str, object]
) -> DocumentSet | None:
    """Returns the documents without the patches and entries of overlays that cause faults.

    The faults are kept, with the patches to which they are attributed. None if a fault has another cause.
    """
    assert isinstance(documents, MergedDocuments)
    parts, places, unread = Parts(documents), list[Place](), list[UnreadEntry]()
    roots = {str(each.file.path): each.root for each in documents.overlays}
    for fault, reported in zip(faults, with_attribution(faults, documents), strict=True):
        causes = [fault.place] if fault.place.file in roots else _patches_at(fault, documents, parts)
        for place in causes:
            found = faulty_entries(roots[place.file], [Diagnostic(fault.code, fault.message, place)])
            if found is None:
                return None
            places += [each for each, _ in found]
            unread += [each._replace(faults=(reported,)) for _, each in found]
        if not causes:
            return None
    known = [each.file for each in documents.overlays]
    files = [each.without(places) for each in known]
    if not unread or files == known:
        return None
    rest = read_effective(documents.folder, files, options, [*documents.unread, *unread])
    earlier = [each for each in documents.faults if each not in faults]
    rest.faults[:0] = [
        each
        for each in (*earlier, *(reported for entry in unread for reported in entry.faults))
        if each not in rest.faults
    ]
    return rest


def _patches_at(fault: Diagnostic, documents: MergedDocuments, parts: Parts) -> list[Place]:
    """Returns the places of the patches that changed the entry in which a fault is."""
    part = parts.at(fault.place)
    if part is None:
        return []
    return [each.patch.at.place for each in documents.touches if each.path[:2] == (part.section, part.name)]
