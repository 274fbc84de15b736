"""Findings, citations and places in the common form of all workshop reports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.source_excerpts import relative_place


def diagnostic_json(finding: Diagnostic) -> dict[str, Any]:
    """Returns a finding as JSON data."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "place": source_text(finding.place),
        "hint": finding.hint,
    }


def citation_suffix(cites: Iterable[str]) -> str:
    """Returns the cited clauses in brackets, to be appended to a line; empty if there are none."""
    clauses = ", ".join(cites)
    return f"  [{clauses}]" if clauses else ""


def source_text(place: Place) -> str:
    """Returns a place with its file relative to the working directory."""
    return str(relative_place(place))
