"""Puts the source line to each finding."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place

WIDTH: Final = 160
_UNSEEN: Final = dict.fromkeys([*range(32), *range(127, 160)], "\N{REPLACEMENT CHARACTER}")
"""Control characters, which would command a terminal rather than show on it."""


def with_excerpts(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings with the line that each points into, and with file names as seen from where one works.

    A long line is cut around the column, and the column follows it. What can't be read any more goes without.
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
        place=seen_from_here(place),
    )


def _shortened(text: str) -> str:
    """A text with the places that it names as seen from where one works."""
    return text.replace(f"{Path.cwd()}{os.sep}", "")


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    except OSError:
        return []  # made-up names such as <text>, and files that have gone since


def _cut(line: str, column: int) -> tuple[str, int]:
    """At most `WIDTH` characters of a line around a column, and how many of it are left out before them."""
    line = line.replace("\t", " ").translate(_UNSEEN).rstrip()
    start = min(max(column - 1 - WIDTH // 2, 0), max(len(line) - WIDTH, 0))
    return line[start : start + WIDTH], start


def seen_from_here(place: Place) -> Place:
    """Returns a place with its file relative to the working directory, if it is below it."""
    path = Path(place.file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        return place._replace(file=str(path.relative_to(Path.cwd())))
    return place
