"""Text grids and rule text in one style: lines in, lines out, the margin taken off."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.language.text_width import width

INDENTATION = 2
WIDTH = 120
LONG = 78
"""Lines of rule text longer than this do not push the citations of the others to the right."""
GAP = 2
"""At least so many blanks stand before a citation."""

_GRID_TOKEN = re.compile(r'"[^"]*"|\[[^\[\]]*\]|\{[^{}]*\}|\||[^\s|"]+')
_CITES = re.compile(r"\s+(@[A-Za-z0-9][A-Za-z0-9_.\-]*(?:\s+@[A-Za-z0-9][A-Za-z0-9_.\-]*)*)$")
_STRING = re.compile(r'("[^"]*"?)')


# ---------------------------------------------------------------- grids
def style_grid(lines: Sequence[str]) -> list[str]:
    """A text grid with its columns in line; as it was where it is no grid."""
    rows = [_cells(line) for line in lines if line.strip()]
    if not rows or any(row is None for row in rows):
        return [line.rstrip() for line in lines]
    known = [row for row in rows if row is not None]
    keys = _columns([keys for keys, _ in known])
    cells = _columns([cells for _, cells in known])
    return [f"{left} | {right}".rstrip() for left, right in zip(keys, cells, strict=True)]


def _cells(line: str) -> tuple[list[str], list[str]] | None:
    tokens = _GRID_TOKEN.findall(line)
    if tokens.count("|") != 1 or "".join("".join(tokens).split()) != "".join(line.split()):
        return None
    bar = tokens.index("|")
    return tokens[:bar], tokens[bar + 1 :]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    count = max([len(row) for row in rows])
    widths = [max([width(row[at]) for row in rows if at < len(row)]) for at in range(count)]
    whole = sum(widths) + max(count - 1, 0)
    found = []
    for row in rows:
        text = " ".join([cell + " " * (widths[at] - width(cell)) for at, cell in enumerate(row)])
        found.append(text + " " * (whole - width(text)))
    return found


# ---------------------------------------------------------------- rule text
def style_rules(lines: Sequence[str], margin: int) -> list[str]:
    """A block of rule text: indentation, blanks, citations; `margin` is the column that it begins at."""
    parts = [_parted(line) for line in _indented(lines)]
    reach = [len(code) for code, cites in parts if cites and len(code) <= LONG]
    column = max(reach, default=0) + GAP
    found = []
    for code, cites in parts:
        at = max(column, len(code) + GAP)
        if margin + at + len(cites) > WIDTH:
            at = len(code) + GAP
        found.append(f"{code.ljust(at)}{cites}" if cites else code)
    return found


def _parted(line: str) -> tuple[str, str]:
    """A line's code, with single blanks, and its citations."""
    body = line.lstrip()
    indent = line[: len(line) - len(body)]
    code, comment = _uncommented(body)
    cites = _CITES.search(code) if not comment else None
    if cites is not None:
        code = code[: cites.start()]
    parts = _STRING.split(code)
    parts[::2] = [re.sub(r"[ \t]{2,}", " ", each) for each in parts[::2]]
    return indent + ("".join(parts) + comment).rstrip(), " ".join(cites[1].split()) if cites is not None else ""


def _uncommented(line: str) -> tuple[str, str]:
    """What stands before a comment, and the comment with the blanks before it."""
    in_text = False
    for at, sign in enumerate(line):
        if sign == '"':
            in_text = not in_text
        elif sign == "#" and not in_text:
            code = line[:at].rstrip()
            return code, line[len(code) :]
    return line.rstrip(), ""


def _indented(lines: Sequence[str]) -> list[str]:
    """The lines with two blanks for each level; lines inside brackets keep their distance to the first of them."""
    levels: list[int] = []
    depth, shift = 0, 0
    found: list[str] = []
    for line in lines:
        body = line.strip()
        if not body or body.startswith("#"):
            found.append(_moved(line, shift) if body else "")
            continue
        indent = len(line) - len(line.lstrip())
        if depth == 0:
            while levels and indent < levels[-1]:
                levels.pop()
            if not levels or indent > levels[-1]:
                levels.append(indent)
            shift = (len(levels) - 1) * INDENTATION - indent
        found.append(_moved(line, shift))
        depth = max(depth + _opened(body), 0)
    return found


def _moved(line: str, shift: int) -> str:
    indent = len(line) - len(line.lstrip())
    return " " * max(indent + shift, 0) + line.strip()


def _opened(line: str) -> int:
    code = _STRING.sub("", _uncommented(line)[0])
    return sum(code.count(each) for each in "([{") - sum(code.count(each) for each in ")]}")
