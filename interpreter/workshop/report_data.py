"""Findings as plain data, in one form for all reports of the workshop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.source_excerpts import seen_from_here


def diagnostic_json(finding: Diagnostic) -> dict[str, Any]:
    """A finding as plain data."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "place": place_text(finding.place),
        "hint": finding.hint,
    }


def cited(cites: Iterable[str]) -> str:
    """The clauses that something rests on, to stand behind it; nothing where there are none."""
    clauses = ", ".join(cites)
    return f"  [{clauses}]" if clauses else ""


def place_text(place: Place) -> str:
    """A place with its file as seen from where one works."""
    return str(seen_from_here(place))
