"""Aligned columns of text, including wide characters of East Asian scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.language.text_width import width

GAP = "  "
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60"
_CLOSING = "、。，．・：；！？）」』】〕〉》”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_OPENING = "（「『【〔〈《“‘"
_NAME = "[゠-ヺー＝]{2,12}"
_PARTS = re.compile(rf"[{_OPENING}]*(?:{_NAME}|[{_WIDE}]|[^\s{_WIDE}]+)[{_CLOSING}]*(?: %[^\s{_WIDE}]*)?\s*|\s+")
"""The parts between possible line breaks: after blanks, and between wide characters, but neither at brackets, nor
within a word in katakana, nor before a percent sign."""

_ROW_HEAD = re.compile(r"\s*\d+  |\s*\S+(?: \S+)*?   +")
_MAX_INDENT = 30


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


def fitted(text: str, columns: int) -> str:
    """Returns a text wrapped to `columns`; continuation lines are indented."""
    return "\n".join([part for line in text.split("\n") for part in wrapped(line, columns, _indent(line))])


def _indent(line: str) -> str:
    """Returns the indent of continuation lines: after an option number or a row name, else two blanks more."""
    found = _ROW_HEAD.match(line)
    return " " * (min(width(found[0]), _MAX_INDENT) if found is not None else len(line) - len(line.lstrip()) + 2)


def stacked_headings(header: Sequence[str], rows: Sequence[Sequence[object]], columns: int) -> list[list[str]]:
    """Returns the headings of a table in as many lines as they need for the table to fit into these columns.

    A table whose cells are too wide does not fit in any case.
    """
    cells = [max((width(str(row[at])) for row in rows), default=0) for at in range(len(header))]
    split = [[each] for each in header]
    for limit in range(max(map(width, header), default=0), 0, -1):
        split = [wrapped(each, max(limit, cell)) for each, cell in zip(header, cells, strict=True)]
        used = [max(cell, *map(width, lines)) for cell, lines in zip(cells, split, strict=True)]
        if sum(used) + width(GAP) * (len(header) - 1) <= columns:
            break
    depth = max(map(len, split), default=1)
    return [[lines[at - depth] if at >= depth - len(lines) else "" for lines in split] for at in range(depth)]


def table_lines(header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = ()) -> list[str]:
    """Returns the lines of a table with columns as wide as their widest cell; the header may be empty."""
    cells = [[str(cell) for cell in row] for row in ([header, *rows] if header else rows)]
    if not cells:
        return []
    columns = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return [
        GAP.join(padded(cell, columns[at], right=at in right) for at, cell in enumerate(row)).rstrip() for row in cells
    ]
