"""Findings as plain data, in one form for all reports of the workshop."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import Diagnostic, Place


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
    path = Path(place.file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        place = place._replace(file=str(path.relative_to(Path.cwd())))
    return str(place)
