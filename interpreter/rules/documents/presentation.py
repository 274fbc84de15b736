"""The words in which a ruleset is shown: the parts of `presentation` of all its files."""

from __future__ import annotations

from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Plain, plain


def presentation(documents: DocumentSet) -> dict[str, Plain]:
    """The parts of `presentation` of all files, joined by name."""
    joined: dict[str, Plain] = {}
    for entry in documents.nodes("presentation"):
        _join(joined, plain(entry))
    return joined


def _join(into: dict[str, Plain], more: Plain) -> None:
    assert isinstance(more, dict)
    for key, value in more.items():
        known = into.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            _join(known, value)
        else:
            into[key] = value
