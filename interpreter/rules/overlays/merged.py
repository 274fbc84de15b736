"""Reads the documents of a ruleset and applies overlays to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interpreter.rules.documents.document_set import DocumentSet, read_ruleset
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.unread_entries import UnreadEntry


def read_effective(
    folder: Path, overlays: Sequence[OverlayFile], options: Mapping[str, object], unread: Sequence[UnreadEntry] = ()
) -> DocumentSet:
    """Reads the documents of the ruleset in a folder, and applies overlays in this order under these options.

    Errors in either are collected in `faults`, not raised. `unread` is what was left out of the overlays before.

    Raises:
        UsageError: if there is no ruleset in the folder, or a file can't be read.
    """
    documents = read_ruleset(folder)
    if overlays and not documents.faults:
        from interpreter.rules.overlays.apply import apply  # noqa: PLC0415 - only needed for overlays
        from interpreter.rules.overlays.patch.overlay import read_sound_part  # noqa: PLC0415 - as above

        parts = [read_sound_part(each) for each in overlays]
        documents.faults += [fault for part in parts for fault in part.faults]
        documents.unread += [*unread, *(each for part in parts for each in part.unread)]
        read = [part.overlay for part in parts if part.overlay is not None]
        if len(read) == len(parts):
            return apply(documents, read, options)
    return documents
