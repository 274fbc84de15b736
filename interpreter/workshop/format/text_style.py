"""Formats the lines of text grids and rule text, given without their margin."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.language.diagnostics import RulesetError
from interpreter.language.parsing.parse import parse_block
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.text_width import width

INDENTATION = 2
MAX_WIDTH = 120
MAX_ALIGNED_LENGTH = 78
"""The largest length of a line of rule text that counts for the column of citations."""
MIN_GAP = 2
"""The smallest number of blanks before a citation."""

_GRID_TOKEN = re.compile(r'"[^"]*"|\[[^\[\]]*\]|\{[^{}]*\}|\||[^\s|"]+')
_CITES = re.compile(r"\s+(@[A-Za-z0-9][A-Za-z0-9_.\-]*(?:\s+@[A-Za-z0-9][A-Za-z0-9_.\-]*)*)$")
_STRING = re.compile(r'("[^"]*"?)')


# ---------------------------------------------------------------- grids
def style_grid(lines: Sequence[str]) -> list[str]:
    """Returns a text grid with aligned columns; unchanged if it is not a valid grid."""
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
def is_rule_text(text: str, key: str) -> bool:
    """Returns whether a literal block is rule text: the `do` of an entry, or one that can be read as statements.

    A kind names the rule texts of its objects as it likes, and may stand in another document than they do.
    """
    if key == "do":
        return True
    try:
        parse_block(SourceText(text, "", ((0, 1, 1),)))
    except RulesetError:
        return False
    return True


def style_rules(lines: Sequence[str], margin: int) -> list[str]:
    """Formats the indentation, blanks and citations of a block of rule text that begins at the column `margin`."""
    parts = [_code_and_cites(line) for line in _reindented(lines)]
    reach = [len(code) for code, cites in parts if cites and len(code) <= MAX_ALIGNED_LENGTH]
    column = max(reach, default=0) + MIN_GAP
    found = []
    for code, cites in parts:
        at = max(column, len(code) + MIN_GAP)
        if margin + at + len(cites) > MAX_WIDTH:
            at = len(code) + MIN_GAP
        found.append(f"{code.ljust(at)}{cites}" if cites else code)
    return found


def _code_and_cites(line: str) -> tuple[str, str]:
    """Returns a line's code, with single blanks, and its citations."""
    body = line.lstrip()
    indent = line[: len(line) - len(body)]
    code, comment = _split_comment(body)
    cites = _CITES.search(code) if not comment else None
    if cites is not None:
        code = code[: cites.start()]
    parts = _STRING.split(code)
    parts[::2] = [re.sub(r"[ \t]{2,}", " ", each) for each in parts[::2]]
    return indent + ("".join(parts) + comment).rstrip(), " ".join(cites[1].split()) if cites is not None else ""


def _split_comment(line: str) -> tuple[str, str]:
    """Returns the text before a comment, and the comment with the blanks before it."""
    in_text = False
    for at, sign in enumerate(line):
        if sign == '"':
            in_text = not in_text
        elif sign == "#" and not in_text:
            code = line[:at].rstrip()
            return code, line[len(code) :]
    return line.rstrip(), ""


def _reindented(lines: Sequence[str]) -> list[str]:
    """Returns the lines with two blanks for each level; lines within brackets keep their offset to the first line."""
    levels: list[int] = []
    depth, shift = 0, 0
    found: list[str] = []
    for line in lines:
        body = line.strip()
        if not body or body.startswith("#"):
            found.append(_shifted(line, shift) if body else "")
            continue
        indent = len(line) - len(line.lstrip())
        if depth == 0:
            while levels and indent < levels[-1]:
                levels.pop()
            if not levels or indent > levels[-1]:
                levels.append(indent)
            shift = (len(levels) - 1) * INDENTATION - indent
        found.append(_shifted(line, shift))
        depth = max(depth + _open_brackets(body), 0)
    return found


def _shifted(line: str, shift: int) -> str:
    indent = len(line) - len(line.lstrip())
    return " " * max(indent + shift, 0) + line.strip()


def _open_brackets(line: str) -> int:
    code = _STRING.sub("", _split_comment(line)[0])
    return sum(code.count(each) for each in "([{") - sum(code.count(each) for each in ")]}")
