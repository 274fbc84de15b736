"""Columns of text that line up, wide signs of East Asian scripts included."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.language.text_width import width

GAP = "  "
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60"
_CLOSING = "、。，．・：；！？）」』】〕〉》”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_OPENING = "（「『【〔〈《“‘"
_PARTS = re.compile(rf"[{_OPENING}]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{_CLOSING}]*\s*|\s+")
"""Where a line may be broken: behind blanks, and between wide signs but for those that open or close something."""


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """A text filled up with blanks to so many columns."""
    blanks = " " * max(columns - width(text), 0)
    return blanks + text if right else text + blanks


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """A text in lines of at most so many columns, those after the first indented; broken at blanks and wide signs."""
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
    """Rows in columns as wide as their widest cell; the header may be empty."""
    cells = [[str(cell) for cell in row] for row in ([header, *rows] if header else rows)]
    if not cells:
        return []
    columns = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return [
        GAP.join(padded(cell, columns[at], right=at in right) for at, cell in enumerate(row)).rstrip() for row in cells
    ]
