"""Aligned columns of text, including wide characters of East Asian scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.language.text_width import width

GAP = "  "
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60"
_CLOSING = "、。，．・：；！？）」』】〕〉》”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_OPENING = "（「『【〔〈《“‘"
_PARTS = re.compile(rf"[{_OPENING}]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{_CLOSING}]*\s*|\s+")
"""The parts between possible line breaks: after blanks, and between wide characters, but not at brackets."""


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Returns a text padded with blanks to this number of columns."""
    blanks = " " * max(columns - width(text), 0)
    return blanks + text if right else text + blanks


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Wraps a text to this number of columns, with an indent after the first line."""
    if width(text) <= columns:
        return [text]
    lines, line = [], ""
    for part in _PARTS.findall(text):
        if width(line + part.rstrip()) > columns and line.strip():
            lines.append(line.rstrip())
            line = indent + part.lstrip()
        else:
            line += part
    return [*lines, line.rstrip()]


def table_lines(header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = ()) -> list[str]:
    """Returns the lines of a table with columns as wide as their widest cell; the header may be empty."""
    cells = [[str(cell) for cell in row] for row in ([header, *rows] if header else rows)]
    if not cells:
        return []
    columns = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return [
        GAP.join(padded(cell, columns[at], right=at in right) for at, cell in enumerate(row)).rstrip() for row in cells
    ]
