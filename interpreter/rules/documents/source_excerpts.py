"""Adds source lines to diagnostics."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place

MAX_WIDTH: Final = 160


def with_excerpts(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns diagnostics with their source lines, and with file names relative to the working directory.

    A long line is cut around the column, which is adjusted. If the file can't be read, there is no line.
    """
    lines: dict[str, list[str]] = {}
    return [_with_excerpt(each, lines) for each in diagnostics]


def _with_excerpt(diagnostic: Diagnostic, lines: dict[str, list[str]]) -> Diagnostic:
    place = diagnostic.place
    if place.file not in lines:
        lines[place.file] = _lines(place.file)
    known = lines[place.file]
    excerpt, start = diagnostic.excerpt, diagnostic.excerpt_start
    if excerpt is None and 0 < place.line <= len(known):
        excerpt, start = _cut(known[place.line - 1], place.column)
    return replace(
        diagnostic,
        message=_shortened(diagnostic.message),
        hint=_shortened(diagnostic.hint) if diagnostic.hint else None,
        excerpt=excerpt,
        excerpt_start=start,
        place=relative_place(place),
    )


def _shortened(text: str) -> str:
    """Returns a text with its file names relative to the working directory."""
    return text.replace(f"{Path.cwd()}{os.sep}", "")


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    except OSError:
        return []  # pseudo-names such as <text>, and deleted files


def _cut(line: str, column: int) -> tuple[str, int]:
    """Returns at most `MAX_WIDTH` characters of a line around a column, and the number cut before them."""
    line = line.replace("\t", " ").rstrip()
    start = min(max(column - 1 - MAX_WIDTH // 2, 0), max(len(line) - MAX_WIDTH, 0))
    return line[start : start + MAX_WIDTH], start


def relative_place(place: Place) -> Place:
    """Returns a place with its file relative to the working directory, if it is below it."""
    path = Path(place.file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        return place._replace(file=str(path.relative_to(Path.cwd())))
    return place
