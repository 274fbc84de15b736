"""Extracts passages of documents from their files."""

from __future__ import annotations

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.source_excerpts import source_lines

MAX_LINES = 40


def passage(place: Place) -> str:
    """Returns the entry that begins at a place, with everything under it; empty if the file can no longer be read."""
    lines = source_lines(place.file)
    if not 0 < place.line <= len(lines):
        return ""
    first = lines[place.line - 1]
    column = place.column - 1
    is_item = first[:column].strip() == "-"
    kept = [first[len(first) - len(first.lstrip()) :]]
    cut = len(first) - len(first.lstrip())
    for line in lines[place.line :]:
        indent = len(line) - len(line.lstrip())
        if line.strip() and (indent < column if is_item else indent <= cut):
            break
        kept.append(line[cut:])
    while kept and not kept[-1].strip():
        kept.pop()
    left = len(kept) - MAX_LINES
    return "\n".join([*kept[:MAX_LINES], *([f"… {left} more lines"] if left > 0 else [])])


def rule_line(place: Place) -> str:
    """Returns the line of rule text at a place, stripped; empty if the file can no longer be read."""
    lines = source_lines(place.file)
    return lines[place.line - 1].strip() if 0 < place.line <= len(lines) else ""
