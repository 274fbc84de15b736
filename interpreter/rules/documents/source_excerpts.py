"""Adds source lines to diagnostics. The lines of a document that is no file are those of its remembered text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place, UsageError
from interpreter.language.plain_files import read_plain
from interpreter.rules.documents.own_folder import MAX_FILE_BYTES

MAX_WIDTH: Final = 160
_TEXTS: Final[dict[str, str]] = {}
_MAX_TEXTS: Final = 16


def remember_text(name: str, text: str) -> None:
    """Keeps the text of a document that is no file, under its name in angle brackets; only the newest are kept."""
    while len(_TEXTS) >= _MAX_TEXTS and name not in _TEXTS:
        del _TEXTS[next(iter(_TEXTS))]
    _TEXTS[name] = text


def document_name(path: Path, content: bytes) -> str:
    """Returns the name of a document that was read: its path, which for a pipe is in angle brackets."""
    if path.is_file():
        return str(path)
    remember_text(f"<{path}>", content.decode("utf-8-sig", errors="replace"))
    return f"<{path}>"


def source_lines(file: str) -> Sequence[str]:
    """Returns the lines of the document that a place names; none if they can't be read.

    A name in angle brackets is no path: nothing is opened for it.
    """
    if file.startswith("<"):
        return _split(_TEXTS[file]) if file in _TEXTS else ()
    try:
        status = Path(file).stat()
        return _lines(file, (status.st_ino, status.st_size, status.st_mtime_ns))
    except (OSError, ValueError, UsageError):
        return ()  # deleted, or no longer a plain file


@lru_cache(maxsize=8)
def _lines(file: str, _stamp: tuple[int, ...]) -> list[str]:
    return _split(read_plain(file, MAX_FILE_BYTES).decode("utf-8-sig", errors="replace"))


def _split(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def with_excerpts(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns diagnostics with their source lines, and with file names relative to the working directory.

    A long line is cut around the column, which is adjusted. If the file can't be read, there is no line.
    """
    lines: dict[str, Sequence[str]] = {}
    return [_with_excerpt(each, lines) for each in diagnostics]


def _with_excerpt(diagnostic: Diagnostic, lines: dict[str, Sequence[str]]) -> Diagnostic:
    place = diagnostic.place
    excerpt, start = diagnostic.excerpt, diagnostic.excerpt_start
    if excerpt is None and place.line:
        if place.file not in lines:
            lines[place.file] = source_lines(place.file)
        if place.line <= len(lines[place.file]):
            excerpt, start = _cut(lines[place.file][place.line - 1], place.column)
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
