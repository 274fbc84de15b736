"""Reads the documents of a ruleset and applies overlays to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.document_set import DocumentSet, read_ruleset
from interpreter.rules.documents.overlay_files import OverlayFile


def read_effective(folder: Path, overlays: Sequence[OverlayFile], options: Mapping[str, object]) -> DocumentSet:
    """Reads the documents of the ruleset in a folder, and applies overlays in this order under these options.

    Errors in either are collected in `faults`, not raised.

    Raises:
        UsageError: if there is no ruleset in the folder, or a file can't be read.
    """
    documents = read_ruleset(folder)
    if overlays and not documents.faults:
        from interpreter.rules.overlays.apply import apply  # noqa: PLC0415 - only needed for overlays
        from interpreter.rules.overlays.patch.overlay import read_overlay  # noqa: PLC0415 - as above

        read = []
        for each in overlays:
            try:
                read.append(read_overlay(each))
            except RulesetError as error:
                documents.faults += error.diagnostics
        if not documents.faults:
            return apply(documents, read, options)
    return documents
